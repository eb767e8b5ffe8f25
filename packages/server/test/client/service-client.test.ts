import { createHash } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { decodeModel, OnlineClassifier, Predictor } from 'halfspace';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Alarm, type Example, type ModelEvent, ServiceClient } from '../../src/client/index.ts';
import { type App, createApp } from '../../src/http/app.ts';
import { type Models, openModels } from '../../src/index.ts';
import { checkedBy } from '../support/asking.ts';
import { flowerModel, folderOfSuite } from '../support/examples.ts';

/*
 * The client against the service, over loopback. Each request and each answer is checked against /openapi.json.
 */

const token = 'a-long-secret';
const keys = [
  {
    name: 'all',
    sha256: createHash('sha256').update(token).digest('hex'),
    scopes: ['predict', 'learn', 'admin'] as const,
  },
];
let models: Models;
let app: App;
let url: string;
let service: ServiceClient;
let checked: typeof fetch;
/** The operations that were asked for, such as `GET /v1/models`. */
const visited = new Set<string>();

beforeAll(async () => {
  models = await openModels({ dir: folderOfSuite() });
  app = await createApp(models, { keys, tickMs: 10 });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  checked = checking();
  service = new ServiceClient(url, { key: token, fetch: checked, random: () => -1 });
});
afterAll(async () => {
  const closed = app.close();
  app.server.closeAllConnections();
  await closed;
  await models.close();
});

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

/** Returns a fetch that fails for requests and answers that the service's document does not describe. */
function checking(): typeof fetch {
  const document = app.swagger() as unknown as Parameters<typeof checkedBy>[0] & {
    paths: Record<string, Record<string, Operation>>;
  };
  const check = checkedBy(document);
  const ajv = new Ajv2020({ strict: false });
  const compiled = new Map<object, ValidateFunction>();
  const isValid = (schema: object, value: unknown) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components: document.components });
    compiled.set(schema, validate);
    expect({ valid: validate(value), errors: validate.errors, value }).toMatchObject({ valid: true });
  };
  return async (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    const { method = 'GET', body } = init!;
    const path = pathname.replace(/(?<=^\/v1\/models\/)[^/]+/, '{name}');
    const operation = document.paths[path]?.[method.toLowerCase()];
    expect(operation, `${method} ${path}`).toBeDefined();
    visited.add(`${method} ${path}`);
    const headers = new Headers(init!.headers);
    const given = [...searchParams].map(([name, value]) => ['query', name, value]);
    for (const [name, value] of headers)
      if (!['authorization', 'content-type', 'accept'].includes(name)) given.push(['header', name, value]);
    for (const [place, name, value] of given) {
      const parameter = operation!.parameters?.find((each) => each.in === place && each.name === name);
      expect(parameter, `${method} ${path}: ${place} ${name}`).toBeDefined();
      isValid(parameter!.schema, value);
    }
    const type = headers.get('content-type');
    expect(body === undefined, `a body of ${method} ${path}`).toBe(operation!.requestBody === undefined);
    if (type === 'application/json') isValid(operation!.requestBody!.content[type]!.schema, JSON.parse(body as string));
    const response = await fetch(input, init);
    if (path.endsWith('/events')) return response;
    const text = await response.clone().text();
    const kind = response.headers.get('content-type') ?? '';
    const json = kind.includes('ndjson')
      ? text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : undefined;
    const parsed = kind.includes('json') ? (json ?? JSON.parse(text)) : undefined;
    check(method, pathname, {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      json: parsed,
    });
    return response;
  };
}

interface Fruit {
  readonly weight: number;
  readonly skin?: 'smooth' | 'rough';
}

const fruits: readonly Example<Fruit>[] = Array.from({ length: 40 }, (_, i) => ({
  row: { weight: 100 + ((i * 37) % 100), ...(i % 3 === 0 ? {} : { skin: i % 2 === 0 ? 'smooth' : 'rough' }) },
  label: i % 2 === 0 ? 'apple' : 'orange',
}));

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

