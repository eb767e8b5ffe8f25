import { cellText } from 'halfspace';
import { query, sqlText } from './duckdb.ts';
import { inlineBytes } from './vectors.ts';

/** More different words than this in one column are not kept, and not more letters than that. */
const mostWords = 100_001;
const mostLetters = 16 * 1024 * 1024;

/**
 * The words of one column that were met so far, numbered; number 0 is SQL's NULL.
 *
 * DuckDB is told the words as an ENUM, so that most cells arrive as numbers, and only words that are new have to become
 * JavaScript strings.
 */
export class WordList {
  /** In order of their numbers; grows in place. */
  words: (string | null)[] = [null];
  readonly #codes = new Map<string, number>();
  #letters = 0;

  /** The number of a word, a new one if need be. */
  code(word: string | null): number {
    if (word === null) return 0;
    let code = this.#codes.get(word);
    if (code === undefined) {
      code = this.words.length;
      const kept = ownText(word);
      this.words.push(kept);
      this.#codes.set(kept, code);
      this.#letters += word.length;
    }
    return code;
  }

  /** Whether there are more words than are worth keeping. */
  get full(): boolean {
    return this.words.length > mostWords || this.#letters > mostLetters;
  }

  /** Forgets all but the first `length` words, in a list of its own. */
  truncate(length: number): void {
    for (const word of this.words.slice(length)) this.#forget(word!);
    this.words = this.words.slice(0, length);
  }

  #forget(word: string): void {
    this.#codes.delete(word);
    this.#letters -= word.length;
  }
}

/** A copy: V8 keeps a cut-out string as a view of the text that it was cut out of, and all of that with it. */
function ownText(word: string): string {
  return word.length <= inlineBytes ? word : Buffer.from(word, 'utf16le').toString('utf16le');
}

/** Which words of a list mean that a value is missing; each is looked at once for as long as the same list comes. */
export class MissingWords {
  #words: readonly (string | null)[] | null = null;
  #known = 0;
  #flags = new Uint8Array(16);

  /** A flag for each word. */
  of(words: readonly (string | null)[]): Uint8Array {
    if (words !== this.#words) this.#known = 0;
    this.#words = words;
    if (words.length > this.#flags.length) {
      const grown = new Uint8Array(words.length * 2);
      grown.set(this.#flags);
      this.#flags = grown;
    }
    for (; this.#known < words.length; this.#known++)
      this.#flags[this.#known] = cellText(words[this.#known]!) === null ? 1 : 0;
    return this.#flags;
  }
}

/** A DuckDB ENUM of the words that a list has now. */
export interface WordEnum {
  readonly type: string;
  /** The list's number of each value of the ENUM. */
  readonly codes: Uint32Array;
  /** Length of the list when the ENUM was made. */
  readonly length: number;
}

let enums = 0;

/** Makes an ENUM of a list's words; null when they all are so short that there is a quicker way. To be dropped after use. */
export async function createEnum(list: WordList): Promise<WordEnum | null> {
  if (!list.words.some((word) => word !== null && Buffer.byteLength(word) > inlineBytes)) return null;
  const codes: number[] = [];
  const values: string[] = [];
  list.words.forEach((word, code) => {
    // SQL has no way to write a zero byte in a literal; such a word will come as text.
    if (word === null || word.includes('\0')) return;
    codes.push(code);
    values.push(sqlText(word));
  });
  if (values.length === 0) return null;
  const type = `words_${enums++}`;
  await query(`CREATE TYPE ${type} AS ENUM (${values.join(', ')})`);
  return { type, codes: Uint32Array.from(codes), length: list.words.length };
}

export async function dropEnum(words: WordEnum): Promise<void> {
  await query(`DROP TYPE ${words.type}`);
}
