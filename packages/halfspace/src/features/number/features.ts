import { readerOf } from '../cell-forms.ts';
import { type ColumnFeatures, WordMeanings } from '../column-features.ts';
import { levelOf, type ReadWord, refusedCell } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import { type MeasuredColumn, type MeasuredKind, numberLevels } from '../table-encoding.ts';
import { type Scaling, scalingOf } from './row.ts';

/**
 * Features of a number, boolean or date by columns: the value, one for each word in its place, then the indicator of a
 * missing value.
 */
export class NumericFeature implements ColumnFeatures {
  readonly name: string;
  readonly #first: number;
  readonly #kind: MeasuredKind;
  readonly #readWord: ReadWord;
  readonly #scaling: Scaling;
  readonly #indicator: boolean;
  readonly #levels: number;
  readonly #width: number;
  readonly #meanings: WordMeanings<Float64Array>;
  isEven = false;
  /** Scaled values of the rows that were read; NaN: missing, or a word. */
  #read = new Float64Array(0);
  /** Of a column with words: the number of the word in each row, from 1; 0: none. */
  #words = new Uint8Array(0);

  /** @param first position of the feature. */
  constructor(column: MeasuredColumn, first: number, standardize: boolean) {
    const { kind } = column;
    this.name = column.name;
    this.#first = first;
    this.#kind = kind;
    this.#readWord = readerOf(column);
    this.#scaling = scalingOf(column, standardize);
    this.#indicator = column.missing.indicator;
    this.#levels = numberLevels(column).length;
    this.#width = 1 + this.#levels + (this.#indicator ? 1 : 0);
    this.#meanings = new WordMeanings(Float64Array, this.#readWord);
  }

  read(cells: ColumnCells | null, chunk: TableChunk): void {
    const { rows } = chunk;
    if (this.#read.length < rows) {
      this.#read = new Float64Array(rows);
      if (this.#levels > 0) this.#words = new Uint8Array(rows);
    }
    const out = this.#read;
    this.isEven = false;
    this.#words.fill(0);
    if (cells === null) {
      out.fill(Number.NaN, 0, rows);
      return;
    }
    const { mean, deviation } = this.#scaling;
    const meaning = cells instanceof Float64Array ? cells : this.#meanings.of(cells.words);
    const codes = cells instanceof Float64Array ? null : cells.codes;
    let others = 0; // values that are 0 or not finite
    for (let i = 0; i < rows; i++) {
      const value = (meaning[codes === null ? i : codes[i]!]! - mean) / deviation;
      out[i] = value;
      if (value === 0 || value - value !== 0) others++;
    }
    this.isEven = others === 0;
    for (let i = 0; this.#levels > 0 && i < rows; i++) {
      const level = levelOf(meaning[codes === null ? i : codes[i]!]!, this.#levels);
      if (level < 0) continue;
      out[i] = Number.NaN;
      this.#words[i] = level + 1;
      this.isEven = false;
    }
    if (others > 0) for (let i = 0; i < rows; i++) if (Math.abs(out[i]!) === Infinity) this.#refuse(cells, i, chunk);
  }

  /** Returns the position beside the number of the feature that is 1 in a row without one; 0: none. */
  #markOf(i: number): number {
    const word = this.#levels > 0 ? this.#words[i]! : 0;
    return word === 0 && this.#indicator ? this.#levels + 1 : word;
  }

  #refuse(cells: ColumnCells, i: number, { source, firstRow = 0 }: TableChunk): never {
    const where = { ...(source === undefined ? {} : { source }), row: firstRow + i + 1, field: this.name };
    const words = cells instanceof Float64Array ? null : cells;
    const cell = words === null ? (cells as Float64Array)[i]! : this.#readWord(words.words[words.codes[i]!]!);
    throw refusedCell(this.#kind, cell, words === null ? cell : words.words[words.codes[i]!], where);
  }

  /** Writes the features of rows [from, to) to a dense matrix with `dimension` columns. */
  fillDense(values: Float64Array, from: number, to: number, dimension: number): void {
    const read = this.#read;
    const { filled } = this.#scaling;
    const width = this.#width;
    let at = this.#first + from * dimension;
    if (this.isEven && width === 1) {
      for (let i = from; i < to; i++, at += dimension) values[at] = read[i]!;
      return;
    }
    for (let i = from; i < to; i++, at += dimension) {
      const value = read[i]!;
      const isMissing = Number.isNaN(value);
      values[at] = isMissing ? filled : value;
      for (let j = 1; j < width; j++) values[at + j] = 0;
      const mark = isMissing ? this.#markOf(i) : 0;
      if (mark > 0) values[at + mark] = 1;
    }
  }

  count(counts: Uint32Array, rows: number): void {
    const read = this.#read;
    const whenMissing = this.#scaling.filled === 0 ? 0 : 1;
    for (let i = 0; i < rows; i++) {
      const value = read[i]!;
      if (Number.isNaN(value)) counts[i + 1]! += whenMissing + (this.#markOf(i) > 0 ? 1 : 0);
      else if (value !== 0) counts[i + 1]!++;
    }
  }

  appendEvenly(indices: Uint32Array, values: Float64Array, at: number, stride: number, rows: number): void {
    const read = this.#read;
    const first = this.#first;
    for (let i = 0, k = at; i < rows; i++, k += stride) {
      indices[k] = first;
      values[k] = read[i]!;
    }
  }

  append(ends: Uint32Array, indices: Uint32Array, values: Float64Array, rows: number): void {
    const read = this.#read;
    const first = this.#first;
    const { filled } = this.#scaling;
    for (let i = 0; i < rows; i++) {
      const value = read[i]!;
      const isMissing = Number.isNaN(value);
      let k = ends[i + 1]!;
      const feature = isMissing ? filled : value;
      if (feature !== 0) {
        indices[k] = first;
        values[k++] = feature;
      }
      const mark = isMissing ? this.#markOf(i) : 0;
      if (mark > 0) {
        indices[k] = first + mark;
        values[k++] = 1;
      }
      ends[i + 1] = k;
    }
  }
}
