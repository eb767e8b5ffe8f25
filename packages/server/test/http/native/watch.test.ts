import { beforeEach, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { type Models, openModels } from '../../../src/index.ts';
import { asking } from '../../support/asking.ts';
import { flowerModel, flowers, unlabelled } from '../../support/flowers.ts';
import { temporaryFolder } from '../../support/folder.ts';

let models: Models;
let ask: Awaited<ReturnType<typeof asking>>;

beforeEach(async () => {
  models = await openModels({ dir: temporaryFolder() });
  ask = await asking(await createApp(models));
  return () => models.close();
});

const url = '/v1/models/flowers';
const examples = flowers.map((flower) => ({ row: unlabelled(flower), label: flower.kind }));
const learn = () => ask({ method: 'POST', url: `${url}/learn`, body: { examples } });
const begin = (options: object) => ask({ method: 'PUT', url, body: { kind: 'learning', options } });

test('the stream of a model is described, with calibration if it has probabilities', async () => {
  await begin({ calibrate: true });
  expect((await ask({ url: `${url}/watch` })).json).toMatchObject({ examples: 0, calibration: null, columns: [] });
  await learn();
  const { json } = await ask({ url: `${url}/watch` });
  expect(json).toMatchObject({ version: { sequence: 60 }, examples: 60, window: 1000, alarms: [] });
  expect(json.calibration.examples).toBeGreaterThan(0);
  expect(json.columns.map(({ name }: { name: string }) => name)).toEqual(
    models.get('flowers')!.description.columns.map(({ name }) => name),
  );
});

test('a shadow is begun, compared, promoted, and dropped', async () => {
  await begin({});
  await learn();
  expect((await ask({ url: `${url}/shadow` })).json).toMatchObject({ status: 409, code: 'shadow-missing' });
  const begun = await ask({ method: 'POST', url: `${url}/shadow`, body: { options: { rule: 'arow' } } });
  expect(begun.status).toBe(201);
  expect(begun.json).toMatchObject({ version: { sequence: 61 }, since: 61, rule: 'arow', examples: 0 });
  await learn();
  expect((await ask({ url: `${url}/shadow` })).json).toMatchObject({ examples: 60, refused: 0 });
  const headers = { 'idempotency-key': 'once' };
  const promoted = await ask({ method: 'POST', url: `${url}/promote`, headers });
  expect((await ask({ method: 'POST', url: `${url}/promote`, headers })).json).toEqual(promoted.json);
  expect(promoted.status).toBe(200);
  expect(promoted.json).toMatchObject({
    version: { sequence: 122 },
    since: 122,
    rule: 'follow-the-leader',
    examples: 120,
  });
  expect((await ask({ url })).json).toMatchObject({ rule: 'arow', examples: 60 });
  expect((await ask({ method: 'DELETE', url: `${url}/shadow` })).status).toBe(204);
  for (const [method, path] of [
    ['DELETE', 'shadow'],
    ['POST', 'promote'],
  ] as const)
    expect((await ask({ method, url: `${url}/${path}` })).json).toMatchObject({ status: 409, code: 'shadow-missing' });
});

test('what cannot be is refused', async () => {
  await begin({});
  for (const body of [{}, { options: 1 }, { options: {}, kind: 'x' }])
    expect((await ask({ method: 'POST', url: `${url}/shadow`, body })).json.code).toBe('request-invalid');
  const unknown = await ask({ method: 'POST', url: `${url}/shadow`, body: { options: { rules: 'arow' } } });
  expect(unknown.json.code).toBe('option-invalid');
  await ask({ method: 'PUT', url, body: await flowerModel() });
  for (const asked of [
    { url: `${url}/watch` },
    { method: 'POST', url: `${url}/shadow`, body: { options: {} } },
    { method: 'POST', url: `${url}/promote` },
  ] as const)
    expect((await ask(asked)).json).toMatchObject({ status: 409, code: 'model-frozen' });
});
