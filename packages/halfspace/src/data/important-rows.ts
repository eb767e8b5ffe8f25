import type { StoredBatch } from '../batch.ts';
import { RowSelection } from './split.ts';

/**
 * Removes the rows of importance 0. Such a row counts as absent: it is not learned from or judged on, is in no count,
 * and draws no random number. The other rows keep their row numbers.
 */
export class ImportantRows {
  readonly #selection = new RowSelection();
  #numbers = new Uint32Array(0);
  /** Number of rows so far, removed ones included. */
  #seen = 0;
  /** Row numbers, from 0, of the removed rows; rising. */
  readonly leftOut: number[] = [];

  /** Returns the rows of the next batch with importance above 0; valid until the next call and with `batch`. */
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

  /** Returns the row number, from 0, of the kept row at position `place`. */
  numberOf(place: number): number {
    return numberAround(this.leftOut, place);
  }
}

/** Returns the number at position `place` among 0, 1, 2, … without the rising numbers `leftOut`. */
export function numberAround(leftOut: readonly number[], place: number): number {
  // leftOut[k] − k kept numbers come before leftOut[k]; this never falls with k.
  let low = 0;
  let high = leftOut.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (leftOut[middle]! - middle <= place) low = middle + 1;
    else high = middle;
  }
  return place + low;
}
