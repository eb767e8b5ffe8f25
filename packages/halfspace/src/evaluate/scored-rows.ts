import { HalfspaceError } from '../errors.ts';

/** Scores and labels of rows as they are judged, kept in memory: 16 bytes a row, and up to as much again in reserve. */
export class ScoredRows {
  #scores = new Float64Array(0);
  #labels = new Float64Array(0);
  #rows = 0;

  /**
   * Copies the scores and the labels of a batch, as `evaluate` hands them to `onScores`.
   *
   * @throws HalfspaceError `memory-exhausted`.
   */
  readonly add = (scores: Float64Array, labels: Float64Array): void => {
    const rows = this.#rows + scores.length;
    if (rows > this.#scores.length) {
      const capacity = Math.max(1024, rows, 2 * this.#scores.length);
      this.#scores = grown(this.#scores, capacity);
      this.#labels = grown(this.#labels, capacity);
    }
    this.#scores.set(scores, this.#rows);
    this.#labels.set(labels, this.#rows);
    this.#rows = rows;
  };

  /** A view of what has come so far. */
  get scores(): Float64Array {
    return this.#scores.subarray(0, this.#rows);
  }

  /** A view of what has come so far, −1 or +1. */
  get labels(): Float64Array {
    return this.#labels.subarray(0, this.#rows);
  }
}

function grown(values: Float64Array<ArrayBuffer>, capacity: number): Float64Array<ArrayBuffer> {
  try {
    const copy = new Float64Array(capacity);
    copy.set(values);
    return copy;
  } catch {
    throw new HalfspaceError('memory-exhausted', `expected memory for the scores of ${capacity} rows; got none`);
  }
}
