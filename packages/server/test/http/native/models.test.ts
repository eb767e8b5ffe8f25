import { decodeModel, OnlineClassifier, Predictor } from 'halfspace';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { asking } from '../../support/asking.ts';
import { flowerModel, flowers, unlabelled } from '../../support/examples.ts';
import { naiveModels } from '../../support/naive-models.ts';

const models = naiveModels();
let ask: Awaited<ReturnType<typeof asking>>;
let file: string;

beforeAll(async () => {
  file = await flowerModel();
  ask = await asking(await createApp(models));
});
beforeEach(() => models.all.clear());

const url = '/v1/models/flowers';
const put = (body: object | string, headers = {}) => ask({ method: 'PUT', url, body, headers });

test('a model file is created, described, asked for and retired', async () => {
  const created = await put(file);
  expect(created.status).toBe(201);
  expect(created.json).toMatchObject({
    name: 'flowers',
    kind: 'frozen',
    rule: 'averaged',
    label: 'kind',
    classes: ['lily', 'rose'],
    examples: 60,
    metrics: null,
  });
  const { sequence, digest } = created.json.version;
  const described = await ask({ url });
  expect(described.headers.etag).toBe(`"${sequence}-${digest}"`);
  expect(described.json).toEqual(created.json);
  expect((await ask({ url: '/v1/models' })).json).toEqual({ models: [created.json] });
  const got = await ask({ url: `${url}/model` });
  expect(got.text).toBe(file);
  expect(got.headers.etag).toBe(described.headers.etag);
  expect((await ask({ url: `${url}/state` })).json).toMatchObject({ status: 409, code: 'model-frozen' });
  expect((await put(file)).status).toBe(200);
  expect((await ask({ method: 'DELETE', url })).status).toBe(204);
  expect((await ask({ url })).json).toMatchObject({ status: 404, code: 'model-unknown' });
});

test('a learning model is created with its options, and its state and its model go elsewhere', async () => {
  const { json } = await put({ kind: 'learning', options: { label: 'kind', calibrate: true } });
  expect(json).toMatchObject({ kind: 'learning', version: { sequence: 0 }, examples: 0, metrics: { rows: 0 } });
  expect((await ask({ url: `${url}/model` })).json).toMatchObject({ status: 422, code: 'source-empty' });
  const examples = flowers.map((flower) => ({ row: unlabelled(flower), label: flower.kind }));
  await ask({ method: 'POST', url: `${url}/learn`, body: { examples } });
  const { members } = (await ask({ url })).json;
  expect(members.map(({ rule }: { rule: string }) => rule)).toEqual(['arow', 'sgd', 'sgd', 'passive-aggressive']);
  expect(members.filter(({ answers }: { answers: boolean }) => answers)).toHaveLength(1);
  const state = (await ask({ url: `${url}/state` })).text;
  const learned = OnlineClassifier.load(state);
  const { text } = await ask({ url: `${url}/model` });
  const row = unlabelled(flowers[3]!);
  expect(new Predictor(decodeModel(text)).scores(row)).toEqual(learned.scores(row));
  expect((await put(state)).json).toMatchObject({ kind: 'learning', examples: 60, classes: ['lily', 'rose'] });
  expect(models.get('flowers')!.stateFile()).toBe(state);
});

test('a condition that does not hold changes nothing', async () => {
  expect((await put(file, { 'if-match': '*' })).status).toBe(404);
  expect((await put(file, { 'if-none-match': '*' })).status).toBe(201);
  expect((await put(file, { 'if-none-match': '*' })).json).toMatchObject({ status: 412, code: 'version-differs' });
  const { etag } = (await ask({ url })).headers as { etag: string };
  const other = etag.replace(/^"0/, '"1');
  for (const method of ['PUT', 'DELETE'] as const) {
    const asked = { method, url, headers: { 'if-match': other }, ...(method === 'PUT' ? { body: file } : {}) };
    expect((await ask(asked)).json).toMatchObject({ status: 412, code: 'version-differs' });
    const odd = { ...asked, headers: { 'if-match': 'W/"1"' } };
    expect((await ask(odd)).json).toMatchObject({ status: 400, code: 'request-invalid' });
  }
  expect((await put(file, { 'if-match': etag })).status).toBe(200);
  expect((await ask({ method: 'DELETE', url, headers: { 'if-match': etag } })).status).toBe(204);
});

test.each<[what: string, body: object | string, status: number, code: string]>([
  ['no JSON', 'model', 400, 'body-malformed'],
  ['other JSON', '[]', 400, 'request-invalid'],
  ['another kind', { kind: 'frozen' }, 400, 'request-invalid'],
  ['another format', { format: 'onnx' }, 400, 'request-invalid'],
  ['an unknown member', { kind: 'learning', option: {} }, 400, 'request-invalid'],
  ['options that are none', { kind: 'learning', options: 7 }, 400, 'request-invalid'],
  ['an unknown option', { kind: 'learning', options: { rules: 'averaged' } }, 400, 'option-invalid'],
  ['a truncated model file', '{"format":"halfspace-model"}', 422, 'model-invalid'],
])('%s makes no model', async (_, body, status, code) => {
  expect((await put(body)).json).toMatchObject({ status, code });
  expect(models.list()).toEqual([]);
});

test('an edited model file makes no model', async () => {
  expect((await put(file.replace('"lily"', '"lilo"'))).json).toMatchObject({ status: 422, code: 'model-invalid' });
});
