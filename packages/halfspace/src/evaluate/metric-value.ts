import { HalfspaceError } from '../errors.ts';
import { type Confusion, perClass } from '../model/metrics.ts';
import { classProbabilitiesOf, judgeProbabilities } from '../model/probabilities.ts';
import { averagePrecision, rankScores, rocArea } from '../model/ranking.ts';
import type { Goal, GoalScores } from '../train/goal.ts';
import { fitCalibrations } from './fit-calibration.ts';
import { isLoss, type Metric, type MetricName } from './metric.ts';
import { ScoresForGoal } from './scores-for-goal.ts';

/** Metrics of two classes only. */
const ofTwoClasses: readonly MetricName[] = ['roc-area', 'average-precision', 'cost'];
const ofScores: readonly MetricName[] = ['roc-area', 'average-precision', 'log-loss'];

/**
 * Returns the value of a metric. Infinity of log loss for scores that are not finite numbers; NaN if a class is missing
 * that the metric needs.
 *
 * @param scored null unless the metric needs scores.
 * @throws HalfspaceError `option-invalid` for a metric of two classes and more classes.
 */
export function metricValue({ name, cost }: Metric, confusion: Confusion, scored: GoalScores | null): number {
  const classes = confusion.length;
  if (classes > 2 && ofTwoClasses.includes(name))
    throw unfit(
      `the metric ${name} is for two classes; got ${classes} (balanced-accuracy, f1 and log-loss are for more, positive makes two of them)`,
    );
  const [negative, positive] = confusion as [readonly number[], readonly number[]];
  const examples = confusion.reduce((sum, row) => sum + row.reduce((all, count) => all + count, 0), 0);
  switch (name) {
    case 'accuracy':
      return confusion.reduce((sum, row, k) => sum + row[k]!, 0) / examples;
    case 'balanced-accuracy':
      return meanOf(confusion, ({ recall }) => recall);
    case 'f1':
      return classes > 2 ? meanOf(confusion, ({ f1 }) => f1) : (perClass(confusion, ['', ''])[1]!.f1 ?? 0);
    case 'cost':
      return (cost!.falsePositive * negative[1]! + cost!.falseNegative * positive[0]!) / examples;
    default:
      return scoredValue(name, scored!);
  }
}

function meanOf(confusion: Confusion, of: (each: ReturnType<typeof perClass>[number]) => number | null): number {
  const names = confusion.map((_, k) => String(k));
  const known = perClass(confusion, names).flatMap((each) => of(each) ?? []);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

function scoredValue(name: 'roc-area' | 'average-precision' | 'log-loss', scored: GoalScores): number {
  const { scores, labels, outputs } = scored;
  // A softmax needs no row of every class.
  if (labels.length === 0 || (outputs === 1 && new Set(labels).size < 2)) return Number.NaN;
  if (name === 'log-loss') {
    if (!scores.every(Number.isFinite)) return Infinity;
    const calibration = fitCalibrations('platt', scored);
    return judgeProbabilities(classProbabilitiesOf(calibration, scored), scored)!.logLoss;
  }
  if (scores.some(Number.isNaN)) return -Infinity;
  const ranking = rankScores(scores, labels);
  return (name === 'roc-area' ? rocArea(ranking) : averagePrecision(ranking))!;
}

/** Returns the goal of a metric; null for accuracy, for which runs count errors. */
export function goalOf(metric: Metric): Goal | null {
  if (metric.name === 'accuracy') return null;
  const sign = isLoss(metric.name) ? 1 : -1;
  return {
    keeper: (classes) => (ofScores.includes(metric.name) ? new ScoresForGoal(classes) : null),
    loss: (confusion, scored) => sign * metricValue(metric, confusion, scored),
  };
}

function unfit(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}
