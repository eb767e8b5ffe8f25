import type { StoredBatch } from '../batch.ts';
import { BatchView, forEachNonzero } from '../kernels/batch-view.ts';
import { ExactSum } from './dyadic.ts';
import { roundoff, scoreError } from './rounding.ts';

/** The relative error bound above which a score is computed again without rounding. */
const enough = 1e-10;

/**
 * Computes a lower bound of all functional margins y(w·x + b·c): exact to about ten digits if all are above 0, else 0.
 *
 * If the rounding error of a score matters and the example may have the least margin, its score is computed exactly.
 */
export class LeastMargin {
  readonly #weights: Float64Array;
  readonly #bias: number;
  readonly #biasConstant: number;
  readonly #norm: number;
  #least = Infinity;

  /** @param weights not copied; must not change. @param norm ‖weights‖, to three digits at least. */
  constructor(weights: Float64Array, bias: number, biasConstant: number, norm: number) {
    this.#weights = weights;
    this.#bias = bias;
    this.#biasConstant = biasConstant;
    this.#norm = norm;
  }

  /** Adds a batch. @param scores, squaredNorms w·x + b·c and ‖x‖² of each example, from the kernels. */
  add(batch: StoredBatch, scores: Float64Array, squaredNorms: Float64Array): void {
    const { labels, rows } = batch;
    const offset = Math.abs(this.#bias * this.#biasConstant);
    const row = new BatchView(batch);
    for (let i = 0; i < rows && this.#least > 0; i++) {
      const score = labels[i]! * scores[i]!;
      const error = scoreError(row.open(i).count, this.#norm, squaredNorms[i]!, offset);
      if (score - error >= this.#least) continue;
      if (score + error < 0) this.#least = 0;
      else if (error <= enough * score) this.#least = score - error;
      else this.#least = Math.min(this.#least, Math.max(0, this.#exactly(batch, i) * (1 - 2 * roundoff)));
    }
  }

  /** The lower bound, in [0, ∞]; ∞ without examples. */
  get value(): number {
    return this.#least;
  }

  #exactly(batch: StoredBatch, i: number): number {
    const sum = new ExactSum();
    sum.addProduct(this.#bias, this.#biasConstant);
    forEachNonzero(batch, i, (j, x) => sum.addProduct(this.#weights[j] ?? 0, x));
    return batch.labels[i]! * sum.number;
  }
}
