import { checkBothClasses, checkWhole } from './checks.ts';
import type { Ranking } from './ranking.ts';

/**
 * The receiver operating characteristic: for every threshold that makes a difference, what share of either class scores at least
 * that much. From (0, 0), whose threshold is +∞, to (1, 1), one further point for every distinct score.
 */
export interface RocCurve {
  readonly kind: 'roc';
  /** Falling. A class is given to what scores at least this much. */
  readonly thresholds: Float64Array;
  /** Share of the negative examples given the positive class; in [0, 1], not falling. */
  readonly falsePositiveRates: Float64Array;
  /** Share of the positive examples given the positive class; in [0, 1], not falling. */
  readonly truePositiveRates: Float64Array;
}

/** Precision over recall, a point for every distinct score. No point is made up where nothing is given the positive class. */
export interface PrecisionRecallCurve {
  readonly kind: 'precision-recall';
  /** Falling. */
  readonly thresholds: Float64Array;
  /** Share of the positive examples given the positive class; in [0, 1], not falling; the last is 1. */
  readonly recalls: Float64Array;
  /** Of what is given the positive class, the share that has it; in [0, 1]. */
  readonly precisions: Float64Array;
}

/** The curve of a ranking. Importance counts. @throws HalfspaceError `label-classes` unless both classes are present. */
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
 * The area under the ROC curve: the probability that a positive example scores higher than a negative one, each drawn by its
 * importance, where equal scores count as one half. It is the Mann–Whitney statistic over the number of pairs (Hanley & McNeil,
 * "The meaning and use of the area under a ROC curve", 1982); exact for counts up to 2⁵² pairs, but for one division.
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

/** The curve of a ranking. Importance counts. @throws HalfspaceError `label-classes` unless both classes are present. */
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
 * Average precision: Σ (recallᵢ − recallᵢ₋₁) · precisionᵢ over the points of the curve, as steps. Straight lines between the points
 * would promise too much (Davis & Goadrich, "The relationship between precision-recall and ROC curves", 2006).
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
 * A curve of few points for drawing, spread evenly along its length (the sum of steps right and up or down). Its points are points
 * of the curve, the first and the last among them. A short curve comes back as it is.
 *
 * @param points the most points there may be, a whole number from 2.
 * @throws HalfspaceError `option-invalid`.
 */
export function thinCurve<Curve extends RocCurve | PrecisionRecallCurve>(curve: Curve, points: number): Curve;
export function thinCurve(curve: RocCurve | PrecisionRecallCurve, points: number): RocCurve | PrecisionRecallCurve {
  checkWhole('points', points, 2);
  if (curve.thresholds.length <= points) return curve;
  if (curve.kind === 'roc') {
    const { thresholds, falsePositiveRates, truePositiveRates } = curve;
    const kept = spread(falsePositiveRates, truePositiveRates, points);
    return {
      kind: 'roc',
      thresholds: pick(thresholds, kept),
      falsePositiveRates: pick(falsePositiveRates, kept),
      truePositiveRates: pick(truePositiveRates, kept),
    };
  }
  const { thresholds, recalls, precisions } = curve;
  const kept = spread(recalls, precisions, points);
  return {
    kind: 'precision-recall',
    thresholds: pick(thresholds, kept),
    recalls: pick(recalls, kept),
    precisions: pick(precisions, kept),
  };
}

function pick(values: Float64Array, kept: readonly number[]): Float64Array {
  return Float64Array.from(kept, (i) => values[i]!);
}

/** The first point at or after each of evenly spaced places along a polyline, each once. */
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
