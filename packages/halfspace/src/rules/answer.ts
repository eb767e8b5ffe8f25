import { type StoredBatch, storedValues } from '../batch.ts';
import { BatchView } from '../kernels/batch-view.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { fourLanes } from '../kernels/lanes.ts';

/** The function with which a learner scores at one moment. */
export interface Answering {
  /** Number of features with a weight; others count 0. */
  readonly dimension: number;
  readonly bias: number;
  readonly biasConstant: number;
  /** Number and importance of the examples shown. While both are the same, so are the weights. */
  readonly examples: number;
  readonly clock: number;
  /** Returns a function that reads the weight of feature j < dimension. It is valid until memory is allocated. */
  readonly weights: () => (j: number) => number;
}

/**
 * Scores by weights that are computed on demand, such as means over time. At first it computes one weight for each
 * value in a batch, so the cost follows the batch, not the model. After as many computations as there are features, it
 * computes all weights and the kernels score. Both ways give the same bits, and neither changes the learner.
 */
export class Answer {
  readonly #kernels: Kernels;
  readonly #now: () => Answering;
  /** All current weights, if they are `#complete`. 0 from the learner's dimension on. */
  readonly #weights: Block<Float64Array>;
  #complete = false;
  #examples = -1;
  #clock = -1;
  /** Number of weights computed since the last example. */
  #computed = 0;

  constructor(kernels: Kernels, now: () => Answering) {
    this.#kernels = kernels;
    this.#now = now;
    this.#weights = kernels.float64(0);
  }

  /** Writes the score of every example into `out` (length ≥ rows). */
  scoreInto(batch: StoredBatch, out: Float64Array): void {
    const now = this.#now();
    if (now.examples !== this.#examples || now.clock !== this.#clock) this.forget();
    this.#examples = now.examples;
    this.#clock = now.clock;
    this.#computed += storedValues(batch);
    if (this.#computed < now.dimension || !fitsIn(batch, now.dimension)) {
      scoreRows(batch, now, out);
      return;
    }
    if (!this.#complete) this.#compute(now);
    if (this.#weights.length < batch.dimension) this.#weights.resize(batch.dimension);
    this.#kernels.scoreInto(batch, this.#weights, now.bias, now.biasConstant, out);
  }

  /** Returns all weights in a new array. */
  parameters(): { weights: Float64Array; bias: number } {
    const { dimension, bias, weights } = this.#now();
    const weight = weights();
    const all = new Float64Array(dimension);
    for (let j = 0; j < dimension; j++) all[j] = weight(j);
    return { weights: all, bias };
  }

  /** Discards the computed weights, if weights change without an example. */
  forget(): void {
    this.#complete = false;
    this.#computed = 0;
  }

  free(): void {
    this.#weights.free();
  }

  #compute({ dimension, weights }: Answering): void {
    if (this.#weights.length < dimension) this.#weights.resize(Math.max(dimension, 2 * this.#weights.length));
    const all = this.#weights.array;
    const weight = weights();
    for (let j = 0; j < dimension; j++) all[j] = weight(j);
    this.#complete = true;
  }
}

/** Returns true if memory for all features of a batch is at most a few times that of the batch and the learner. */
export function fitsIn(batch: StoredBatch, dimension: number): boolean {
  return batch.dimension <= 2 * (dimension + storedValues(batch));
}

/** Scores row by row, in the kernels' order of summation. */
export function scoreRows(batch: StoredBatch, by: Omit<Answering, 'examples' | 'clock'>, out: Float64Array): void {
  const { dimension } = by;
  const weight = by.weights();
  const constant = by.bias * by.biasConstant;
  const row = new BatchView(batch);
  const product = (k: number) => {
    const j = row.feature(k);
    return (j < dimension ? weight(j) : 0) * row.value(k);
  };
  for (let i = 0; i < batch.rows; i++) out[i] = fourLanes(row.open(i).count, product) + constant;
}
