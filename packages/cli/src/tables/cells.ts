import type { DuckDBDataChunk } from '@duckdb/node-api';
import { type ColumnCells, type ColumnKind, dateCell, refusedNumber, type WordCells, wordCell } from 'halfspace';
import type { SourceColumn } from './table.ts';
import type { WordEnum, WordList } from './words.ts';

/**
 * How the cells of one column travel from DuckDB to arrays: the SQL that is selected for them, and the reading of what comes.
 * A reader of numbers, booleans or dates gives doubles, NaN for a missing value and ±Infinity for a refused cell; a
 * reader of categories gives words.
 */
export interface CellReader {
  readonly select: readonly string[];
  /** @param first position of `select[0]` in the chunk. The arrays are valid until the next call. */
  read(chunk: DuckDBDataChunk, first: number): ColumnCells;
}

const noCode = 0xffff_ffff;

/** The reader for a column of the table whose cells are to be read as the given kind. */
export function cellReader(column: SourceColumn, kind: ColumnKind, list: WordList, words: WordEnum | null): CellReader {
  const { sql, type } = column;
  const text = asText(column);
  if (kind === 'category') return new WordReader(text, list, words);
  if (kind === 'number' && type === 'number') return new NumberReader(`CAST(${sql} AS DOUBLE)`);
  if (kind === 'boolean' && type === 'boolean') return new NumberReader(`CAST(CAST(${sql} AS UTINYINT) AS DOUBLE)`);
  if (kind === 'date' && (type === 'date' || type === 'time')) return new NumberReader(days(sql, type));
  if (kind === 'number' && type !== 'boolean' && type !== 'date' && type !== 'time') return new TextNumberReader(text);
  return new MeaningReader(new WordReader(text, list, words), kind);
}

/** A column as text, in the form in which its cells would stand in a text table. */
export function asText({ sql, type }: SourceColumn): string {
  if (type === 'cell') return sql;
  // A whole number is the same category whether its column is of whole numbers or of doubles.
  if (type === 'number')
    return `CASE WHEN CAST(${sql} AS DOUBLE) = trunc(CAST(${sql} AS DOUBLE)) AND abs(CAST(${sql} AS DOUBLE)) < 1e15 THEN CAST(CAST(${sql} AS BIGINT) AS VARCHAR) ELSE CAST(${sql} AS VARCHAR) END`;
  if (type === 'time') return `strftime(CAST(${sql} AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S.%f')`;
  return `CAST(${sql} AS VARCHAR)`;
}

/** Days since 1970-01-01 UTC: whole days and the part of a day apart, added up once, as `dateCell` does. */
function days(sql: string, type: 'date' | 'time'): string {
  const time = `CAST(${sql} AS TIMESTAMP)`;
  const day = type === 'date' ? sql : `CAST(${time} AS DATE)`;
  const whole = `CAST(${day} - DATE '1970-01-01' AS DOUBLE)`;
  const part = `CAST(epoch_us(${time}) - epoch_us(CAST(${day} AS TIMESTAMP)) AS DOUBLE) / 86400000000.0::DOUBLE`;
  // Dates can be infinite, and these have no days.
  return `CASE WHEN NOT isfinite(${sql}) THEN 'inf'::DOUBLE ELSE ${type === 'date' ? whole : `${whole} + ${part}`} END`;
}

/** Numbers, as DuckDB has them. */
class NumberReader implements CellReader {
  readonly select: readonly string[];

  constructor(sql: string) {
    this.select = [sql];
  }

  read(chunk: DuckDBDataChunk, first: number): Float64Array {
    const { items, isNull } = doubles(chunk, first);
    for (let i = 0; i < items.length; i++)
      if (isNull?.(i) === true) items[i] = Number.NaN;
      else if (!Number.isFinite(items[i]!)) items[i] = refusedNumber;
    return items;
  }
}

/** Numbers in text. DuckDB casts what it can; the words it cannot cast are looked at here, and few. */
class TextNumberReader implements CellReader {
  readonly select: readonly string[];

  constructor(text: string) {
    this.select = [`TRY_CAST(${text} AS DOUBLE)`, text];
  }

