import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { WordCells, WordList } from 'halfspace/tables';
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
export class WordReader implements CellReader {
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