test('a model is created, taught, asked, described, copied and retired', async () => {
  const direct = new OnlineClassifier({ label: 'fruit' });
  for (const { row, label } of fruits) direct.learn({ ...row }, label);
  const fruit = service.model<Fruit>('fruit');
  const begun = await fruit.put({ kind: 'learning', options: { label: 'fruit' } }, { ifVersion: 'none' });
  expect(begun).toMatchObject({ name: 'fruit', kind: 'learning', version: { sequence: 0 } });
  await expect(fruit.put({ kind: 'learning' }, { ifVersion: 'none' })).rejects.toMatchObject({
    code: 'version-differs',
  });
  const first = await fruit.learn(fruits[0]!, { idempotencyKey: 'first' });
  expect(first).toMatchObject({ sequence: 1, duplicate: false });
  expect(await fruit.learn(fruits[0]!, { idempotencyKey: 'first' })).toMatchObject({ sequence: 1, duplicate: true });
  expect((await fruit.learnAll(fruits.slice(1, 10))).outcomes).toHaveLength(9);
  const streamed = await all(fruit.learnStream(fruits.slice(10, 30), { idempotencyKey: 'rest', mostRows: 7 }));
  expect(streamed.map((each) => 'sequence' in each && each.sequence)).toEqual(
    fruits.slice(10, 30).map((_, i) => i + 11),
  );
  // The stream again, from its begin: only the rest is learned.
  const again = await all(fruit.learnStream(fruits.slice(10), { idempotencyKey: 'rest' }));
  expect(again.filter((each) => 'duplicate' in each && !each.duplicate)).toHaveLength(10);
  const { text, version } = await fruit.stateFile();
  expect(text).toBe(direct.save());
  expect(version.sequence).toBe(40);

  const oracle = new Predictor(direct.model());
  const rows = fruits.map(({ row }) => row);
  const expected = rows.map((row) => ({ class: oracle.predict({ ...row }), scores: [...oracle.scores({ ...row })] }));
  expect(await fruit.predict(rows[0]!)).toEqual({ version, ...expected[0] });
  expect(await fruit.predictAll(rows)).toEqual({ version, predictions: expected });
  const lines = await all(fruit.predictStream(rows.values(), { remember: true, mostRows: 9 }));
  expect(lines).toMatchObject(expected.map((each) => ({ version, ...each })));
  const file = await fruit.modelFile();
  expect(new Predictor(decodeModel(file.text)).predict({ ...rows[1]! })).toBe(expected[1]!.class);
  expect(await fruit.explain(rows[1]!, { of: 'apple' })).toMatchObject({ version, class: 'apple' });

  const described = await fruit.describe();
  expect(described).toMatchObject({ version, examples: 40, metrics: { rows: 39, window: { rows: 39 } } });
  expect(await service.models()).toEqual([described]);
  expect(await fruit.watch()).toMatchObject({ version, examples: 40 });
  expect((await fruit.weights({ top: 2 })).functions[0]!.strongest).toHaveLength(2);
  expect((await fruit.columns()).rows).toBe('records');
  expect((await fruit.curve()).points.at(-1)!.examples).toBe(40);

  const { id } = lines[0] as { id: string };
  expect(await fruit.feedback(id, 'apple', { importance: 2 })).toMatchObject({ sequence: 41, duplicate: false });
  expect(await fruit.feedback(id, 'apple', { importance: 2 })).toMatchObject({ sequence: 41, duplicate: true });
  await expect(fruit.feedback(id, 'orange')).rejects.toMatchObject({ code: 'idempotency-key-reused', status: 422 });
  const other = service.model<Fruit>('other');
  await other.put(text);
  expect((await other.stateFile()).text).toBe(text);
  await expect(other.put(file.text, { ifVersion: version })).rejects.toMatchObject({ code: 'version-differs' });
  await other.retire({ ifVersion: 'any' });
  await expect(other.describe()).rejects.toMatchObject({ code: 'model-unknown', status: 404 });
});

test('rows are typed arrays, too, and a row that is refused does not keep others from their answers', async () => {
  const numbers = service.model('numbers');
  await numbers.put({ kind: 'learning' });
  await numbers.learn({ row: Float64Array.of(1, 2), label: 1 });
  await numbers.learn({ row: { indices: Int32Array.of(0, 1), values: Float64Array.of(-1, -2) }, label: 0 });
  expect(await numbers.predict([1, 2])).toMatchObject({ class: 1 });
  const answers = await all(numbers.predictStream([[1, 2], ['heavy', 1] as never, [1], new Float32Array([-1, -2])]));
  expect(answers).toMatchObject([
    { class: 1 },
    { problem: { code: 'number-invalid' } },
    { problem: { code: 'row-malformed' } },
    { class: 0 },
  ]);
  await numbers.put(await flowerModel());
  await expect(numbers.learn({ row: [1], label: 1 })).rejects.toMatchObject({ code: 'model-frozen', status: 409 });
});

