import type { ExactBatch } from '../exact/values.ts';

/**
 * The coordinates in which floating-point searches run: feature j is multiplied by a power of two so that all features
 * have about the same size, and for dense rows a centre is subtracted. Neither changes which examples contradict each
 * other: scaling multiplies an equation, and Σ λᵢyᵢ = 0 cancels the centre.
 */
export class Frame {
  readonly examples: ExactBatch;
  /**
   * The power of two that brings a feature's largest absolute value into [1/2, 1); 1 for a feature that does not occur.
   */
  readonly factors: Float64Array;
  /** The centre that is subtracted from the scaled features; null for sparse rows. */
  readonly centre: Float64Array | null;
  /** The scaled, centred values row by row; null for sparse rows. */
  readonly dense: Float64Array | null;
  /** Number of features that occur. */
  readonly used: number;
  readonly #largest: Float64Array;

  constructor(examples: ExactBatch) {
    const { rows, dimension, offsets, indices, values } = examples;
    this.examples = examples;
    const largest = new Float64Array(dimension);
    for (let at = 0; at < offsets[rows]!; at++) {
      const size = Math.abs(values[at]!);
      if (size > largest[indices[at]!]!) largest[indices[at]!] = size;
    }
    this.#largest = largest;
    this.used = largest.reduce((count, size) => count + (size > 0 ? 1 : 0), 0);
    this.factors = largest.map((size) => (size === 0 ? 1 : powerBelow(size)));
    if (offsets[rows]! < 0.3 * rows * dimension || rows * dimension > 2e7) {
      this.centre = null;
      this.dense = null;
      return;
    }
    const dense = new Float64Array(rows * dimension);
    const centre = new Float64Array(dimension);
    for (let i = 0; i < rows; i++)
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
        const j = indices[at]!;
        const value = values[at]! * this.factors[j]!;
        dense[i * dimension + j] = value;
        centre[j]! += value / rows;
      }
    for (let i = 0; i < rows; i++) for (let j = 0; j < dimension; j++) dense[i * dimension + j]! -= centre[j]!;
    this.centre = centre;
    this.dense = dense;
  }

  occurs(feature: number): boolean {
    return this.#largest[feature]! > 0;
  }

  /** Returns yᵢ(u·x'ᵢ + b), x' being the scaled, centred row. */
  signedScore(i: number, u: Float64Array, bias: number): number {
    const { offsets, indices, values, labels, dimension } = this.examples;
    let score = bias;
    if (this.dense !== null)
      for (let j = 0, at = i * dimension; j < dimension; j++, at++) score += u[j]! * this.dense[at]!;
    else
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++)
        score += u[indices[at]!]! * this.factors[indices[at]!]! * values[at]!;
    return labels[i]! * score;
  }

  /** u += step·x'ᵢ */
  addTo(u: Float64Array, i: number, step: number): void {
    this.forEach(i, (j, value) => {
      u[j]! += step * value;
    });
  }

  /** Visits the nonzeros of x'ᵢ. */
  forEach(i: number, visit: (feature: number, value: number) => void): void {
    const { offsets, indices, values, dimension } = this.examples;
    if (this.dense !== null)
      for (let j = 0, at = i * dimension; j < dimension; j++, at++) {
        if (this.dense[at] !== 0) visit(j, this.dense[at]!);
      }
    else
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++)
        visit(indices[at]!, this.factors[indices[at]!]! * values[at]!);
  }
}

/** Returns the power of two that brings a size > 0 into [1/2, 1), within the range of doubles. */
export function powerBelow(size: number): number {
  let power = 1;
  while (size * power >= 1 && power > 2 ** -1000) power /= 2;
  while (size * power < 0.5 && power < 2 ** 1000) power *= 2;
  return power;
}
