import { CategoryFeatures } from './category/features.ts';
import type { ColumnFeatures } from './column-features.ts';
import type { Put } from './column-row.ts';
import { columnRows } from './column-rows.ts';
import { type CrossableFeatures, CrossFeatures } from './cross/features.ts';
import { DateFeatures } from './date/features.ts';
import { type RowEncoder, rowEncoder } from './encode-row.ts';
import { NumericFeature } from './number/features.ts';
import { IntervalFeatures } from './number/intervals.ts';
import { setEncoder } from './set/row.ts';
import type { EncodedRows, TableChunk } from './table-chunk.ts';
import {
  columnsByName,
  columnWidth,
  crossWidth,
  dimension,
  isDense,
  type LevelColumn,
  type TableColumn,
  type TableEncoding,
} from './table-encoding.ts';
import { TextFeatures } from './text/features.ts';
import { TermFeatures } from './text/term-features.ts';
import { allUnknown, type UnknownTally, type UnknownValues } from './unknown.ts';

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
  readonly #columns: readonly ColumnFeatures[];
  readonly #crosses: readonly CrossFeatures[];
  readonly #dense: boolean;
  readonly #buffers = new Buffers();
  #encodeRow: RowEncoder | null = null;

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
    const all = columnsByName(encoding.columns);
    this.#crosses = (encoding.crosses ?? []).map((cross) => {
      const crossed = cross.columns.map((name) => this.#columns.find((column) => column.name === name)!);
      const width = crossWidth(cross, all);
      const features = new CrossFeatures(crossed as [CrossableFeatures, CrossableFeatures], { cross, width, first });
      first += width;
      return features;
    });
  }

  /**
   * Returns the rows of a chunk as a batch. Its arrays belong to this encoder or the chunk; valid until the next call.
   * @throws HalfspaceError `number-invalid` with the place of a refused cell.
   */
  encodeColumns(chunk: TableChunk): EncodedRows {
    const { rows } = chunk;
    this.#columns.forEach((column, c) => {
      column.read(chunk.columns[c] ?? null, chunk);
    });
    const buffers = this.#buffers;
    const common = {
      rows,
      dimension: this.dimension,
      labels: chunk.labels ?? buffers.noLabels(rows),
      importance: importanceOf(chunk),
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

  /** Values of {@link encodeColumns} so far, and those that are unknown. */
  get unknown(): UnknownValues {
    return allUnknown(this.#columns.flatMap(({ unknown }) => unknown ?? []));
  }

  /**
   * Returns a note for each column with values that training did not have.
   * @param withWords false: none for texts, whose rare words are no terms in training either.
   */
  unknownNotes(withWords: boolean): string[] {
    return this.#columns.flatMap(({ name, unknown }, c) => {
      const column = this.encoding.columns[c]!;
      if (column.kind === 'text' && !withWords) return [];
      const what = `${column.kind === 'text' ? 'words' : 'values'} of column ${name}`;
      return unknown?.note(what, 'levels' in column ? causeOf(column, unknown) : null) ?? [];
    });
  }

  /**
   * Encodes a row given as a plain object, which is read as a {@link RowEncoder} does.
   *
   * @returns new arrays.
   * @throws HalfspaceError as a {@link RowEncoder} does.
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

  /** Passes the features of {@link encodeRow} to `emit`, without making arrays. */
  eachFeature(row: Readonly<Record<string, unknown>>, emit: Put): void {
    this.#encodeRow ??= rowEncoder(this.encoding, columnRows);
    this.#encodeRow(row, emit);
  }
}

/** Returns null if every row counts once. */
function importanceOf({ rows, weights }: TableChunk): Float64Array | null {
  return weights == null || weights.subarray(0, rows).every((weight) => weight === 1) ? null : weights;
}

/** Returns the likely reason for which a column does not know some categories; null: there is none. */
function causeOf({ levels }: LevelColumn, unknown: UnknownTally): string | null {
  const forms = [
    (text: string) => text.toLowerCase(),
    (text: string) => (Number.isFinite(Number(text)) ? String(Number(text)) : text.toLowerCase()),
  ];
  for (const form of forms) {
    const known = new Map(levels.map((level) => [form(level), level]));
    for (const text of unknown.some(100)) {
      const level = known.get(form(String(text)));
      if (level !== undefined) return `${JSON.stringify(text)} here is ${JSON.stringify(level)} in training`;
    }
  }
  return null;
}

function featuresOf(column: TableColumn, first: number, standardize: boolean): ColumnFeatures {
  switch (column.kind) {
    case 'category':
      return new CategoryFeatures(column, first);
    case 'set':
      return new TextFeatures(column.name, (tally) => setEncoder(column, first, tally), column.rare?.levels);
    case 'text':
      return new TextFeatures(column.name, (tally) => {
        const terms = new TermFeatures(column, first, tally);
        return (text, put) => terms.encode(text, put);
      });
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
