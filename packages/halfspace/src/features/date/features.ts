import { readerOf } from '../cell-forms.ts';
import { type ColumnFeatures, WordMeanings } from '../column-features.ts';
import { NumericFeature } from '../number/features.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import type { DateColumn } from '../table-encoding.ts';
import { partFeatures, unmarked } from './row.ts';

/** Features of a date: the date as a number, then one feature per value of each part, then the missing indicator. */
export class DateFeatures implements ColumnFeatures {
  readonly name: string;
  readonly isEven = false;
  readonly #date: NumericFeature;
  readonly #putParts: (day: number, put: (index: number) => void) => void;
  readonly #meanings: WordMeanings<Float64Array>;
  /** Days since 1970-01-01 of the rows that were read; NaN: missing. */
  #days = new Float64Array(0);

  /** @param first position of the first feature. */
  constructor(column: DateColumn, first: number, standardize: boolean) {
    this.name = column.name;
    this.#date = new NumericFeature(unmarked(column), first, standardize);
    this.#putParts = partFeatures(column, first + 1);
    this.#meanings = new WordMeanings(Float64Array, readerOf(column));
  }

  read(cells: ColumnCells | null, chunk: TableChunk): void {
    const { rows } = chunk;
    this.#date.read(cells, chunk);
    if (this.#days.length < rows) this.#days = new Float64Array(rows);
    const days = this.#days;
    if (cells === null) days.fill(Number.NaN, 0, rows);
    else if (cells instanceof Float64Array) days.set(cells.subarray(0, rows));
    else {
      const meanings = this.#meanings.of(cells.words);
      for (let i = 0; i < rows; i++) days[i] = meanings[cells.codes[i]!]!;
    }
  }

  count(counts: Uint32Array, rows: number): void {
    this.#date.count(counts, rows);
    for (let i = 0; i < rows; i++)
      this.#putParts(this.#days[i]!, () => {
        counts[i + 1]!++;
      });
  }

  /** Never called, because rows of dates with parts are not even. */
  appendEvenly(): void {}

  append(ends: Uint32Array, indices: Uint32Array, values: Float64Array, rows: number): void {
    this.#date.append(ends, indices, values, rows);
    for (let i = 0; i < rows; i++)
      this.#putParts(this.#days[i]!, (index) => {
        const k = ends[i + 1]!++;
        indices[k] = index;
        values[k] = 1;
      });
  }
}
