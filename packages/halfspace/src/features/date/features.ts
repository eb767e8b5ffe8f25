import { type ColumnFeatures, WordMeanings } from '../column-features.ts';
import { NumericFeature } from '../number/features.ts';
import { valueCell, wordCell } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import type { DateColumn } from '../table-encoding.ts';
import { partOf, partWidths } from './parts.ts';

/** Features of a date: the date as a number, then one feature per value of each part, then the missing indicator. */
export class DateFeatures implements ColumnFeatures {
  readonly name: string;
  readonly isEven = false;
  readonly #date: NumericFeature;
  readonly #parts: readonly { readonly part: NonNullable<DateColumn['parts']>[number]; readonly first: number }[];
  /** The feature of a missing value, or −1. */
  readonly #indicator: number;
  readonly #meanings = new WordMeanings(Float64Array, (word) => wordCell('date', word));
  /** Days since 1970-01-01 of the rows that were read; NaN: missing. */
  #days = new Float64Array(0);

  /** @param first position of the first feature. */
  constructor(column: DateColumn, first: number, standardize: boolean) {
    this.name = column.name;
    this.#date = new NumericFeature(
      { ...column, missing: { ...column.missing, indicator: false } },
      first,
      standardize,
    );
    let next = first + 1;
    this.#parts = column.parts!.map((part) => {
      const own = { part, first: next };
      next += partWidths[part];
      return own;
    });
    this.#indicator = column.missing.indicator ? next : -1;
  }

  read(cells: ColumnCells | null, chunk: TableChunk): number {
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
    return 0;
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

  one(value: unknown, put: (index: number, value: number) => void): number {
    this.#date.one(value, put);
    this.#putParts(valueCell('date', value), (index) => put(index, 1));
    return 0;
  }

  /** Passes the features after the number to `put`; all have the value 1. */
  #putParts(day: number, put: (index: number) => void): void {
    if (Number.isNaN(day)) {
      if (this.#indicator >= 0) put(this.#indicator);
      return;
    }
    for (const { part, first } of this.#parts) {
      const value = partOf(part, day);
      if (value >= 0) put(first + value);
    }
  }
}
