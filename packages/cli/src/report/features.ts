import { type FeatureEncoding, featureNames } from 'halfspace';
import { number } from './format.ts';

export interface NamedWeight {
  readonly feature: string;
  readonly weight: number;
}

/** The features with the largest weights either way, largest first; those of weight 0 do not count. */
export function strongest(encoding: FeatureEncoding, weights: Float64Array, top: number): NamedWeight[] {
  const order: number[] = [];
  weights.forEach((weight, j) => {
    if (weight !== 0) order.push(j);
  });
  order.sort((a, b) => Math.abs(weights[b]!) - Math.abs(weights[a]!) || a - b);
  const names = featureNames(encoding);
  return order.slice(0, top).map((j) => ({ feature: names[j]!, weight: weights[j]! }));
}

/** One line a feature: which class it speaks for, its name, its weight as a number and as a bar. */
export function featureLines(features: readonly NamedWeight[], classes: readonly [string, string]): string[] {
  const width = Math.min(40, Math.max(...features.map(({ feature }) => [...feature].length)));
  const largest = Math.max(...features.map(({ weight }) => Math.abs(weight)));
  return features.map(({ feature, weight }) => {
    const bar = '█'.repeat(Math.max(1, Math.round((12 * Math.abs(weight)) / largest)));
    return `${fit(feature, width)}  ${number(weight).padStart(10)}  ${bar.padEnd(12)}  ${weight > 0 ? classes[1] : classes[0]}`;
  });
}

function fit(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width
    ? text + ' '.repeat(width - letters.length)
    : `${letters.slice(0, width - 1).join('')}…`;
}
