import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
// Threads run what was built, so all modules are the built ones.
import type { StoredBatch } from '../../dist/batch.js';
import { type RejectedLine, TextSource } from '../../dist/data/text.js';
import { libsvmFormat, type TextFormat, type VwOptions, vwFormat } from '../../dist/data/text-format.js';
import { HalfspaceError } from '../../dist/errors.js';
import { createKernels } from '../../dist/kernels/load.js';
import { encodeModel } from '../../dist/model/encode.js';
import { openBytes } from '../../dist/node/files.js';
import { parseAhead } from '../../dist/node/parallel/parse-ahead.js';
import { ParserPool, usefulThreads } from '../../dist/node/parallel/parser-pool.js';
import { temporarySpill } from '../../dist/node/spill.js';
import { trainOnce } from '../../dist/train/train-once.js';
import { damagedText, validLines } from '../support/libsvm-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
function fileOf(text: string | Uint8Array): string {
  const path = join(folder, `${files++}.txt`);
  writeFileSync(path, text);
  return path;
}

const kernels = createKernels();
type MakeFormat = () => TextFormat;
const libsvm: MakeFormat = () => libsvmFormat(kernels);
const vw =
  (options: VwOptions = {}): MakeFormat =>
  () =>
    vwFormat(kernels, options);

/** Ways to read files; 1 thread uses no others. */
interface Way {
  readonly threads: number;
  readonly rangeBytes?: number;
  readonly pool?: ParserPool;
}

function sourceOf(paths: readonly string[], format: TextFormat, way: Way, onReject?: (line: RejectedLine) => void) {
  return new TextSource({
    name: 'data',
    format,
    kernels,
    onReject,
    ahead: parseAhead(kernels, { ...way, leastBytes: 1 }),
    async *open() {
      for (const path of paths) yield await openBytes(path);
    },
  });
}

/** Ranges that other threads take before the caller's, few enough for the slots of one thread. */
const atLeastTheirs = 4;

/**
 * Reads with other threads for certain: the caller starts when they have taken some ranges. Otherwise it might read a
 * small file before they start. Counts the parts of the other threads.
 */
async function toldWithThreads(paths: readonly string[], makeFormat: MakeFormat, skip: boolean) {
  const pool = new ParserPool(2);
  let theirs = 0;
  const release = pool.release.bind(pool);
  pool.release = (part) => {
    theirs++;
    release(part);
  };
  const start = pool.start.bind(pool);
  pool.start = (job) => {
    const started = start(job);
    const next = new Int32Array(job.next);
    for (const from = performance.now(); Atomics.load(next, 0) < Math.min(job.ranges, atLeastTheirs); ) {
      Atomics.wait(next, 0, Atomics.load(next, 0), 1);
      if (performance.now() - from > 60_000) throw new Error('expected threads to take ranges within a minute');
    }
    return started;
  };
  return { events: await told(paths, makeFormat, { threads: 3, rangeBytes: 1000, pool }, skip), theirs };
}

/** Everything that a reading tells, as text: examples with all their bits, refused lines, the error that ended it. */
async function told(paths: readonly string[], makeFormat: MakeFormat, way: Way, skip: boolean): Promise<string[]> {
  const format = makeFormat();
  const events: string[] = [];
  const onReject = ({ error, line }: RejectedLine) => {
    events.push(`refused ${error.message} [${Buffer.from(line).toString('latin1')}]`);
  };
  try {
    for await (const batch of sourceOf(paths, format, way, skip ? onReject : undefined).batches())
      for (let i = 0; i < batch.rows; i++) events.push(rowText(batch, i));
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    events.push(`${error.code} ${error.message}`);
  }
  return [...events, JSON.stringify(format.encoding()), `unknown ${JSON.stringify(format.unknown)}`];
}

function rowText(batch: StoredBatch, i: number): string {
  if (batch.kind === 'dense') throw new Error('text is sparse');
  const value = (k: number) => (batch.kind === 'compact' ? batch.values[k]! / 10 ** batch.places : batch.values[k]!);
  let text = `${batch.labels[i]} ${batch.importance?.[i] ?? 1}`;
  for (let k = batch.offsets[i]!; k < batch.offsets[i + 1]!; k++)
    text += ` ${batch.indices[k]}:${Object.is(value(k), -0) ? '-0' : value(k)}`;
  return text;
}

