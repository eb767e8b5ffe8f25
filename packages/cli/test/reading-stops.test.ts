import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadKernels } from 'halfspace/rules';
import { gather } from 'halfspace-certify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openInput } from '../src/data/input.ts';
import { meaningOf } from '../src/data/written-numbers.ts';
import { query, sqlName } from '../src/tables/duckdb.ts';
import { command, temporaryFolder } from './run.ts';

const folder = temporaryFolder();
const rows = Array.from({ length: 30_000 }, (_, i) => ({
  a: i / 7,
  b: (i * i) % 1000,
  label: i % 3 === 0 ? 'x' : 'y',
}));
const sign = ({ label }: (typeof rows)[number]) => (label === 'x' ? 1 : -1);
const csv = ['a,b,label', ...rows.map(({ a, b, label }) => `${a},${b},${label}`)].join('\n');

/** One file of each format that `certify` reads, and another one of each way to reach its text. */
const files: Record<string, string | Uint8Array> = {
  'data.csv': csv,
  'data.tsv': csv.replaceAll(',', '\t'),
  'data.csv.gz': gzipSync(csv),
  'wide.csv': Buffer.from(`\uFEFF${csv}`, 'utf16le'),
  'data.json': JSON.stringify(rows),
  'data.ndjson': rows.map((row) => JSON.stringify(row)).join('\n'),
  'data.svm': rows.map((row) => `${sign(row)} 1:${row.a} 2:${row.b}`).join('\n'),
  'data.vw': rows.map((row) => `${sign(row)} | a:${row.a} b:${row.b}`).join('\n'),
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
const parquet = join(folder, 'data.parquet');

/** A signal that aborts when it is asked for the k-th time. */
function abortingAt(k: number) {
  const controller = new AbortController();
  const seen = { asked: 0 };
  const signal = new Proxy(controller.signal, {
    get(own, name) {
      if (name === 'aborted' && ++seen.asked >= k) controller.abort();
      const value = Reflect.get(own, name, own);
      return typeof value === 'function' ? value.bind(own) : value;
    },
  });
  return { signal, seen };
}

/** Reads all as `certify` does. Returns how many times the signal was asked. */
async function read(path: string, k: number): Promise<number> {
  const { signal, seen } = abortingAt(k);
  const input = await openInput([path], { scale: 'none', signal }, await loadKernels());
  try {
    const { examples } = await gather(input.source, { signal });
    await meaningOf([path], input, input.source.encoding(), examples.dimension, { signal });
  } finally {
    input.close();
  }
  return seen.asked;
}

describe.each([...Object.keys(files), 'data.parquet'])('while %s is read', (name) => {
  test('a signal ends it wherever it comes', { timeout: 120_000 }, async () => {
    if (name === 'data.parquet')
      await query(`COPY (FROM ${sqlName(join(folder, 'data.csv'))}) TO ${sqlName(parquet)} (FORMAT parquet)`);
    const path = join(folder, name);
    const asked = await read(path, Infinity);
    expect(asked).toBeGreaterThan(10);
    for (const share of [0, 0.2, 0.4, 0.6, 0.8, 1])
      await expect(read(path, Math.max(1, Math.floor(share * asked)))).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('while a pipe does not end', () => {
  const start = (seconds: number) => {
    const args = [command, 'certify', '-', '--format', 'csv', '--json', '--seconds', String(seconds)];
    const child = spawn(process.execPath, args, { cwd: folder });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.write('a,label\n1,x\n2,y\n');
    let out = '';
    child.stdout.on('data', (piece) => {
      out += piece;
    });
    const closed = new Promise((resolve) => child.once('close', (status) => resolve({ status, out })));
    return { child, closed };
  };

  test('`--seconds` ends the command with an open verdict and no certificate', { timeout: 60_000 }, async () => {
    const { closed } = start(1);
    const ended = (await closed) as { status: number; out: string };
    expect(ended.status).toBe(0);
    expect(JSON.parse(ended.out)).toMatchObject({ separable: null, certificate: null, interrupted: false });
  });

  test.skipIf(process.platform === 'win32')('so does Ctrl-C', { timeout: 60_000 }, async () => {
    const { child, closed } = start(3600);
    // The command listens to signals before it takes the rows.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    child.kill('SIGINT');
    expect(await closed).toMatchObject({ out: '' });
  });
});
