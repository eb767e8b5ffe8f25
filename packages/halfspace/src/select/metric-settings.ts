import { HalfspaceError } from '../errors.ts';
import { impliedMetricNote, type Metric, type MetricName, metricOf } from '../evaluate/metric.ts';
import { goalOf } from '../evaluate/metric-value.ts';
import { checkThresholdMetric } from '../evaluate/threshold.ts';
import type { Goal } from '../train/goal.ts';
import type { TrainOptions } from './train-options.ts';

/** The metric of a run with a choice or early stopping. */
export interface MetricSettings {
  readonly metric: Metric;
  /** Undefined for accuracy. */
  readonly goal: Goal | undefined;
  readonly notes: readonly string[];
}

/**
 * Checks the options of the metric and returns its goal.
 *
 * @param searches true if the run chooses its rule.
 * @throws HalfspaceError `option-invalid`, also for a metric that decides nothing.
 */
export function metricSettings(options: TrainOptions, searches: boolean): MetricSettings {
  const { patience, ledger, threshold } = options;
  // A threshold asks for decisions, and so does a run whose rule is named.
  const probable = searches && threshold === undefined ? options.calibrate : undefined;
  const metric = metricOf({ ...options, calibrate: probable });
  const decides = searches || patience !== undefined || threshold !== undefined;
  if (threshold !== undefined) checkThresholdMetric(metric);
  if (!decides && (options.metric !== undefined || options.cost !== undefined))
    throw unfit(
      `${options.metric === undefined ? 'cost' : 'metric'} is for rule 'auto', patience or threshold, which choose by it; got none of them`,
    );
  if (ledger !== undefined && patience !== undefined && metric.name !== 'accuracy')
    throw unfit(`a ledger records early stopping by accuracy only; got the metric ${metric.name}: give accuracy`);
  const note = decides ? impliedMetricNote(options, metric.name) : null;
  const goal = goalOf(metric) ?? undefined;
  return {
    metric,
    goal: goal === undefined || patience === undefined ? goal : { ...goal, loss: definedLoss(goal, metric.name) },
    notes: note === null ? [] : [note],
  };
}

/** Early stopping has one held-out part; if that does not define the loss, nothing does. */
function definedLoss({ loss }: Goal, metric: MetricName): Goal['loss'] {
  return (...judged) => {
    const value = loss(...judged);
    if (!Number.isNaN(value)) return value;
    throw new HalfspaceError(
      'label-classes',
      `expected rows of every class in the tenth that patience holds out, for the metric ${metric}; got a class of a single row: give more rows of it, or the metric accuracy`,
    );
  };
}

function unfit(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}
