import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { decodeModel, encodeModel, Predictor, rows as rowsSource, train } from 'halfspace';
import { beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../../../src/http/app.ts';
import { asking } from '../../support/asking.ts';
import { flowerModel, flowers, unlabelled } from '../../support/flowers.ts';
import { naiveModels } from '../../support/naive-models.ts';

/*
 * The paths, and the members of requests and answers, of the protocol's published OpenAPI document, stated anew.
 *
 * @see https://github.com/kserve/open-inference-protocol, specification/protocol/open_inference_rest.yaml.
 */
const operations = {
  '/v2/': 'get',
  '/v2/health/live': 'get',
  '/v2/health/ready': 'get',
  '/v2/models/{name}/versions/{version}': 'get',
  '/v2/models/{name}/versions/{version}/ready': 'get',
  '/v2/models/{name}/versions/{version}/infer': 'post',
} as const;

const text = { type: 'string' };
const list = (items: object) => ({ type: 'array', items });
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });
const parameters = { type: 'object' };
const data = { $ref: '#/$defs/data' };
/** Elements, nested or flat. */
const $defs = { data: list({ anyOf: [data, { type: 'number' }, text, { type: 'boolean' }] }) };
const shape = list({ type: 'integer' });
const tensor = object({ name: text, shape, datatype: text, parameters, data }, ['name', 'shape', 'datatype', 'data']);
const described = object({ name: text, datatype: text, shape }, ['name', 'datatype', 'shape']);
const published = {
  server: object({ name: text, version: text, extensions: list(text) }, ['name', 'version', 'extensions']),
  metadata: object(
    { name: text, versions: list(text), platform: text, inputs: list(described), outputs: list(described) },
    ['name', 'platform'],
  ),
  request: object(
    { id: text, parameters, inputs: list(tensor), outputs: list(object({ name: text, parameters }, ['name'])) },
    ['inputs'],
  ),
  inference: object({ model_name: text, model_version: text, id: text, parameters, outputs: list(tensor) }, [
    'model_name',
    'outputs',
  ]),
  error: object({ error: text }, ['error']),
};
const ajv = new Ajv2020({ strictTypes: false });
const follows = (name: keyof typeof published, value: unknown) => {
  const validate = ajv.compile({ ...published[name], $defs });
  expect({ valid: validate(value), errors: validate.errors }).toEqual({ valid: true, errors: null });
};

const rows = flowers.map(unlabelled);
const models = naiveModels();
let app: App;
let ask: Awaited<ReturnType<typeof asking>>;
let oracle: Predictor;
let numbers: Predictor;

beforeAll(async () => {
  const file = await flowerModel();
  oracle = new Predictor(decodeModel(file));
  await models.put('flowers', { kind: 'frozen', file });
  const arrays = Array.from({ length: 40 }, (_, i) => ({ 0: i % 5, 1: (i * 7) % 11, label: i % 2 }));
  const named = await train(rowsSource(arrays, { label: 'label' }), { rule: 'averaged' });
  numbers = new Predictor(named.model);
  await models.put('columns', { kind: 'frozen', file: encodeModel(named.model) });
  await models.put('new', { kind: 'learning', options: { classes: ['a', 'b'] } });
  app = await createApp(models, { version: '1.2.3', limits: { rows: 1000 } });
  ask = await asking(app);
});

const infer = (model: string, body: object) => ask({ method: 'POST', url: `/v2/models/${model}/infer`, body });
const tensorsOf = (given: readonly object[], shape: readonly number[] = [given.length]) => [
  { name: 'size', shape, datatype: 'FP64', data: given.map((row) => (row as { size: number }).size) },
  { name: 'colour', shape, datatype: 'BYTES', data: given.map((row) => (row as { colour: string }).colour) },
];

test('the service has every published operation', () => {
  const paths = app.swagger().paths as Record<
    string,
    Record<string, { responses: Record<string, { content: object }> }>
  >;
  for (const [path, method] of Object.entries(operations))
    expect(Object.keys(paths[path]![method]!.responses[200]!.content), path).toEqual(['application/json']);
});

test('the service and its health', async () => {
  for (const url of ['/v2', '/v2/']) {
    const { json } = await ask({ url });
    follows('server', json);
    expect(json).toEqual({ name: 'halfspace', version: '1.2.3', extensions: [] });
  }
  expect((await ask({ url: '/v2/health/live' })).json).toEqual({ live: true });
  expect((await ask({ url: '/v2/health/ready' })).json).toEqual({ ready: true });
});

test('a model tells its tensors, by its present version or without one', async () => {
  const { json } = await ask({ url: '/v2/models/flowers' });
  follows('metadata', json);
  expect(json).toMatchObject({
    name: 'flowers',
    inputs: [
      { name: 'size', datatype: 'FP64', shape: [-1] },
      { name: 'colour', datatype: 'BYTES', shape: [-1] },
    ],
    outputs: [{ name: 'label' }, { name: 'scores', shape: [-1, 1] }, { name: 'probabilities', shape: [-1, 2] }],
    properties: { label: 'kind' },
  });
  const [version] = json.versions;
  expect((await ask({ url: `/v2/models/flowers/versions/${version}` })).json).toEqual(json);
  expect((await ask({ url: `/v2/models/flowers/versions/${version}/ready` })).json).toEqual({
    name: 'flowers',
    ready: true,
  });
  expect((await ask({ url: '/v2/models/new' })).json).toMatchObject({ inputs: [{ name: 'row', shape: [-1, -1] }] });
  for (const url of ['/v2/models/none', '/v2/models/flowers/versions/2', '/v2/models/none/ready']) {
    const refused = await ask({ url });
    expect(refused.status).toBe(404);
    follows('error', refused.json);
  }
});

