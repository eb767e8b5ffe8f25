import { naturalLog } from '../kernels/natural-log.ts';

/*
 * Outliers among scores. A few scores that are a thousand times larger than all others dominate the fit of a
 * calibration. So a calibration may clip scores at Tukey's fences ("Exploratory data analysis", 1977): 1.5 or 3
 * interquartile ranges beyond the quartiles. The fit with the smallest loss is chosen, but one with fences only if it
 * saves more than Schwarz's ½ ln n nats ("Estimating the dimension of a model", 1978). So scores without outliers are
 * not clipped.
 */

/** Distances between a quartile and its fence, in interquartile ranges. */
export const fenceWidths: readonly number[] = [3, 1.5];

/** First and third quartile. */
type Quartiles = readonly [first: number, third: number];

/**
 * Returns the quartiles of weighted values: the smallest values with at least a quarter, or three quarters, of the
 * weight at or below them.
 *
 * @param values rising.
 * @param weights one for each value, in [0, ∞), not all 0.
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
interface Fit {
  readonly loss: number;
}

/** Returns the fit with the smallest loss; one with fences only if it saves enough. @param weight sum of importance. */
export function bestFit<Fitted extends Fit>(plain: Fitted, fenced: readonly Fitted[], weight: number): Fitted {
  const enough = naturalLog(Math.max(1, weight)) / 2;
  let best = plain;
  for (const each of fenced) if (each.loss < Math.min(best.loss, plain.loss - enough)) best = each;
  return best;
}
