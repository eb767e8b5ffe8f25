import type { HoldoutSplit } from '../data/split.ts';

/** Advice on rows that cannot be read. */
export const skipping = 'onReject skips such rows (--on-error skip of the command)';

/** Flags the bad rows of a chunk. */
export class BadRows {
  count = 0;
  #flags = new Uint8Array(0);
  #kept = new Uint32Array(0);
  #held = new Uint32Array(0);

  /** Starts the next chunk. @param damaged flags of the rows that are already known to be bad. */
  begin(rows: number, damaged: Uint8Array | null): this {
    if (this.#flags.length < rows) this.#flags = new Uint8Array(rows);
    // Few chunks have bad rows.
    if (this.count > 0) this.#flags.fill(0);
    this.count = 0;
    for (let i = 0; damaged !== null && i < rows; i++) if (damaged[i] !== 0) this.add(i);
    return this;
  }

  has(row: number): boolean {
    return this.#flags[row] === 1;
  }

  add(row: number): void {
    if (!this.has(row)) this.count++;
    this.#flags[row] = 1;
  }

  /**
   * Returns the positions of the good rows that are not held out; valid until the next call.
   *
   * @param classes the class of each row, for `split`.
   */
  keptRows(rows: number, split: HoldoutSplit | null, classes: ArrayLike<number>): Uint32Array {
    if (this.#kept.length < rows) {
      this.#kept = new Uint32Array(rows);
      this.#held = new Uint32Array(rows);
    }
    const kept = this.#kept;
    if (this.count === 0 && split !== null) return kept.subarray(0, split.nextInto(classes, rows, kept, this.#held));
    let count = 0;
    for (let i = 0; i < rows; i++) if (!this.has(i) && !(split?.next(classes[i]!) ?? false)) kept[count++] = i;
    return kept.subarray(0, count);
  }
}
