import { OnlineClassifier } from 'halfspace';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../../test/support/properties.ts';
import { createApp } from '../../../src/http/app.ts';
import type { Example } from '../../../src/models/contract.ts';
import { asking } from '../../support/asking.ts';
import { flowerModel, flowers, unlabelled } from '../../support/examples.ts';
import { naiveModels } from '../../support/naive-models.ts';

const examples = flowers.map((flower, i) => ({
  row: unlabelled(flower),
  label: flower.kind as string,
  ...(i % 5 === 0 ? { importance: 2 } : {}),
}));
const options = { classes: ['lily', 'rose'], columns: { size: 'number' } } as const;
const models = naiveModels();
let ask: Awaited<ReturnType<typeof asking>>;
let file: string;

beforeAll(async () => {
  file = await flowerModel();
  ask = await asking(await createApp(models, { limits: { rows: 100, features: 10 } }));
});
beforeEach(async () => {
  await models.put('m', { kind: 'learning', options });
});

const learn = (body: object, headers = {}) => ask({ method: 'POST', url: '/v1/models/m/learn', body, headers });
const state = () => models.get('m')!.stateFile();

/** Splits a list after the given lengths. */
const split = <T>(list: readonly T[], lengths: readonly number[]): T[][] => {
  const parts: T[][] = [];
  for (let i = 0, k = 0; i < list.length; k++) {
    const length = lengths[k % lengths.length]!;
    parts.push(list.slice(i, i + length));
    i += length;
  }
  return parts;
};

test('examples, lists and streams of them, in any mixture, learn what the classifier learns from them in order', async () => {
  const direct = new OnlineClassifier<string>(options);
  const expected = examples.map(({ row, label, importance }, i) => {
    const { class: name, right, drift } = direct.learn(row, label, { importance });
    return { sequence: i + 1, duplicate: false, answer: { class: name, right, drift } };
  });
  const lengths = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 });
  await forAllAsync(25, lengths, fc.array(fc.constantFrom('list', 'lines'), { minLength: 1 }), async (sizes, ways) => {
    await models.put('m', { kind: 'learning', options });
    const outcomes: unknown[] = [];
    for (const [k, part] of split(examples, sizes).entries()) {
      if (part.length === 1) outcomes.push((await learn(part[0]!)).json);
      else if (ways[k % ways.length] === 'list') outcomes.push(...(await learn({ examples: part })).json.outcomes);
      else outcomes.push(...(await learn(part)).json);
    }
    expect(outcomes).toMatchObject(expected);
    expect(state()).toBe(direct.save());
  });
});

describe('an example is learned once', () => {
  test.each([
    ['by its own id', { ...examples[0]!, id: 'a' }, {}],
    ['by the key of the request', examples[0]!, { 'idempotency-key': 'k' }],
  ])('%s', async (_, example, headers) => {
    const first = (await learn(example, headers)).json;
    const learned = state();
    expect(first).toMatchObject({ sequence: 1, duplicate: false });
    expect((await learn(example, headers)).json).toMatchObject({ sequence: 1, duplicate: true, answer: null });
    expect((await learn({ examples: [example] }, headers)).json.outcomes).toMatchObject([{ duplicate: true }]);
    expect((await learn([example], headers)).json).toMatchObject([{ sequence: 1, duplicate: true }]);
    expect(state()).toBe(learned);
  });

  test('of a list or a stream by its position, and an own id goes before the key', async () => {
    const mixed: Example[] = [examples[0]!, { ...examples[1]!, id: 'own' }, examples[2]!];
    await learn({ examples: mixed }, { 'idempotency-key': 'k' });
    const ids = ['k/0', 'own', 'k/2', 'k/1'];
    const { json } = await learn(ids.map((id, i) => ({ ...examples[i]!, id })));
    expect(json.map((line: { duplicate: boolean }) => line.duplicate)).toEqual([true, true, true, false]);
  });
});

