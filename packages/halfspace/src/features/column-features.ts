import type { ColumnCells, TableChunk, WordCells } from './table-chunk.ts';

/** What a column contributes to rows. `read` comes first and says how many cells are unseen; the others use what it left. */
export interface ColumnFeatures extends ReadFeatures {
  readonly name: string;
  read(cells: ColumnCells | null, chunk: TableChunk): number;
  /** Tells the features of one field, and returns 1 when it names a category that training had not seen, else 0. */
  one(value: unknown, put: (index: number, value: number) => void): number;
}

/** The features of rows that were read. */
export interface ReadFeatures {
  /** Adds to counts[i + 1] the number of row i's features that are not 0. */
  count(counts: Uint32Array, rows: number): void;
  /** Whether each of the rows that were read has exactly one feature that is not 0. */
  readonly isEven: boolean;
  /** Writes row i's features at i · stride + at, where all are even. */
  appendEvenly(indices: Uint32Array, values: Float64Array, at: number, stride: number, rows: number): void;
  /** Writes row i's features at ends[i + 1] and moves that forward. */
  append(ends: Uint32Array, indices: Uint32Array, values: Float64Array, rows: number): void;
}

/** What the words of a list mean, each looked at once for as long as the same list comes, which may grow. */
export class WordMeanings<A extends Float64Array | Int32Array> {
  readonly #Array: new (
    length: number,
  ) => A;
  readonly #meaningOf: (word: string | null) => number;
  #words: WordCells['words'] | null = null;
  #known = 0;
  #meanings: A;

  constructor(Numbers: new (length: number) => A, meaningOf: (word: string | null) => number) {
    this.#Array = Numbers;
    this.#meaningOf = meaningOf;
    this.#meanings = new Numbers(0);
  }

  of(words: WordCells['words']): A {
    if (words !== this.#words) {
      this.#words = words;
      this.#known = 0;
    }
    if (words.length > this.#meanings.length) {
      const grown = new this.#Array(words.length * 2);
      grown.set(this.#meanings);
      this.#meanings = grown;
    }
    for (; this.#known < words.length; this.#known++)
      this.#meanings[this.#known] = this.#meaningOf(words[this.#known]!);
    return this.#meanings;
  }
}
