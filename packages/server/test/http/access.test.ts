import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type App, type AppOptions, createApp } from '../../src/http/app.ts';
import type { Key } from '../../src/http/keys.ts';
import { type Asked, asking } from '../support/asking.ts';
import { flowerModel } from '../support/examples.ts';
import { naiveModels } from '../support/naive-models.ts';

const tokens = { asks: 'a', teaches: 't', owns: 'o', owns2: 'x' };
for (const name of Object.keys(tokens)) tokens[name as keyof typeof tokens] = randomBytes(24).toString('base64url');
const key = (name: keyof typeof tokens, rest: Omit<Key, 'name' | 'sha256'>): Key => ({
  name,
  sha256: createHash('sha256').update(tokens[name]).digest('hex'),
  ...rest,
});
const keys: readonly Key[] = [
  key('asks', { scopes: ['predict'] }),
  key('teaches', { scopes: ['predict', 'learn'], models: ['m'] }),
  key('owns', { scopes: ['predict', 'learn', 'admin'] }),
];

let app: App;
let file: string;
beforeAll(async () => {
  file = await flowerModel();
});
afterEach(() => app.close());

async function start(options: AppOptions) {
  const models = naiveModels();
  await models.put('f', { kind: 'frozen', file });
  await models.put('m', { kind: 'learning', options: { classes: ['a', 'b'] } });
  app = await createApp(models, options);
  return asking(app);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const statusOf = async (ask: Awaited<ReturnType<typeof asking>>, asked: Asked, headers = {}) => {
  const { status, json } = await ask({ ...asked, headers: { ...asked.headers, ...headers } });
  return status < 400 ? status : `${status} ${json.code}`;
};

/** A call of every scope and of no scope. */
const calls: Record<string, Asked> = {
  predict: { method: 'POST', url: '/v1/models/f/predict', body: { row: { size: 1 } } },
  learn: { method: 'POST', url: '/v1/models/m/learn', body: { row: [1], label: 'a' } },
  state: { url: '/v1/models/m/state' },
  put: { method: 'PUT', url: '/v1/models/n', body: { kind: 'learning' } },
  probe: { url: '/livez' },
  none: { url: '/nowhere' },
};

describe('with keys', () => {
  const missing = '401 key-missing';
  const refused = '403 key-refused';
  const all = { predict: 200, learn: 200, state: 200, put: 201, probe: 200, none: '404 path-unknown' };
  const nothing = { ...all, predict: missing, learn: missing, state: missing, put: missing };
  test.each<[who: string, headers: object, expected: object]>([
    ['nobody', {}, nothing],
    ['a wrong token', bearer(`${tokens.owns}x`), nothing],
    ['a token by another scheme', { authorization: `Basic ${tokens.owns}` }, nothing],
    ['the hash of a token', bearer(keys[2]!.sha256), nothing],
    ['one who asks', bearer(tokens.asks), { ...all, learn: refused, state: refused, put: refused }],
    ['one who teaches one model', bearer(tokens.teaches), { ...all, predict: refused, state: refused, put: refused }],
    ['one who owns', bearer(tokens.owns), all],
  ])('%s may do what the key says', async (_, headers, expected) => {
    const ask = await start({ keys });
    const found: Record<string, number | string> = {};
    for (const [name, call] of Object.entries(calls)) found[name] = await statusOf(ask, call, headers);
    expect(found).toEqual(expected);
  });

  test('every path of models asks for a key', async () => {
    await start({ keys });
    await app.ready();
    const paths = Object.entries(app.swagger().paths ?? {}).filter(([path]) => /^\/v[12]\/models/.test(path));
    expect(paths.length).toBeGreaterThan(10);
    for (const [path, operations] of paths)
      for (const method of Object.keys(operations as object)) {
        const url = path.replaceAll(/\{\w+\}/g, 'm');
        const { statusCode } = await app.inject({ method: method.toUpperCase() as 'GET', url });
        expect({ method, path, statusCode }).toEqual({ method, path, statusCode: 401 });
      }
  });

  test('the list shows the models of the key', async () => {
    const ask = await start({ keys });
    const listed = async (token: string) =>
      (await ask({ url: '/v1/models', headers: bearer(token) })).json.models.map((each: { name: string }) => each.name);
    expect(await listed(tokens.teaches)).toEqual(['m']);
    expect(await listed(tokens.asks)).toEqual(['f', 'm']);
  });

  test('other keys hold from the next request on', async () => {
    const ask = await start({ keys });
    app.setKeys([key('owns2', { scopes: ['predict'] })]);
    expect(await statusOf(ask, calls.predict!, bearer(tokens.owns))).toBe(missing);
    expect(await statusOf(ask, calls.predict!, bearer(tokens.owns2))).toBe(200);
  });
});

describe('with names of hosts', () => {
  test.each([
    ['localhost', 200],
    ['LOCALHOST:4310', 200],
    ['[::1]:80', 200],
    ['evil.example', '421 host-refused'],
    ['localhost.evil.example', '421 host-refused'],
    ['localhost:80@evil.example', '421 host-refused'],
  ])('%s: %s', async (host, expected) => {
    const ask = await start({ hosts: ['localhost', '[::1]'] });
    expect(await statusOf(ask, calls.predict!, { host })).toBe(expected);
    expect(await statusOf(ask, calls.probe!, { host })).toBe(200);
  });
});

describe('a page', () => {
  test('of the service or of a named origin may ask, and of another origin may not', async () => {
    const ask = await start({ origins: ['https://a.example'] });
    const by = (origin: string) => statusOf(ask, calls.predict!, { origin, host: 'me.example' });
    expect(await by('http://me.example')).toBe(200);
    expect(await by('https://a.example')).toBe(200);
    for (const origin of ['https://me.example', 'null', 'https://a.example.evil', 'http://a.example'])
      expect(await by(origin)).toBe('403 origin-refused');
  });

  test('of a named origin is told what it may send', async () => {
    await start({ origins: ['https://a.example'] });
    const preflight = (origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/v1/models/m/learn',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const { statusCode, headers } = await preflight('https://a.example');
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({ 'access-control-allow-origin': 'https://a.example', vary: 'origin' });
    expect((await preflight('https://b.example')).statusCode).toBe(403);
  });
});

test('a client that asks more often than its rate gets 429, and others do not', async () => {
  const ask = await start({ keys, limits: { rate: 5 } });
  const found: (string | number)[] = [];
  for (let i = 0; i < 12; i++) found.push(await statusOf(ask, calls.predict!, bearer(tokens.asks)));
  expect(found.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
  expect(found).toContain('429 rate-exceeded');
  expect(await statusOf(ask, calls.predict!, bearer(tokens.owns))).toBe(200);
  for (let i = 0; i < 12; i++) expect(await statusOf(ask, calls.probe!)).toBe(200);
});

test('attempts with wrong keys count for the rate of their address, and not for that of a key', async () => {
  const ask = await start({ keys, limits: { rate: 5 } });
  const found: (string | number)[] = [];
  for (let i = 0; i < 12; i++) found.push(await statusOf(ask, calls.predict!, bearer(`wrong-${i}`)));
  expect(found.slice(0, 5)).toEqual(Array(5).fill('401 key-missing'));
  expect(found).toContain('429 rate-exceeded');
  expect(await statusOf(ask, calls.predict!, bearer(tokens.asks))).toBe(200);
});

test('a key of one model sees the metrics of no other', async () => {
  const ask = await start({ keys });
  await statusOf(ask, { method: 'PUT', url: '/v1/models/other', body: { kind: 'learning' } }, bearer(tokens.owns));
  const modelsOf = async (token: string, url = '/metrics') =>
    new Set(Array.from((await ask({ url, headers: bearer(token) })).text.matchAll(/model="(\w+)"/g), ([, m]) => m));
  expect([...(await modelsOf(tokens.owns))]).toEqual(['m', 'other']);
  expect([...(await modelsOf(tokens.teaches))]).toEqual(['m']);
  expect([...(await modelsOf(tokens.owns, '/v1/models/other/metrics'))]).toEqual(['other']);
  expect(await statusOf(ask, { url: '/v1/models/other/metrics' }, bearer(tokens.teaches))).toBe('403 key-refused');
});

test('a compressed body is refused', async () => {
  const ask = await start({});
  expect(await statusOf(ask, calls.predict!, { 'content-encoding': 'gzip' })).toBe('415 encoding-unknown');
});
