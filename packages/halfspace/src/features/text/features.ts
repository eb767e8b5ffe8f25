import type { ColumnFeatures } from '../column-features.ts';
import { cellText } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import type { TextColumn } from '../table-encoding.ts';
import { UnknownTally } from '../unknown.ts';
import { TermFeatures } from './term-features.ts';

/** Features of a text by columns; see {@link TermFeatures}. */
export class TextFeatures implements ColumnFeatures {
  readonly name: string;
  readonly isEven = false;
  readonly unknown = new UnknownTally();
  readonly #terms: TermFeatures;
  /** Features of the rows that were read: row i has those in [ends[i − 1], ends[i]). */
  #ends = new Uint32Array(0);
  #indices = new Uint32Array(256);
  #values = new Float64Array(256);

  /** @param first position of the first term's feature. */
  constructor(column: TextColumn, first: number) {
    this.name = column.name;
    this.#terms = new TermFeatures(column, first, this.unknown);
  }

  read(cells: ColumnCells | null, { rows }: TableChunk): void {
    if (this.#ends.length < rows) this.#ends = new Uint32Array(rows);
    if (cells instanceof Float64Array) throw new TypeError(`text column ${this.name} must come as words`);
    let total = 0;
    const put = (index: number, value: number) => {
      if (total === this.#indices.length) this.#grow();
      this.#indices[total] = index;
      this.#values[total++] = value;
    };
    for (let i = 0; i < rows; i++) {
      const text = cells === null ? null : cellText(cells.words[cells.codes[i]!]!);
      this.#terms.encode(text, put);
      this.#ends[i] = total;
    }
  }

  #grow(): void {
    const indices = new Uint32Array(this.#indices.length * 2);
    indices.set(this.#indices);
    this.#indices = indices;
    const values = new Float64Array(this.#values.length * 2);
    values.set(this.#values);
    this.#values = values;
  }

  count(counts: Uint32Array, rows: number): void {
    for (let i = 0, from = 0; i < rows; i++) {
      const to = this.#ends[i]!;
      counts[i + 1]! += to - from;
      from = to;
    }
  }

  /** Never called, because rows of text are not even. */
  appendEvenly(): void {}

  append(ends: Uint32Array, indices: Uint32Array, values: Float64Array, rows: number): void {
    for (let i = 0, from = 0; i < rows; i++) {
      const to = this.#ends[i]!;
      let k = ends[i + 1]!;
      for (; from < to; from++, k++) {
        indices[k] = this.#indices[from]!;
        values[k] = this.#values[from]!;
      }
      ends[i + 1] = k;
    }
  }
}
