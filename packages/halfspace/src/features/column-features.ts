import type { ColumnCells, TableChunk, WordCells } from './table-chunk.ts';
import type { UnknownTally } from './unknown.ts';

/**
 * Turns the cells of one column into features; {@link ColumnRow} does so for single fields. Call `read` first; the
 * other methods use its rows.
 */
export interface ColumnFeatures extends ReadFeatures {
  readonly name: string;
  /** The categories or words of all rows so far, and those that training did not have. Absent: no value is unknown. */
  readonly unknown?: UnknownTally;
  /** Reads the cells of some rows; null: all missing. */
  read(cells: ColumnCells | null, chunk: TableChunk): void;
}

/** The features of the rows that were read last. */
export interface ReadFeatures {
  /** Adds the number of nonzero features of row i to counts[i + 1]. */
  count(counts: Uint32Array, rows: number): void;
  /** True if each of these rows has exactly one nonzero feature. */
  readonly isEven: boolean;
  /** Writes the only feature of row i to position i · stride + at. Only if `isEven`. */
  appendEvenly(indices: Uint32Array, values: Float64Array, at: number, stride: number, rows: number): void;
  /** Writes the features of row i from position ends[i + 1], and adds their number to ends[i + 1]. */
  append(ends: Uint32Array, indices: Uint32Array, values: Float64Array, rows: number): void;
}

/** Converts words to numbers, each word once as long as the same list is passed. The list may grow. */
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
