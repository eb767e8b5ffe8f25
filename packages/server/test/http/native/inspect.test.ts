import { decodeModel, encodeModel, type LinearModel, rows, train } from 'halfspace';
import { type DescribedFunction, describeFunctions } from 'halfspace/models';
import { beforeEach, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { type Models, openModels } from '../../../src/index.ts';
import { asking } from '../../support/asking.ts';
import { flowerModel, flowers, temporaryFolder, unlabelled } from '../../support/examples.ts';

let models: Models;
let ask: Awaited<ReturnType<typeof asking>>;

beforeEach(async () => {
  models = await openModels({ dir: temporaryFolder() });
  ask = await asking(await createApp(models));
  return () => models.close();
});

const url = '/v1/models/flowers';
const put = (body: object | string) => ask({ method: 'PUT', url, body });
const examples = flowers.map((flower) => ({ row: unlabelled(flower), label: flower.kind }));
const learn = (some: readonly object[]) => ask({ method: 'POST', url: `${url}/learn`, body: { examples: some } });

test('weights and columns of a learning model are those of its model file at the same version', async () => {
  await put({ kind: 'learning', options: {} });
  expect((await ask({ url: `${url}/weights` })).json).toMatchObject({ version: { sequence: 0 }, functions: [] });
  expect((await ask({ url: `${url}/columns` })).json).toMatchObject({ rows: 'unknown', columns: [] });
  await learn(examples.slice(0, 1));
  expect((await ask({ url: `${url}/columns` })).json).toMatchObject({
    rows: 'records',
    columns: [
      { name: 'size', kind: 'number' },
      { name: 'colour', kind: 'category' },
    ],
  });
  await learn(examples.slice(1));
  const file = await ask({ url: `${url}/model` });
  const model = decodeModel(file.text);
  if (model.kind !== 'linear' || model.features.kind !== 'table') throw new Error('expected a linear model of a table');
  const weights = await ask({ url: `${url}/weights?top=2` });
  expect(weights.headers.etag).toBe(file.headers.etag);
  const [told] = weights.json.functions;
  expect(told).toMatchObject({ class: 'rose', against: 'lily', bias: model.bias * model.biasConstant });
  expect(told.nonzero).toBe(model.weights.filter((weight) => weight !== 0).length);
  const sizes = Array.from(model.weights, Math.abs).sort((a, b) => b - a);
  expect(told.strongest.map(({ weight }: { weight: number }) => Math.abs(weight))).toEqual(sizes.slice(0, 2));
  const { columns } = (await ask({ url: `${url}/columns` })).json;
  expect(columns.map(({ name }: { name: string }) => name)).toEqual(model.features.columns.map(({ name }) => name));
  const colour = columns.find(({ name }: { name: string }) => name === 'colour');
  expect(colour).toMatchObject({ kind: 'category', levels: ['blue "sky"', 'grün', 'red'], otherLevels: 0 });
});

test('curves and grids of a bent model are those of its file', async () => {
  const table = Array.from({ length: 80 }, (_, i) => ({
    x: i % 9,
    z: (i * 7) % 11,
    kind: i % 9 > 4 === (i * 7) % 11 > 5,
  }));
  const { model } = await train(rows(table, { label: 'kind' }), { rule: 'logistic', bend: 5, pairs: [['x', 'z']] });
  await put(encodeModel(model));
  const [told] = (await ask({ url: `${url}/weights` })).json.functions;
  const [{ curves, grids }] = describeFunctions(model as LinearModel) as [DescribedFunction];
  const plain = (part: { readonly values: Float64Array }) =>
    JSON.parse(JSON.stringify({ ...part, values: [...part.values], spread: undefined, size: undefined }));
  expect(told.curves).toEqual(curves.map(plain));
  expect(told.grids).toEqual(grids.map(plain));
  expect([told.curves.length, told.grids.length, told.strongest.length]).toEqual([2, 1, 0]);
});

test('several classes have weights each, and one of them may be asked for', async () => {
  const table = flowers.map((flower, i) => ({ ...flower, kind: ['aster', 'lily', 'rose'][i % 3]! }));
  await put(encodeModel((await train(rows(table, { label: 'kind' }), { rule: 'averaged', passes: 2 })).model));
  const { functions } = (await ask({ url: `${url}/weights` })).json;
  expect(functions.map((each: { class: string; against: null }) => [each.class, each.against])).toEqual([
    ['aster', null],
    ['lily', null],
    ['rose', null],
  ]);
  expect((await ask({ url: `${url}/weights?of=lily` })).json.functions).toEqual([functions[1]]);
  expect((await ask({ url: `${url}/weights?of=tulip` })).json).toMatchObject({ status: 404, code: 'class-unknown' });
});

test('the curve of errors has moments at which nobody asked for it', async () => {
  ask = await asking(await createApp(models, { tickMs: 5 }));
  await put({ kind: 'learning', options: {} });
  for (const end of [20, 40, 60]) {
    await learn(examples.slice(end - 20, end));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { points } = (await ask({ url: `${url}/curve` })).json;
  expect(points.map(({ examples: count }: { examples: number }) => count)).toEqual([20, 40, 60]);
});

test('the curve has the errors of the shadow, from its begin, over the examples of the model', async () => {
  await put({ kind: 'learning', options: {} });
  const curve = async () => (await ask({ url: `${url}/curve` })).json;
  await learn(examples.slice(0, 20));
  expect((await curve()).shadow).toBe(null);
  const start = () => ask({ method: 'POST', url: `${url}/shadow`, body: { options: { rule: 'arow' } } });
  await start();
  expect((await curve()).shadow).toEqual({ since: 21, points: [] });
  for (const end of [30, 40]) {
    await learn(examples.slice(end - 10, end));
    const { metrics } = (await ask({ url: `${url}/shadow` })).json;
    const { points } = (await curve()).shadow;
    const latest = { error: 1 - metrics.accuracy, latestError: 1 - metrics.window.accuracy };
    expect(points.at(-1)).toEqual({ examples: end, ...latest });
    expect(points).toHaveLength(end / 10 - 2);
  }
  await start();
  expect((await curve()).shadow).toEqual({ since: 42, points: [] });
});

test('what cannot be answered is refused', async () => {
  await put(await flowerModel());
  for (const query of ['top=0', 'top=101', 'top=1e1', 'top=x', 'depth=1'])
    expect((await ask({ url: `${url}/weights?${query}` })).json).toMatchObject({
      status: 400,
      code: 'request-invalid',
    });
  const source = () => rows(flowers, { label: 'kind' });
  for (const rule of ['tree', 'kernel'] as const) {
    await put(encodeModel((await train(source(), { rule })).model));
    expect((await ask({ url: `${url}/weights` })).json).toMatchObject({ status: 409, code: 'weights-missing' });
  }
});

test('the curve of errors ends with the metrics of now', async () => {
  await put({ kind: 'learning', options: { window: 10 } });
  const points = async () => (await ask({ url: `${url}/curve` })).json.points;
  expect(await points()).toEqual([]);
  const told: object[] = [];
  for (const example of examples.slice(0, 15)) {
    await learn([example]);
    const { metrics } = (await ask({ url })).json;
    if (metrics.rows > 0)
      told.push({ examples: told.length + 2, error: 1 - metrics.accuracy, latestError: 1 - metrics.window.accuracy });
    expect(await points()).toEqual(told);
  }
  await put({ kind: 'learning', options: {} });
  await learn(examples.slice(0, 5));
  expect((await points()).map(({ examples: count }: { examples: number }) => count)).toEqual([5]);
  await put(await flowerModel());
  expect((await ask({ url: `${url}/curve` })).json).toMatchObject({ status: 409, code: 'model-frozen' });
});

test('rows may have lists: they are sets, as their text in a table is', async () => {
  const names = ['red', 'blue', 'green', 'white'];
  const rowsOf = Array.from({ length: 80 }, (_, i) => {
    const colours = names.filter((_, n) => ((i * 48271 + n * 16807 * (i + 3)) >>> 7) % 2 === 0);
    return { row: { colours }, label: colours.includes('red') ? 'rose' : 'lily' };
  });
  await put({ kind: 'learning', options: { columns: { colours: 'set:;' } } });
  expect((await learn(rowsOf)).status).toBe(200);
  expect((await ask({ url: `${url}/columns` })).json.columns).toEqual([
    { name: 'colours', kind: 'set', separator: ';', levels: [...names].sort(), otherLevels: 0 },
  ]);
  const predict = async (row: object) =>
    (await ask({ method: 'POST', url: `${url}/predict`, body: { rows: [row] } })).json.predictions[0];
  for (const { row, label } of rowsOf) {
    const answer = await predict(row);
    expect(answer.class).toBe(label);
    expect(await predict({ colours: row.colours.join('; ') || '[]' })).toEqual(answer);
  }
  const { outcomes } = (await learn([{ row: { colours: [['red']] }, label: 'rose' }])).json;
  expect(outcomes[0].problem).toMatchObject({ code: 'row-malformed', where: { field: 'colours' } });
});
