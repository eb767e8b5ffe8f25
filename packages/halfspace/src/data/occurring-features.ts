import type { SparseBatch, StoredBatch } from '../batch.ts';
import type { ExampleStore } from './store.ts';

/** Fewer features than this are hardly worth numbering anew: their weights fit into a core's cache. */
const leastRenumbered = 1 << 16;

/**
 * The features that occur in a store, numbered 0, 1, … in rising order, for learners whose memory and work follow the number of features.
 * Rows keep their order and values, so sums over a row have the same bits.
 *
 * Memory: two bits for each feature of the store's dimension.
 */
export class OccurringFeatures {
  /** How many there are. */
  readonly count: number;
  /** A bit for each feature that occurs. */
  readonly #bits: Uint32Array;
  /** How many occur before the first of each 32. */
  readonly #before: Uint32Array;

  private constructor(store: ExampleStore) {
    const words = Math.ceil(store.dimension / 32);
    const bits = new Uint32Array(words);
    for (let c = 0; c < store.chunks; c++) markIn(store.load(c), bits);
    this.#bits = bits;
    this.#before = new Uint32Array(words);
    let count = 0;
    for (let w = 0; w < words; w++) {
      this.#before[w] = count;
      count += ones(bits[w]!);
    }
    this.count = count;
  }

  /** Null where numbering anew gains little: dense examples, few features, or half of them and more occurring. */
  static of(store: ExampleStore): OccurringFeatures | null {
    if (store.dimension < leastRenumbered || store.load(0).kind === 'dense') return null;
    const features = new OccurringFeatures(store);
    return 2 * features.count > store.dimension ? null : features;
  }

  /** Rewrites the indices of a batch of the store's examples. */
  renumber(batch: SparseBatch & { dimension: number }): void {
    const { indices, offsets, rows } = batch;
    for (let k = offsets[0]!; k < offsets[rows]!; k++) indices[k] = this.#numberOf(indices[k]!);
    batch.dimension = this.count;
  }

  #numberOf(feature: number): number {
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

/** Number of bits that are 1: pairs, then fours, then bytes are added up side by side. */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x5555_5555);
  x = (x & 0x3333_3333) + ((x >>> 2) & 0x3333_3333);
  x = (x + (x >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(x, 0x0101_0101) >>> 24;
}
