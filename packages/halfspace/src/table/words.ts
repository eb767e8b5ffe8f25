import { cellText } from '../features/table-cell.ts';
import type { ColumnCells } from '../features/table-chunk.ts';

/** Maximum numbers of words and of characters that are kept for one column. */
const mostWords = 100_001;
const mostLetters = 16 * 1024 * 1024;

/** Maximum length of a substring that V8 copies; a longer one is a view of the whole string. */
const mostCopied = 12;

/** The numbered words of one column so far. Number 0 is a cell without a value. */
export class WordList {
  /** Words in the order of their numbers; grows in place. */
  words: (string | null)[] = [null];
  readonly #codes = new Map<string, number>();
  #letters = 0;

  static of(words: readonly string[]): WordList {
    const list = new WordList();
    for (const word of words) list.code(word);
    return list;
  }

  /** Returns the number of a word; adds a new word. */
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

  /** True if there are too many words or characters. */
  get full(): boolean {
    return this.words.length > mostWords || this.#letters > mostLetters;
  }

  /** Removes all but the first `length` words, which are then in a new array. */
  truncate(length: number): void {
    for (const word of this.words.slice(length)) this.#forget(word!);
    this.words = this.words.slice(0, length);
  }

  #forget(word: string): void {
    this.#codes.delete(word);
    this.#letters -= word.length;
  }
}

/** Returns a copy: V8 keeps a long string that was cut out of a text as a view, and the whole text with it. */
function ownText(word: string): string {
  return word.length <= mostCopied ? word : ` ${word}`.slice(1);
}

/** Number of occurrences of each word of a list. */
export class WordCounts {
  counts: Float64Array = new Float64Array(8);

  add(cells: ColumnCells | null, rows: number): void {
    if (cells === null || cells instanceof Float64Array) return;
    const { codes, words } = cells;
    if (words.length > this.counts.length) {
      const grown = new Float64Array(words.length * 2);
      grown.set(this.counts);
      this.counts = grown;
    }
    for (let i = 0; i < rows; i++) this.counts[codes[i]!]!++;
  }

  /** Moves an occurrence to other counts of the same list. */
  move(code: number, to: WordCounts): void {
    if (to.counts.length < this.counts.length) to.counts = Float64Array.from(this.counts, (_, k) => to.counts[k] ?? 0);
    this.counts[code]!--;
    to.counts[code]!++;
  }

  /** Returns the number of occurrences of each value: words without surrounding blanks; missing ones are left out. */
  values(words: readonly (string | null)[]): Map<string, number> {
    const values = new Map<string, number>();
    words.forEach((word, code) => {
      const text = cellText(word);
      const count = this.counts[code] ?? 0;
      if (text !== null && count > 0) values.set(text, (values.get(text) ?? 0) + count);
    });
    return values;
  }
}
