import type { Block } from './block.ts';

/** What a learner by stochastic gradients keeps in kernel memory. */
export interface SgdMemory {
  /** {@link sgdRecord}`.size` numbers for every feature, side by side, so that a feature is one place in memory. All 0 at first. */
  readonly records: Block<Float64Array>;
  /** Scalars, at the positions of {@link sgdSlot}. */
  readonly state: Block<Float64Array>;
}

/**
 * Positions in a feature's record. All is as it was when the feature was last settled: when an example with it made a step, or, with a
 * penalty, counted at all. Steps then cost one square root and no quotient, and a look one quotient and no square root.
 */
export const sgdRecord = {
  /**
   * u, from which {@link penalised} has the weight. Adaptive: the weight times √Σg²; the weight itself while that is 0. Otherwise the
   * weight. What the penalty took since is not in it.
   */
  scaled: 0,
  /** Adaptive: √Σg² of the feature's gradients. Otherwise: the square of the clock of that time. */
  second: 1,
  /** Σ weight · time, for the mean. */
  sum: 2,
  /** The `penaltyClock` of that time; of the adaptive schedule the clock itself. */
  settled: 3,
  size: 4,
} as const;

/** Positions in `SgdMemory.state`. Those that a mistake-driven learner has too are those of `slot`. */
export const sgdSlot = {
  bias: 0,
  /** Σ bias · time, for the mean. */
  biasSum: 1,
  /** c: the constant feature's value; 0 for no bias. */
  biasConstant: 2,
  /** T: importance shown so far. The mean counts in T². */
  clock: 3,
  /** Steps along a gradient that was not 0. */
  updates: 4,
  mistakes: 5,
  examples: 6,
  quiet: 7,
  quietLimit: 8,
  updateLimit: 9,
  /** A value of {@link sgdLoss}. */
  loss: 10,
  /** A value of {@link sgdSchedule}. */
  schedule: 11,
  tie: 12,
  /** η₀ */
  rate: 13,
  /** p of `inverseScaling`. */
  power: 14,
  /** α; 0 for no penalty. */
  alpha: 15,
  /** ρ: the share of the penalty that is L1. */
  l1Ratio: 16,
  /** Σ η·h: what the penalty grows with. Not used by the adaptive schedule, whose rates are in the records. */
  penaltyClock: 17,
  /** Adaptive: Σ g² of the bias. */
  biasSquares: 18,
  /** 1 where sums are kept for the mean. */
  averaging: 19,
  size: 20,
} as const;

/** The losses, with what f = −∂L/∂m is at m = y·a. No step is made where it is 0. */
export const sgdLoss = {
  /** max(0, −m): f = 1 where m ≤ 0 */
  perceptron: 0,
  /** max(0, 1 − m): f = 1 where m ≤ 1 */
  hinge: 1,
  /** max(0, 1 − m)²: f = 2(1 − m) where m < 1 */
  squaredHinge: 2,
  /** ln(1 + e^−m): f = 1 / (1 + e^m) */
  logistic: 3,
  /** max(0, 1 − m)² where m ≥ −1, −4m below: f = 4 below */
  modifiedHuber: 4,
} as const;

/** How long steps are. */
export const sgdSchedule = {
  /** η = η₀ */
  constant: 0,
  /** η = η₀ / (1 + T)^p */
  inverseScaling: 1,
  /** Of each feature its own: η = η₀ / √Σg² */
  adaptive: 2,
} as const;

/**
 * A weight after the penalty: the w' that makes q/2·(w' − u/q)² + κ(ρ|w'| + (1 − ρ)/2·w'²) least. This is one implicit step for all the
 * time since the feature was last settled.
 *
 * @param u the weight before, times q.
 * @param kappa κ ≥ 0: strength times time; 0 for no penalty.
 * @param q what the rate is divided by, the root of Σg² or 1; 0 where the feature has not had a rate yet, and then u is the weight
 *     and nothing is taken.
 */
export function penalised(u: number, kappa: number, q: number, l1Ratio: number): number {
  if (!(q > 0)) return u;
  if (l1Ratio === 0) return u / (q + kappa);
  const left = Math.abs(u) - l1Ratio * kappa;
  if (left <= 0) return 0;
  const size = left / (q + (1 - l1Ratio) * kappa);
  return u < 0 ? -size : size;
}
