import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
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
import type { ByteSource } from '../../src/data/source.ts';
import { TextSource } from '../../src/data/text.ts';
import { libsvmFormat, type TextFormat, vwFormat } from '../../src/data/text-format.ts';
import { HalfspaceError } from '../../src/errors.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import * as layout from '../../src/kernels/layout.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { FileState } from '../../src/node/file-state.ts';
import { openBytes } from '../../src/node/files.ts';
import { parseAhead } from '../../src/node/parallel/parse-ahead.ts';
import { LineRange } from '../../src/node/parallel/range-parser.ts';
import { implementations } from '../support/kernels.ts';
import { bytesOf, inPieces } from '../support/text.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A format that counts the bytes that its kernel is given, each time it is given them. */
function counting(format: TextFormat): { readonly format: TextFormat; readonly given: () => number } {
  let given = 0;
  const { parser } = format;
  const parse: typeof parser.parse = (text, rows, report) => {
    given += report.array[layout.reportTo]! - report.array[layout.reportFrom]!;
    return parser.parse(text, rows, report);
  };
  return {
    format: Object.assign(Object.create(format), { parser: { ...parser, parse, newNames: () => parser.newNames() } }),
    given: () => given,
  };
}

const libsvmLine = (features: number) => `1 ${Array.from({ length: features }, (_, k) => `${k + 1}:0.5`).join(' ')}`;
const vwLine = (features: number) => `1 |a ${Array.from({ length: features }, (_, k) => `n${k}`).join(' ')}`;

/** Reads a source whose kernel's work is counted; returns rows and bytes that the kernel was given. */
async function workOf(kernels: Kernels, make: () => TextFormat, source: ByteSource) {
  const { format, given } = counting(make());
  let rows = 0;
  const text = new TextSource({ name: 'data', format, kernels, open: () => [source] });
  for await (const batch of text.batches()) rows += batch.rows;
  return { rows, given: given() };
}

describe.each(implementations)('a long line (%s)', (_, create) => {
  const kernels = create();
  const formats = [
    ['libsvm', () => libsvmFormat(kernels), libsvmLine],
    ['Vowpal Wabbit by name', () => vwFormat(kernels), vwLine],
    ['Vowpal Wabbit hashed', () => vwFormat(kernels, { bits: 18 }), vwLine],
  ] as const;

  test.each(formats)(
    'is passed to the kernel a few times only, however small the pieces: %s',
    async (_, make, lineOf) => {
      const line = lineOf(30_000);
      const text = bytesOf(`${line}\n${lineOf(3)}\n`.repeat(2));
      for (const size of [11, 1000, 65_536]) {
        const { rows, given } = await workOf(kernels, make, inPieces(text, [size]));
        expect(rows).toBe(4);
        // Once more where rows turn out not to be compact, and whenever its names need a larger table, which doubles.
        expect(given).toBeLessThan(8 * text.length);
      }
    },
  );

  test('is passed to the kernel a few times only if its archive comes in pieces', async () => {
    const path = join(folder, 'line.svm.gz');
    const text = bytesOf(`1 1:1\n#${'x'.repeat(4_000_000)}\n-1 2:1\n`);
    writeFileSync(path, gzipSync(text));
    const { rows, given } = await workOf(kernels, () => libsvmFormat(kernels), await openBytes(path));
    expect(rows).toBe(2);
    expect(given).toBeLessThan(3 * text.length);
  });
});

test('a range reads on to the end of its last line in few steps, and at most twice as far as needed', () => {
  const path = join(folder, 'range.svm');
  const length = 5_000_000;
  writeFileSync(path, `1 1:1\n${'x'.repeat(length)}\n${'y'.repeat(3 * length)}\n`);
  const file = openSync(path, 'r');
  const range = new LineRange(file, 0, 1000, path);
  const target = new Uint8Array(4 * length);
  let [reads, bytes] = [0, 0];
  for (;;) {
    const count = range.read(target);
    if (count === 0) break;
    reads++;
    bytes += count;
  }
  closeSync(file);
  expect(bytes).toBe(length + 7);
  expect(reads).toBeLessThan(16);
});

test('a line may be exactly lineBytes long, with one thread, several threads, and small pieces', async () => {
  const kernels = createKernels();
  const lineBytes = 10_000;
  const comment = (length: number) => `#${'x'.repeat(length - 1)}`;
  const read = async (open: () => Promise<ByteSource>, threads: number) => {
    let rows = 0;
    const source = new TextSource({
      name: 'data',
      format: libsvmFormat(kernels),
      kernels,
      lineBytes,
      textBytes: 100,
      ahead: parseAhead(kernels, { threads, leastBytes: 1, rangeBytes: 3000 }),
      open: async function* () {
        yield await open();
      },
    });
    try {
      for await (const batch of source.batches()) rows += batch.rows;
    } catch (error) {
      if (!(error instanceof HalfspaceError)) throw error;
      return `${error.code} ${error.message}`;
    }
    return rows;
  };
  for (const [text, expected] of [
    [`1 1:1\n${comment(lineBytes)}\n-1 1:1\n`, 2],
    [`1 1:1\n${comment(lineBytes)}`, 1],
    [`1 1:1\n${comment(lineBytes + 1)}\n-1 1:1\n`, 'longer'],
    [`1 1:1\n${comment(lineBytes + 1)}`, 'longer'],
    [`1 1:1\n# \0${comment(3 * lineBytes)}`, 'binary'],
  ] as const) {
    const path = join(folder, 'limit.svm');
    writeFileSync(path, text);
    const outcome =
      expected === 'longer'
        ? `row-malformed ${path}:2, byte 6: expected lines of at most 10000 bytes, which lineBytes raises (--longest-line of the command); got a longer one`
        : expected === 'binary'
          ? `source-corrupt ${path}:2:3, byte 8: expected text; got binary data`
          : expected;
    expect(await read(() => openBytes(path), 1)).toBe(outcome);
    expect(await read(() => openBytes(path), 3)).toBe(outcome);
    expect(await read(async () => inPieces(bytesOf(text), [7, 1], path), 1)).toBe(outcome);
  }
});

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
