import type { TableEncoding } from './table-encoding.ts';

/**
 * How raw fields become the numbers a learner sees. It is plain data and travels inside the model, so that a model alone
 * predicts from raw input.
 */
export type FeatureEncoding = IndexedEncoding | NamedEncoding | HashedEncoding | TableEncoding;

/** Features that are numbered in the data, as in libsvm text: weight j belongs to feature j. */
export interface IndexedEncoding {
  readonly kind: 'indexed';
  /** Number of weights. */
  readonly dimension: number;
  /** 0 when index 0 occurs in the data, else 1. */
  readonly firstIndex: 0 | 1;
  /** Where the data use indices too large to be positions: weight `direct + k` belongs to feature `indices[k]`. */
  readonly far?: { readonly direct: number; readonly indices: readonly number[] };
}

/** Features kept by name, as in Vowpal Wabbit text: weight j belongs to `names[j]` (`namespace^feature`). */
export interface NamedEncoding {
  readonly kind: 'named';
  readonly names: readonly string[];
}

/** Features hashed to 2^bits positions as Vowpal Wabbit hashes them. */
export interface HashedEncoding {
  readonly kind: 'hashed';
  /** In [1, 28]. */
  readonly bits: number;
}
