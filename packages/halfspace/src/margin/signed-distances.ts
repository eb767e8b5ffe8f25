import type { StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Deviations } from './bounds.ts';

/** A hyperplane w·x + b·c = 0 with weights in kernel memory, at least as many as the batches have features. */
export interface Hyperplane {
  readonly weights: Block<Float64Array>;
  /** The weight b of the constant feature. */
  readonly bias: number;
  /** The constant c: 1, or 0 without a bias. */
  readonly biasConstant: number;
}

/** Returns ‖w‖, or with `absorbed` ‖(b, w)‖: a score divided by it is a distance. */
export function lengthOf(weights: ArrayLike<number>, bias: number, absorbed: boolean): number {
  let sum = absorbed ? bias * bias : 0;
  for (let j = 0; j < weights.length; j++) sum += weights[j]! * weights[j]!;
  return Math.sqrt(sum);
}

/**
 * Writes functional margins y(w·x + b·c): positive on the example's side of the plane, proportional to the weights.
 *
 * @param out length ≥ rows.
 */
export function functionalMarginsInto(
  batch: StoredBatch,
  kernels: Kernels,
  plane: Hyperplane,
  out: Float64Array,
): void {
  kernels.scoreInto(batch, plane.weights, plane.bias, plane.biasConstant, out);
  const { labels } = batch;
  for (let i = 0; i < batch.rows; i++) out[i]! *= labels[i]!;
}

/**
 * Writes the signed distances y(w·x + b·c)/‖w‖, in the units of x. The least one is the hyperplane's geometric margin.
 *
 * Source: the blog's signed distance. With `absorbed` they are distances of (x, c) from a hyperplane through the
 * origin, divided by ‖(w, b)‖, as in the lectures that absorb the bias; these are never longer.
 * @param out length ≥ rows. @throws HalfspaceError `option-invalid` for w = 0.
 */
export function signedDistancesInto(
  batch: StoredBatch,
  kernels: Kernels,
  plane: Hyperplane & { readonly absorbed?: boolean },
  out: Float64Array,
): void {
  const length = lengthOf(plane.weights.array, plane.bias, plane.absorbed === true);
  if (!(length > 0))
    throw new HalfspaceError('option-invalid', 'weights must not all be 0; got a hyperplane without direction');
  functionalMarginsInto(batch, kernels, plane, out);
  for (let i = 0; i < batch.rows; i++) out[i]! /= length;
}

/** Returns the sums of dᵢ = max(0, γ − distanceᵢ); see {@link Deviations}. @param margin γ > 0, in the units of x. */
export function deviationsOf(distances: Float64Array, margin: number): Deviations {
  let sum = 0;
  let squares = 0;
  for (const distance of distances) {
    const lack = Math.max(0, margin - distance);
    sum += lack;
    squares += lack * lack;
  }
  return { sum, norm: Math.sqrt(squares) };
}
