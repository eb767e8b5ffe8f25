import type { TextForm } from '../table-encoding.ts';
import { TextTokens } from './tokens.ts';

/** Prefix of n-grams of characters in the list of terms. N-grams of words never start with white space. */
const characterMark = '\t';

/** Tests if a term is an n-gram of characters. */
export function isOfCharacters(term: string): boolean {
  return term.startsWith(characterMark);
}

type Emit = (term: string, isShort: boolean) => void;

/**
 * Extracts the terms of a text: n-grams of tokens, joined by a blank, and n-grams of characters. The latter stay within
 * runs without white space, with a blank added at both ends: `“ fr”` is a beginning. A run shorter than n is one
 * term.
 *
 * @see scikit-learn's analyzers `word` and `char_wb`; the tokens here differ, see {@link TextTokens}.
 */
export class TextTerms {
  readonly #form: TextForm;
  readonly #tokens = new TextTokens();
  /** Number of tokens of all texts so far; counted only if words are terms. */
  tokens = 0;

  constructor(form: TextForm) {
    this.#form = form;
  }

  /**
   * Passes every term of a text to `emit`, as often as it occurs; `isShort` is true for the words, or for the shortest
   * n-grams if single words are no terms.
   */
  each(text: string, emit: Emit): void {
    const { words, characters, lowercase } = this.#form;
    const prepared = (lowercase ? text.toLowerCase() : text).normalize('NFC');
    if (words !== null) this.#eachOfWords(prepared, words[0], words[1], emit);
    if (characters !== null) eachOfCharacters(prepared, characters[0], characters[1], words === null, emit);
  }

  #eachOfWords(text: string, least: number, most: number, emit: Emit): void {
    const tokens = this.#tokens;
    tokens.cut(text);
    const { starts, ends, count } = tokens;
    this.tokens += count;
    for (let t = 0; t < count; t++) {
      let term = text.slice(starts[t], ends[t]);
      if (least === 1) emit(term, true);
      const last = Math.min(most, count - t);
      for (let n = 2; n <= last; n++) {
        term += ` ${text.slice(starts[t + n - 1], ends[t + n - 1])}`;
        if (n >= least) emit(term, n === least);
      }
    }
  }
}

function eachOfCharacters(text: string, least: number, most: number, areAlone: boolean, emit: Emit): void {
  for (const run of text.split(/\s+/u)) {
    if (run === '') continue;
    const padded = Array.from(` ${run} `);
    for (let n = least; n <= most; n++) {
      for (let i = 0; i === 0 || i + n <= padded.length; i++)
        emit(characterMark + padded.slice(i, i + n).join(''), areAlone && n === least);
      if (n >= padded.length) break;
    }
  }
}
