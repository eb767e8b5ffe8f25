import { HalfspaceError } from '../errors.ts';
import { rankScores } from '../model/ranking.ts';
import type { GoalScores } from '../train/goal.ts';
import { isLoss, type Metric, type MetricName } from './metric.ts';
import { metricValue } from './metric-value.ts';

/** A decision threshold: a row is of the positive class if its score is above it. */
export interface Threshold {
  /** The metric whose best value it has. */
  readonly metric: MetricName;
  /** On the scale of the scores before the model was moved by it. */
  readonly score: number;
  /** Value of the metric at the threshold, on the rows that chose it; slightly too good. */
  readonly value: number;
  /** Value of the metric at score 0, on the same rows. */
  readonly valueAtZero: number;
}

/** Metrics that depend on the threshold. */
const ofClasses: readonly MetricName[] = ['accuracy', 'balanced-accuracy', 'f1', 'cost'];

/** @throws HalfspaceError `option-invalid` for a metric that no threshold changes. */
export function checkThresholdMetric({ name }: Metric): void {
  if (!ofClasses.includes(name))
    throw new HalfspaceError(
      'option-invalid',
      `threshold best needs the metric ${ofClasses.join(', ')}; got ${name}, which does not depend on a threshold`,
    );
}

/**
 * Returns the threshold with the best value of a metric, in O(n log n). Candidates lie half way between neighbouring
 * scores, and at 0. Of equally good ones it is the nearest to 0.
 *
 * @param scored examples of two classes that the model has not learned from, with finite scores.
 */
export function bestThreshold(metric: Metric, { scores, labels }: GoalScores): Threshold {
  const ranking = rankScores(scores, labels);
  const { positives, negatives } = ranking;
  const sign = isLoss(metric.name) ? 1 : -1;
  const lossOf = (right: number, wrong: number) =>
    sign *
    metricValue(
      metric,
      [
        [negatives - wrong, wrong],
        [positives - right, right],
      ],
      null,
    );
  let right = 0;
  let wrong = 0;
  const zero = { score: 0, loss: Number.NaN };
  const tried = [{ score: ranking.scores[0]!, loss: lossOf(0, 0) }];
  if (ranking.scores[0]! <= 0) zero.loss = lossOf(0, 0);
  ranking.scores.forEach((score, g) => {
    right += ranking.positive[g]!;
    wrong += ranking.negative[g]!;
    const next = ranking.scores[g + 1] ?? -Infinity;
    const loss = lossOf(right, wrong);
    if (score > 0 && next <= 0) zero.loss = loss;
    if (next > -Infinity) tried.push({ score: next + (score - next) / 2, loss });
  });
  let best = zero;
  for (const each of tried)
    if (each.loss < best.loss || (each.loss === best.loss && Math.abs(each.score) < Math.abs(best.score))) best = each;
  return { metric: metric.name, score: best.score, value: sign * best.loss, valueAtZero: sign * zero.loss };
}