test('tensors of columns get the labels, scores and probabilities of their rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(rows as Record<string, unknown>[], { minLength: 1 }),
      fc.constantFrom('flat', 'column', 'nested'),
      async (some, form) => {
        const inputs = tensorsOf(some, form === 'flat' ? [some.length] : [some.length, 1]).map((each) =>
          form === 'nested' ? { ...each, data: each.data.map((element) => [element]) } : each,
        );
        const names = ['label', 'scores', 'probabilities'];
        const request = { id: '42', inputs, outputs: names.map((name) => ({ name })), parameters: { binary: false } };
        if (some.every((row) => row.size !== null)) follows('request', request);
        const { json } = await infer('flowers', request);
        follows('inference', json);
        expect(json).toMatchObject({ model_name: 'flowers', id: '42' });
        expect(json.outputs).toEqual([
          {
            name: 'label',
            datatype: 'BYTES',
            shape: [some.length],
            data: some.map((row) => oracle.predict(row)),
          },
          {
            name: 'scores',
            datatype: 'FP64',
            shape: [some.length, 1],
            data: some.map((row) => oracle.score(row)),
          },
          {
            name: 'probabilities',
            datatype: 'FP64',
            shape: [some.length, 2],
            data: some.flatMap((row) => oracle.probabilities(row)),
          },
        ]);
      },
    ),
    { numRuns: 25 },
  );
});

test('tensors that the model does not know count nothing, and are named', async () => {
  const strange = { name: 'sise', shape: [rows.length], datatype: 'INT32', data: rows.map((_, i) => i) };
  const { outputs } = (await infer('flowers', { inputs: tensorsOf(rows) })).json;
  const { json } = await infer('flowers', { inputs: [strange, ...tensorsOf(rows)] });
  follows('inference', json);
  expect(json).toMatchObject({ outputs, parameters: { unknown: 'sise' } });
  expect((await infer('flowers', { inputs: [strange] })).json.outputs[0].data).toEqual(
    rows.map(() => oracle.predict({})),
  );
});

test('without names of outputs there are labels and scores', async () => {
  const { json } = await infer('flowers', { inputs: tensorsOf(rows) });
  expect(json.outputs.map(({ name }: { name: string }) => name)).toEqual(['label', 'scores']);
  expect(json.model_version).toMatch(/^0-[0-9a-f]{32}$/);
});

test('a model that takes lists of numbers takes a matrix; one of columns does not', async () => {
  const matrix = { name: 'row', shape: [2, 3], datatype: 'FP64', data: [1, 2, 3, 4, 5, 6] };
  await models.get('new')!.learn([
    { row: [3, 1, 2], label: 'a' },
    { row: [-3, -1, -2], label: 'b' },
  ]);
  const expected = [
    [1, 2, 3],
    [4, 5, 6],
  ].map((row) => models.get('new')!.answer(row));
  for (const data of [
    matrix.data,
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  ]) {
    const { json } = await infer('new', { inputs: [{ ...matrix, data }] });
    expect(json.outputs[0].data).toEqual(expected.map((answer) => answer.class));
    expect(json.outputs[1].data).toEqual(expected.flatMap((answer) => answer.scores));
  }
  const columns = ['0', '1'].map((name, k) => ({ name, shape: [2], datatype: 'INT32', data: [k, 2 - k] }));
  const { json } = await infer('columns', { inputs: columns });
  expect(json.outputs[0].data).toEqual([0, 1].map((i) => String(numbers.predict({ 0: i === 0 ? 0 : 2, 1: 1 }))));
  expect((await infer('columns', { inputs: [matrix] })).status).toBe(400);
});

describe('refused:', () => {
  const one = (change: object) => ({ inputs: [{ name: 'size', shape: [1], datatype: 'FP64', data: [1], ...change }] });
  test.each<[what: string, body: object, message: RegExp]>([
    ['no inputs', { inputs: [] }, /./],
    ['a shape that the data lack', one({ shape: [2] }), /expected 2 elements of "size"/],
    ['three dimensions', one({ shape: [1, 1, 1] }), /expected the shape \[1\] or \[1, 1\]/],
    ['an unknown datatype', one({ datatype: 'FP8' }), /FP8/],
    ['a text for a number', one({ data: ['1'] }), /expected numbers in "size"; got "1"/],
    ['a fraction for a whole number', one({ datatype: 'INT8', data: [1.5] }), /expected whole numbers/],
    ['a number for a text', one({ name: 'colour', datatype: 'BYTES' }), /expected texts in "colour"; got 1/],
    ['tensors of different lengths', { inputs: [...one({}).inputs, ...tensorsOf(rows)] }, /./],
    ['a name twice', { inputs: [...one({}).inputs, ...one({}).inputs] }, /different names/],
    ['an unknown output', { ...one({}), outputs: [{ name: 'embedding' }] }, /label, scores, probabilities/],
    ['too many rows', one({ shape: [1001], data: Array(1001).fill(1) }), /at most 1000 rows/],
    ['a shape of no memory', one({ shape: [1e15], data: [] }), /at most 1000 rows/],
    ['no shape', { inputs: [{ name: 'size', datatype: 'FP64', data: [1] }] }, /"shape"/],
  ])('%s', async (_, body, message) => {
    const { status, json } = await infer('flowers', body);
    expect([400, 413]).toContain(status);
    follows('error', json);
    expect(json.error).toMatch(message);
  });

  test('a model that knows no class', async () => {
    await models.put('empty', { kind: 'learning', options: {} });
    expect((await infer('empty', one({}))).json).toMatchObject({ status: 409, code: 'class-unknown' });
  });
});
