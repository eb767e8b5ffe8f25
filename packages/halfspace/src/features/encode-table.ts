import { CategoryFeatures } from './category/features.ts';
import type { ColumnFeatures } from './column-features.ts';
import { type CrossableFeatures, CrossFeatures } from './cross/features.ts';
import { DateFeatures } from './date/features.ts';
import { NumericFeature } from './number/features.ts';
import { IntervalFeatures } from './number/intervals.ts';
import { fieldsOf, noKnownField } from './record.ts';
import type { EncodedRows, TableChunk } from './table-chunk.ts';
import { columnWidth, dimension, isDense, type TableColumn, type TableEncoding } from './table-encoding.ts';
import { TextFeatures } from './text/features.ts';

/** Number of dense rows that are filled together, column by column, so that they stay in the fastest cache. */
const denseRows = 64;

/** An encoded row: all features, or the nonzero ones with rising indices. */
export type EncodedRow = Float64Array | { readonly indices: Uint32Array; readonly values: Float64Array };

/**
 * Encodes rows of a table. Columns and plain objects give the same numbers, to the bit.
 *
 * Batches are dense if every column is a number, boolean or date with one feature; else sparse, without zeros.
 */
export class TableEncoder {
  readonly encoding: TableEncoding;
  /** Number of features. */
  readonly dimension: number;
  /** Number of cells so far with a category unknown in training; such a cell has no feature. */
  unseen = 0;
  readonly #columns: readonly ColumnFeatures[];
  readonly #crosses: readonly CrossFeatures[];
  readonly #dense: boolean;
  readonly #buffers = new Buffers();

  constructor(encoding: TableEncoding) {
    this.encoding = encoding;
    this.dimension = dimension(encoding);
    this.#dense = isDense(encoding);
    let first = 0;
    this.#columns = encoding.columns.map((column) => {
      const at = first;
      first += columnWidth(column);
      return featuresOf(column, at, encoding.scale === 'standard');
    });
    this.#crosses = (encoding.crosses ?? []).map(({ columns, bits }) => {
      const crossed = columns.map((name) => this.#columns.find((column) => column.name === name)!);
      const cross = new CrossFeatures(crossed as [CrossableFeatures, CrossableFeatures], bits, first);
      first += cross.width;
      return cross;
    });
  }

  /**
   * Returns the rows of a chunk as a batch. Its arrays belong to this encoder or the chunk; valid until the next call.
   * @throws HalfspaceError `number-invalid` with the place of a refused cell.
   */
  encodeColumns(chunk: TableChunk): EncodedRows {
    const { rows } = chunk;
    this.#columns.forEach((column, c) => {
      this.unseen += column.read(chunk.columns[c] ?? null, chunk);
    });
    const buffers = this.#buffers;
    const common = {
      rows,
      dimension: this.dimension,
      labels: chunk.labels ?? buffers.noLabels(rows),
      importance: null,
    };
    if (this.#dense) {
      const values = buffers.valuesFor(rows * this.dimension);
      for (let i = 0; i < rows; i += denseRows)
        for (const column of this.#columns)
          (column as NumericFeature).fillDense(values, i, Math.min(rows, i + denseRows), this.dimension);
      return { kind: 'dense', ...common, values };
    }

    for (const cross of this.#crosses) cross.read(rows);
    const parts = [...this.#columns, ...this.#crosses];
    // Count the features of each row, compute where each row begins, then append column by column, so that indices
    // rise. Most batches are simpler: every column has one feature in every row.
    const offsets = buffers.offsetsFor(rows);
    const width = parts.length;
    if (parts.every(({ isEven }) => isEven)) {
      for (let i = 0; i <= rows; i++) offsets[i] = i * width;
      const values = buffers.valuesFor(rows * width);
      const indices = buffers.indicesFor(rows * width);
      parts.forEach((part, p) => {
        part.appendEvenly(indices, values, p, width, rows);
      });
      return { kind: 'sparse', ...common, offsets, indices, values };
    }
    offsets.fill(0, 0, rows + 1);
    for (const part of parts) part.count(offsets, rows);
    let total = 0;
    for (let i = 0; i < rows; i++) {
      const count = offsets[i + 1]!;
      offsets[i + 1] = total;
      total += count;
    }
    const values = buffers.valuesFor(total);
    const indices = buffers.indicesFor(total);
    for (const part of parts) part.append(offsets, indices, values, rows);
    return { kind: 'sparse', ...common, offsets, indices, values };
  }

  /**
   * Encodes a row given as a plain object. Fields may be numbers, booleans, dates or text, and are read like the cells
   * of a text table. A field that is absent, null or undefined is missing. Unknown fields are ignored, but a row
   * without any known field is refused.
   *
   * @returns new arrays.
   * @throws HalfspaceError `number-invalid`, `row-malformed` with the field; `row-malformed` if `row` is not an object
   *   of fields.
   */
  encodeRow(row: Readonly<Record<string, unknown>>): EncodedRow {
    if (this.#dense) {
      const dense = new Float64Array(this.dimension);
      this.eachFeature(row, (index, value) => {
        dense[index] = value;
      });
      return dense;
    }
    const indices: number[] = [];
    const values: number[] = [];
    this.eachFeature(row, (index, value) => {
      indices.push(index);
      values.push(value);
    });
    return { indices: Uint32Array.from(indices), values: Float64Array.from(values) };
  }

  /** Refuses a row without any known field. A field that is present but undefined counts as known. */
  #checkKnown(fields: Readonly<Record<string, unknown>>): void {
    const names = this.#columns.map(({ name }) => name);
    if (names.length > 0 && !names.some((name) => Object.hasOwn(fields, name))) throw noKnownField(fields, names);
  }

  /**
   * Passes the features of {@link encodeRow} to `emit`, indices rising, without making arrays: all features of a dense
   * row, the nonzero ones of a sparse row.
   * @throws HalfspaceError as `encodeRow`; features before the refused field have been passed by then.
   */
  eachFeature(row: Readonly<Record<string, unknown>>, emit: (index: number, value: number) => void): void {
    const put = this.#dense
      ? emit
      : (index: number, value: number) => {
          if (value !== 0) emit(index, value);
        };
    const fields = fieldsOf(row);
    let known = false;
    for (const column of this.#columns) {
      const value = fieldOf(fields, column.name);
      if (value !== undefined) known = true;
      this.unseen += column.one(value, put);
    }
    if (!known) this.#checkKnown(fields);
    for (const cross of this.#crosses) {
      const [a, b] = cross.columns;
      cross.one(fieldOf(row, a.name), fieldOf(row, b.name), put);
    }
  }
}

