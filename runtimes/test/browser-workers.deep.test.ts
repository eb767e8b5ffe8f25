import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeModel, rows, train } from 'halfspace';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrInstallBrowser } from '../../apps/lab/scripts/find-browser.mjs';
import { root } from '../run-in.ts';

/** A table whose choice takes long enough for workers to pay off. It runs here and in the page. */
function table() {
  return Array.from({ length: 4000 }, (_, i) => {
    const x = Array.from({ length: 6 }, (_, j) => ((i * (j + 3) * 7919 + j * 104_729) % 1009) / 1009);
    return { ...x, label: ['low', 'middle', 'high'][Math.floor((x[0]! + x[1]! * x[2]! + 0.3 * x[5]!) * 1.4) % 3]! };
  });
}

let files: ReadonlyMap<string, string>;
let browser: Browser;
let expected: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'halfspace-workers-'));
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><body></body><script type="module" src="./page.js"></script>',
  );
  await writeFile(
    join(folder, 'page.js'),
    `import { encodeModel, rows, train } from ${JSON.stringify(join(root, 'packages/halfspace/dist/index.js'))};
    const table = ${table};
    const { model } = await train(rows(table()), {});
    document.body.innerText = JSON.stringify([...encodeModel(model)]);
    document.title = 'done';`,
  );
  const built = await build({
    root: folder,
    logLevel: 'error',
    build: { write: false, target: 'es2022' },
    worker: { format: 'es' },
  });
  const { output } = built as { output: readonly { fileName: string; code?: string; source?: string | Uint8Array }[] };
  files = new Map(output.map(({ fileName, code, source }) => [`/${fileName}`, code ?? String(source)]));
  await rm(folder, { recursive: true });
  browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
  const { model } = await train(rows(table()), {});
  expected = JSON.stringify([...(encodeModel(model) as Iterable<unknown>)]);
}, 900_000);
afterAll(() => browser?.close());

const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const policy = (workers: string) => ({
  'content-security-policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src ${workers}`,
});

test.each([
  ['with workers', true, {}],
  ['with shared memory', true, isolated],
  ['with a policy that allows workers', true, policy("'self'")],
  ['with a policy that forbids workers', false, policy("'none'")],
  ['without the file of the worker', false, {}],
])('a page %s chooses the model of Node', async (name, hasWorkers, headers: Record<string, string>) => {
  const page = await browser.newPage();
  try {
    const errors: string[] = [];
    let workers = 0;
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('worker', () => workers++);
    await page.route('http://localhost/**', (route) => {
      const { pathname } = new URL(route.request().url());
      const isLost = name.startsWith('without') && pathname.includes('page-thread');
      const body = isLost ? undefined : files.get(pathname === '/' ? '/index.html' : pathname);
      const contentType = pathname.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8';
      return route.fulfill(body === undefined ? { status: 404, body: '' } : { contentType, body, headers });
    });
    await page.goto('http://localhost/');
    await page.waitForFunction(() => document.title === 'done', null, { timeout: 100_000 });
    expect(errors).toEqual([]);
    expect(await page.evaluate(() => document.body.innerText)).toBe(expected);
    expect(await page.evaluate(() => 'SharedArrayBuffer' in globalThis)).toBe(headers === isolated);
    if (hasWorkers) expect(workers).toBeGreaterThan(0);
  } finally {
    await page.close();
  }
});
