import fc from 'fast-check';

/*
 * Requests made from an OpenAPI document: valid ones, ones with a change, and bytes that no good client sends.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface Paths {
  readonly [path: string]: Readonly<Record<string, Operation>>;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly bytes: Buffer;
}

const oddNames = [
  '..',
  '%2e%2e%2f',
  '%00',
  '%',
  '__proto__',
  'constructor',
  'a%2fb',
  'UPPER',
  '-a',
  'x'.repeat(300),
  '%f0%9f%98%80',
  '',
];
const names = ['frozen', 'fruit', 'numbers', 'none'];
const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  1,
  1e308,
  -0,
  2 ** 53,
  '',
  'a',
  'ä😀\u0000\u2028',
  '\ud800',
  [],
  {},
  [[[[]]]],
  { a: { b: {} } },
  'x'.repeat(3000),
  'toString',
  { indices: [0, 2], values: [1, 1] },
  { indices: [1, 1], values: [1] },
  { indices: [-1], values: [0] },
  { length: 3 },
  Array(70).fill(0),
];
/** Bodies that are no JSON, or dangerous JSON. */
const oddBodies: readonly (string | Buffer)[] = [
  '',
  '{',
  '[]',
  'null',
  '"',
  '{"row":{"a":1}',
  '{"row":{"a":1e999}}',
  '{"row":{"a":1},"row":{"a":2}}',
  '\ufeff{"row":{}}',
  '{"row":{"__proto__":{"a":1}}}',
  '{"row":{"\\u005f_proto__":1}}',
  '{"row":{"constructor":{"prototype":{"a":1}}}}',
  `{"row":${'['.repeat(5000)}`,
  `{"row":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`,
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
  Buffer.alloc(300, 0xff),
  'a=1&b=2',
  '{"row":{"a":1}}\n{"row":\n\n\u0000',
  `{"rows":[${'{},'.repeat(300)}{}]}`,
];
const types = [
  'application/json',
  'application/x-ndjson',
  'application/json; charset=latin1',
  'text/csv',
  'multipart/form-data',
  ';',
  'application/JSON ',
  '',
];
const oddHeaders: readonly (readonly [string, string])[] = [
  ['content-encoding', 'gzip'],
  ['expect', '100-continue'],
  ['origin', 'null'],
  ['origin', 'http://evil.example'],
  ['host', 'evil.example'],
  ['host', ''],
  ['host', 'a@b:c'],
  ['transfer-encoding', 'chunked'],
  ['content-length', '-1'],
  ['content-length', '7'],
  ['content-length', '999999999999'],
  ['authorization', 'Bearer'],
  ['authorization', `Bearer ${'x'.repeat(2000)}`],
  ['authorization', 'Basic YTpi'],
  ['idempotency-key', ''],
  ['idempotency-key', 'x'.repeat(101)],
  ['idempotency-key', 'ä\u0001'],
  ['if-match', 'W/"1"'],
  ['if-match', '"99999999999999999-00000000000000000000000000000000"'],
  ['if-none-match', '"a"'],
  ['last-event-id', '-1'],
  ['last-event-id', '9'.repeat(15)],
  ['x-request-id', '\r\nx: y'],
  ['connection', 'upgrade, close'],
  ['upgrade', 'websocket'],
  ['accept', 'text/html'],
  ['cookie', 'a=b;'.repeat(100)],
  ['x-http-method-override', 'DELETE'],
];

/** Returns values that a schema allows, as far as its types say. */
function valuesOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const go = (each: Schema) => valuesOf(each, schemas);
  if (schema.$ref !== undefined) return go(schemas[schema.$ref.split('/').at(-1)!]!);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(go));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const kinds = [schema.type ?? 'object'].flat().map((type): fc.Arbitrary<unknown> => {
    if (type === 'object' && schema.properties !== undefined)
      return fc.record(Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, go(each)])), {
        requiredKeys: [...(schema.required ?? [])],
      });
    if (type === 'object')
      return fc.dictionary(
        fc.constantFrom('weight', 'skin', 'label', 'rule'),
        fc.constantFrom(...oddValues, 3, 'rough'),
        { maxKeys: 3 },
      );
    if (type === 'array')
      return fc.array(schema.items === undefined ? fc.constantFrom(1, 2.5, -3) : go(schema.items), { maxLength: 4 });
    if (type === 'string') return fc.constantFrom('a', 'apple', 'FP64', 'weight', '');
    if (type === 'boolean') return fc.boolean();
    return type === 'null' ? fc.constant(null) : fc.constantFrom(0, 1, 2, 150.5);
  });
  return fc.oneof(...kinds);
}