test('a shadow is begun, compared, promoted and dropped', async () => {
  const model = service.model<Fruit>('shadowed');
  await model.put({ kind: 'learning' });
  expect(await model.beginShadow({ rule: 'arow' })).toMatchObject({ rule: 'arow', examples: 0 });
  await model.learnAll(fruits);
  expect(await model.shadow()).toMatchObject({ examples: 40 });
  expect(await model.shareAnswers(1)).toMatchObject({ share: 1 });
  expect(await model.predict(fruits[0]!.row)).toMatchObject({ learner: 'shadow', classes: expect.any(Array) });
  const promoted = await model.promoteShadow({ idempotencyKey: 'once' });
  expect(promoted).toMatchObject({ rule: 'follow-the-leader' });
  expect(await model.promoteShadow({ idempotencyKey: 'once' })).toEqual(promoted);
  await model.dropShadow();
  await expect(model.shadow()).rejects.toMatchObject({ code: 'shadow-missing' });
});

test('events go on where a connection broke, and end with the model', async () => {
  let connections = 0;
  let go = () => {};
  const learned = new Promise<void>((resolve) => {
    go = resolve;
  });
  // The first connection breaks after its first event, and the next one is opened when alarms were missed.
  const breaking: typeof fetch = async (input, init) => {
    if (connections++ > 0) await learned;
    const response = await checked(input, init);
    if (connections > 1) return response;
    const reader = response.body!.getReader();
    let text = '';
    const pull = async (controller: ReadableStreamDefaultController) => {
      if (text.includes('event:')) return controller.error(new TypeError('terminated'));
      const { value } = await reader.read();
      const piece = new TextDecoder().decode(value);
      text += piece;
      controller.enqueue(new TextEncoder().encode(piece.replace('retry: 3000', 'retry: 1')));
    };
    return new Response(new ReadableStream({ pull }));
  };
  const model = new ServiceClient(url, { key: token, fetch: breaking, random: () => -1 }).model('drifting');
  await service.model('drifting').put({ kind: 'learning', options: { classes: ['true', 'false'], rule: 'averaged' } });
  const events: ModelEvent[] = [];
  const reading = (async () => {
    for await (const event of model.events()) {
      events.push(event);
      if (event.type === 'state' && event.id === 1200) await model.retire();
    }
  })();
  // The labels turn round after 600 examples, and a number moves after 900.
  const turning = Array.from({ length: 1200 }, (_, k) => ({
    row: [(k % 20) - 10, (k % 3) + (k < 900 ? 0 : 9)],
    label: k % 20 > 10 === k < 600,
  }));
  await expect.poll(() => connections).toBe(2);
  await service.model('drifting').learnAll(turning);
  go();
  const { alarms } = await service.model('drifting').watch();
  await reading;
  expect(alarms.length).toBeGreaterThan(1);
  const told = events.filter(({ type }) => type === 'alarm').map(({ data }) => data as Alarm);
  expect(told).toEqual(alarms);
  expect(events[0]).toMatchObject({ type: 'state', data: { examples: 0, metrics: { rows: 0 } } });
  expect(events.at(-1)!.type).toBe('retired');
  const leave = new AbortController();
  const waiting = service.model('numbers').events({ signal: leave.signal, after: 5 });
  await waiting.next();
  setTimeout(() => leave.abort('enough'), 5);
  await expect(waiting.next()).rejects.toBe('enough');
});

test('health is told, and a wrong key is refused', async () => {
  expect([await service.isLive(), await service.isReady()]).toEqual([true, true]);
  const refused = new ServiceClient(url, { key: 'guessed' });
  await expect(refused.models()).rejects.toMatchObject({ name: 'ServiceError', code: 'key-missing', status: 401 });
  expect(await new ServiceClient('http://127.0.0.1:9').isLive()).toBe(false);
});

test('the client has all that the service has, but for programs of their own', () => {
  const operations = Object.entries(app.swagger().paths!).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.filter((each) => !visited.has(each))).toEqual([
    'GET /metrics',
    'GET /v1/models/{name}/metrics',
    'GET /v1/models/{name}/snapshot',
    'GET /v1/models/{name}/versions',
    'POST /v1/models/{name}/versions/{generation}/restore',
    'DELETE /v1/models/{name}/versions/{generation}',
    'GET /v1/models/{name}/journal',
  ]);
});
