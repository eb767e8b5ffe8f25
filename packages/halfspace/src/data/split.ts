import type { Batch, CompactBatch, SparseBatch, StoredBatch } from '../batch.ts';
import { valueReader } from '../kernels/decimal-places.ts';
import { Random } from '../random.ts';

/** A sequence of its own, so that who is held out does not go with the order of the others. */
const holdoutStream = 1;

/**
 * Which examples are held out: each with the same probability, decided by the seed and its number alone, so that every
 * reading of the same data holds out the same examples.
 */
export class HoldoutSplit {
  readonly fraction: number;
  readonly #seed: number;
  #random: Random;

  /** @param fraction in (0, 1). */
  constructor(fraction: number, seed: number) {
    this.fraction = fraction;
    this.#seed = seed;
    this.#random = new Random(seed, holdoutStream);
  }

  /** Begins again at the first example. */
  restart(): void {
    this.#random = new Random(this.#seed, holdoutStream);
  }

  /** Whether the next example is held out. */
  next(): boolean {
    return this.#random.uniform() < this.fraction;
  }
}

/** The examples with the given numbers, in that order, as a batch of its own arrays. */
export function selectRows(batch: StoredBatch, rows: readonly number[]): Batch {
  const labels = Float64Array.from(rows, (row) => batch.labels[row]!);
  const { importance } = batch;
  const common = {
    rows: rows.length,
    dimension: batch.dimension,
    labels,
    importance: importance === null ? null : Float64Array.from(rows, (row) => importance[row]!),
  };
  if (batch.kind === 'dense') {
    const { dimension } = batch;
    const values = new (batch.values instanceof Float32Array ? Float32Array : Float64Array)(rows.length * dimension);
    rows.forEach((row, k) => {
      values.set(batch.values.subarray(row * dimension, (row + 1) * dimension), k * dimension);
    });
    return { ...common, kind: 'dense', values };
  }
  return { ...common, ...selectSparse(batch, rows) };
}

function selectSparse(batch: SparseBatch | CompactBatch, rows: readonly number[]) {
  const { offsets: from, indices: sourceIndices, values: sourceValues } = batch;
  const value = valueReader(batch);
  const offsets = new Uint32Array(rows.length + 1);
  rows.forEach((row, k) => {
    offsets[k + 1] = offsets[k]! + from[row + 1]! - from[row]!;
  });
  const indices = new Uint32Array(offsets[rows.length]!);
  const values = new Float64Array(indices.length);
  rows.forEach((row, k) => {
    indices.set(sourceIndices.subarray(from[row], from[row + 1]), offsets[k]);
    if (batch.kind === 'sparse') values.set(sourceValues.subarray(from[row], from[row + 1]), offsets[k]);
    else for (let j = from[row]!, at = offsets[k]!; j < from[row + 1]!; j++, at++) values[at] = value(j);
  });
  return { kind: 'sparse' as const, offsets, indices, values };
}
