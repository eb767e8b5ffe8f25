import { decodeModel, Predictor } from 'halfspace';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { type Asked, asking } from '../../support/asking.ts';
import { flowerModel, flowers, unlabelled } from '../../support/examples.ts';
import { naiveModels } from '../../support/naive-models.ts';

const rows = flowers.map(unlabelled);
const models = naiveModels();
let ask: Awaited<ReturnType<typeof asking>>;
let oracle: Predictor;

beforeAll(async () => {
  const file = await flowerModel();
  oracle = new Predictor(decodeModel(file));
  await models.put('flowers', { kind: 'frozen', file });
  await models.put('new', { kind: 'learning', options: {} });
  ask = await asking(await createApp(models, { limits: { rows: 100, features: 10, body: 20_000, depth: 8 } }));
});

const predict = (body: Asked['body'], query = '') =>
  ask({ method: 'POST', url: `/v1/models/flowers/predict${query}`, ...(body === undefined ? {} : { body }) });
const expected = () => rows.map((row) => ({ class: oracle.predict(row), scores: Array.from(oracle.scores(row)) }));

describe('a row, rows and a stream of rows', () => {
  test('get the same answers as from the predictor, with the version of the model', async () => {
    const { version } = models.get('flowers')!;
    const one = await Promise.all(rows.map(async (row) => (await predict({ row })).json));
    expect(one).toEqual(expected().map((answer) => ({ version, ...answer })));
    expect((await predict({ rows })).json).toEqual({ version, predictions: expected() });
    const { json, headers } = await predict([...rows]);
    expect(headers['content-type']).toBe('application/x-ndjson');
    expect(json).toEqual(one);
  });

  test('get probabilities, and names for later labels, if they ask for them', async () => {
    const probabilities = oracle.probabilities(rows[0]!);
    const given = { probabilities: true, remember: true };
    const full = { probabilities, id: expect.stringMatching(/^p\d+$/) };
    expect((await predict({ row: rows[0], ...given })).json).toMatchObject(full);
    expect((await predict({ rows: [rows[0]], ...given })).json.predictions[0]).toMatchObject(full);
    expect((await predict([rows[0]!], '?probabilities=true&remember=true')).json[0]).toMatchObject(full);
  });

  test('with fields that the model does not know, or none, are answered by the others, and the answer lists them', async () => {
    const { version } = models.get('flowers')!;
    const known = rows[0]! as Record<string, unknown>;
    const cases: readonly [row: Record<string, unknown>, unknown?: readonly string[]][] = [
      [{ ...known, kind: 'rose' }],
      [{ sise: 3, '': null, ...known, colours: 'red' }, ['sise', '', 'colours']],
      [{ sise: 3 }, ['sise']],
      [{}, []],
    ];
    const answers = cases.map(([row, unknown]) => ({
      class: oracle.predict(row),
      scores: Array.from(oracle.scores(row)),
      ...(unknown === undefined ? {} : { unknown }),
    }));
    expect((await predict({ rows: cases.map(([row]) => row) })).json).toEqual({ version, predictions: answers });
    expect((await predict(cases.map(([row]) => row))).json).toEqual(answers.map((answer) => ({ version, ...answer })));
    for (const [k, [row, unknown = []]] of cases.entries()) {
      expect((await predict({ row })).json).toEqual({ version, ...answers[k] });
      const url = '/v1/models/flowers/explain';
      expect((await ask({ method: 'POST', url, body: { row } })).json).toMatchObject({ unknown });
    }
  });

  test('of a model that learns get the same answers, before and after fields join', async () => {
    await models.put('stream', { kind: 'learning', options: {} });
    const at = (what: string, body: object) => ask({ method: 'POST', url: `/v1/models/stream/${what}`, body });
    for (const [a, label] of [
      [1, 'yes'],
      [-1, 'no'],
    ])
      await at('learn', { row: { a }, label });
    expect((await at('predict', { rows: [{ a: 2 }, { b: 1 }, {}] })).json.predictions).toMatchObject([
      { class: 'yes' },
      { unknown: ['b'] },
      { unknown: [] },
    ]);
    await at('learn', { row: { b: 1 }, label: 'yes' });
    expect((await at('predict', { row: { b: 1 } })).json).not.toHaveProperty('unknown');
  });

  test('of a model that knows no class yet get null', async () => {
    const { json } = await ask({ method: 'POST', url: '/v1/models/new/predict', body: { row: { a: 1 } } });
    expect(json).toMatchObject({ version: { sequence: 0 }, class: null, scores: [] });
  });
});

