import { logOnePlus, naturalLog } from '../kernels/natural-log.ts';
import { checkLabelled, checkProbabilities } from './checks.ts';

/** Probabilities nearer than this to 0 or 1 count as this near in {@link logLoss}: 2⁻⁵². */
const nearest = Number.EPSILON;

/*
 * Each loss is a mean over examples, weighted by importance.
 *
 * probabilities: n numbers in [0, 1], of the positive class; a score is none before it was calibrated (calibration.ts).
 * labels: n labels, −1 or +1. importance: n numbers in [0, ∞), not all 0; null (the default): all 1.
 * All throw HalfspaceError `number-invalid`, `source-empty`, `label-missing`, `row-malformed`.
 */

/**
 * Log loss (cross-entropy), in nats: the mean of −ln p, where p is the probability that the example's own class was given. p is taken
 * no nearer than 2⁻⁵² to 0 and 1, so one example costs 36.04 at most. Good, "Rational decisions", 1952.
 *
 * @returns in [0, 36.05).
 */
export function logLoss(
  probabilities: Float64Array,
  labels: Float64Array,
  importance: Float64Array | null = null,
): number {
  return meanLoss(probabilities, labels, importance, (p, positive) => {
    const clipped = Math.min(Math.max(p, nearest), 1 - nearest);
    return -(positive ? naturalLog(clipped) : logOnePlus(-clipped));
  });
}

/**
 * Brier score: the mean of (p − t)², t = 1 for the positive class and 0 for the negative. Nothing is clipped. Brier, "Verification of
 * forecasts expressed in terms of probability", 1950; his sum over both classes is twice this.
 *
 * @returns in [0, 1].
 */
export function brierScore(
  probabilities: Float64Array,
  labels: Float64Array,
  importance: Float64Array | null = null,
): number {
  return meanLoss(probabilities, labels, importance, (p, positive) => (positive ? (1 - p) ** 2 : p ** 2));
}

/**
 * 0–1 loss: the share of examples whose class is the less probable one. A probability of exactly ½ stands for the positive class.
 *
 * @returns in [0, 1].
 */
export function zeroOneLoss(
  probabilities: Float64Array,
  labels: Float64Array,
  importance: Float64Array | null = null,
): number {
  return meanLoss(probabilities, labels, importance, (p, positive) => (p >= 0.5 === positive ? 0 : 1));
}

function meanLoss(
  probabilities: Float64Array,
  labels: Float64Array,
  importance: Float64Array | null,
  loss: (probability: number, positive: boolean) => number,
): number {
  const weight = checkLabelled(probabilities.length, labels, importance);
  checkProbabilities(probabilities);
  let sum = 0;
  for (let i = 0; i < labels.length; i++)
    sum += (importance === null ? 1 : importance[i]!) * loss(probabilities[i]!, labels[i]! > 0);
  return sum / weight;
}
