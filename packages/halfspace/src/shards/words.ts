import { refusedCell } from '../features/table-cell.ts';
import type { WordCells } from '../features/table-chunk.ts';

/** Gives the texts of columns codes. Words are numbered in the order in which they come. */
export class Words {
  readonly #codes = new Map<string | null, number>();
  readonly #words: (string | null)[] = [];
  readonly #ofDoubles = new Map<number, number>();

  /** Does the same as `of` for doubles without null, and writes each of them once. @param name of the column. */
  ofDoubles(values: Float64Array, name: string): WordCells {
    const codes = new Uint32Array(values.length);
    for (let i = 0; i < codes.length; i++) {
      const value = values[i]!;
      let code = this.#ofDoubles.get(value);
      if (code === undefined) {
        if (!Number.isFinite(value)) throw refusedCell('number', Infinity, value, { row: i + 1, field: name });
        [code] = this.of(() => String(value), 1).codes as unknown as [number];
        this.#ofDoubles.set(value, code);
      }
      codes[i] = code;
    }
    return { codes, words: this.#words };
  }

  of(texts: (i: number) => string | null, rows: number): WordCells {
    const codes = new Uint32Array(rows);
    for (let i = 0; i < rows; i++) {
      const text = texts(i);
      let code = this.#codes.get(text);
      if (code === undefined) {
        code = this.#words.push(text) - 1;
        this.#codes.set(text, code);
      }
      codes[i] = code;
    }
    return { codes, words: this.#words };
  }
}
