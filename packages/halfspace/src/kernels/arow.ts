import type { Block } from './block.ts';

/** What a learner by adaptive regularisation of weights keeps in kernel memory. */
export interface ArowMemory {
  /** The means of the weights. */
  readonly weights: Block<Float64Array>;
  /** Their variances, as many; 1 at first. */
  readonly variances: Block<Float64Array>;
  /** Sums for averaging, as many; null: no averaging. */
  readonly sums: Block<Float64Array> | null;
  /** Scalars, at the positions of {@link arowSlot}. */
  readonly state: Block<Float64Array>;
}

/** Positions in `ArowMemory.state`. Those that a mistake-driven learner has too are those of `slot`. */
export const arowSlot = {
  bias: 0,
  /** Σ clock · step, for averaging the bias. */
  biasSum: 1,
  /** c: the constant feature's value; 0 for no bias. */
  biasConstant: 2,
  clock: 3,
  updates: 4,
  mistakes: 5,
  examples: 6,
  quiet: 7,
  quietLimit: 8,
  updateLimit: 9,
  tie: 12,
  /** r */
  r: 13,
  /** The variance of the bias; 1 at first. */
  biasVariance: 14,
  size: 16,
} as const;
