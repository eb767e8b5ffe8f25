import { describe, expect, it } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import type { Batch, DenseBatch, SparseBatch, StoredBatch } from '../../src/batch.ts';
import { PackedBatch, type PackedShape, pack, packCompactly, packedLayout } from '../../src/data/packed.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { BatchView } from '../../src/kernels/batch-view.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { ModelScorer } from '../../src/model/linear/scorer.ts';
import { Random } from '../../src/random.ts';
import { implementations } from '../support/kernels.ts';
import {
  denseIn,
  innerProduct,
  inside,
  lengths,
  memoryOf,
  numbers,
  outside,
  type Rows,
  rows,
  singleIn,
  singleRows,
  sparseIn,
  sparseRows,
} from '../support/rows.ts';

describe.each(implementations)('memory of the %s kernels', (name, create) => {
  it('is zero when allocated, also if it was used before', () => {
    const kernels = create();
    for (let round = 0; round < 20; round++) {
      const blocks = [
        kernels.float64(100 + round),
        kernels.uint32(37),
        kernels.uint8(11 + 7 * round),
        kernels.float64(0),
      ];
      for (const { array } of blocks) expect(array.every((element) => element === 0)).toBe(true);
      for (const { array } of blocks) array.fill(255);
      for (const block of blocks.slice(round % 2)) block.free();
    }
  });

  it('keeps its front and is zero behind it after a resize', () => {
    const block = create().float64(3);
    block.array.set([1, 2, 3]);
    block.resize(5);
    expect([...block.array]).toEqual([1, 2, 3, 0, 0]);
    expect(block.length).toBe(5);
    block.resize(2);
    expect([...block.array]).toEqual([1, 2]);
    block.resize(4);
    expect([...block.array]).toEqual([1, 2, 0, 0]);
    block.resize(0);
    block.resize(1);
    expect([...block.array]).toEqual([0]);
  });

  it('may grow under blocks and batches in use, which then read their new place', () => {
    const kernels = create();
    const random = new Random(1);
    const data = sparseRows(9, random);
    const w = numbers(data.dimension, random);
    const memory = memoryOf(kernels, w);
    const { packed } = pack(kernels, sparseIn(outside(), data, 1));
    const batch = packed.batch as SparseBatch;
    const scores = () => {
      const out = new Float64Array(rows);
      kernels.scoreInto(batch, memory.weights, 0, 0, out);
      return [...out];
    };
    const expected = data.values.map((_, i) => innerProduct(data, i, w));
    expect(scores()).toEqual(expected);
    for (let megabytes = 1; megabytes <= 64; megabytes *= 4) {
      const before = memory.weights.array.buffer;
      kernels.uint8(megabytes << 20).array.fill(255);
      if (name === 'wasm' && megabytes > 4) expect(memory.weights.array.buffer).not.toBe(before);
      expect(memory.weights.array.slice(0, w.length)).toEqual(Float64Array.from(w));
      expect([...batch.values]).toEqual(data.values.flat());
      expect([...batch.indices]).toEqual(data.indices.flat());
      expect([...batch.labels]).toEqual(data.labels);
      expect([...batch.importance!]).toEqual(data.importance);
      expect(scores()).toEqual(expected);
    }
  });

  it('may grow during a call that copies a large batch', () => {
    const kernels = create();
    const count = 300_000;
    const values = Float64Array.from({ length: count }, (_, k) => k % 7);
    const memory = memoryOf(kernels, [1, 2, 3]);
    const batch: DenseBatch = {
      kind: 'dense',
      rows: count / 3,
      dimension: 3,
      values,
      labels: new Float64Array(count / 3).fill(1),
      importance: null,
    };
    const scores = new Float64Array(count / 3);
    kernels.scoreInto(batch, memory.weights, 0, 0, scores);
    expect(scores.every((score, i) => score === values[3 * i]! + 2 * values[3 * i + 1]! + 3 * values[3 * i + 2]!)).toBe(
      true,
    );
  });

  it('may grow while a batch in it is scored with a divisor', () => {
    const kernels = create();
    const count = 300_000;
    // In kernel memory, like parsed text. Its values are divided outside, and the copy needs more memory than there is.
    const offsets = kernels.uint32(count + 1);
    const indices = kernels.uint32(count);
    const values = kernels.float64(count);
    const labels = kernels.float64(count);
    for (let k = 0; k < count; k++) {
      offsets.array[k + 1] = k + 1;
      values.array[k] = k;
      labels.array[k] = 1;
    }
    const batch: Batch = {
      kind: 'sparse',
      rows: count,
      dimension: 1,
      importance: null,
      get offsets() {
        return offsets.array;
      },
      get indices() {
        return indices.array;
      },
      get values() {
        return values.array;
      },
      get labels() {
        return labels.array;
      },
    };
    const scorer = new ModelScorer(kernels, { weights: Float64Array.of(3), bias: 0, biasConstant: 0, divisor: 4 });
    const scores = new Float64Array(count);
    scorer.scoreInto(batch, scores);
    expect(scores.every((score, k) => score === (k / 4) * 3)).toBe(true);
    expect(values.array[count - 1]).toBe(count - 1);
  });

  it.each([2 ** 33, 2 ** 40, 2 ** 52])('refuses %d elements, and remains usable', (length) => {
    const kernels = create();
    const kept = kernels.float64(4);
    kept.array.set([1, 2, 3, 4]);
    for (const ask of [
      () => kernels.float64(length),
      () => kernels.uint32(length),
      () => kernels.uint8(length * 8),
      () => kept.resize(length),
    ]) {
      expect(ask).toThrow(HalfspaceError);
      expect(ask).toThrow(expect.objectContaining({ code: 'memory-exhausted' }));
    }
    expect([...kept.array]).toEqual([1, 2, 3, 4]);
    kept.resize(5);
    expect([...kept.array]).toEqual([1, 2, 3, 4, 0]);
    expect([...kernels.float64(3).array]).toEqual([0, 0, 0]);
  });
});

