import type { FeatureEncoding } from '../../features/encoding.ts';
import { featureNamer } from '../../features/names.ts';
import { notClass } from '../../features/table-label.ts';
import { functionsOf } from '../model.ts';
import type { MulticlassModel } from '../multiclass/model.ts';
import { type SplitFunction, splitFunction } from './curves.ts';
import type { LinearFunction, LinearModel } from './model.ts';
import { eachWeight, type Weighted } from './sparse-weights.ts';

/** Some features of a function. */
interface DescribedFeatures {
  /** Returns the number of weights that are not 0. */
  nonzero(): number;
  /** Returns the features with the largest absolute weights, the largest first, without weights of 0. */
  strongest(top: number): NamedWeight[];
}

/** A linear function of a model, for reports. */
export interface DescribedFunction {
  readonly linear: LinearFunction;
  /** The class that a positive score is for. */
  readonly class: string;
  /** The class that a negative score is for: the other one of two, else `not CLASS`. */
  readonly against: string;
  /** Number of weights, zeros included. */
  readonly length: number;
  /** The values that bent columns add to the score; the column that moves it most comes first. */
  readonly curves: SplitFunction['curves'];
  /** The values that pairs of columns add, in the same order. */
  readonly grids: SplitFunction['grids'];
  readonly all: DescribedFeatures;
  /** The features without those of curves and grids. */
  readonly others: DescribedFeatures;
}

/**
 * Describes the functions of a model: one for two classes, else one of each class.
 *
 * @param means of the features over some rows: of an interval, its share of them. With means the values of a curve, and
 *   of a grid, have mean 0 over these rows.
 */
export function describeFunctions(model: LinearModel | MulticlassModel, means?: Float64Array): DescribedFunction[] {
  const { features, classes } = model;
  const described = (linear: Weighted): DescribedFeatures => ({
    nonzero: () => nonzero(linear),
    strongest: (top) => strongest(features, linear, top),
  });
  return functionsOf(model).map((linear, k) => {
    const { curves, grids, others } = splitFunction(features, linear, means);
    const name = model.kind === 'linear' ? classes[1]! : classes[k]!;
    return {
      ...{ linear, class: name, against: model.kind === 'linear' ? classes[0]! : notClass(name) },
      ...{ length: (linear.sparse ?? linear.weights).length, curves, grids },
      ...{ all: described(linear), others: described(others) },
    };
  });
}

interface NamedWeight {
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
