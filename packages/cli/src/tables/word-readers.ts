import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { WordCells, WordList } from 'halfspace/internal/tables';
import type { CellReader } from './cell-reader.ts';
import { ShortWords } from './short-words.ts';
import { inlineBytes, isValid, textOf, textWords, validityOf } from './vectors.ts';
import type { WordEnum } from './word-enum.ts';

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