/** A source of numbers in [0, 1), the same every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Some thousand lines with many rare names, so that threads meet names in another order than the text. */
function vwText(lines: number, seed: number): string {
  const random = seeded(seed);
  let text = '';
  for (let i = 0; i < lines; i++) {
    text += `${random() < 0.5 ? -1 : 1}${random() < 0.1 ? ' 2.5' : ''} |${random() < 0.3 ? 'body' : ''}`;
    for (let k = 0; k < 8; k++) text += ` w${Math.floor(2 ** (random() * 14))}:${random().toFixed(3)}`;
    text += random() < 0.01 ? '\n\n' : '\n';
  }
  return text;
}

function libsvmText(lines: number, decimals: number | null, seed: number): string {
  const random = seeded(seed);
  let text = '';
  for (let i = 0; i < lines; i++) {
    const indices = new Set(Array.from({ length: 10 }, () => 1 + Math.floor(random() * 500)));
    text += random() < 0.5 ? '-1' : '+1';
    for (const index of [...indices].sort((a, b) => a - b))
      text += ` ${index}:${decimals === null ? random() : random().toFixed(decimals)}`;
    text += '\n';
  }
  return text;
}

const ways: Way[] = [
  { threads: 2, rangeBytes: 1000 },
  { threads: 3, rangeBytes: 4096 },
  { threads: 8, rangeBytes: 20_000 },
];

test('no more threads read than there are cores, and four unless more are asked for', () => {
  const cores = availableParallelism();
  const counts = [undefined, 1, 4, 64].map((asked) => usefulThreads(asked));
  expect(counts).toEqual([Math.min(4, cores), 1, Math.min(4, cores), Math.min(64, cores)]);
});

