import type { Block } from './kernels.ts';

/** What a learner by stochastic gradients keeps in kernel memory. */
export interface SgdMemory {
  /** {@link sgdRecord}`.size` numbers for every feature, side by side, so that a feature is one place in memory. All 0 at first. */
  readonly records: Block<Float64Array>;
  /** Scalars, at the positions of {@link sgdSlot}. */
  readonly state: Block<Float64Array>;
}

/** Positions in a feature's record. */
export const sgdRecord = {
  /** As it was when the feature was last looked at; what the penalty took since is not yet in it. */
  weight: 0,
  /** Σ weight · time, for the mean, up to when it was last looked at. */
  sum: 1,
  /** The `penaltyClock` of that time; of the adaptive schedule the clock itself. */
  penalised: 2,
  /** Adaptive: Σ g² of the feature's gradients. Otherwise: the square of the clock of that time. */
  squares: 3,
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
 * A weight after the penalty: the w' that makes q/2·(w' − w)² + κ(ρ|w'| + (1 − ρ)/2·w'²) least. This is one implicit step for all the
 * time since the feature was last looked at.
 *
 * @param kappa κ ≥ 0: strength times time.
 * @param q what the rate is divided by; 0 where the feature has not had a rate yet, and then nothing is taken.
 */
export function penalised(w: number, kappa: number, q: number, l1Ratio: number): number {
  if (w === 0 || !(kappa > 0) || !(q > 0)) return w;
  const left = Math.abs(w) * q - l1Ratio * kappa;
  if (!(left > 0)) return 0;
  const size = left / (q + (1 - l1Ratio) * kappa);
  return w < 0 ? -size : size;
}
