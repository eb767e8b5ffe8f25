import { decodeDoubles, type EncodedNumbers, encodeNumbers } from '../../numbers.ts';
import { type DatePart, dateParts } from '../date/parts.ts';
import type { NumericFit } from './fit.ts';
import { Quantiles } from './quantiles.ts';

/** The counts of a number, boolean or date in some rows. */
export interface NumbersPart {
  readonly kind: 'numeric';
  readonly count: number;
  readonly missing: number;
  readonly mean: number;
  /** Sum of squared deviations from the mean. */
  readonly squares: number;
  /** The smallest and the largest value; null without values. */
  readonly range: readonly [least: number, most: number] | null;
  /** Rising values that stand for all values of a column with `bins`; else null. */
  readonly values: EncodedNumbers | null;
  /** The values of parts that occur in dates whose parts are chosen from the data; else null. */
  readonly dates: { readonly [Part in DatePart | 'day']: readonly number[] } | null;
}

export function numbersPart(fit: NumericFit, mostValues: number): NumbersPart {
  const { count, missing, mean, squares, quantiles, partsSeen } = fit;
  const dates =
    partsSeen &&
    Object.fromEntries([
      ...dateParts.map((part) => [part, [...partsSeen.seen.get(part)!]]),
      ['day', [...partsSeen.daysOfMonth]],
    ]);
  return {
    ...{ kind: 'numeric', count, missing, mean, squares },
    range: count === 0 ? null : [fit.least, fit.most],
    values: quantiles && encodeNumbers(thinned(quantiles.values, mostValues)),
    dates,
  };
}

/** Returns values, rising; of more than `most`, those in the middle of equally many. */
function thinned(values: readonly number[], most: number): Float64Array {
  const sorted = Float64Array.from(values).sort();
  const kept = Math.min(most, sorted.length);
  return Float64Array.from({ length: kept }, (_, k) => sorted[Math.floor(((k + 0.5) * sorted.length) / kept)]!);
}

/** @see Chan, Golub & LeVeque (1983), Algorithms for computing the sample variance. */
export function addNumbers(fit: NumericFit, part: NumbersPart): void {
  fit.missing += part.missing;
  if (part.range === null) return;
  if (fit.quantiles !== null) {
    if (!(fit.quantiles instanceof WeightedQuantiles)) fit.quantiles = new WeightedQuantiles();
    (fit.quantiles as WeightedQuantiles).addPart(part.count, decodeDoubles(part.values)!);
  }
  if (part.dates !== null && fit.partsSeen !== null) {
    for (const name of dateParts) for (const value of part.dates[name]) fit.partsSeen.seen.get(name)!.add(value);
    for (const day of part.dates.day) fit.partsSeen.daysOfMonth.add(day);
  }
  const own = fit.count;
  const count = own + part.count;
  const distance = part.mean - fit.mean;
  // Without values of its own, a fit takes over the bits of the part.
  fit.mean = own === 0 ? part.mean : fit.mean + (distance * part.count) / count;
  fit.squares =
    own === 0 ? part.squares : fit.squares + part.squares + distance * distance * ((own * part.count) / count);
  fit.count = count;
  fit.least = Math.min(fit.least, part.range[0]);
  fit.most = Math.max(fit.most, part.range[1]);
}

/** Quantiles of parts: each value stands for as many as its part has for each that it kept. Exact if it kept all. */
class WeightedQuantiles extends Quantiles {
  readonly #parts: { readonly weight: number; readonly values: Float64Array }[] = [];

  addPart(count: number, values: Float64Array): void {
    this.#parts.push({ weight: count / values.length, values });
  }

  override edges(bins: number): number[] {
    const all = this.#parts.flatMap(({ weight, values }) => Array.from(values, (value) => ({ value, weight })));
    // The sort keeps the order of the parts where values are equal.
    all.sort((a, b) => a.value - b.value);
    const total = all.reduce((sum, { weight }) => sum + weight, 0);
    const edges: number[] = [];
    let at = 0;
    let upTo = all[0]!.weight;
    for (let k = 1; k < bins; k++) {
      while (!(upTo > (k * total) / bins) && at + 1 < all.length) upTo += all[++at]!.weight;
      const edge = all[at]!.value;
      if (edge > (edges.at(-1) ?? all[0]!.value)) edges.push(edge);
    }
    return edges;
  }
}
