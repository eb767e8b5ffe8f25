import { logOnePlus, naturalLog } from '../kernels/natural-log.ts';
import { checkLabelled } from '../model/label-checks.ts';
import { checkProbabilities } from './checks.ts';

/** Smallest distance of a probability from 0 and 1 in {@link logLoss}: 2⁻⁵². */
const nearest = Number.EPSILON;

/**
 * Returns a mean over examples, weighted by importance.
 *
 * @param probabilities n numbers in [0, 1], of the positive class. Scores must be calibrated first.
 * @param labels n labels, −1 or +1.
 * @param importance n numbers in [0, ∞), not all 0; null (the default): all 1.
 * @throws HalfspaceError `number-invalid`, `source-empty`, `label-missing`, `row-malformed`.
 */
type MeanLoss = (probabilities: Float64Array, labels: Float64Array, importance?: Float64Array | null) => number;

/**
 * Log loss (cross-entropy), in nats: the mean of −ln p, where p is the probability of the example's class. p is at
 * least 2⁻⁵², so one example costs at most 36.04. Good, "Rational decisions", 1952.
 *
 * @returns in [0, 36.05).
 */
export const logLoss: MeanLoss = meanOf((p, positive) => {
  const clipped = Math.min(Math.max(p, nearest), 1 - nearest);
  return -(positive ? naturalLog(clipped) : logOnePlus(-clipped));
});

/**
 * Brier score: the mean of (p − t)², t = 1 for the positive class and 0 for the negative. Brier, "Verification of
 * forecasts expressed in terms of probability", 1950; his sum over both classes is twice this.
 *
 * @returns in [0, 1].
 */
export const brierScore: MeanLoss = meanOf((p, positive) => (positive ? (1 - p) ** 2 : p ** 2));

/**
 * 0–1 loss: the share of examples whose class is not the more probable one. Probability ½ predicts the positive class.
 *
 * @returns in [0, 1].
 */
export const zeroOneLoss: MeanLoss = meanOf((p, positive) => (p >= 0.5 === positive ? 0 : 1));

function meanOf(loss: (probability: number, positive: boolean) => number): MeanLoss {
  return (probabilities, labels, importance = null) => {
    const weight = checkLabelled(probabilities.length, labels, importance);
    checkProbabilities(probabilities);
    let sum = 0;
    for (let i = 0; i < labels.length; i++)
      sum += (importance === null ? 1 : importance[i]!) * loss(probabilities[i]!, labels[i]! > 0);
    return sum / weight;
  };
}
