import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { type App, createApp } from '../../src/http/app.ts';
import { parseJson } from '../../src/http/json.ts';
import { defaultLimits } from '../../src/http/limits.ts';
import { answerStream, linesOf } from '../../src/http/ndjson.ts';
import { flowerModel } from '../support/examples.ts';
import {
  exchange,
  expectAnswer,
  expectNoPatience,
  expectRefusal,
  get,
  hostileLimits,
  refusedRequests,
} from '../support/hostile-clients.ts';
import { naiveModels } from '../support/naive-models.ts';

/** Depth by recursion, for comparison. */
const depthOf = (value: unknown): number =>
  typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

const hasName = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasName));

test('JSON of the greatest depth is read, and deeper JSON is refused, whatever its strings contain', () => {
  const keys = fc.oneof(fc.string(), fc.constantFrom('[', '"', '\\', '\\"', '{"', ']'));
  const json = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 6 },
      keys,
      fc.double({ noNaN: true }),
      fc.array(tie('any')),
      fc.dictionary(keys, tie('any')),
    ),
  })).any;
  forAll(1000, json, fc.integer({ min: 0, max: 6 }), (given, most) => {
    const text = JSON.stringify(given);
    const value = JSON.parse(text);
    if (hasName(value)) return;
    if (depthOf(value) <= most) expect(parseJson(Buffer.from(text), most)).toEqual(value);
    else expect(() => parseJson(Buffer.from(text), most)).toThrow(`expected JSON of depth ${most} or less`);
  });
});

test('a million brackets are refused', () => {
  for (const bracket of ['[', '{"a":', '[{"":'])
    expect(() => parseJson(Buffer.from(bracket.repeat(1e6)), 32)).toThrow('depth 32 or less');
});

test('the member __proto__ is refused, however it is written and wherever it stands; the word is not', () => {
  const names = ['"__proto__"', '"\\u005f_proto__"', '"__\\u0070roto\\u005F_"'];
  for (const name of names)
    for (const text of [`{${name}:1}`, `[{"a":[{${name}:{}}]}]`])
      expect(() => parseJson(Buffer.from(text), 32)).toThrow('got "__proto__"');
  for (const name of names) expect(parseJson(Buffer.from(`{"a":${name}}`), 32)).toEqual({ a: '__proto__' });
});

test('bytes that are not UTF-8 are refused', () => {
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]])
    expect(() => parseJson(Buffer.from([0x22, ...bytes, 0x22]), 32)).toThrow('bytes that are not UTF-8');
});

test('the message of an error has no control characters', () => {
  expect(() => parseJson(Buffer.from('\u001b[31m'), 32)).toThrow(/^expected JSON; got: [ -~]*$/);
});

async function linesIn(chunks: readonly Buffer[], longest = 100): Promise<string[]> {
  const lines: string[] = [];
  for await (const some of linesOf(Readable.from(chunks), longest)) lines.push(...some.map(String));
  return lines;
}

test('lines are the same wherever the chunks end', async () => {
  const text = Buffer.from('{"a":"ü"}\r\n\n  \n[1]\n"last"');
  const lines = ['{"a":"ü"}\r', '[1]', '"last"'];
  for (let i = 0; i <= text.length; i++)
    for (let j = i; j <= text.length; j++)
      expect(await linesIn([text.subarray(0, i), text.subarray(i, j), text.subarray(j)])).toEqual(lines);
});

test('a line may be as long as the limit, and no longer, in one chunk or several', async () => {
  for (const size of [1, 3, 100]) {
    const chunks = (text: string) =>
      Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size)).map(
        (each) => Buffer.from(each),
      );
    expect(await linesIn(chunks('1234567\n7654321'), 7)).toEqual(['1234567', '7654321']);
    for (const text of ['12345678\n', '12345678', '1\n12345678'])
      await expect(linesIn(chunks(text), 7)).rejects.toThrow('up to 7 bytes');
  }
});

test('a stream is read only as fast as its answer', async () => {
  let asked = 0;
  const server = createServer((incoming, response) => {
    const answer = (values: readonly unknown[]) => {
      asked += values.length;
      return values.map((value) => ({ value: { value } }));
    };
    answerStream(incoming, defaultLimits, answer).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const line = `${JSON.stringify('x'.repeat(1000))}\n`;
  const lines = 50_000;
  const client = request({ port, host: '127.0.0.1', method: 'POST' });
  const answered = new Promise<AsyncIterable<Buffer>>((resolve) => client.once('response', resolve));
  client.flushHeaders();
  let sent = 0;
  /** Sends until nothing moves any more. */
  const send = async () => {
    for (let still = 0; sent < lines && still < 50; still++) {
      while (sent < lines && client.write(line)) {
        sent++;
        still = 0;
      }
      await setImmediate();
    }
  };
  await send();
  const body = await answered;
  await send();
  // Half of the lines would need 25 MB of buffers.
  expect(asked).toBeLessThan(lines / 2);
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of body) bytes += chunk.length;
  })();
  while (sent < lines) await send();
  client.end();
  await reading;
  expect(asked).toBeGreaterThanOrEqual(lines);
  expect(bytes).toBeGreaterThan(lines * line.length);
  server.close();
});

describe('hostile', () => {
  const models = naiveModels();
  let app: App;
  let port: number;

  beforeAll(async () => {
    await models.put('f', { kind: 'frozen', file: await flowerModel() });
    app = await createApp(models, { limits: { ...hostileLimits, connections: 50 }, hosts: ['127.0.0.1'] });
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });
  afterAll(() => app.close());

  // After each the service answers as before.
  const answers = () => expectAnswer(port);
  beforeEach(answers);
  afterAll(answers);

  describe('refused:', () => {
    test.each(refusedRequests)('%s', (...request) => expectRefusal(port, request));
  });

  test('nothing of a request reaches the prototype of all objects', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { size?: number }).size).toBeUndefined();
  });

  test('an expectation that nobody knows is answered as the request is', async () => {
    const sent = get('/livez').replace('connection:', 'expect: 100-coniinue\r\nconnection:');
    expect(await exchange(port, sent)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('headers and bodies that do not come in time are refused', () => expectNoPatience(port));

  test('connections beyond the limit are closed, and the first ones go on', async () => {
    const sockets = Array.from({ length: 80 }, () => connect(port, '127.0.0.1'));
    const closed = new Set<Socket>();
    for (const socket of sockets) socket.on('error', () => {}).on('close', () => closed.add(socket));
    while (closed.size < 30) await new Promise((resolve) => setTimeout(resolve, 5));
    const open = sockets.find((socket) => !closed.has(socket))!;
    const answer = new Promise<string>((resolve) => open.once('data', (piece) => resolve(piece.toString())));
    open.write(get('/livez'));
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of sockets) socket.destroy();
    while (closed.size < sockets.length) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});
