import type { IsotonicCalibration } from '../model/calibration.ts';
import { checkBothClasses } from '../model/label-checks.ts';
import { rankScores } from '../model/ranking.ts';
import { checkFiniteScores } from './checks.ts';

/*
 * Isotonic regression.
 *
 *   minimise   Σ hᵢ (p(sᵢ) − tᵢ)²   over nondecreasing functions p,   tᵢ = 1 for positive examples, 0 for negative ones
 *
 * s: scores; h: importance. Pool adjacent violators: initially the examples of equal score form one block. From the
 * lowest score up, a block joins the block before if its mean is not above that block's. Source: Ayer, Brunk, Ewing,
 * Reid & Silverman, "An empirical distribution function for sampling with incomplete information", 1955; for
 * calibration Zadrozny & Elkan, "Transforming classifier scores into accurate multiclass probability estimates", 2002.
 */

/**
 * Fits the increasing step function from scores to probabilities; see the head of this file. It needs more examples
 * than {@link fitPlatt}: about a thousand.
 *
 * @param scores n finite numbers, of examples that the model has not learned from.
 * @param labels n labels, −1 or +1, both present.
 * @param importance n numbers in [0, ∞); null (the default): all 1.
 * @returns the first and the last score of every block, with the block's share of positive examples.
 * @throws HalfspaceError `number-invalid`, `label-classes`, `source-empty`, `label-missing`, `row-malformed`.
 */
export function fitIsotonic(
  scores: Float64Array,
  labels: Float64Array,
  importance: Float64Array | null = null,
): IsotonicCalibration {
  const ranking = rankScores(scores, labels, importance);
  checkFiniteScores(scores);
  checkBothClasses(ranking.positives, ranking.negatives);
  const groups = ranking.scores.length;
  // A stack of blocks: group of the first score, weight of the positive examples, total weight.
  const first = new Uint32Array(groups);
  const positive = new Float64Array(groups);
  const weight = new Float64Array(groups);
  let blocks = 0;
  for (let g = groups - 1; g >= 0; g--) {
    first[blocks] = g;
    positive[blocks] = ranking.positive[g]!;
    weight[blocks] = ranking.positive[g]! + ranking.negative[g]!;
    blocks++;
    // Compares means without a division: exact for counts.
    while (blocks > 1 && positive[blocks - 2]! * weight[blocks - 1]! >= positive[blocks - 1]! * weight[blocks - 2]!) {
      blocks--;
      positive[blocks - 1]! += positive[blocks]!;
      weight[blocks - 1]! += weight[blocks]!;
    }
  }
  const kept: { scores: number[]; probabilities: number[] } = { scores: [], probabilities: [] };
  for (let k = 0; k < blocks; k++) {
    const last = k + 1 < blocks ? first[k + 1]! + 1 : 0;
    for (const g of last === first[k] ? [last] : [first[k]!, last]) {
      kept.scores.push(ranking.scores[g]!);
      kept.probabilities.push(positive[k]! / weight[k]!);
    }
  }
  return { kind: 'isotonic', ...kept };
}
