import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Predictor } from 'halfspace';
import { toJavaScript } from 'halfspace/export';
import { Random } from 'halfspace/runs';
import { chromium } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findOrInstallBrowser } from '../../apps/lab/scripts/find-browser.mjs';
import { goodRows, tableModels } from '../../packages/halfspace/test/export/models.ts';
import { findRuntimes, notInstalled, type Runtime, workerd } from '../find.ts';
import { command, root, runIn } from '../run-in.ts';
import { libsvmText, temporaryFolder } from './support.ts';

const runtimes = findRuntimes();
const folder = temporaryFolder();

const answersOf = (runtime: (typeof runtimes)[number]) =>
  runIn(runtime, folder, join(root, 'runtimes/programs/print-answers.mjs'), []);

/** Returns a port that nobody listens on. */
function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.on('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });
}

/** Serves the worker by workerd and returns what it answers. The bundle is one file, as deployed workers are. */
async function answersOfWorker(): Promise<string> {
  const bundle = { bundle: true, format: 'esm', minify: true, logLevel: 'error' } as const;
  await build({
    ...bundle,
    entryPoints: [join(root, 'runtimes/programs/worker.mjs')],
    outfile: join(folder, 'worker.mjs'),
  });
  writeFileSync(
    join(folder, 'workerd.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "worker.mjs")], compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", http = (), service = "main")]
);
`,
  );
  const port = await freePort();
  const child = spawn(workerd, ['serve', 'workerd.capnp', `--socket-addr=http=127.0.0.1:${port}`], { cwd: folder });
  let err = '';
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  const ended = new Promise<never>((_, failed) => {
    child.on('error', failed);
    child.on('close', (status) => failed(new Error(`workerd ended with ${status}: ${err}`)));
  });
  ended.catch(() => {});
  const answered = async (): Promise<string> => {
    for (;;) {
      try {
        return await (await fetch(`http://127.0.0.1:${port}/`)).text();
      } catch {
        await new Promise((next) => setTimeout(next, 100));
      }
    }
  };
  try {
    return await Promise.race([answered(), ended]);
  } finally {
    child.kill();
  }
}

describe.skipIf(runtimes.length < 2)(`models trained and asked in every runtime (${notInstalled})`, () => {
  const [first, ...others] = runtimes;

  test(`have the same bits: ${runtimes.map(({ name }) => name).join(', ')}`, async () => {
    const expected = await answersOf(first!);
    expect(expected).toMatchObject({ status: 0, err: '' });
    const lines = expected.out.trim().split('\n');
    expect(lines).toHaveLength(24);
    expect(lines.filter((line) => line.includes('option-invalid'))).toHaveLength(6);
    for (const runtime of others) expect((await answersOf(runtime)).out, runtime.name).toBe(expected.out);
  });

  test.skipIf(!existsSync(workerd))(
    'have the same bits in a worker of workerd, which compiles no WebAssembly',
    async () => {
      expect(await answersOfWorker()).toBe((await answersOf(first!)).out);
    },
  );
});

const withZstd = runtimes.find(({ name }) => name === 'Node 24');

const rows = 60;

/** For each archive the rows read from it, or the refusal. */
async function readAll(runtime: Runtime, names: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const { status, out, err } = await runIn(runtime, folder, command, ['evaluate', 'a.model', name, '--json']);
    found[name] = status === 0 ? `${JSON.parse(out).examples} rows` : `${status} ${err.trim()}`;
  }
  return found;
}

describe.skipIf(withZstd === undefined)(`archives in every runtime (${notInstalled})`, () => {
  const archives = (async () => {
    writeFileSync(join(folder, 'd.svm'), libsvmText(rows));
    await runIn(withZstd!, folder, command, ['train', 'd.svm', '--model', 'a.model']);
    const made = await runIn(withZstd!, folder, join(root, 'runtimes/programs/archives.mjs'), ['.', 'd.svm']);
    expect(made).toMatchObject({ status: 0, err: '' });
    const names = readdirSync(folder).filter((name) => /\.(gz|zst)$/.test(name));
    return { names, expected: await readAll(runtimes[0]!, names) };
  })();
  archives.catch(() => {});

  test('whole and joined ones give all rows, however many members and frames they have; no other gives a part', async () => {
    const { names, expected } = await archives;
    for (const name of names) {
      const { [name]: found = '' } = expected;
      if (/^(whole|joined|empty-member|skippable-.*)\./.test(name)) expect(found, name).toBe(`${rows} rows`);
      // A damaged checksum or header may be told from all that was meant to be there, never from less.
      else expect(found, name).toMatch(new RegExp(`^(${rows} rows|3 .*(expected|got).*)$`));
      if (/^(cut|second-cut|garbage-behind)/.test(name)) expect(found, name).toMatch(/^3 /);
    }
  });

  test.each(runtimes.slice(1))('are read alike in $name, and refused with the same words', async (runtime) => {
    const { names, expected } = await archives;
    expect(await readAll(runtime, names)).toEqual(expected);
  });
});

const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'">
<body></body><script type="module" src="/page.js"></script>`;

/** Asks the program about rows, and shows the scores with all digits. */
const asking = (rows: object[], isTwo: boolean) => `import { ${isTwo ? 'score' : 'scores'} as ask } from './model.mjs';
document.body.innerText = JSON.stringify(${JSON.stringify(rows)}.map((row) => [ask(row)].flat()));
document.title = 'done';`;

test('an exported program has the bits of Predictor in a page whose policy forbids eval', async () => {
  const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
  try {
    for (const [name, model] of await tableModels()) {
      const rows = goodRows(200, new Random(8).below(1e6), ['a', 'b']);
      const tab = await browser.newPage();
      const errors: string[] = [];
      tab.on('pageerror', (error) => errors.push(error.message));
      const scripts: Readonly<Record<string, string>> = {
        '/page.js': asking(rows, model.classes.length === 2),
        '/model.mjs': toJavaScript(model),
      };
      await tab.route('http://page.test/**', (route) => {
        const body = scripts[new URL(route.request().url()).pathname];
        return route.fulfill(
          body === undefined
            ? { contentType: 'text/html; charset=utf-8', body: page }
            : { contentType: 'text/javascript; charset=utf-8', body },
        );
      });
      await tab.goto('http://page.test/');
      await tab.waitForFunction(() => document.title === 'done', null, { timeout: 60_000 });
      const predictor = new Predictor(model);
      const shown = JSON.parse(await tab.evaluate(() => document.body.innerText)) as number[][];
      expect({ name, errors, shown }).toEqual({
        name,
        errors: [],
        shown: rows.map((row) => [...predictor.scores(row)]),
      });
      await tab.close();
    }
  } finally {
    await browser.close();
  }
});