/** Rows of short decimals; without −0, which compact rows cannot have. */
function short(data: Rows, places: number): Rows {
  return { ...data, values: data.values.map((row) => row.map((x) => Math.round(x * 100) / 10 ** places + 0)) };
}

type Make = (kernels: Kernels, length: number, random: Random) => StoredBatch;

const compact =
  (places: number): Make =>
  (kernels, length, random) => {
    const data = short(sparseRows(length, random), places);
    return packCompactly(kernels, sparseIn(inside(kernels), data, 1), places)!.packed.batch;
  };
const dense: Make = (kernels, length, random) =>
  denseIn(inside(kernels), short(singleRows(length, random), 0), 1) as DenseBatch;
const single: Make = (kernels, length, random) => singleIn(inside(kernels), singleRows(length, random), 1);
const sparse: Make = (kernels, length, random) => sparseIn(inside(kernels), sparseRows(length, random), 3);
const unweighted: Make = (kernels, length, random) => {
  const batch = sparse(kernels, length, random) as SparseBatch;
  return pack(kernels, { ...batch, ...view(batch), importance: null }).packed.batch;
};
const view = ({ offsets, indices, values, labels }: SparseBatch) => ({ offsets, indices, values, labels });

/** Forms of two sources with that of the target. */
const cases: readonly (readonly [
  name: string,
  makes: readonly Make[],
  form: Pick<PackedShape, 'kind' | 'single' | 'places'>,
])[] = [
  ['dense', [dense, dense], { kind: 'dense' }],
  ['dense 32-bit', [single, single], { kind: 'dense', single: true }],
  ['dense of both precisions', [single, dense], { kind: 'dense' }],
  ['sparse', [sparse, unweighted], { kind: 'sparse' }],
  ['compact', [compact(2), compact(2)], { kind: 'compact', places: 2 }],
  ['compact of different places', [compact(2), compact(3)], { kind: 'sparse' }],
  ['sparse and compact', [sparse, compact(2)], { kind: 'sparse' }],
];

function rowsOf(batch: StoredBatch, from: readonly number[]) {
  const row = new BatchView(batch);
  return from.map((i) => {
    const { count } = row.open(i);
    const entries = Array.from({ length: count }, (_, k) => [row.feature(k), row.value(k)]);
    return [batch.labels[i], batch.importance?.[i] ?? 1, entries];
  });
}

describe.each(implementations)('%s kernels', (_, create) => {
  it.each(cases)('copy rows of 0 to 67 values and more from two batches, and nothing beyond: %s', (_, makes, form) => {
    for (const length of some(lengths, 3)) {
      const kernels = create();
      const random = new Random(length);
      const batches = makes.map((make) => make(kernels, length, random));
      const table = kernels.rowSources(batches);
      const picks = Array.from({ length: 3 * rows }, () => [random.below(2), random.below(rows)] as const);
      const words = kernels.uint32(2 * picks.length + 3);
      words.array.set(picks.flat());
      const stored = kernels.countPicked(table, words, picks.length);
      const dimension = Math.max(...batches.map((batch) => batch.dimension));
      const shape: PackedShape = { ...form, rows: picks.length, dimension, stored, weighted: true };
      const { bytes } = packedLayout(shape);
      const block = kernels.uint8(bytes + 64);
      block.array.fill(0xa5);
      const target = new PackedBatch(block, shape);
      kernels.copyPicked(table, words, picks.length, target.batch);
      const expected = picks.flatMap(([source, i]) => rowsOf(batches[source]!, [i]));
      expect(rowsOf(target.batch, [...picks.keys()]), `${length} values`).toEqual(expected);
      expect(block.array.subarray(bytes).every((byte) => byte === 0xa5)).toBe(true);
      table.free();
    }
  });
});
