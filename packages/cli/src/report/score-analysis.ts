import type { Confusion } from 'halfspace';
import {
  averagePrecision,
  judgeProbabilities,
  leadsOf,
  mostProbable,
  type PrecisionRecallCurve,
  type ProbabilityJudgement,
  precisionRecallCurve,
  type Reliability,
  type RocCurve,
  rankScores,
  reliabilityCurve,
  rocArea,
  rocCurve,
} from 'halfspace/metrics';
import { classPosition, labelPosition, lead, type ScoredRows } from 'halfspace/models';

type ScoredExamples = Pick<ScoredRows, 'outputs' | 'scores' | 'labels'>;

/** Confusion matrix, rankings, histogram and reliability of the scores of rows. */
export interface ScoreAnalysis {
  readonly rows: number;
  readonly confusion: Confusion;
  /**
   * For two classes one ranking, by the score. For more classes one ranking per class, by its lead: its score minus the
   * highest other score. The score alone would not rank, because the prediction depends on all scores.
   */
  readonly rankings: readonly ClassRanking[];
  readonly histogram: Histogram;
  /** Null without a calibration. */
  readonly probabilities: (ProbabilityJudgement & { readonly reliability: Reliability }) | null;
}

export interface ClassRanking {
  readonly class: string;
  /** In [0, 1]. All members are null if there are no rows of the class or no other rows. */
  readonly rocArea: number | null;
  readonly averagePrecision: number | null;
  readonly roc: RocCurve | null;
  readonly precisionRecall: PrecisionRecallCurve | null;
}

/** Numbers of rows in bins of equal width. One edge is 0. The first and the last bin include all rows beyond them. */
export interface Histogram {
  readonly kind: 'scores' | 'leads';
  /** Edges of the bins, one more than bins. */
  readonly edges: readonly number[];
  /**
   * For scores: the rows of the negative and of the positive class in each bin. For leads (the score of the true class
   * minus the highest other score): all rows.
   */
  readonly counts: readonly (readonly number[])[];
}

/**
 * Analyses scores. Returns null if there are no scores, or if a score is NaN.
 *
 * @param tie for two classes, the class of score 0: −1 or +1.
 * @param probabilities of all classes, row by row; null without a calibration.
 */
export function analyseScores(
  { outputs, scores, labels }: ScoredExamples,
  classes: readonly string[],
  tie: -1 | 1,
  probabilities: Float64Array | null,
): ScoreAnalysis | null {
  if (labels.length === 0 || scores.some(Number.isNaN)) return null;
  const scored = { outputs, scores, labels };
  return {
    rows: labels.length,
    confusion: confusionOf(scored, classes.length, tie),
    rankings: classes.flatMap((name, k) => {
      if (outputs === 1) return k === 0 ? [] : [rankingOf(name, scores, labels)];
      return [
        rankingOf(
          name,
          leadsOf(scored, k),
          labels.map((label) => (label === k ? 1 : -1)),
        ),
      ];
    }),
    histogram: histogramOf(scored),
    probabilities: probabilities === null ? null : analyseProbabilities(probabilities, scored, tie),
  };
}

function confusionOf({ outputs, scores, labels }: ScoredExamples, classes: number, tie: number): Confusion {
  const counts = Array.from({ length: classes }, () => new Array<number>(classes).fill(0));
  labels.forEach((label, i) => {
    const actual = labelPosition(label, outputs);
    // Classes that the model does not have are not of this matrix.
    if (actual < classes) counts[actual]![classPosition(scores, i * outputs, outputs, tie)]!++;
  });
  return counts;
}

function rankingOf(name: string, scores: Float64Array, labels: Float64Array): ClassRanking {
  const ranking = rankScores(scores, labels);
  const both = ranking.positives > 0 && ranking.negatives > 0;
  return {
    class: name,
    rocArea: rocArea(ranking),
    averagePrecision: averagePrecision(ranking),
    roc: both ? rocCurve(ranking) : null,
    precisionRecall: both ? precisionRecallCurve(ranking) : null,
  };
}

/**
 * Compares probabilities with observed frequencies: for two classes those of the positive class; for several classes
 * those of the most probable class.
 */
function analyseProbabilities(
  probabilities: Float64Array,
  scored: ScoredExamples,
  tie: -1 | 1,
): ScoreAnalysis['probabilities'] {
  const judged = judgeProbabilities(probabilities, scored, tie);
  return judged === null ? null : { ...judged, reliability: reliabilityOf(probabilities, scored, tie) };
}

/** Returns the reliability of the probabilities of one row or more; see {@link analyseScores}. */
export function reliabilityOf(
  probabilities: Float64Array,
  { outputs, scores, labels }: ScoredExamples,
  tie: -1 | 1,
): Reliability {
  if (outputs === 1) {
    const positive = new Float64Array(labels.length);
    for (let i = 0; i < positive.length; i++) positive[i] = probabilities[2 * i + 1]!;
    return reliabilityCurve(positive, labels);
  }
  const came = new Float64Array(labels.length);
  const highest = labels.map((label, i) => {
    const at = i * outputs;
    const most = mostProbable(probabilities, at, outputs, classPosition(scores, at, outputs, tie));
    came[i] = most === label ? 1 : -1;
    return Math.min(1, probabilities[at + most]!);
  });
  return reliabilityCurve(highest, came);
}

const mostBins = 40;

function histogramOf({ outputs, scores, labels }: ScoredExamples): Histogram {
  // A class that the model does not have has no score.
  const values =
    outputs === 1
      ? scores
      : labels.map((own, i) => (own < outputs ? lead(scores, i * outputs, outputs, own) : -Infinity));
  // The outermost two percent of each class at either end do not widen the histogram. They are taken by class, so that
  // a rare class stays visible.
  const groups = outputs === 1 ? [-1, 1].map((y) => values.filter((_, i) => labels[i] === y)) : [values];
  const sorted = groups.map((own) => own.filter(Number.isFinite).sort());
  const at = (own: Float64Array, share: number) => own[Math.floor(share * (own.length - 1))] ?? 0;
  const least = Math.min(0, ...sorted.map((own) => at(own, 0.02)));
  const most = Math.max(0, ...sorted.map((own) => at(own, 0.98)));
  const width = niceStep((most - least || 1) / mostBins);
  const first = Math.floor(least / width);
  const bins = Math.max(1, Math.ceil(most / width) - first);
  const edges = Array.from({ length: bins + 1 }, (_, k) => (first + k) * width);
  const counts =
    outputs === 1
      ? [new Array<number>(bins).fill(0), new Array<number>(bins).fill(0)]
      : [new Array<number>(bins).fill(0)];
  values.forEach((value, i) => {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(value / width) - first));
    const group = outputs === 1 ? labelPosition(labels[i]!, outputs) : 0;
    if (group < counts.length) counts[group]![bin]!++;
  });
  return { kind: outputs === 1 ? 'scores' : 'leads', edges, counts };
}

/** Returns the least number of the form 1, 2 or 5 times a power of ten that is not below `least`, which is above 0. */
function niceStep(least: number): number {
  const power = Number(`1e${least.toExponential().split('e')[1]}`);
  return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
}
