/** The latest ids, each with a sequence number. */
export class RecentIds {
  /** Largest number of ids. */
  readonly limit: number;
  readonly #sequences = new Map<string, number>();
  /** A ring; a `Map` finds its oldest key slowly after many were deleted. */
  readonly #order: string[] = [];
  #oldest = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get(id: string): number | undefined {
    return this.#sequences.get(id);
  }

  /** Adds an id, and forgets the oldest one if there are too many. An id that is there keeps its sequence number. */
  add(id: string, sequence: number): void {
    if (this.limit === 0 || this.#sequences.has(id)) return;
    if (this.#order.length < this.limit) this.#order.push(id);
    else {
      this.#sequences.delete(this.#order[this.#oldest]!);
      this.#order[this.#oldest] = id;
      this.#oldest = (this.#oldest + 1) % this.limit;
    }
    this.#sequences.set(id, sequence);
  }

  /** Returns the ids with their sequence numbers, the oldest first. */
  list(): [id: string, sequence: number][] {
    const order = [...this.#order.slice(this.#oldest), ...this.#order.slice(0, this.#oldest)];
    return order.map((id) => [id, this.#sequences.get(id)!]);
  }
}
