import type { DuckDBDataChunk } from '@duckdb/node-api';
import { type SourceColumn, type Wanted, type WordCells, WordMeanings, wordCell } from 'halfspace/tables';
import type { CellReader } from './cell-reader.ts';
import { isValid, textOf, validityOf } from './vectors.ts';
import type { WordEnum } from './word-enum.ts';
import { WordReader } from './word-readers.ts';

/** Reads cells of text. They hardly ever repeat, so every chunk has a new list of words, one per row. */
class TextReader implements CellReader {
  readonly select: readonly string[];
  #codes = new Uint32Array(0);

  constructor(text: string) {
    this.select = [text];
  }

  read(chunk: DuckDBDataChunk, first: number): WordCells {
    const rows = chunk.rowCount;
    if (this.#codes.length < rows) this.#codes = Uint32Array.from({ length: rows }, (_, i) => i);
    return { codes: this.#codes, words: Array.from({ length: rows }, (_, i) => textOf(chunk, first, i)) };
  }
}

/** A column that DuckDB reads. */
export interface QueryColumn extends SourceColumn {
  /** The column as SQL. */
  readonly sql: string;
}

/**
 * Returns a reader of the wanted cells of a column.
 * @param isSkipped returns true if the words of the column are no longer needed.
 */
export function cellReader(
  column: QueryColumn,
  { kind, read, list }: Pick<Wanted, 'kind' | 'read' | 'list'>,
  words: WordEnum | null,
  isSkipped: () => boolean,
): CellReader {
  const { sql, type } = column;
  const text = asText(column);
  if (kind === 'text' || kind === 'set') return new TextReader(text);
  if (kind === 'category') return new WordReader(text, list, words, isSkipped);
  if (kind === 'number' && type === 'number') return new NumberReader(`CAST(${sql} AS DOUBLE)`);
  if (kind === 'boolean' && type === 'boolean') return new NumberReader(`CAST(CAST(${sql} AS UTINYINT) AS DOUBLE)`);
  if (kind === 'date' && (type === 'date' || type === 'time')) return new NumberReader(days(sql, type));
  if (read !== undefined) return new FormReader(text, read);
  if (kind === 'number' && type !== 'boolean' && type !== 'date' && type !== 'time') return new TextNumberReader(text);
  return new MeaningReader(new WordReader(text, list, words, isSkipped), kind);
}

/** Returns SQL for a column as text, in the form that its cells have in a text table. */
export function asText({ sql, type }: QueryColumn): string {
  if (type === 'texts' || type === 'numbers') return `CAST(to_json(${sql}) AS VARCHAR)`;
  // A whole number is the same category whether its column is of whole numbers or of doubles.
  if (type === 'number')
    return `CASE WHEN CAST(${sql} AS DOUBLE) = trunc(CAST(${sql} AS DOUBLE)) AND abs(CAST(${sql} AS DOUBLE)) < 1e15 THEN CAST(CAST(${sql} AS BIGINT) AS VARCHAR) ELSE CAST(${sql} AS VARCHAR) END`;
  if (type === 'time') return `strftime(CAST(${sql} AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S.%f')`;
  return `CAST(${sql} AS VARCHAR)`;
}

/** Returns SQL for days since 1970-01-01 UTC. Whole days and the part of a day are added once, as `dateCell` does. */
function days(sql: string, type: 'date' | 'time'): string {
  const time = `CAST(${sql} AS TIMESTAMP)`;
  const day = type === 'date' ? sql : `CAST(${time} AS DATE)`;
  const whole = `CAST(${day} - DATE '1970-01-01' AS DOUBLE)`;
  const part = `CAST(epoch_us(${time}) - epoch_us(CAST(${day} AS TIMESTAMP)) AS DOUBLE) / 86400000000.0::DOUBLE`;
  // An infinite date has no number of days.
  return `CASE WHEN NOT isfinite(${sql}) THEN 'inf'::DOUBLE ELSE ${type === 'date' ? whole : `${whole} + ${part}`} END`;
}

/** Reads columns of numbers. */
class NumberReader implements CellReader {
  readonly select: readonly string[];

  constructor(sql: string) {
    this.select = [sql];
  }

  read(chunk: DuckDBDataChunk, first: number): Float64Array {
    const { items, validity } = doubles(chunk, first);
    let cells = items;
    for (let i = 0; i < items.length; i++) {
      const valid = isValid(validity, i);
      if (valid && Number.isFinite(items[i]!)) continue;
      // A message says which value was refused, so the chunk keeps it.
      if (cells === items) cells = items.slice();
      cells[i] = valid ? Infinity : Number.NaN;
    }
    return cells;
  }
}

/** Reads numbers in text. DuckDB casts most of them; the few words that it cannot cast are read here. */
class TextNumberReader implements CellReader {
  readonly select: readonly string[];

  constructor(text: string) {
    this.select = [`TRY_CAST(${text} AS DOUBLE)`, text];
  }

  read(chunk: DuckDBDataChunk, first: number): Float64Array {
    const { items, validity } = doubles(chunk, first);
    for (let i = 0; i < items.length; i++)
      if (!isValid(validity, i) || !Number.isFinite(items[i]!))
        items[i] = wordCell('number', textOf(chunk, first + 1, i));
    return items;
  }
}

/** Reads text by a function of the caller. */
class FormReader implements CellReader {
  readonly select: readonly string[];
  readonly #read: (word: string | null) => number;
  #cells = new Float64Array(0);

  constructor(text: string, read: (word: string | null) => number) {
    this.select = [text];
    this.#read = read;
  }

  read(chunk: DuckDBDataChunk, first: number): Float64Array {
    if (this.#cells.length < chunk.rowCount) this.#cells = new Float64Array(chunk.rowCount);
    for (let i = 0; i < chunk.rowCount; i++) this.#cells[i] = this.#read(textOf(chunk, first, i));
    return this.#cells;
  }
}

/** Reads booleans and dates in text; parses each different word once. */
class MeaningReader implements CellReader {
  readonly select: readonly string[];
  readonly #reader: WordReader;
  readonly #meanings: WordMeanings<Float64Array>;
  #cells = new Float64Array(0);

  constructor(reader: WordReader, kind: Parameters<typeof wordCell>[0]) {
    this.select = reader.select;
    this.#reader = reader;
    this.#meanings = new WordMeanings(Float64Array, (word) => wordCell(kind, word));
  }

  read(chunk: DuckDBDataChunk, first: number): Float64Array {
    const { codes, words } = this.#reader.read(chunk, first);
    const meanings = this.#meanings.of(words);
    if (this.#cells.length < chunk.rowCount) this.#cells = new Float64Array(chunk.rowCount);
    for (let i = 0; i < chunk.rowCount; i++) this.#cells[i] = meanings[codes[i]!]!;
    return this.#cells;
  }
}

/** Returns a column of doubles, and flags of the values that are not NULL. */
function doubles(chunk: DuckDBDataChunk, column: number) {
  const { items } = chunk.getColumnVector(column) as unknown as { items: Float64Array };
  return { items, validity: validityOf(chunk, column) };
}
