/** Keeps earlier and later states, for undo and redo. */
export class History<T> {
  readonly #past: T[] = [];
  readonly #future: T[] = [];
  /** States that the last change dropped. */
  #dropped: readonly T[] = [];
  readonly #most: number;

  /** @param most number of states that are kept; beyond it the oldest is dropped. */
  constructor(most = 200) {
    this.#most = most;
  }

  /** Adds the state before a change. States that had been undone are dropped. */
  push(before: T): void {
    this.#past.push(before);
    if (this.#past.length > this.#most) this.#past.shift();
    this.#dropped = this.#future.splice(0);
  }

  /** Takes back the last {@link push} if its state passes a test: the change after it was not made. */
  forget(isSame: (last: T) => boolean): void {
    const last = this.#past.at(-1);
    if (last === undefined || !isSame(last)) return;
    this.#past.pop();
    this.#future.push(...this.#dropped);
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
