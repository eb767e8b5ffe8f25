import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames } from '../features/option-names.ts';
import { checkOption } from '../rules/rule-options.ts';

/** Names of the metrics that a choice can follow. */
export const metricNames = [
  'accuracy',
  'balanced-accuracy',
  'f1',
  'roc-area',
  'average-precision',
  'log-loss',
  'cost',
] as const;

/**
 * A metric by which rules, passes and thresholds are chosen.
 * - `accuracy`: share of rows that are classified correctly.
 * - `balanced-accuracy`: mean recall of the classes that occur.
 * - `f1`: of the positive class of two; of more, the mean over the classes that occur or are predicted.
 * - `roc-area`, `average-precision`: of the ranking by score; for two classes.
 * - `log-loss`: of the probabilities that a sigmoid, or a softmax, fitted to the same held-out scores gives. So it
 *   measures what calibration can make of the scores. Lower is better.
 * - `cost`: mean cost of a row, by the cost of a false positive and of a false negative; for two classes. Lower is
 *   better.
 */
export type MetricName = (typeof metricNames)[number];

/** Cost of an error of each kind. */
export interface ErrorCosts {
  /** Cost of predicting the positive class for a row of the negative one; 0 or more. */
  readonly falsePositive: number;
  /** Cost of predicting the negative class for a row of the positive one; 0 or more, and one of the two above 0. */
  readonly falseNegative: number;
}

/** A metric with what it needs. */
export interface Metric {
  readonly name: MetricName;
  /** Null unless the metric is `cost`. */
  readonly cost: ErrorCosts | null;
}

/** Returns true if lower values of a metric are better. */
export function isLoss(name: MetricName): boolean {
  return name === 'log-loss' || name === 'cost';
}

/** The options that give a metric. */
interface MetricOptions {
  readonly metric?: MetricName | undefined;
  readonly cost?: ErrorCosts | undefined;
  readonly classWeights?: unknown;
  /** Probabilities that are wanted of a chosen rule. */
  readonly calibrate?: unknown;
}

/**
 * Returns the metric of options. Default: `cost` if costs are given, `balanced-accuracy` for balanced class
 * weights, `log-loss` for `calibrate`, else `accuracy`.
 *
 * @throws HalfspaceError `option-invalid`.
 */
export function metricOf({ metric, cost, classWeights, calibrate }: MetricOptions): Metric {
  if (metric !== undefined) checkOption('metric', { kind: 'choice', values: metricNames }, metric);
  if (cost !== undefined) checkCosts(cost);
  const usual = classWeights === 'balanced' ? 'balanced-accuracy' : calibrate === undefined ? 'accuracy' : 'log-loss';
  const name = metric ?? (cost !== undefined ? 'cost' : usual);
  if (name === 'cost' && cost === undefined)
    throw unfit('metric cost needs cost, such as { falsePositive: 1, falseNegative: 10 }; got none');
  if (name !== 'cost' && cost !== undefined) throw unfit(`cost is for the metric cost; got the metric ${name}`);
  return { name, cost: cost ?? null };
}

function checkCosts(cost: ErrorCosts): void {
  if (typeof cost !== 'object' || cost === null)
    throw unfit(`cost must be { falsePositive, falseNegative }; got ${quote(cost)}`);
  checkOptionNames(cost, ['falsePositive', 'falseNegative'], 'cost');
  for (const name of ['falsePositive', 'falseNegative'] as const)
    checkOption(`cost.${name}`, { kind: 'number', from: 0 }, cost[name]);
  if (cost.falsePositive + cost.falseNegative === 0) throw unfit('cost must have a number above 0; got 0 and 0');
}

/** Returns a note if class weights or a calibration give the metric of a choice; null if an option names it. */
export function impliedMetricNote({ metric }: MetricOptions, name: MetricName): string | null {
  if (metric !== undefined) return null;
  const implied =
    name === 'balanced-accuracy'
      ? 'balanced class weights: the choice follows balanced accuracy, the mean recall of the classes'
      : name === 'log-loss'
        ? 'calibrate: the choice follows log loss, the quality of the probabilities'
        : null;
  return implied && `${implied}; the metric accuracy follows the share of right rows`;
}

/** Returns the value of a metric for a loss of its goal. */
export function valueOfLoss(name: MetricName, loss: number): number {
  return isLoss(name) ? loss : 0 - loss;
}

function unfit(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}
