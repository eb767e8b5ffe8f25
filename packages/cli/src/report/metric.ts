import type { MetricName } from 'halfspace';
import { isLoss } from 'halfspace/metrics';

const words: Readonly<Record<MetricName, string>> = {
  accuracy: 'accuracy',
  'balanced-accuracy': 'balanced accuracy',
  f1: 'F1',
  'roc-area': 'ROC area',
  'average-precision': 'average precision',
  'log-loss': 'log loss',
  cost: 'cost of a row',
};

/** Returns the name of a metric in words. */
export function metricWords(metric: MetricName): string {
  return words[metric];
}

/** Returns a value of a metric: shares in percent with two digits, losses as numbers with four. */
export function metricNumber(metric: MetricName, value: number): string {
  if (!Number.isFinite(value)) return '–';
  return isLoss(metric) ? value.toFixed(4) : (100 * value).toFixed(2);
}

/** Returns a value of a metric with its unit: `81.25 %`, `0.3127`. */
export function metricText(metric: MetricName, value: number): string {
  return `${metricNumber(metric, value)}${isLoss(metric) || !Number.isFinite(value) ? '' : ' %'}`;
}

/** Returns a line that names the metric of a choice; none for accuracy. */
export function metricLines(metric: MetricName): string[] {
  return metric === 'accuracy' ? [] : [`by ${metricWords(metric)}; ${isLoss(metric) ? 'lower' : 'higher'} is better`];
}
