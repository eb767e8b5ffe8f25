import { describe, expect, it } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import type { DenseBatch, SparseBatch, StoredBatch } from '../../src/batch.ts';
import { PackedBatch, type PackedShape, pack, packCompactly, packedLayout } from '../../src/data/packed.ts';
import { BatchView } from '../../src/kernels/batch-view.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { Random } from '../../src/random.ts';
import { implementations } from '../support/kernels.ts';
import {
  denseIn,
  inside,
  lengths,
  type Rows,
  rows,
  singleIn,
  singleRows,
  sparseIn,
  sparseRows,
} from '../support/rows.ts';

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
