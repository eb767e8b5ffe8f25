import { checkBothClasses, checkWhole } from './checks.ts';
import type { Ranking } from './ranking.ts';

/**
 * The receiver operating characteristic: for every threshold, the share of either class with at least that score. From
 * (0, 0), whose threshold is +∞, to (1, 1), with a point for every distinct score.
 */
export interface RocCurve {
  readonly kind: 'roc';
  /** Falling. The positive class is given to scores of at least this. */
  readonly thresholds: Float64Array;
  /** Share of the negative examples given the positive class; in [0, 1], not falling. */
  readonly falsePositiveRates: Float64Array;
  /** Share of the positive examples given the positive class; in [0, 1], not falling. */
  readonly truePositiveRates: Float64Array;
}

/** Precision over recall, with a point for every distinct score; none where nothing is given the positive class. */
export interface PrecisionRecallCurve {
  readonly kind: 'precision-recall';
  /** Falling. */
  readonly thresholds: Float64Array;
  /** Share of the positive examples given the positive class; in [0, 1], not falling; the last is 1. */
  readonly recalls: Float64Array;
  /** Share of positive examples among those given the positive class; in [0, 1]. */
  readonly precisions: Float64Array;
}

/**
 * The curve of a ranking. Importance counts. @throws HalfspaceError `label-classes` unless both classes are present.
 */
export function rocCurve({ scores, positive, negative, positives, negatives }: Ranking): RocCurve {
  checkBothClasses(positives, negatives);
  const points = scores.length + 1;
  const curve = {
    kind: 'roc' as const,
    thresholds: new Float64Array(points),
    falsePositiveRates: new Float64Array(points),
    truePositiveRates: new Float64Array(points),
  };
  curve.thresholds[0] = Infinity;
  let above = 0;
  let wrong = 0;
  for (let g = 0; g < scores.length; g++) {
    above += positive[g]!;
    wrong += negative[g]!;
    curve.thresholds[g + 1] = scores[g]!;
    curve.truePositiveRates[g + 1] = above / positives;
    curve.falsePositiveRates[g + 1] = wrong / negatives;
  }
  return curve;
}

/**
 * The area under the ROC curve: the probability that a positive example scores higher than a negative one, each drawn
 * by its importance, where equal scores count as one half. It is the Mann–Whitney statistic over the number of pairs
 * (Hanley & McNeil, "The meaning and use of the area under a ROC curve", 1982); exact for counts up to 2⁵² pairs, but
 * for one division.
 *
 * @returns in [0, 1]; null unless both classes are present.
 */
export function rocArea({ positive, negative, positives, negatives }: Ranking): number | null {
  if (positives === 0 || negatives === 0) return null;
  let pairs = 0;
  let above = 0;
  for (let g = 0; g < positive.length; g++) {
    pairs += negative[g]! * (above + positive[g]! / 2);
    above += positive[g]!;
  }
  return Math.min(1, pairs / (positives * negatives));
}

/**
 * The curve of a ranking. Importance counts. @throws HalfspaceError `label-classes` unless both classes are present.
 */
export function precisionRecallCurve(ranking: Ranking): PrecisionRecallCurve {
  const { scores, positive, negative, positives, negatives } = ranking;
  checkBothClasses(positives, negatives);
  const recalls = new Float64Array(scores.length);
  const precisions = new Float64Array(scores.length);
  let above = 0;
  let wrong = 0;
  for (let g = 0; g < scores.length; g++) {
    above += positive[g]!;
    wrong += negative[g]!;
    recalls[g] = above / positives;
    precisions[g] = above / (above + wrong);
  }
  return { kind: 'precision-recall', thresholds: scores.slice(), recalls, precisions };
}

/**
 * Average precision: Σ (recallᵢ − recallᵢ₋₁) · precisionᵢ over the points of the curve. Straight lines between the
 * points would be too optimistic (Davis & Goadrich, "The relationship between precision-recall and ROC curves", 2006).
 *
 * @returns in (0, 1]; null unless both classes are present.
 */
export function averagePrecision({ positive, negative, positives, negatives }: Ranking): number | null {
  if (positives === 0 || negatives === 0) return null;
  let sum = 0;
  let above = 0;
  let wrong = 0;
  for (let g = 0; g < positive.length; g++) {
    above += positive[g]!;
    wrong += negative[g]!;
    sum += positive[g]! * (above / (above + wrong));
  }
  return Math.min(1, sum / positives);
}

/**
 * Thins a curve for drawing to points spread evenly along its length (the sum of steps right and up or down), the first
 * and the last among them. A short curve comes back as it is.
 *
 * @param points largest number of points, a whole number from 2.
 * @throws HalfspaceError `option-invalid`.
 */
export function thinCurve<Curve extends RocCurve | PrecisionRecallCurve>(curve: Curve, points: number): Curve {
  checkWhole('points', points, 2);
  if (curve.thresholds.length <= points) return curve;
  const roc = curve.kind === 'roc';
  const kept = roc
    ? spread(curve.falsePositiveRates, curve.truePositiveRates, points)
    : spread(curve.recalls, curve.precisions, points);
  const thinned = Object.entries(curve).map(([name, values]) => [
    name,
    typeof values === 'string' ? values : Float64Array.from(kept, (i) => values[i]!),
  ]);
  return Object.fromEntries(thinned) as Curve;
}

/** Returns the first point at or after each of evenly spaced places along a polyline, each once. */
function spread(x: Float64Array, y: Float64Array, points: number): number[] {
  const last = x.length - 1;
  const step = (i: number) => Math.abs(x[i]! - x[i - 1]!) + Math.abs(y[i]! - y[i - 1]!);
  let length = 0;
  for (let i = 1; i <= last; i++) length += step(i);
  const kept = [0];
  let i = 0;
  let come = 0;
  for (let k = 1; k < points - 1; k++) {
    while (i < last && come < (k * length) / (points - 1)) come += step(++i);
    if (i > kept.at(-1)! && i < last) kept.push(i);
  }
  kept.push(last);
  return kept;
}
