import { HalfspaceError } from '../errors.ts';
import { exponential } from '../kernels/exponential.ts';

/** Turns scores into probabilities; plain data. Fit it on scores of examples that the model has not learned from. */
export type Calibration = ScoreCalibration | JointCalibration;

/** Turns one score into the probability of one class. */
export type ScoreCalibration = PlattCalibration | ClippedPlattCalibration | IsotonicCalibration;

/** Turns the scores of several classes into their probabilities. The highest score gives the most probable class. */
export type JointCalibration = SoftmaxCalibration | LeadCalibration;

/** p = 1 / (1 + exp(−(slope · score + intercept))); see {@link fitPlatt}. */
export interface PlattCalibration {
  readonly kind: 'platt';
  /** Above 0 if higher scores speak for the positive class. Platt's A is −slope. */
  readonly slope: number;
  /** The log odds of score 0. Platt's B is −intercept. */
  readonly intercept: number;
}

/**
 * Platt's sigmoid of a clipped score: a score below `low` counts as `low`, a score above `high` as `high`. Scores
 * outside [low, high] are then no stronger evidence than its ends.
 */
export interface ClippedPlattCalibration {
  readonly kind: 'clipped-platt';
  readonly slope: number;
  /** The log odds at score 0, if [low, high] contains 0. */
  readonly intercept: number;
  /** Finite, below `high`. */
  readonly low: number;
  readonly high: number;
}

/** A piecewise linear function, constant before the first point and after the last; see {@link fitIsotonic}. */
export interface IsotonicCalibration {
  readonly kind: 'isotonic';
  /** Scores of the points: one or more, finite, strictly increasing. */
  readonly scores: readonly number[];
  /** One for each point, in [0, 1], not decreasing. */
  readonly probabilities: readonly number[];
}

/** pₖ ∝ exp(slope · max(sₖ − s, −reach)), where s is the highest score; see {@link fitSoftmax}. */
export interface SoftmaxCalibration {
  readonly kind: 'softmax';
  /** In [0, ∞). */
  readonly slope: number;
  /** Largest distance from the highest score that counts, above 0; larger ones count as this one. Null: no limit. */
  readonly reach: number | null;
}

/** pₖ ∝ g(leadₖ): one increasing function g of the {@link lead} for all classes; see {@link fitLeads}. */
export interface LeadCalibration {
  readonly kind: 'isotonic-leads';
  /** Leads of the points: one or more, finite, strictly increasing. */
  readonly leads: readonly number[];
  /** One for each point, in [0, 1], not decreasing. */
  readonly probabilities: readonly number[];
}

/**
 * Returns the probability of the positive class for a score.
 *
 * @param score a number, ±∞ included.
 * @returns in [0, 1].
 * @throws HalfspaceError `number-invalid` for NaN.
 */
export function probabilityOf(calibration: ScoreCalibration, score: number): number {
  if (Number.isNaN(score)) throw new HalfspaceError('number-invalid', 'expected a score that is a number; got NaN');
  if (calibration.kind === 'isotonic') return interpolate(calibration.scores, calibration.probabilities, score);
  const { slope, intercept } = calibration;
  if (slope === 0) return sigmoid(intercept);
  const s = calibration.kind === 'platt' ? score : Math.min(Math.max(score, calibration.low), calibration.high);
  return sigmoid(slope * s + intercept);
}

/** The score at which a calibration's probability crosses ½. */
export interface EvenScore {
  /** Score with probability ½. */
  readonly score: number;
  /** +1 if the positive class is more probable above that score, −1 if it is more probable below. */
  readonly above: -1 | 1;
}

/**
 * Returns the score at which both classes are equally probable. Predictions by probability change there, not at 0.
 *
 * @returns null if the probability does not cross ½. If it is ½ over a range of scores, the first score of that range.
 */
export function evenScore(calibration: ScoreCalibration): EvenScore | null {
  const first = probabilityOf(calibration, -Infinity);
  const last = probabilityOf(calibration, Infinity);
  if (!(Math.min(first, last) < 0.5 && Math.max(first, last) > 0.5)) return null;
  if (calibration.kind !== 'isotonic')
    return { score: -calibration.intercept / calibration.slope + 0, above: calibration.slope > 0 ? 1 : -1 };
  const { scores, probabilities } = calibration;
  const at = probabilities.findIndex((p) => p >= 0.5); // above 0, since the first probability is below ½
  const share = (0.5 - probabilities[at - 1]!) / (probabilities[at]! - probabilities[at - 1]!);
  return { score: scores[at - 1]! * (1 - share) + scores[at]! * share, above: 1 };
}

/** Returns 1 / (1 + exp(−z)), without overflow and with the same bits in every engine. */
export function sigmoid(z: number): number {
  if (z >= 0) return 1 / (1 + exponential(-z));
  const e = exponential(z);
  return e / (1 + e);
}

/**
 * Interpolates linearly between points; constant before the first and after the last. @param xs strictly increasing.
 */
export function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  let low = 0;
  let high = xs.length; // invariant: xs[low − 1] ≤ x < xs[high], if these exist
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (xs[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return ys[0]!;
  const before = ys[low - 1]!;
  if (low === xs.length) return before;
  const after = ys[low]!;
  const from = xs[low - 1]!;
  const width = xs[low]! - from; // above 0; Infinity if it overflows
  const share = width < Infinity ? (x - from) / width : (x / 2 - from / 2) / (xs[low]! / 2 - from / 2);
  return Math.min(after, before + share * (after - before));
}
