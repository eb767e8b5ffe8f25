import { naturalLog } from '../kernels/natural-log.ts';

/*
 * Outlying scores. A few rows that score a thousand times as much as all others bend a calibration to themselves, and whoever is wrong
 * among them costs a thousand times as much. So a calibration may count scores beyond fences as if they lay on the fence. Fences are
 * Tukey's ("Exploratory data analysis", 1977): 1.5 or 3 quartile ranges beyond the outer quartiles. Of several fits with other fences, and one
 * without, the fit of the least loss is taken; but one with fences only where it saves more than Schwarz's ½ ln n nats ("Estimating the
 * dimension of a model", 1978), so that scores without outliers are fitted as they are.
 */

/** Quartile ranges between an outer quartile and its fence. */
export const fenceWidths: readonly number[] = [3, 1.5];

/** First and third quartile. */
export type Quartiles = readonly [first: number, third: number];

/**
 * The quartiles of weighted values: the least value with a quarter, or three quarters, of the weight at or below it.
 *
 * @param values rising.
 * @param weights as many, in [0, ∞), not all 0.
 */
export function quartilesOf(values: ArrayLike<number>, weights: ArrayLike<number>): Quartiles {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += weights[i]!;
  const at = (share: number): number => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      sum += weights[i]!;
      if (sum >= share * total && weights[i]! > 0) return values[i]!;
    }
    return values[values.length - 1]!;
  };
  return [at(0.25), at(0.75)];
}

/** A fit and the sum of its losses, in nats. */
export interface Fit {
  readonly loss: number;
}

/** The fit of the least loss; one with fences only where it saves enough. @param weight n, how much the examples weigh. */
export function bestFit<Fitted extends Fit>(plain: Fitted, fenced: readonly Fitted[], weight: number): Fitted {
  const enough = naturalLog(Math.max(1, weight)) / 2;
  let best = plain;
  for (const each of fenced) if (each.loss < Math.min(best.loss, plain.loss - enough)) best = each;
  return best;
}
