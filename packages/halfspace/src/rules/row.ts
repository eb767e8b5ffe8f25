import type { StoredBatch } from '../batch.ts';
import { BatchView } from '../kernels/batch-view.ts';
import { fourLanes } from '../kernels/lanes.ts';

/** One row of a batch in plain arrays, for products with many weight vectors. Sums have the order of the kernels'. */
export class Row {
  #view!: BatchView;
  #indices = new Uint32Array(64);
  #values = new Float64Array(64);
  #count = 0;
  #dense = false;

  /** Opens a batch, to load its rows. */
  open(batch: StoredBatch): void {
    this.#view = new BatchView(batch);
    this.#dense = batch.kind === 'dense';
  }

  /** Loads row i. */
  load(i: number): void {
    const view = this.#view.open(i);
    const { count } = view;
    this.#count = count;
    if (this.#values.length < count) {
      this.#values = new Float64Array(count * 2);
      this.#indices = new Uint32Array(count * 2);
    }
    for (let k = 0; k < count; k++) this.#values[k] = view.value(k);
    if (!this.#dense) for (let k = 0; k < count; k++) this.#indices[k] = view.feature(k);
  }

  dot(weights: Float64Array): number {
    const values = this.#values;
    const indices = this.#indices;
    const count = this.#count;
    const whole = count - (count % 4);
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    if (this.#dense) {
      for (let k = 0; k < whole; k += 4) {
        s0 += weights[k]! * values[k]!;
        s1 += weights[k + 1]! * values[k + 1]!;
        s2 += weights[k + 2]! * values[k + 2]!;
        s3 += weights[k + 3]! * values[k + 3]!;
      }
      if (whole < count) s0 += weights[whole]! * values[whole]!;
      if (whole + 1 < count) s1 += weights[whole + 1]! * values[whole + 1]!;
      if (whole + 2 < count) s2 += weights[whole + 2]! * values[whole + 2]!;
      return s0 + s1 + (s2 + s3);
    }
    for (let k = 0; k < whole; k += 4) {
      s0 += weights[indices[k]!]! * values[k]!;
      s1 += weights[indices[k + 1]!]! * values[k + 1]!;
      s2 += weights[indices[k + 2]!]! * values[k + 2]!;
      s3 += weights[indices[k + 3]!]! * values[k + 3]!;
    }
    if (whole < count) s0 += weights[indices[whole]!]! * values[whole]!;
    if (whole + 1 < count) s1 += weights[indices[whole + 1]!]! * values[whole + 1]!;
    if (whole + 2 < count) s2 += weights[indices[whole + 2]!]! * values[whole + 2]!;
    return s0 + s1 + (s2 + s3);
  }

  /** Returns the product with weights that are computed one by one. */
  dotWith(weight: (j: number) => number): number {
    const values = this.#values;
    const indices = this.#indices;
    if (this.#dense) return fourLanes(this.#count, (k) => weight(k) * values[k]!);
    return fourLanes(this.#count, (k) => weight(indices[k]!) * values[k]!);
  }

  /** weights += factor · x */
  add(factor: number, weights: Float64Array): void {
    const values = this.#values;
    const indices = this.#indices;
    if (this.#dense) for (let k = 0; k < this.#count; k++) weights[k]! += factor * values[k]!;
    else for (let k = 0; k < this.#count; k++) weights[indices[k]!]! += factor * values[k]!;
  }

  /** Returns true if some value is not 0. */
  hasValue(): boolean {
    for (let k = 0; k < this.#count; k++) if (this.#values[k] !== 0) return true;
    return false;
  }

  squaredNorm(): number {
    const values = this.#values;
    return fourLanes(this.#count, (k) => values[k]! * values[k]!);
  }
}
