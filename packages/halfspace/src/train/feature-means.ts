import type { StoredBatch } from '../batch.ts';
import { BatchView } from '../kernels/batch-view.ts';

/** Adds up the features of examples, each counted by its importance, in the order of the rows. */
export class FeatureMeans {
  #sums = new Float64Array(64);
  #importance = 0;

  add(batch: StoredBatch): void {
    const { rows, dimension, importance } = batch;
    if (dimension > this.#sums.length) {
      const grown = new Float64Array(Math.max(dimension, 2 * this.#sums.length));
      grown.set(this.#sums);
      this.#sums = grown;
    }
    const sums = this.#sums;
    const row = new BatchView(batch);
    for (let i = 0; i < rows; i++) {
      const counts = importance === null ? 1 : importance[i]!;
      this.#importance += counts;
      row.open(i);
      for (let k = 0; k < row.count; k++) sums[row.feature(k)]! += counts * row.value(k);
    }
  }

  /** Forgets all examples. */
  clear(): void {
    this.#sums.fill(0);
    this.#importance = 0;
  }

  /** Returns the means of the first features in a new array; 0 for features that no example had. */
  means(dimension: number): Float64Array {
    const means = new Float64Array(dimension);
    means.set(this.#sums.subarray(0, dimension));
    return means.map((sum) => sum / this.#importance);
  }
}
