import type { StoredBatch } from '../batch.ts';
import { BatchView } from '../kernels/batch-view.ts';
import { fourLanes } from '../kernels/lanes.ts';
import { addRow, dotLists, dotRow, hasNonzero, LoadedRow, squaredNormOf } from '../kernels/plain-row.ts';

/** One row of a batch in plain arrays, for products with many weight vectors. Sums have the order of the kernels'. */
export class Row {
  readonly #row = new LoadedRow();
  #view!: BatchView;
  #dense = false;

  /** Opens a batch, to load its rows. */
  open(batch: StoredBatch): void {
    this.#view = new BatchView(batch);
    this.#dense = batch.kind === 'dense';
  }

  /** Loads row i. */
  load(i: number): void {
    this.#row.load(this.#view.open(i));
  }

  dot(weights: Float64Array): number {
    const row = this.#row;
    return this.#dense ? dotLists(weights, row.values, row.count) : dotRow(row, weights);
  }

  /** Returns the product with weights that are computed one by one. */
  dotWith(weight: (j: number) => number): number {
    const { indices, values, count } = this.#row;
    return fourLanes(count, (k) => weight(indices[k]!) * values[k]!);
  }

  /** weights += factor · x */
  add(factor: number, weights: Float64Array): void {
    addRow(this.#row, factor, weights);
  }

  /** Returns true if some value is not 0. */
  hasValue(): boolean {
    return hasNonzero(this.#row);
  }

  squaredNorm(): number {
    return squaredNormOf(this.#row);
  }
}
