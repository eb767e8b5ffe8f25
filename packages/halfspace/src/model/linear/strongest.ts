import type { FeatureEncoding } from '../../features/encoding.ts';
import { featureNamer } from '../../features/names.ts';
import { eachWeight, type Weighted } from './sparse-weights.ts';

export interface NamedWeight {
  readonly feature: string;
  readonly weight: number;
}

interface Placed {
  readonly position: number;
  readonly weight: number;
}

/**
 * Returns the features with the largest absolute weights, the largest first, without weights of 0. Of equal ones the
 * first features come first. It takes one pass, and memory for 2·top weights.
 */
export function strongest(encoding: FeatureEncoding, linear: Weighted, top: number): NamedWeight[] {
  if (top === 0) return [];
  const best: Placed[] = [];
  const cut = () => {
    best.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.position - b.position);
    if (best.length > top) best.length = top;
  };
  /** Weights up to this one are not among the best, because positions rise. */
  let least = 0;
  eachWeight(linear, (weight, position) => {
    if (Math.abs(weight) <= least) return;
    best.push({ position, weight });
    if (best.length < 2 * top) return;
    cut();
    least = Math.abs(best.at(-1)!.weight);
  });
  cut();
  const name = featureNamer(encoding);
  return best.map(({ position, weight }) => ({ feature: name(position), weight }));
}

/** Returns the number of weights that are not 0. */
export function nonzero(linear: Weighted): number {
  let count = 0;
  eachWeight(linear, () => count++);
  return count;
}
