import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';

/** w̄ = w − u/T of weights w and their sums u, computed anew only after the clock T has moved: the lazy form in averaged.ts. */
export class Mean {
  readonly #block: Block<Float64Array>;
  /** Clock at which the block was computed; −1: never. */
  #clock = -1;

  constructor(kernels: Kernels) {
    this.#block = kernels.float64(0);
  }

  /**
   * The means of features [0, dimension); before any time has passed the weights themselves. Valid until the next call.
   *
   * @param weights, sums of length ≥ dimension, in kernel memory; their arrays are read after anything is allocated here.
   */
  of(weights: Block<Float64Array>, sums: Block<Float64Array>, dimension: number, clock: number): Block<Float64Array> {
    if (this.#clock === clock && this.#block.length >= dimension) return this.#block;
    if (this.#block.length < dimension) this.#block.resize(weights.length);
    const mean = this.#block.array;
    const [w, u] = [weights.array, sums.array];
    for (let j = 0; j < dimension; j++) mean[j] = meanOf(w[j]!, u[j]!, clock);
    this.#clock = clock;
    return this.#block;
  }

  free(): void {
    this.#block.free();
  }
}

/** One number's mean. */
export function meanOf(weight: number, sum: number, clock: number): number {
  return clock === 0 ? weight : weight - sum / clock;
}
