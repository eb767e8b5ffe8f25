/** What was there before and after: undo and redo. */
export class History<T> {
  readonly #past: T[] = [];
  readonly #future: T[] = [];
  readonly #most: number;

  /** @param most how many steps back there are; the oldest is forgotten. */
  constructor(most = 200) {
    this.#most = most;
  }

  /** Remembers what there was before a change. What had been undone can no longer be redone. */
  push(before: T): void {
    this.#past.push(before);
    if (this.#past.length > this.#most) this.#past.shift();
    this.#future.length = 0;
  }

  undo(now: T): T | null {
    const before = this.#past.pop();
    if (before === undefined) return null;
    this.#future.push(now);
    return before;
  }

  redo(now: T): T | null {
    const after = this.#future.pop();
    if (after === undefined) return null;
    this.#past.push(now);
    return after;
  }
}
