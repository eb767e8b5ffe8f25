import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../src/http/app.ts';
import { naiveModels } from '../support/naive-models.ts';

let app: App;
beforeAll(async () => {
  const key = { name: 'k', sha256: '0'.repeat(64), scopes: ['predict'] } as const;
  app = await createApp(naiveModels(), { keys: [key] });
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

/** Paths of the page and of all files that it names. */
async function paths(): Promise<string[]> {
  const { body } = await get('/');
  return ['/', ...Array.from(body.matchAll(/(?:src|href)="\.(\/[^"]+)"/g), ([, path]) => path!)];
}

test('the page and its files need no key, and may load nothing but files of the service', async () => {
  const all = await paths();
  expect(all.some((path) => path.endsWith('.js')) && all.some((path) => path.endsWith('.css'))).toBe(true);
  for (const path of all) {
    const { statusCode, headers } = await get(path);
    expect([path, statusCode]).toEqual([path, 200]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['cache-control']).toContain(path.startsWith('/assets/') ? 'immutable' : 'no-cache');
  }
  const { body } = await get('/');
  expect(body).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|https?:/);
  expect((await get('/v1/models')).statusCode).toBe(401);
});

test('each encoding has the same content, and its tag spares it the next time', async () => {
  for (const path of await paths()) {
    const plain = (await get(path)).rawPayload;
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync],
      ['deflate', undefined, (bytes: Buffer) => bytes],
      ['br;q=0.0, gzip;q=0', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const answer = await get(path, { 'accept-encoding': accepted });
      expect([accepted, answer.headers['content-encoding']]).toEqual([accepted, encoding]);
      expect(answer.headers.vary).toContain('accept-encoding');
      expect(decode(answer.rawPayload).equals(plain)).toBe(true);
      const again = await get(path, {
        'accept-encoding': accepted,
        'if-none-match': `"x", W/${answer.headers.etag}`,
      });
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
      expect((await get(path, { 'accept-encoding': accepted, 'if-none-match': '"x"' })).statusCode).toBe(200);
    }
  }
});

test('the page is small: less than 60 kB compressed', async () => {
  let total = 0;
  for (const path of await paths()) total += (await get(path, { 'accept-encoding': 'gzip' })).rawPayload.length;
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(60_000);
});

test('files of the page can be read and nothing else', async () => {
  const head = await app.inject({ method: 'HEAD', url: '/' });
  expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
  for (const url of ['/assets', '/assets/', '/assets/x.js', '/index.html', '/../package.json', '/%2e%2e/package.json'])
    expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
  const posted = await app.inject({ method: 'POST', url: '/' });
  expect([posted.statusCode, posted.json().code]).toEqual([405, 'method-refused']);
  const foreign = await get('/', { origin: 'https://example.org' });
  expect(foreign.statusCode).toBe(403);
});
