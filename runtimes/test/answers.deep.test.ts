import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { findRuntimes, notInstalled, workerd } from '../find.ts';
import { root, runIn } from '../run-in.ts';
import { temporaryFolder } from './support.ts';

const runtimes = findRuntimes();
const { folder, clear } = temporaryFolder();
afterAll(clear);

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
