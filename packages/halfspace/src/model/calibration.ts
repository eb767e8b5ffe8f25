import { HalfspaceError } from '../errors.ts';
import { exponential } from '../kernels/exponential.ts';

/**
 * What makes a probability of the positive class out of a score: plain data, which JSON keeps as it is. Fit it on scores of
 * examples that the model has not learned from, otherwise it is too sure of itself.
 */
export type Calibration = PlattCalibration | IsotonicCalibration;

/** p = 1 / (1 + exp(−(slope · score + intercept))); see {@link fitPlatt}. */
export interface PlattCalibration {
  readonly kind: 'platt';
  /** Above 0 where higher scores speak for the positive class. Platt's A is −slope. */
  readonly slope: number;
  /** The log odds of score 0. Platt's B is −intercept. */
  readonly intercept: number;
}

/** Straight lines between points, level before the first and after the last; see {@link fitIsotonic}. */
export interface IsotonicCalibration {
  readonly kind: 'isotonic';
  /** At least one; finite, strictly rising. */
  readonly scores: readonly number[];
  /** As many, in [0, 1], not falling. */
  readonly probabilities: readonly number[];
}

/**
 * The probability of the positive class that a calibration gives a score.
 *
 * @param score a number, ±∞ included.
 * @returns in [0, 1].
 * @throws HalfspaceError `number-invalid` for NaN.
 */
export function probabilityOf(calibration: Calibration, score: number): number {
  if (Number.isNaN(score)) throw new HalfspaceError('number-invalid', 'expected a score that is a number; got NaN');
  if (calibration.kind === 'isotonic') return interpolate(calibration, score);
  const { slope, intercept } = calibration;
  return sigmoid(slope === 0 ? intercept : slope * score + intercept);
}

/**
 * The probabilities of all classes, given an example's scores: of two classes from their one score; of more each class's own, divided
 * by their sum so that they add up to 1 (all alike where every one is 0).
 *
 * @param calibrations one for each score.
 * @param at position of the example's first score.
 * @returns one for each class, of two the negative one first.
 * @throws HalfspaceError `number-invalid` for a score of NaN.
 */
export function classProbabilities(calibrations: readonly Calibration[], scores: Float64Array, at: number): number[] {
  const own = calibrations.map((calibration, k) => probabilityOf(calibration, scores[at + k]!));
  if (own.length === 1) return [1 - own[0]!, own[0]!];
  const sum = own.reduce((total, probability) => total + probability, 0);
  return own.map((probability) => (sum === 0 ? 1 / own.length : probability / sum));
}

/** 1 / (1 + exp(−z)), without overflow. */
export function sigmoid(z: number): number {
  if (z >= 0) return 1 / (1 + exponential(-z));
  const e = exponential(z);
  return e / (1 + e);
}

function interpolate({ scores, probabilities }: IsotonicCalibration, score: number): number {
  let low = 0;
  let high = scores.length; // scores[low − 1] ≤ score < scores[high], where there are such
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (scores[middle]! <= score) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return probabilities[0]!;
  const before = probabilities[low - 1]!;
  if (low === scores.length) return before;
  const after = probabilities[low]!;
  const from = scores[low - 1]!;
  const width = scores[low]! - from; // above 0, and infinite where it is beyond the largest double
  const share = width < Infinity ? (score - from) / width : (score / 2 - from / 2) / (scores[low]! / 2 - from / 2);
  return Math.min(after, before + share * (after - before));
}
