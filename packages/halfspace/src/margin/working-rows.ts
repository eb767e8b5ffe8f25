import type { StoredBatch } from '../batch.ts';
import { forEachNonzero } from '../kernels/batch-view.ts';

/**
 * Copies of the few examples that a search for the largest margin works on, as z = y·(x, c). The constant c, if any, is
 * component `dimension` of z.
 */
export class WorkingRows {
  readonly dimension: number;
  readonly #constant: number;
  readonly #indices: Uint32Array[] = [];
  readonly #values: Float64Array[] = [];
  readonly #numbers: number[] = [];
  readonly #known = new Set<number>();
  /** −1 or +1. */
  readonly labels: number[] = [];

  /** @param constant c; 0: none. */
  constructor(dimension: number, constant: number) {
    this.dimension = dimension;
    this.#constant = constant;
  }

  get length(): number {
    return this.labels.length;
  }

  /** Returns the number of row r among all examples. */
  number(r: number): number {
    return this.#numbers[r]!;
  }

  /** Number of components of z. */
  get components(): number {
    return this.#constant === 0 ? this.dimension : this.dimension + 1;
  }

  /** Copies example i of a batch. @param number its number among all examples. @returns false if it is here already. */
  add(batch: StoredBatch, i: number, number: number): boolean {
    if (this.#known.has(number)) return false;
    this.#known.add(number);
    this.#numbers.push(number);
    const y = batch.labels[i]!;
    const indices: number[] = [];
    const values: number[] = [];
    forEachNonzero(batch, i, (j, x) => {
      indices.push(j);
      values.push(y * x);
    });
    if (this.#constant !== 0) {
      indices.push(this.dimension);
      values.push(y * this.#constant);
    }
    this.#indices.push(Uint32Array.from(indices));
    this.#values.push(Float64Array.from(values));
    this.labels.push(y);
    return true;
  }

  /** Returns z·v for row r. */
  dot(r: number, v: Float64Array): number {
    const indices = this.#indices[r]!;
    const values = this.#values[r]!;
    let sum = 0;
    for (let k = 0; k < indices.length; k++) sum += values[k]! * v[indices[k]!]!;
    return sum;
  }

  /** Adds factor·z to v. */
  addTo(v: Float64Array, r: number, factor: number): void {
    const indices = this.#indices[r]!;
    const values = this.#values[r]!;
    for (let k = 0; k < indices.length; k++) v[indices[k]!]! += factor * values[k]!;
  }

  /** Calls `call` for every nonzero component of z. */
  each(r: number, call: (component: number, value: number) => void): void {
    const indices = this.#indices[r]!;
    const values = this.#values[r]!;
    for (let k = 0; k < indices.length; k++) call(indices[k]!, values[k]!);
  }

  /** Removes all rows but these, which become rows 0, 1, … in this order. */
  keep(rows: readonly number[]): void {
    for (const list of [this.#indices, this.#values, this.#numbers, this.labels] as unknown[][]) {
      const kept = rows.map((r) => list[r]);
      list.length = 0;
      for (const each of kept) list.push(each);
    }
    this.#known.clear();
    for (const number of this.#numbers) this.#known.add(number);
  }
}
