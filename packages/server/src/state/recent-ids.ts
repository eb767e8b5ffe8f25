/** The latest ids, each with a sequence number. */
export class RecentIds {
  /** Largest number of ids. */
  readonly limit: number;
  /** Rings: a `Map` finds its oldest key slowly after many were deleted. */
  readonly #ids: string[] = [];
  readonly #sequences: number[] = [];
  #oldest = 0;
  /** Made by the first call of {@link get}, because a replay of the journal asks for none. */
  #sequenceOf: Map<string, number> | null = null;

  constructor(limit: number) {
    this.limit = limit;
  }

  get(id: string): number | undefined {
    this.#sequenceOf ??= new Map(this.list());
    return this.#sequenceOf.get(id);
  }

  /** Adds an id that is not there, and forgets the oldest one if there are too many. */
  add(id: string, sequence: number): void {
    if (this.limit === 0) return;
    if (this.#ids.length < this.limit) {
      this.#ids.push(id);
      this.#sequences.push(sequence);
    } else {
      const oldest = this.#oldest;
      this.#sequenceOf?.delete(this.#ids[oldest]!);
      this.#ids[oldest] = id;
      this.#sequences[oldest] = sequence;
      this.#oldest = oldest + 1 === this.limit ? 0 : oldest + 1;
    }
    this.#sequenceOf?.set(id, sequence);
  }

  /** Returns the ids with their sequence numbers, the oldest first. */
  list(): [id: string, sequence: number][] {
    const { length } = this.#ids;
    return Array.from({ length }, (_, k) => {
      const at = (this.#oldest + k) % length;
      return [this.#ids[at]!, this.#sequences[at]!];
    });
  }
}
