import { rankScores } from '../model/ranking.ts';
import { checkProbabilities, checkWhole } from './checks.ts';

/** Observed frequencies of predicted probabilities: arrays of equal length, with an entry for every nonempty bin. */
export interface Reliability {
  /** Mean of the probabilities in the bin; rising. */
  readonly meanProbabilities: Float64Array;
  /** Share of the bin's examples that are positive. */
  readonly positiveShares: Float64Array;
  /** Sum of the importance of the bin's examples. */
  readonly weights: Float64Array;
  /** Mean over examples of |mean probability − positive share| of their bin; in [0, 1]. */
  readonly expectedCalibrationError: number;
}

export interface ReliabilityOptions {
  /** A whole number from 1. Default 10. */
  readonly bins?: number | undefined;
  /** n numbers in [0, ∞), not all 0. Default: all 1. */
  readonly importance?: Float64Array | null | undefined;
}

/**
 * Returns the reliability curve over bins of equal count, and the expected calibration error (Naeini, Cooper &
 * Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", 2015, there with bins of equal width).
 * Equal probabilities share a bin, that of the middle one. If all probabilities differ and importance is 1, the sizes
 * of bins differ by at most one.
 *
 * @param probabilities n numbers in [0, 1], of the positive class.
 * @param labels n labels, −1 or +1.
 * @throws HalfspaceError `option-invalid`, `number-invalid`, `source-empty`, `label-missing`, `row-malformed`.
 */
export function reliabilityCurve(
  probabilities: Float64Array,
  labels: Float64Array,
  { bins = 10, importance = null }: ReliabilityOptions = {},
): Reliability {
  checkWhole('bins', bins, 1);
  checkProbabilities(probabilities);
  const { scores, positive, negative, positives, negatives } = rankScores(probabilities, labels, importance);
  const total = positives + negatives;
  const means: number[] = [];
  const shares: number[] = [];
  const weights: number[] = [];
  let error = 0;
  let before = 0;
  for (let g = scores.length - 1; g >= 0; ) {
    const binOf = (g: number) => Math.floor((bins * (before + (positive[g]! + negative[g]!) / 2)) / total);
    const bin = binOf(g);
    let weight = 0;
    let right = 0;
    let sum = 0;
    for (; g >= 0 && binOf(g) === bin; g--) {
      const here = positive[g]! + negative[g]!;
      weight += here;
      right += positive[g]!;
      sum += here * scores[g]!;
      before += here;
    }
    means.push(sum / weight);
    shares.push(right / weight);
    weights.push(weight);
    error += Math.abs(sum - right) / total;
  }
  return {
    meanProbabilities: Float64Array.from(means),
    positiveShares: Float64Array.from(shares),
    weights: Float64Array.from(weights),
    expectedCalibrationError: error,
  };
}
