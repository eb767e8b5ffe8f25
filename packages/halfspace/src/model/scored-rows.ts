import { HalfspaceError } from '../errors.ts';

/** Examples with their scores. */
export interface ScoredExamples {
  /** Number of scores of an example: 1 for two classes, else one for each class. */
  readonly outputs: number;
  /** Row by row. */
  readonly scores: Float64Array;
  /** −1 or +1; with several outputs, positions of classes. */
  readonly labels: Float64Array;
}

/**
 * Keeps scores and labels of rows in memory: 16 bytes per row for two classes, up to twice that with reserve. Beyond
 * {@link ScoredRows.most} scores it keeps nothing, so memory does not grow with the data.
 */
export class ScoredRows {
  /** Number of scores of a row: 1 for two classes, else one for each class. */
  readonly outputs: number;
  #scores = new Float64Array(0);
  #labels = new Float64Array(0);
  #rows = 0;
  #complete = true;

  /** Largest number of scores kept. */
  static readonly most = 2 ** 20;

  /** @param outputs number of scores of a row. Default 1, for two classes. */
  constructor(outputs = 1) {
    this.outputs = outputs;
  }

  /** True if all rows so far are kept; false if none is. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Copies scores and labels of a batch, as `onScores` of `evaluate`. @throws HalfspaceError `memory-exhausted`. */
  readonly add = (scores: Float64Array, labels: Float64Array): void => {
    if (!this.#complete) return;
    const { outputs } = this;
    const rows = this.#rows + labels.length;
    if (rows * outputs > ScoredRows.most) {
      this.#complete = false;
      this.#rows = 0;
      this.#scores = this.#labels = new Float64Array(0);
      return;
    }
    if (rows > this.#labels.length) {
      const most = Math.floor(ScoredRows.most / outputs);
      const capacity = Math.min(most, Math.max(1024, rows, 2 * this.#labels.length));
      this.#scores = grown(this.#scores, capacity * outputs);
      this.#labels = grown(this.#labels, capacity);
    }
    this.#scores.set(scores, this.#rows * outputs);
    this.#labels.set(labels, this.#rows);
    this.#rows = rows;
  };

  /** A view of the scores so far, row by row. */
  get scores(): Float64Array {
    return this.#scores.subarray(0, this.#rows * this.outputs);
  }

  /** A view of the labels so far: −1 or +1; with several outputs, positions of classes. */
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