describe('text read by several threads', () => {
  test.each<[string, MakeFormat, string]>([
    ['libsvm of short decimals', libsvm, libsvmText(3000, 4, 1)],
    ['libsvm of long decimals', libsvm, libsvmText(2000, null, 2)],
    ['libsvm with far indices', libsvm, '1 5:1 4294967294:2\n-1 4294967293:1 4294967295:.5\n'.repeat(3000)],
    ['libsvm without a last line feed', libsvm, libsvmText(500, 2, 3).trimEnd()],
    ['libsvm with blank lines and comments', libsvm, '# a comment\n\n1 1:1\r\n \n-1 2:1 # another\n'.repeat(2000)],
    ['libsvm with a byte order mark', libsvm, `\ufeff${libsvmText(500, 2, 4)}`],
    [
      'one line longer than many ranges',
      libsvm,
      `1 ${Array.from({ length: 20_000 }, (_, k) => `${k + 1}:1`).join(' ')}\n-1 1:1\n`,
    ],
    ['Vowpal Wabbit by name', vw(), vwText(4000, 5)],
    ['Vowpal Wabbit hashed', vw({ bits: 12 }), vwText(4000, 6)],
    ['Vowpal Wabbit for a model', vw({ known: { kind: 'named', names: ['w1', 'w2', 'w7', 'w99'] } }), vwText(4000, 7)],
  ])('gives the same examples, bits and numbers: %s', async (_, makeFormat, text) => {
    const path = fileOf(text);
    const expected = await told([path], makeFormat, { threads: 1 }, false);
    for (const way of ways) expect(await told([path], makeFormat, way, false)).toEqual(expected);
    expect((await toldWithThreads([path], makeFormat, false)).events).toEqual(expected);
  });

  test('uses all threads: rows, names and refused lines come from each', async () => {
    const damaged = libsvmText(30_000, 3, 15)
      .split('\n')
      .map((line, i) => (i % 50 === 7 ? `${line} x` : line));
    for (const [text, makeFormat] of [
      [vwText(30_000, 16), vw()],
      [damaged.join('\n'), libsvm],
    ] as const) {
      const path = fileOf(text);
      const { events, theirs } = await toldWithThreads([path], makeFormat, true);
      expect(events).toEqual(await told([path], makeFormat, { threads: 1 }, true));
      expect(theirs).toBeGreaterThanOrEqual(atLeastTheirs);
    }
  });

  test('is the same for several files, also small ones', async () => {
    const paths = [vwText(2000, 8), '1 |a b c\n', '', vwText(3000, 9)].map(fileOf);
    const expected = await told(paths, vw(), { threads: 1 }, false);
    for (const way of ways) expect(await told(paths, vw(), way, false)).toEqual(expected);
  });

  test('gives the same refusals with the same places, and the same first fault', async () => {
    const lines = libsvmText(3000, 3, 10).split('\n');
    lines[700] = '1 5:x';
    lines[1500] = '';
    lines[1501] = '-1 7:1 3:1\r';
    lines[2900] = '1 1:1 qid:3';
    const path = fileOf(lines.join('\n'));
    for (const skip of [true, false]) {
      const expected = await told([path], libsvm, { threads: 1 }, skip);
      expect(expected.some((event) => event.includes(':701:5'))).toBe(true);
      for (const way of ways) expect(await told([path], libsvm, way, skip)).toEqual(expected);
    }
  });

  test('is the same for valid and damaged text of any kind', async () => {
    const text = fc.oneof(
      damagedText,
      validLines.map((lines) => Buffer.from(lines.map((line) => line.text).join('\n'))),
    );
    await forAllAsync(
      60,
      fc.array(text, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(libsvm, vw()),
      fc.boolean(),
      fc
        .integer({ min: 1, max: 4 })
        .chain((threads) =>
          fc.record({ threads: fc.constant(threads + 1), rangeBytes: fc.integer({ min: 1, max: 300 }) }),
        ),
      async (texts, makeFormat, skip, way) => {
        const paths = texts.map(fileOf);
        expect(await told(paths, makeFormat, way, skip)).toEqual(await told(paths, makeFormat, { threads: 1 }, skip));
      },
    );
  });

  test('makes the same model, whatever the rule of the passes', async () => {
    const path = fileOf(libsvmText(6000, 4, 11));
    for (const options of [
      { passes: 4 },
      { passes: 1, holdout: 0.2, seed: 3 },
      { passes: 3, order: 'shuffled', seed: 5 },
      { passes: 2, scaling: 'unit-ball' },
    ] as const) {
      const modelOf = async (way: Way) => {
        const { model } = await trainOnce(sourceOf([path], libsvm(), way), {
          ...options,
          kernels,
          store: { spill: temporarySpill },
        });
        return encodeModel(model);
      };
      const expected = await modelOf({ threads: 1 });
      for (const way of ways) expect(await modelOf(way)).toBe(expected);
    }
  });

  test('can be abandoned in the middle, and read again', async () => {
    const path = fileOf(libsvmText(6000, 4, 12));
    const source = sourceOf([path], libsvm(), { threads: 3, rangeBytes: 2000 });
    let first = '';
    for await (const batch of source.batches()) {
      first = rowText(batch, 0);
      break;
    }
    let rows = 0;
    for await (const batch of source.batches()) {
      if (rows === 0) expect(rowText(batch, 0)).toBe(first);
      rows += batch.rows;
    }
    expect(rows).toBe(6000);
  });

  test('uses a given pool for one reading, and new threads for the next', async () => {
    const path = fileOf(libsvmText(3000, 4, 14));
    const pool = new ParserPool(2);
    const source = new TextSource({
      name: 'data',
      format: libsvm(),
      kernels,
      ahead: parseAhead(kernels, { pool, rangeBytes: 2000, leastBytes: 1 }),
      async *open() {
        yield await openBytes(path);
      },
    });
    const read = async () => {
      const texts: string[] = [];
      for await (const batch of source.batches()) for (let i = 0; i < batch.rows; i++) texts.push(rowText(batch, i));
      return texts;
    };
    const first = await read();
    expect(first).toHaveLength(3000);
    expect(pool.closed).toBe(true);
    expect(await read()).toEqual(first);
  });
});
