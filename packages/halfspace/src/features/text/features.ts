import type { ColumnFeatures } from '../column-features.ts';
import type { Put } from '../column-row.ts';
import { cellText } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import { UnknownTally } from '../unknown.ts';

/** Passes the features of a text to `put`, indices rising; null: the text is missing. */
export type EncodeText = (text: string | null, put: Put) => void;

/** Features of a text or a set by columns: any number in a cell. */
export class TextFeatures implements ColumnFeatures {
  readonly name: string;
  readonly isEven = false;
  readonly #unlisted = new UnknownTally();
  readonly #encode: EncodeText;
  readonly #rareLevels: number;
  /** Features of the rows that were read: row i has those in [ends[i − 1], ends[i]). */
  #ends = new Uint32Array(0);
  #indices = new Uint32Array(256);
  #values = new Float64Array(256);

  /**
   * @param encoder makes the encoder of a text, which counts the unknown values.
   * @param rareLevels number of rare levels in training, which are not listed. Default 0.
   */
  constructor(name: string, encoder: (unknown: UnknownTally) => EncodeText, rareLevels = 0) {
    this.name = name;
    this.#encode = encoder(this.#unlisted);
    this.#rareLevels = rareLevels;
  }

  get unknown(): UnknownTally {
    return this.#unlisted.beyond(this.#rareLevels);
  }

  read(cells: ColumnCells | null, { rows }: TableChunk): void {
    if (this.#ends.length < rows) this.#ends = new Uint32Array(rows);
    if (cells instanceof Float64Array) throw new TypeError(`column ${this.name} must come as words`);
    let total = 0;
    const put = (index: number, value: number) => {
      if (total === this.#indices.length) this.#grow();
      this.#indices[total] = index;
      this.#values[total++] = value;
    };
    for (let i = 0; i < rows; i++) {
      const text = cells === null ? null : cellText(cells.words[cells.codes[i]!]!);
      this.#encode(text, put);
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

  /** Never called, because rows of any number of features are not even. */
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
