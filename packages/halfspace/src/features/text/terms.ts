import type { TextForm } from '../table-encoding.ts';
import { TextTokens } from './tokens.ts';

/** Stands before an n-gram of characters in the list of terms: no n-gram of words has it, since no token is white space. */
export const characterMark = '\t';

/**
 * The terms of texts: n-grams of tokens, joined by a blank, and n-grams of characters within runs that have no white space, each
 * run with a blank before and behind it, so that `“ fr”` is a beginning. A run shorter than an n-gram gives itself, once.
 *
 * @see scikit-learn's analyzers `word` and `char_wb`, from which this differs in its tokens (see {@link TextTokens}).
 */
export class TextTerms {
  readonly #form: TextForm;
  readonly #tokens = new TextTokens();
  /** How many tokens the texts had so far, where words are terms. */
  tokens = 0;

  constructor(form: TextForm) {
    this.#form = form;
  }

  /** Tells every term of a text, as often as it occurs. */
  each(text: string, tell: (term: string) => void): void {
    const { words, characters, lowercase } = this.#form;
    const prepared = (lowercase ? text.toLowerCase() : text).normalize('NFC');
    if (words !== null) this.#eachOfWords(prepared, words[0], words[1], tell);
    if (characters !== null) eachOfCharacters(prepared, characters[0], characters[1], tell);
  }

  #eachOfWords(text: string, least: number, most: number, tell: (term: string) => void): void {
    const tokens = this.#tokens;
    tokens.cut(text);
    const { starts, ends, count } = tokens;
    this.tokens += count;
    for (let t = 0; t < count; t++) {
      let term = text.slice(starts[t], ends[t]);
      if (least === 1) tell(term);
      const last = Math.min(most, count - t);
      for (let n = 2; n <= last; n++) {
        term += ` ${text.slice(starts[t + n - 1], ends[t + n - 1])}`;
        if (n >= least) tell(term);
      }
    }
  }
}

function eachOfCharacters(text: string, least: number, most: number, tell: (term: string) => void): void {
  for (const run of text.split(/\s+/u)) {
    if (run === '') continue;
    const padded = Array.from(` ${run} `);
    for (let n = least; n <= most; n++) {
      for (let i = 0; i === 0 || i + n <= padded.length; i++) tell(characterMark + padded.slice(i, i + n).join(''));
      if (n >= padded.length) break;
    }
  }
}
