import type { DuckDBDataChunk } from '@duckdb/node-api';
import {
  type SourceColumn,
  type Wanted,
  type WordCells,
  type WordList,
  WordMeanings,
  wordCell,
} from 'halfspace/tables';
import type { CellReader } from './cell-reader.ts';
import { inlineBytes, isValid, textOf, textWords, validityOf } from './vectors.ts';
import type { WordEnum } from './word-enum.ts';

/**
 * The codes of words of up to twelve bytes. The key of a word is its length and bytes, four 32-bit numbers as in
 * DuckDB's vectors. A hash table with open addressing, at most half full.
 */
class ShortWords {
  /** Four numbers per slot. */
  #keys = new Int32Array(64 * 4);
  /** The code of the word in a slot; 0: none. */
  #codes = new Uint32Array(64);
  #count = 0;

  /** Returns the code of the word at `at`; 0: it is new. */
  find(words: Int32Array, at: number): number {
    const codes = this.#codes;
    const keys = this.#keys;
    const mask = codes.length - 1;
    const length = words[at]!;
    const a = words[at + 1]!;
    const b = words[at + 2]!;
    const c = words[at + 3]!;
    for (let slot = hash(length, a, b, c) & mask; ; slot = (slot + 1) & mask) {
      const code = codes[slot]!;
      if (code === 0) return 0;
      const k = slot * 4;
      if (keys[k + 1] === a && keys[k] === length && keys[k + 2] === b && keys[k + 3] === c) return code;
    }
  }

  /** Adds a new word. @param code not 0. */
  add(words: Int32Array, at: number, code: number): void {
    if (this.#count * 2 >= this.#codes.length) this.#grow();
    this.#put(words, at, code);
    this.#count++;
  }

  clear(): void {
    this.#codes.fill(0);
    this.#count = 0;
  }

  #put(words: Int32Array, at: number, code: number): void {
    const mask = this.#codes.length - 1;
    let slot = hash(words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!) & mask;
    while (this.#codes[slot] !== 0) slot = (slot + 1) & mask;
    this.#codes[slot] = code;
    this.#keys.set(words.subarray(at, at + 4), slot * 4);
  }

  #grow(): void {
    const keys = this.#keys;
    const codes = this.#codes;
    this.#keys = new Int32Array(keys.length * 2);
    this.#codes = new Uint32Array(codes.length * 2);
    codes.forEach((code, slot) => {
      if (code !== 0) this.#put(keys, slot * 4, code);
    });
  }
}

/** Multiplications by odd constants, and a fold of the high bits, which they mix best, into the low ones. */
function hash(length: number, a: number, b: number, c: number): number {
  const mixed = Math.imul(a ^ length, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c ^ (a >>> 16), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

const noCode = 0xffff_ffff;

/**
 * Reads words. Short words are recognised by their bytes in the vector. Where long words are expected, DuckDB gives
 * most of them as values of an ENUM. Only new words become JavaScript strings.
 */
class WordReader implements CellReader {
  readonly select: readonly string[];
  readonly list: WordList;
  readonly #words: WordEnum | null;
  readonly #isSkipped: () => boolean;
  readonly #short = new ShortWords();
  #codes = new Uint32Array(0);

  /** @param isSkipped returns true if the words are no longer needed: all cells are then missing. */
  constructor(text: string, list: WordList, words: WordEnum | null, isSkipped: () => boolean) {
    this.list = list;
    this.#isSkipped = isSkipped;
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
    if (this.#isSkipped()) return { codes: codes.fill(0), words: list.words };
    // Words that are mostly new are not kept from chunk to chunk.
    if (list.full) {
      list.truncate(this.#words?.length ?? 1);
      this.#short.clear();
    }
    if (this.#words === null) this.#readTexts(chunk, first, rows);
    else {
      const { items } = chunk.getColumnVector(first) as unknown as { items: Uint32Array };
      const known = this.#words.codes;
      for (let i = 0; i < rows; i++)
        codes[i] = items[i] === noCode ? list.code(textOf(chunk, first + 1, i)) : known[items[i]!]!;
    }
    return { codes, words: list.words };
  }

  #readTexts(chunk: DuckDBDataChunk, column: number, rows: number): void {
    const codes = this.#codes;
    const texts = textWords(chunk, column);
    const validity = validityOf(chunk, column);
    for (let i = 0; i < rows; i++) {
      if (!isValid(validity, i)) codes[i] = 0;
      else if (texts[i * 4]! > inlineBytes) codes[i] = this.list.code(textOf(chunk, column, i));
      else {
        let code = this.#short.find(texts, i * 4);
        if (code === 0) {
          code = this.list.code(textOf(chunk, column, i));
          this.#short.add(texts, i * 4, code);
        }
        codes[i] = code;
      }
    }
  }
}

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
