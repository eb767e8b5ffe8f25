import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { TextSource } from '../../src/data/text.ts';
import { libsvmFormat } from '../../src/data/text-format.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { FileState } from '../../src/node/file-state.ts';
import { openBytes } from '../../src/node/files.ts';
import { parseAhead } from '../../src/node/parallel/parse-ahead.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const kernels = createKernels();
const line = '1 1:0.25 2:0.5 300:1\n';
const lines = 40_000;
let files = 0;

/** Changes of a file between the first and the last batch, and the words of the refusal. */
const changes: [name: string, change: (path: string) => void, said: RegExp][] = [
  [
    'cut at a line',
    (path) => truncateSync(path, Math.floor(statSync(path).size / 2 / line.length) * line.length),
    /cut from/,
  ],
  ['cut to nothing', (path) => truncateSync(path, 0), /cut from/],
  ['enlarged', (path) => appendFileSync(path, line), /enlarged from/],
  [
    'written over with as many bytes',
    (path) => later(path, () => writeFileSync(path, line.repeat(lines))),
    /written to/,
  ],
  [
    'replaced',
    (path) => {
      writeFileSync(`${path}.new`, line.repeat(lines));
      renameSync(`${path}.new`, path);
    },
    /replaced/,
  ],
  ['removed', (path) => rmSync(path), /removed/],
];

/** Changes a file so that its time of change differs, whatever the clock of the file system. */
function later(path: string, change: () => void): void {
  change();
  utimesSync(path, new Date(), new Date(Date.now() + 5000));
}

/** Reads a file that is changed after its first batch; returns the rows read, or the error's code and message. */
async function readWhileChanged(path: string, threads: number, change: (path: string) => void) {
  const source = new TextSource({
    name: 'data',
    format: libsvmFormat(kernels),
    kernels,
    textBytes: 4096,
    ahead: parseAhead(kernels, { threads, leastBytes: 1, rangeBytes: 4096 }),
    open: async function* () {
      yield await openBytes(path);
    },
  });
  let rows = 0;
  try {
    for await (const batch of source.batches()) {
      if (rows === 0) change(path);
      rows += batch.rows;
    }
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    return { code: error.code, message: error.message };
  }
  return { rows };
}

describe.each([
  ['one thread', 1, ''],
  ['several threads', 3, ''],
  ['an archive', 1, '.gz'],
])('a file that changes while it is read: %s', (_, threads, ending) => {
  const fresh = () => {
    const path = join(folder, `${files++}.svm${ending}`);
    const text = line.repeat(lines);
    // Incompressible, so that an archive is not read in one piece.
    writeFileSync(path, ending === '' ? text : gzipSync(text, { level: 0 }));
    return path;
  };

  test('is read completely if nothing changes', async () => {
    expect(await readWhileChanged(fresh(), threads, () => {})).toEqual({ rows: lines });
  });

  test.each(changes)('is refused: %s', async (_, change, said) => {
    const outcome = await readWhileChanged(fresh(), threads, change);
    // An archive may be found damaged first, and its lines wrong.
    if (ending === '.gz') expect(outcome.code).toBeDefined();
    else expect(outcome).toMatchObject({ code: 'source-changed', message: expect.stringMatching(said) });
  });
});

test('a file that changes between two readings is refused if the second gets the state of the first', async () => {
  const path = join(folder, 'twice.svm');
  writeFileSync(path, line);
  const state = FileState.of(path);
  const target = new Uint8Array(1000);
  const readAll = async () => {
    const source = await openBytes(path, { state });
    while ((await source.read(target)) > 0);
    source.close?.();
  };
  await readAll();
  appendFileSync(path, line);
  await expect(readAll()).rejects.toThrow(/enlarged from 21 to 42 bytes/);
});

test('a device is never compared', async () => {
  const source = await openBytes('/dev/null');
  expect(await source.read(new Uint8Array(10))).toBe(0);
});
