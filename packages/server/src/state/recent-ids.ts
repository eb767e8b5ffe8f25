import { crc32c } from '../journal/crc32c.ts';

/** An id that was used, and what for. */
export interface UsedId {
  readonly sequence: number;
  /** As of {@link contentOf}. */
  readonly content: string;
}

/** Returns a short digest of the parts of what an id stands for: 8 characters for each. */
export function contentOf(...parts: readonly string[]): string {
  return parts.map((part) => crc32c(Buffer.from(part)).toString(16).padStart(8, '0')).join('');
}

/** Returns an id and its content as one text, as a record has them. */
export function recordedId(id: string, content: string): string {
  return `${id}\0${content}`;
}

/** Returns the id of a {@link recordedId}. */
export function idOf(recorded: string): string {
  return recorded.slice(0, recorded.lastIndexOf('\0'));
}

/** The latest ids as records have them, each with a sequence number. */
export class RecentIds {
  /** Largest number of ids. */
  readonly limit: number;
  /** Rings: a `Map` finds its oldest key slowly after many were deleted. */
  readonly #recorded: string[] = [];
  readonly #sequences: number[] = [];
  #oldest = 0;
  /** Places in the rings by id. Made by the first call of {@link get}: a replay of the journal asks for none. */
  #places: Map<string, number> | null = null;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Number of ids. */
  get count(): number {
    return this.#recorded.length;
  }

  get(id: string): UsedId | undefined {
    this.#places ??= new Map(this.#recorded.map((recorded, at) => [idOf(recorded), at]));
    const at = this.#places.get(id);
    if (at === undefined) return undefined;
    return { sequence: this.#sequences[at]!, content: this.#recorded[at]!.slice(id.length + 1) };
  }

  /** Adds an id that is not there, and forgets the oldest one if there are too many. */
  add(recorded: string, sequence: number): void {
    if (this.limit === 0) return;
    let at = this.#recorded.length;
    if (at === this.limit) {
      at = this.#oldest;
      this.#places?.delete(idOf(this.#recorded[at]!));
      this.#oldest = at + 1 === this.limit ? 0 : at + 1;
    }
    this.#recorded[at] = recorded;
    this.#sequences[at] = sequence;
    this.#places?.set(idOf(recorded), at);
  }

  /** Returns what was added, the oldest first. */
  list(): [recorded: string, sequence: number][] {
    const { length } = this.#recorded;
    return Array.from({ length }, (_, k) => {
      const at = (this.#oldest + k) % length;
      return [this.#recorded[at]!, this.#sequences[at]!];
    });
  }
}
