import type { StoredBatch } from '../batch.ts';
import { RowSelection } from './split.ts';

/**
 * Leaves out the rows of importance 0, which are as good as absent: nothing is learned from them or judged on them, they are in no count, and
 * no chance is drawn for them. Rows keep the numbers that they have in the data.
 */
export class ImportantRows {
  readonly #selection = new RowSelection();
  #numbers = new Uint32Array(0);
  /** Rows seen, those left out included. */
  #seen = 0;
  /** Numbers in the data, from 0, of the rows left out so far; rising. */
  readonly leftOut: number[] = [];

  /** The rows of the next batch whose importance is above 0; valid until the next call, and as long as `batch` is. */
  of(batch: StoredBatch): StoredBatch {
    const { rows, importance } = batch;
    const first = this.#seen;
    this.#seen += rows;
    if (importance === null || !importance.subarray(0, rows).includes(0)) return batch;
    if (this.#numbers.length < rows) this.#numbers = new Uint32Array(rows);
    let count = 0;
    for (let i = 0; i < rows; i++)
      if (importance[i]! > 0) this.#numbers[count++] = i;
      else this.leftOut.push(first + i);
    return this.#selection.select(batch, this.#numbers, count);
  }

  /** The number in the data, from 0, of the row that is at `place` among those not left out. */
  numberOf(place: number): number {
    return numberAround(this.leftOut, place);
  }
}

/** The number, from 0, of what is at `place` among the numbers that are not in `leftOut`, which rises. */
export function numberAround(leftOut: readonly number[], place: number): number {
  // leftOut[k] − k others come before leftOut[k]; this does not fall with k.
  let low = 0;
  let high = leftOut.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (leftOut[middle]! - middle <= place) low = middle + 1;
    else high = middle;
  }
  return place + low;
}
