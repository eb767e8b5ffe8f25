import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
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
import { openBytes } from '../../src/node/files.ts';
import { LineRange } from '../../src/node/parallel/line-range.ts';
import { parseAhead } from '../../src/node/parallel/parse-ahead.ts';
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
