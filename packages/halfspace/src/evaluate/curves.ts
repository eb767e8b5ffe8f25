import { checkBothClasses } from '../model/label-checks.ts';
import type { Ranking } from '../model/ranking.ts';
import { checkWhole } from './checks.ts';

/**
 * The receiver operating characteristic: for every threshold, the share of each class with at least that score. It has
 * a point for every distinct score, and runs from (0, 0), with threshold +∞, to (1, 1).
 */
export interface RocCurve {
  readonly kind: 'roc';
  /** Decreasing. Scores of at least the threshold predict the positive class. */
  readonly thresholds: Float64Array;
  /** Share of the negative examples predicted as positive; in [0, 1], not decreasing. */
  readonly falsePositiveRates: Float64Array;
  /** Share of the positive examples predicted as positive; in [0, 1], not decreasing. */
  readonly truePositiveRates: Float64Array;
}

/** Precision over recall, with a point for every distinct score. */
export interface PrecisionRecallCurve {
  readonly kind: 'precision-recall';
  /** Decreasing. */
  readonly thresholds: Float64Array;
  /** Share of the positive examples predicted as positive; in [0, 1], not decreasing; the last is 1. */
  readonly recalls: Float64Array;
  /** Share of positive examples among those predicted as positive; in [0, 1]. */
  readonly precisions: Float64Array;
}

/** Returns the ROC curve of a ranking, by importance. @throws HalfspaceError `label-classes` if a class is missing. */
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

/** Returns the curve of a ranking, by importance. @throws HalfspaceError `label-classes` if a class is missing. */
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
 * Thins a curve for drawing: keeps points spread evenly along its length (the sum of steps right and up or down),
 * including the first and the last one. A short curve is returned as it is.
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

/** Returns, for evenly spaced positions along a polyline, the first point at or after each, without repeats. */
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