test('explain tells the parts of a score', async () => {
  const explain = (body: object) => ask({ method: 'POST', url: '/v1/models/flowers/explain', body });
  const { version } = models.get('flowers')!;
  expect((await explain({ row: rows[1] })).json).toEqual({ version, ...oracle.explain(rows[1]!) });
  expect((await explain({ row: rows[1], of: 'lily' })).json).toEqual({ version, ...oracle.explain(rows[1]!, 'lily') });
  expect((await explain({ row: rows[1], of: 'oak' })).json).toMatchObject({ status: 400, code: 'option-invalid' });
});

test.each<[what: string, body: Asked['body'], status: number, code: string, detail: RegExp]>([
  ['no row', {}, 400, 'request-invalid', /expected either "row" or "rows"; got neither/],
  ['a list', '[{"size": 1}]', 400, 'request-invalid', /expected an object with either "row" or "rows"; got a list/],
  ['both', { row: {}, rows: [] }, 400, 'request-invalid', /got both/],
  ['a row that is none', { row: 7 }, 400, 'request-invalid', /body\/row of the type object or array; got 7/],
  [
    'a row that is null',
    { rows: [null] },
    400,
    'request-invalid',
    /body\/rows\/0 of the type object or array; got null/,
  ],
  ['an unknown option', { row: {}, probability: true }, 400, 'request-invalid', /got "probability"/],
  ['text for a truth', { row: {}, probabilities: 'yes' }, 400, 'request-invalid', /got "yes"/],
  ['a word for a number', { row: { size: 'long' } }, 422, 'number-invalid', /"long"/],
  ['it in a later row', { rows: [rows[0], { size: 'long' }] }, 422, 'number-invalid', /^row 2, column "size": /],
  ['too many rows', { rows: Array.from({ length: 101 }, () => ({})) }, 413, 'body-too-large', /at most 100 rows/],
  ['a wide row', { row: Array.from({ length: 11 }, () => 1) }, 413, 'body-too-large', /at most 10 features/],
  ['too many bytes', { row: { size: 'x'.repeat(20_000) } }, 413, 'body-too-large', /smaller body/],
  ['JSON that is cut', '{"row":', 400, 'body-malformed', /^expected JSON; got: /],
  ['no body', '', 400, 'body-malformed', /./],
  ['deep JSON', `{"row":${'['.repeat(9)}${']'.repeat(9)}}`, 400, 'body-malformed', /depth 8 or less/],
])('%s is refused', async (_, body, status, code, detail) => {
  expect((await predict(body)).json).toMatchObject({ status, code, detail: expect.stringMatching(detail) });
});

test('a bad line of a stream gets a problem, and the others their answers', async () => {
  const lines = [
    '{"colour":"red"}',
    '7',
    '{"size":"long"}',
    '{',
    `{"colour":"${'x'.repeat(15_000)}"}`,
    '',
    '{"size":2}',
  ];
  const headers = { 'content-type': 'application/x-ndjson' };
  const { status, json } = await ask({
    method: 'POST',
    url: '/v1/models/flowers/predict',
    body: lines.join('\n'),
    headers,
  });
  expect(status).toBe(200);
  expect(json.map((line: { class?: string; problem?: { code: string } }) => line.problem?.code ?? line.class)).toEqual([
    oracle.predict({ colour: 'red' }),
    'request-invalid',
    'number-invalid',
    'body-malformed',
    oracle.predict({ colour: 'x' }),
    oracle.predict({ size: 2 }),
  ]);
});

test('a line that is too long ends the stream, after a problem', async () => {
  const { json } = await predict([rows[0]!, { colour: 'x'.repeat(20_000) }, rows[1]!]);
  expect(json.at(-1)).toMatchObject({ problem: { status: 413, code: 'body-too-large' } });
  expect(json.length).toBeLessThan(3);
});

test.each<[what: string, asked: Asked, status: number, code: string]>([
  ['an unknown model', { method: 'POST', url: '/v1/models/none/predict', body: { row: {} } }, 404, 'model-unknown'],
  ['an unknown path', { url: '/v1/model' }, 404, 'path-unknown'],
  ['an unknown method', { method: 'PATCH', url: '/v1/models/flowers', body: {} }, 405, 'method-refused'],
  ['bad percent-encoding', { url: '/v1/models/%zz' }, 400, 'path-malformed'],
  [
    'another media type',
    { method: 'POST', url: '/v1/models/flowers/predict', body: 'a,b', headers: { 'content-type': 'text/csv' } },
    415,
    'media-type-unknown',
  ],
])('%s is refused', async (_, asked, status, code) => {
  const answered = await ask(asked);
  expect(answered.json).toMatchObject({ status, code, request: answered.headers['x-request-id'] });
  expect(answered.headers['content-type']).toMatch(/^application\/problem\+json\b/);
});

test('a wrong method is told the right ones', async () => {
  const { headers } = await ask({ method: 'PATCH', url: '/v1/models/flowers', body: {} });
  expect(headers.allow).toBe('GET, HEAD, DELETE, PUT');
});
