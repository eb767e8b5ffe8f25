import type { CompactBatch, SparseBatch, StoredBatch } from '../batch.ts';
import type { ExampleStore } from './store.ts';

/** The smallest dimension to renumber; the weights of fewer features fit into a core's cache. */
const leastRenumbered = 1 << 16;

/**
 * Numbers the features that occur in stores as 0, 1, … in rising order, for learners whose memory and time grow with
 * the number of features. Rows keep their order and values, so sums over a row keep their bits.
 *
 * Memory: two bits for each feature of the store's dimension.
 */
export class OccurringFeatures {
  /** Number of features that occur. */
  readonly count: number;
  /** Number of features of the stores. */
  readonly dimension: number;
  /** One bit per feature: 1 if it occurs. */
  readonly #bits: Uint32Array;
  /** Number of occurring features before each word of `#bits`. */
  readonly #before: Uint32Array;

  private constructor(stores: readonly ExampleStore[], dimension: number) {
    const words = Math.ceil(dimension / 32);
    const bits = new Uint32Array(words);
    for (const store of stores) for (let c = 0; c < store.chunks; c++) markIn(store.load(c), bits);
    this.#bits = bits;
    this.dimension = dimension;
    this.#before = new Uint32Array(words);
    let count = 0;
    for (let w = 0; w < words; w++) {
      this.#before[w] = count;
      count += ones(bits[w]!);
    }
    this.count = count;
  }

  /** Returns null if renumbering gains little: dense rows, few features, or at least half of them occur. */
  static of(...stores: readonly ExampleStore[]): OccurringFeatures | null {
    const features = OccurringFeatures.#among(stores);
    return features === null || 2 * features.count > features.dimension ? null : features;
  }

  /** Returns the number of features that occur; null for dense rows or few features, of which nearly all occur. */
  static count(...stores: readonly ExampleStore[]): number | null {
    return OccurringFeatures.#among(stores)?.count ?? null;
  }

  static #among(stores: readonly ExampleStore[]): OccurringFeatures | null {
    const dimension = stores.reduce((most, store) => Math.max(most, store.dimension), 0);
    if (dimension < leastRenumbered || stores.some((store) => store.chunks > 0 && store.load(0).kind === 'dense'))
      return null;
    return new OccurringFeatures(stores, dimension);
  }

  /** Renumbers the indices of a batch of these examples. */
  renumber(batch: (SparseBatch | CompactBatch) & { dimension: number }): void {
    const { indices, offsets, rows } = batch;
    for (let k = offsets[0]!; k < offsets[rows]!; k++) indices[k] = this.numberOf(indices[k]!);
    batch.dimension = this.count;
  }

  /** Returns values by original feature: value k moves to the k-th occurring feature; all others are 0. */
  spread(values: Float64Array, dimension: number): Float64Array {
    const all = new Float64Array(dimension);
    let number = 0;
    this.#bits.forEach((word, w) => {
      for (let rest = word; rest !== 0; rest &= rest - 1)
        all[32 * w + 31 - Math.clz32(rest & -rest)] = values[number++]!;
    });
    return all;
  }

  /** Returns the new number of a feature that occurs. */
  numberOf(feature: number): number {
    const w = feature >>> 5;
    return this.#before[w]! + ones(this.#bits[w]! & ((1 << (feature & 31)) - 1));
  }
}

function markIn(batch: StoredBatch, bits: Uint32Array): void {
  if (batch.kind === 'dense') return;
  const { indices, offsets, rows } = batch;
  for (let k = offsets[0]!; k < offsets[rows]!; k++) {
    const feature = indices[k]!;
    bits[feature >>> 5]! |= 1 << (feature & 31);
  }
}

/** Counts the 1 bits: adds up pairs, then fours, then bytes in parallel. */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x5555_5555);
  x = (x & 0x3333_3333) + ((x >>> 2) & 0x3333_3333);
  x = (x + (x >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(x, 0x0101_0101) >>> 24;
}
