import { HalfspaceError } from '../errors.ts';

/**
 * Scores and labels of rows as they are judged, kept in memory: 16 bytes a row, and up to as much again in reserve. Beyond
 * {@link ScoredRows.most} rows nothing is kept any more, so that memory does not grow with the data.
 */
export class ScoredRows {
  #scores = new Float64Array(0);
  #labels = new Float64Array(0);
  #rows = 0;
  #complete = true;

  /** Rows that are kept at most. */
  static readonly most = 2 ** 20;

  /** Whether all rows that came are kept. If not, none is. */
  get complete(): boolean {
    return this.#complete;
  }

  /**
   * Copies the scores and the labels of a batch, as `evaluate` hands them to `onScores`.
   *
   * @throws HalfspaceError `memory-exhausted`.
   */
  readonly add = (scores: Float64Array, labels: Float64Array): void => {
    if (!this.#complete) return;
    const rows = this.#rows + scores.length;
    if (rows > ScoredRows.most) {
      this.#complete = false;
      this.#rows = 0;
      this.#scores = this.#labels = new Float64Array(0);
      return;
    }
    if (rows > this.#scores.length) {
      const capacity = Math.min(ScoredRows.most, Math.max(1024, rows, 2 * this.#scores.length));
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
