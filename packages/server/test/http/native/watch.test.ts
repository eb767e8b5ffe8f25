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

test('a snapshot that was given is put back with all that the model has, whatever its size and the limit of bodies', async () => {
  ask = await asking(await createApp(models, { limits: { body: 2048 } }));
  await begin({});
  for (let k = 0; k < 4; k++)
    await ask({ method: 'POST', url: `${url}/learn`, body: { ...examples[k]!, id: `example ${k}` } });
  await ask({ method: 'POST', url: `${url}/shadow`, body: { options: { rule: 'arow' } } });
  const all = async (at: string) => {
    const { version: _, ...watch } = (await ask({ url: `${at}/watch` })).json;
    const { version: __, ...shadow } = (await ask({ url: `${at}/shadow` })).json;
    return { watch, shadow, state: (await ask({ url: `${at}/state` })).text };
  };
  const before = await all(url);
  const { version } = (await ask({ url })).json;
  const given = await ask({ url: `${url}/snapshot` });
  expect(given.text.length).toBeGreaterThan(2048);
  const put = (name: string) =>
    ask({
      method: 'PUT',
      url: `/v1/models/${name}`,
      body: given.text,
      headers: { 'content-type': 'application/octet-stream' },
    });
  await ask({ method: 'POST', url: `${url}/learn`, body: examples[5]! });
  expect((await put('flowers')).json.version).toEqual(version);
  expect(await all(url)).toEqual(before);
  const again = await ask({ method: 'POST', url: `${url}/learn`, body: { ...examples[2]!, id: 'example 2' } });
  expect(again.json).toMatchObject({ sequence: 3, duplicate: true });
  // The learner alone begins a new model.
  expect((await ask({ method: 'PUT', url: '/v1/models/learner', body: before.state })).json).toMatchObject({
    version: { sequence: 0 },
    examples: 4,
  });
  // Under another name it is another model, with a digest of its own.
  const other = (await put('other')).json.version;
  expect(other.sequence).toBe(version.sequence);
  expect(other.digest).not.toBe(version.digest);
  expect(await all('/v1/models/other')).toEqual(before);
  const earlier = await ask({ url: `${url}/snapshot?sequence=5` });
  expect(earlier.headers.etag).toBe(`"5-${version.digest}"`);
  expect((await ask({ url: `${url}/snapshot?sequence=99` })).json).toMatchObject({
    status: 404,
    code: 'version-unknown',
  });
  expect((await ask({ url: `${url}/snapshot?sequence=x` })).json.code).toBe('request-invalid');
  const cut = {
    method: 'PUT',
    url,
    body: given.text.slice(0, -1),
    headers: { 'content-type': 'application/octet-stream' },
  } as const;
  expect((await ask(cut)).json.code).toBe('source-corrupt');
  expect((await ask({ url })).json.version).toEqual(version);
});

test('what was replaced or retired is listed, comes back as it was, and is purged', async () => {
  await begin({});
  await learn();
  await ask({ method: 'POST', url: `${url}/shadow`, body: { options: { rule: 'arow' } } });
  const known = async () => [(await ask({ url })).json, (await ask({ url: `${url}/watch` })).json];
  const learned = await known();
  expect((await ask({ url: `${url}/versions` })).json).toEqual({ versions: [] });
  const file = await flowerModel();
  const frozen = (await ask({ method: 'PUT', url, body: file })).json;
  const restore = (generation: string, headers = {}) =>
    ask({ method: 'POST', url: `${url}/versions/${generation}/restore`, headers });
  const other = { 'if-match': `"7-${'0'.repeat(32)}"` };
  expect((await restore('00000001', other)).json.code).toBe('version-differs');
  expect((await restore('00000001')).json).toEqual(learned[0]);
  expect(await known()).toEqual(learned);
  expect((await ask({ method: 'DELETE', url })).status).toBe(204);
  const kept = async () =>
    (await ask({ url: `${url}/versions` })).json.versions.map((each: object) =>
      Object.values(each).slice(0, 3).join(' '),
    );
  expect(await kept()).toEqual(['00000001 learning 0', '00000002 frozen 0', '00000003 learning 61']);
  expect((await restore('00000002')).json).toEqual(frozen);
  expect((await restore('00000003')).json).toEqual(learned[0]);
  for (const generation of ['00000001', '00000002', '00000003', '00000004'])
    expect((await ask({ method: 'DELETE', url: `${url}/versions/${generation}` })).status).toBe(204);
  expect(await kept()).toEqual([]);
  for (const generation of ['00000001', '1', '..%2f00000001', 'current'])
    expect((await restore(generation)).json).toMatchObject({ status: 404, code: 'version-unknown' });
  for (let k = 0; k < 12; k++) await ask({ method: 'PUT', url, body: file });
  expect(await kept()).toHaveLength(8);
});

test('models that began alike and learned alike have digests of their own', async () => {
  const digests = new Set<string>();
  for (const name of ['a', 'b']) {
    await ask({ method: 'PUT', url: `/v1/models/${name}`, body: { kind: 'learning' } });
    digests.add(
      (await ask({ method: 'POST', url: `/v1/models/${name}/learn`, body: examples[0]! })).json.version.digest,
    );
  }
  expect(digests.size).toBe(2);
});

test('what takes no body needs no media type, whatever it is', async () => {
  await begin({});
  await learn();
  await ask({ method: 'POST', url: `${url}/shadow`, body: { options: {} } });
  for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded', 'none'])
    for (const length of [{}, { 'content-length': '0' }])
      expect(
        (await ask({ method: 'POST', url: `${url}/promote`, headers: { 'content-type': type, ...length } })).status,
      ).toBe(200);
  const other = {
    method: 'POST',
    url: `${url}/promote`,
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  } as const;
  expect((await ask(other)).json).toMatchObject({ status: 415, code: 'media-type-unknown' });
});

test('probabilities of a young model are null, and those of one that never has any are refused', async () => {
  await begin({ calibrate: true });
  const predict = (body: object) => ask({ method: 'POST', url: `${url}/predict`, body });
  for (const count of [0, 10, 50]) {
    await ask({ method: 'POST', url: `${url}/learn`, body: { examples: examples.slice(0, count) } });
    const { row } = examples[0]!;
    const isKnown = count === 50;
    const probabilities = isKnown ? [expect.any(Number), expect.any(Number)] : null;
    expect((await predict({ row, probabilities: true })).json).toMatchObject({ probabilities });
    expect((await predict({ rows: [row], probabilities: true })).json.predictions).toMatchObject([{ probabilities }]);
    expect((await predict({ row })).json).not.toHaveProperty('probabilities');
  }
  await begin({});
  expect((await predict({ row: {}, probabilities: true })).json).toMatchObject({ status: 400, code: 'option-invalid' });
});

test('the id of an answer has one spelling', async () => {
  await begin({});
  await learn();
  const body = { row: examples[0]!.row, remember: true };
  const { id } = (await ask({ method: 'POST', url: `${url}/predict`, body })).json;
  const feedback = (other: string) =>
    ask({ method: 'POST', url: `${url}/feedback`, body: { id: other, label: 'rose' } });
  for (const other of [
    `${id.slice(0, -1)}00`,
    `${id.slice(0, -1)} 0`,
    `${id}.0`,
    `${id}e0`,
    `${id.slice(0, -1)}0x0`,
    `${id.slice(0, -1)}-0`,
  ])
    expect([other, (await feedback(other)).status]).toEqual([other, 404]);
  expect((await feedback(id)).json).toMatchObject({ sequence: 61, duplicate: false });
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
