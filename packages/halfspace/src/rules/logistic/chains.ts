import type { Chain } from '../../features/number/bend.ts';

/*
 * The weights of a chain follow from the increments θₖ = w_{first+k} − w_{first+k−1}, k = 1 … length − 1, by the level
 * w_first = −w_{first+length−1}. So a chain of m + 1 intervals is m steps [x > k] − ½, one for each knot. The penalty
 * of an increment is m/16 times that of a weight, as if each step were multiplied by 4/√m.
 */

/**
 * Changes between weights and increments of vectors with `outputs` numbers for each feature. The increments take the
 * places of the weights; that of the first is 0.
 */
export class Steps {
  readonly #chains: readonly Chain[];
  readonly #outputs: number;

  constructor(chains: readonly Chain[], outputs: number) {
    this.#chains = chains;
    this.#outputs = outputs;
  }

  /** Replaces increments by weights. */
  toWeights(vector: Float64Array): void {
    const K = this.#outputs;
    for (const { first, length } of this.#chains)
      for (let k = 0; k < K; k++) {
        let sum = 0;
        for (let i = 1; i < length; i++) sum += vector[(first + i) * K + k]!;
        let w = -sum / 2;
        vector[first * K + k] = w;
        for (let i = 1; i < length; i++) {
          w += vector[(first + i) * K + k]!;
          vector[(first + i) * K + k] = w;
        }
      }
  }

  /** Replaces weights by their increments; the level is lost. */
  toIncrements(vector: Float64Array): void {
    const K = this.#outputs;
    for (const { first, length } of this.#chains)
      for (let k = 0; k < K; k++) {
        for (let i = length - 1; i > 0; i--) vector[(first + i) * K + k]! -= vector[(first + i - 1) * K + k]!;
        vector[first * K + k] = 0;
      }
  }

  /** Replaces derivatives by the weights by those by the increments. */
  derive(vector: Float64Array, offset = 0, stride = this.#outputs, count = this.#outputs): void {
    const sums = new Float64Array(count);
    for (const { first, length } of this.#chains) {
      const start = offset + first * stride;
      sums.fill(0);
      for (let i = length - 1, at = start + i * stride; i >= 0; i--, at -= stride)
        for (let k = 0; k < count; k++) vector[at + k] = sums[k]! += vector[at + k]!;
      for (let i = 1, at = start + stride; i < length; i++, at += stride)
        for (let k = 0; k < count; k++) vector[at + k]! -= sums[k]! / 2;
      vector.fill(0, start, start + count);
    }
  }
}