/** Returns a field; ignores inherited members such as `constructor`. */
function fieldOf(row: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

function featuresOf(column: TableColumn, first: number, standardize: boolean): ColumnFeatures {
  switch (column.kind) {
    case 'category':
      return new CategoryFeatures(column, first);
    case 'text':
      return new TextFeatures(column, first);
    case 'boolean':
      return new NumericFeature(column, first, standardize);
    default:
      if (column.kind === 'date' && column.parts !== undefined) return new DateFeatures(column, first, standardize);
      return column.edges === undefined
        ? new NumericFeature(column, first, standardize)
        : new IntervalFeatures(column, first);
  }
}

/** Arrays that are reused for every batch. */
class Buffers {
  #values = new Float64Array(0);
  #indices = new Uint32Array(0);
  #offsets = new Uint32Array(0);
  #noLabels = new Float64Array(0);

  valuesFor(length: number): Float64Array {
    if (this.#values.length < length) this.#values = new Float64Array(length);
    return this.#values;
  }

  indicesFor(length: number): Uint32Array {
    if (this.#indices.length < length) this.#indices = new Uint32Array(length);
    return this.#indices;
  }

  offsetsFor(rows: number): Uint32Array {
    if (this.#offsets.length < rows + 1) this.#offsets = new Uint32Array(rows + 1);
    return this.#offsets;
  }

  noLabels(rows: number): Float64Array {
    if (this.#noLabels.length < rows) this.#noLabels = new Float64Array(rows).fill(Number.NaN);
    return this.#noLabels;
  }
}

const encoders = new WeakMap<TableEncoding, TableEncoder>();

/** Encodes a row; keeps one {@link TableEncoder} per encoding, for as long as the encoding exists. */
export function encodeRow(encoding: TableEncoding, row: Readonly<Record<string, unknown>>): EncodedRow {
  let encoder = encoders.get(encoding);
  if (encoder === undefined) {
    encoder = new TableEncoder(encoding);
    encoders.set(encoding, encoder);
  }
  return encoder.encodeRow(row);
}
