import type { TableEncoding } from './table-encoding.ts';

/**
 * The rule that turns raw fields into the numbers that a learner sees. It is plain data inside the model, so a model
 * alone can predict from raw input.
 */
export type FeatureEncoding = IndexedEncoding | NamedEncoding | HashedEncoding | TableEncoding;

/** Features that the data identify by number, as in libsvm text: weight j belongs to feature j. */
export interface IndexedEncoding {
  readonly kind: 'indexed';
  /** Number of weights. */
  readonly dimension: number;
  /** 0 if index 0 occurs in the data, else 1. */
  readonly firstIndex: 0 | 1;
  /** Present if some indices are too large to be positions: weight `direct + k` belongs to feature `indices[k]`. */
  readonly far?: { readonly direct: number; readonly indices: readonly number[] };
}

/** Features identified by name, as in Vowpal Wabbit text: weight j belongs to `names[j]` (`namespace^feature`). */
export interface NamedEncoding {
  readonly kind: 'named';
  readonly names: readonly string[];
}

/** Features hashed to 2^bits positions, with the hash of Vowpal Wabbit. */
export interface HashedEncoding {
  readonly kind: 'hashed';
  /** Number of bits, in [1, 28]. */
  readonly bits: number;
}