/** Puts another value at some place of a value. */
function changed(value: unknown, other: unknown, way: readonly number[]): unknown {
  const [step, ...rest] = way;
  if (step === undefined || typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  if (keys.length === 0) return other;
  const key = keys[step % keys.length]!;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  copy[key] = changed(copy[key], other, rest);
  return copy;
}

/** Returns requests to all operations of a document, and to paths that are none. */
export function hostileRequests(
  paths: Paths,
  schemas: Readonly<Record<string, Schema>>,
  token: string,
): fc.Arbitrary<RawRequest> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 2) =>
    fc.oneof({ arbitrary: usual, weight: 20 }, { arbitrary: odd, weight });
  return fc.constantFrom(...operations).chain(({ path, method, operation }) => {
    const content = Object.entries(operation.requestBody?.content ?? {});
    const bodyOfSchema = ([type, { schema }]: (typeof content)[number]) =>
      fc
        .tuple(
          valuesOf(schema, schemas),
          fc.option(fc.tuple(fc.constantFrom(...oddValues), fc.array(fc.nat(5), { maxLength: 4 }))),
        )
        .map(([value, change]) => ({
          type,
          body: Buffer.from(JSON.stringify(change === null ? value : changed(value, ...change)) ?? ''),
        }));
    const odd = fc.record({
      type: fc.constantFrom(...types),
      body: fc
        .oneof(fc.constantFrom(...oddBodies), fc.uint8Array({ maxLength: 60 }))
        .map((body) => Buffer.from(body as string)),
    });
    const none = fc.constant({ type: '', body: Buffer.alloc(0) });
    const sent = content.length === 0 ? rarely(none, odd) : rarely(fc.oneof(...content.map(bodyOfSchema)), odd, 10);
    const headers = (operation.parameters ?? []).filter((each) => each.in === 'header');
    const query = (operation.parameters ?? []).filter((each) => each.in === 'query');
    return fc
      .record({
        sent,
        name: rarely(fc.constantFrom(...names), fc.constantFrom(...oddNames)),
        version: fc.constantFrom('0', '1-0', '0-00000000000000000000000000000000', '%20'),
        method: rarely(
          fc.constant(method),
          fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD', 'QUERY', 'BREW'),
          1,
        ),
        query: fc.option(
          fc.tuple(
            fc.constantFrom(...query.map((each) => each.name), 'x', '__proto__'),
            fc.constantFrom('true', '1', '', '%zz', 'a'),
          ),
        ),
        isKeyed: fc.boolean(),
        known: fc
          .subarray(headers.map((each) => each.name))
          .chain((some) =>
            fc.tuple(...some.map((name) => fc.tuple(fc.constant(name), fc.constantFrom('a', '*', '1', '"0-0"')))),
          ),
        odd: rarely(
          fc.constant<(readonly [string, string])[]>([]),
          fc.array(fc.constantFrom(...oddHeaders), { minLength: 1, maxLength: 2 }),
          3,
        ),
        flip: rarely(fc.constant(null), fc.tuple(fc.nat(), fc.nat(255)), 1),
      })
      .map(({ sent: { type, body }, flip, ...rest }) => {
        const filled = path.replace('{name}', rest.name).replace('{version}', rest.version);
        const target = rest.query === null ? filled : `${filled}?${rest.query.join('=')}`;
        const all = new Map<string, string>([
          ['host', '127.0.0.1'],
          ['connection', 'close'],
          ...(type === '' ? [] : ([['content-type', type]] as const)),
          ...(body.length === 0 && type === '' ? [] : ([['content-length', String(body.length)]] as const)),
          ...(rest.isKeyed ? ([['authorization', `Bearer ${token}`]] as const) : []),
          ...rest.known,
          ...rest.odd,
        ]);
        const head = `${rest.method} ${target} HTTP/1.1\r\n${[...all].map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
        const bytes = Buffer.concat([Buffer.from(head, 'latin1'), body]);
        if (flip !== null) bytes[flip[0] % bytes.length] = flip[1];
        return { method: rest.method, path: filled, bytes };
      });
  });
}
