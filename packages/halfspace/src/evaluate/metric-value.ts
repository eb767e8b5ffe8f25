import type { StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import { type Confusion, perClass } from '../model/metrics.ts';
import { classProbabilitiesOf, judgeProbabilities } from '../model/probabilities.ts';
import { averagePrecision, rankScores, rocArea } from '../model/ranking.ts';
import type { Goal, GoalKeeper, GoalScores } from '../train/goal.ts';
import { fitCalibrations } from './fit-calibration.ts';
import { isLoss, type Metric, type MetricName } from './metric.ts';

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

/** Largest number of scores that a goal sees: 8 MiB. */
const mostScores = 2 ** 20;

/** Keeps scores and labels of the first rows for a goal: up to 2²⁰ scores, so memory does not grow with the data. */
class ScoresForGoal implements GoalKeeper {
  readonly #outputs: number;
  #scores = new Float64Array(1024);
  #labels = new Float64Array(1024);
  #rows = 0;

  /** @param classes number of classes; a batch may have fewer scores, if the training rows lacked the last classes. */
  constructor(classes: number) {
    this.#outputs = classes > 2 ? classes : 1;
  }

  readonly add = ({ labels, rows }: StoredBatch, scores: Float64Array): void => {
    const outputs = this.#outputs;
    const given = scores.length / rows;
    const taken = Math.min(rows, Math.floor(mostScores / outputs) - this.#rows);
    this.#scores = withRoom(this.#scores, (this.#rows + taken) * outputs);
    this.#labels = withRoom(this.#labels, this.#rows + taken);
    for (let i = 0; i < taken; i++, this.#rows++) {
      for (let k = 0; k < outputs; k++)
        this.#scores[this.#rows * outputs + k] = k < given ? scores[i * given + k]! : -Infinity;
      this.#labels[this.#rows] = labels[i]!;
    }
  };

  /** A view of the rows so far. */
  get scored(): GoalScores {
    return {
      outputs: this.#outputs,
      scores: this.#scores.subarray(0, this.#rows * this.#outputs),
      labels: this.#labels.subarray(0, this.#rows),
    };
  }
}

function withRoom(values: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  if (length <= values.length) return values;
  const copy = new Float64Array(Math.max(length, 2 * values.length));
  copy.set(values);
  return copy;
}
