import type { Examples } from '../../engine/examples.ts';

/** Maximum number of values that one round reads; of more, only every k-th example counts. */
const mostNumbers = 300_000;
const rounds = 30;

/**
 * Returns the first principal direction of the drawn examples after their part along `normal` (of length 1) is
 * removed: the eigenvector of the largest eigenvalue of their covariance, by power iteration from the feature of the
 * largest variance. It has length 1, is at right angles to `normal`, and its largest component is positive. The same
 * examples give the same direction.
 */
export function mainDirection(
  { dimension, shown, vectors }: Examples,
  mean: Float64Array,
  normal: Float64Array,
): Float64Array {
  const every = Math.max(1, Math.ceil((shown.length * dimension) / mostNumbers));
  let direction = start();
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(dimension);
    for (let k = 0; k < shown.length; k += every) {
      const at = k * dimension;
      let along = 0;
      for (let j = 0; j < dimension; j++) along += (vectors[at + j]! - mean[j]!) * direction[j]!;
      for (let j = 0; j < dimension; j++) next[j]! += along * (vectors[at + j]! - mean[j]!);
    }
    if (!straighten(next)) break;
    direction = next;
  }
  let largest = 0;
  for (let j = 1; j < dimension; j++) if (Math.abs(direction[j]!) > Math.abs(direction[largest]!)) largest = j;
  return direction[largest]! < 0 ? direction.map((d) => -d) : direction;

  /** Removes the part along the normal, and normalises; false: nothing is left. */
  function straighten(vector: Float64Array): boolean {
    let along = 0;
    for (let j = 0; j < dimension; j++) along += vector[j]! * normal[j]!;
    let square = 0;
    for (let j = 0; j < dimension; j++) {
      vector[j]! -= along * normal[j]!;
      square += vector[j]! * vector[j]!;
    }
    if (!(square > 1e-24)) return false;
    const length = Math.sqrt(square);
    for (let j = 0; j < dimension; j++) vector[j]! /= length;
    return true;
  }

  /** Starts from the feature of the largest variance that is not the normal itself. */
  function start(): Float64Array {
    const variances = new Float64Array(dimension);
    for (let k = 0; k < shown.length; k += every)
      for (let j = 0; j < dimension; j++) variances[j]! += (vectors[k * dimension + j]! - mean[j]!) ** 2;
    const order = Array.from(variances.keys()).sort((a, b) => variances[b]! - variances[a]! || a - b);
    for (const feature of order) {
      const vector = new Float64Array(dimension);
      vector[feature] = 1;
      if (straighten(vector)) return vector;
    }
    return new Float64Array(dimension);
  }
}