  read(chunk: DuckDBDataChunk, first: number): Float64Array {
    const { items, isNull } = doubles(chunk, first);
    for (let i = 0; i < items.length; i++)
      if (isNull?.(i) === true) items[i] = wordCell('number', textOf(chunk, first + 1, i));
      else if (!Number.isFinite(items[i]!)) items[i] = refusedNumber;
    return items;
  }
}

/** Words, most of them as values of an ENUM. */
export class WordReader implements CellReader {
  readonly select: readonly string[];
  readonly list: WordList;
  /** No more words are wanted: all cells read as missing. */
  resting = false;
  readonly #words: WordEnum | null;
  #codes = new Uint32Array(0);

  constructor(text: string, list: WordList, words: WordEnum | null) {
    this.list = list;
    this.#words = words;
    this.select =
      words === null
        ? [text]
        : [`coalesce(CAST(enum_code(TRY_CAST(${text} AS ${words.type})) AS UINTEGER), ${noCode}::UINTEGER)`, text];
  }

  read(chunk: DuckDBDataChunk, first: number): WordCells {
    const rows = chunk.rowCount;
    if (this.#codes.length < rows) this.#codes = new Uint32Array(rows);
    const codes = this.#codes;
    const { list } = this;
    if (this.resting) return { codes: codes.fill(0), words: list.words };
    // Words that are mostly new need not be kept from chunk to chunk.
    if (list.full) list.truncate(this.#words?.length ?? 1);
    if (this.#words === null) for (let i = 0; i < rows; i++) codes[i] = list.code(textOf(chunk, first, i));
    else {
      const { items } = chunk.getColumnVector(first) as unknown as { items: Uint32Array };
      const known = this.#words.codes;
      for (let i = 0; i < rows; i++)
        codes[i] = items[i] === noCode ? list.code(textOf(chunk, first + 1, i)) : known[items[i]!]!;
    }
    return { codes, words: list.words };
  }
}

/** Booleans and dates in text: every word is looked at once. */
class MeaningReader implements CellReader {
  readonly select: readonly string[];
  readonly #reader: WordReader;
  readonly #kind: 'number' | 'boolean' | 'date';
  #words: WordCells['words'] | null = null;
  #meanings: number[] = [];
  #cells = new Float64Array(0);

  constructor(reader: WordReader, kind: 'number' | 'boolean' | 'date') {
    this.select = reader.select;
    this.#reader = reader;
    this.#kind = kind;
  }

  read(chunk: DuckDBDataChunk, first: number): Float64Array {
    const { codes, words } = this.#reader.read(chunk, first);
    if (words !== this.#words) this.#meanings = [];
    this.#words = words;
    for (let w = this.#meanings.length; w < words.length; w++)
      this.#meanings.push(this.#kind === 'date' ? dateCell(words[w]!) : wordCell(this.#kind, words[w]!));
    if (this.#cells.length < chunk.rowCount) this.#cells = new Float64Array(chunk.rowCount);
    for (let i = 0; i < chunk.rowCount; i++) this.#cells[i] = this.#meanings[codes[i]!]!;
    return this.#cells;
  }
}

/** The text in row i of a column; null for NULL. */
export function textOf(chunk: DuckDBDataChunk, column: number, i: number): string | null {
  return chunk.getColumnVector(column).getItem(i) as string | null;
}

/**
 * A column of doubles, and which of them are NULL; no function when none is. The bits of validity are no public part of
 * DuckDB's vectors, but asking for every item instead costs more than all the rest of reading.
 */
function doubles(chunk: DuckDBDataChunk, column: number): { items: Float64Array; isNull?: (i: number) => boolean } {
  const vector = chunk.getColumnVector(column) as unknown as {
    items: Float64Array;
    validity: { data: BigUint64Array | null; offset: number };
  };
  const { items, validity } = vector;
  if (validity.data === null) return { items };
  const { buffer, byteOffset, byteLength } = validity.data;
  const bits = new Uint8Array(buffer, byteOffset, byteLength);
  return { items, isNull: (i) => ((bits[(validity.offset + i) >> 3]! >> ((validity.offset + i) & 7)) & 1) === 0 };
}