test('a refused example alone is an error; among others it is an outcome, and they are learned', async () => {
  const bad = { row: { size: 'long' }, label: 'lily' };
  await learn(examples[0]!);
  expect((await learn(bad)).json).toMatchObject({ status: 422, code: 'number-invalid' });
  const { status, json } = await learn({ examples: [examples[1], bad, examples[2]] });
  expect(status).toBe(200);
  expect(json.outcomes).toMatchObject([{ sequence: 2 }, { problem: { code: 'number-invalid' } }, { sequence: 3 }]);
  const lines = (await learn([examples[3]!, bad, { row: {} }, examples[4]!])).json;
  expect(lines).toMatchObject([
    { sequence: 4 },
    { problem: { code: 'number-invalid' } },
    { problem: { code: 'request-invalid' } },
    { sequence: 5 },
  ]);
});

test('feedback learns a row by the id of its answer', async () => {
  const { row, label } = examples[0]!;
  const predicted = await ask({ method: 'POST', url: '/v1/models/m/predict', body: { row, remember: true } });
  const feedback = (id: string) =>
    ask({ method: 'POST', url: '/v1/models/m/feedback', body: { id, label, importance: 3 } });
  expect((await feedback(predicted.json.id)).json).toMatchObject({ sequence: 1, version: { sequence: 1 } });
  const direct = new OnlineClassifier<string>(options);
  direct.learn(row, label, { importance: 3 });
  expect(state()).toBe(direct.save());
  expect((await feedback('absent')).json).toMatchObject({ status: 404, code: 'prediction-unknown' });
});

test('a frozen model learns nothing', async () => {
  await models.put('f', { kind: 'frozen', file });
  const url = '/v1/models/f/learn';
  expect((await ask({ method: 'POST', url, body: examples[0]! })).json).toMatchObject({
    status: 409,
    code: 'model-frozen',
  });
  expect((await ask({ method: 'POST', url, body: examples })).json).toMatchObject([
    { problem: { code: 'model-frozen' } },
  ]);
});

test('a model whose disk failed answers 503 to learn, says when to try again, and goes on answering rows', async () => {
  models.all.get('m')!.fault = new Error('the disk is full');
  const { status, headers, json } = await learn(examples[0]!);
  expect({ status, retry: headers['retry-after'] }).toEqual({ status: 503, retry: '5' });
  expect(json).toMatchObject({ code: 'model-read-only', detail: 'the disk is full' });
  expect((await ask({ url: '/readyz' })).json).toMatchObject({ status: 503, code: 'model-read-only' });
  expect((await ask({ url: '/livez' })).json).toEqual({ status: 'ok' });
  expect((await ask({ url: '/v1/models/m' })).json).toMatchObject({ fault: 'the disk is full' });
  const row = { method: 'POST', url: '/v1/models/m/predict', body: { row: examples[0]!.row } } as const;
  expect((await ask(row)).status).toBe(200);
});

test.each<[what: string, body: object]>([
  ['no label', { row: {} }],
  ['a label without a row', { label: 'lily' }],
  ['both forms', { ...examples[0], examples: [] }],
  ['neither form', {}],
  ['one id of several examples', { examples: [examples[0]], id: 'a' }],
  ['an unknown member', { ...examples[0], weight: 2 }],
  ['a label that is none', { row: {}, label: null }],
  ['a negative importance', { ...examples[0], importance: -1 }],
  ['an empty id', { ...examples[0], id: '' }],
  ['a long id', { ...examples[0], id: 'x'.repeat(129) }],
  ['a list with one that has no label', { examples: [examples[0], { row: {} }] }],
])('%s is refused, and nothing is learned', async (_, body) => {
  expect((await learn(body)).json).toMatchObject({ status: 400, code: 'request-invalid' });
  expect(models.get('m')!.version.sequence).toBe(0);
  if (!('examples' in body)) expect((await learn([body])).json).toMatchObject([{ problem: {} }]);
  expect(models.get('m')!.version.sequence).toBe(0);
});
