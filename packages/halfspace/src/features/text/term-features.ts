import { naturalLog } from '../../kernels/natural-log.ts';
import { decodeWhole } from '../../numbers.ts';
import type { Put } from '../column-row.ts';
import { columnWidth, type NamedTerms, type TextColumn } from '../table-encoding.ts';
import type { UnknownTally } from '../unknown.ts';
import { TermHash } from './hash.ts';
import { isOfCharacters, TextTerms } from './terms.ts';

/** Terms with a smaller number have a counter of 4 bytes each; the others are counted in a map. */
const mostCounts = 1 << 20;

/** Encodes texts: one feature per term, see {@link TextColumn}; then the indicator of a missing value. */
export class TermFeatures {
  readonly #first: number;
  /** The feature of a missing value, or −1. */
  readonly #indicator: number;
  readonly #terms: TextTerms;
  /** Returns the number of a term, from 0; −1: not a feature. */
  readonly #termOf: (name: string) => number;
  readonly #weighting: TextColumn['weighting'];
  /** Number of listed n-grams of characters, which come first. Their values have a length of their own. */
  readonly #ofCharacters: number;
  /** Inverse document frequencies; empty if the weighting does not use them. */
  readonly #idf: Float64Array;
  /** Occurrences of each term in the current text; all 0 between texts. `#farCounts` has terms from `mostCounts` on. */
  readonly #counts: Uint32Array;
  readonly #farCounts = new Map<number, number>();
  /** The different terms of the current text. */
  #present = new Uint32Array(64);
  #size = 0;
  readonly #emit: (name: string, isShort: boolean) => void;

  /**
   * @param first position of the first term's feature.
   * @param unknown counts the words, and those that are no terms. Default: they are not counted.
   */
  constructor(column: TextColumn, first: number, unknown?: UnknownTally) {
    const { terms, weighting, documents, missing } = column;
    const width = columnWidth(column) - (missing.indicator ? 1 : 0);
    this.#first = first;
    this.#indicator = missing.indicator ? first + width : -1;
    this.#terms = new TextTerms(column);
    if (terms.kind === 'hashed') {
      const hash = new TermHash(terms.bits);
      this.#termOf = (term) => hash.of(term);
      this.#ofCharacters = 0;
    } else {
      const { length } = terms.names;
      const firstWord = terms.names.findIndex((name) => !isOfCharacters(name));
      this.#ofCharacters = firstWord < 0 ? length : firstWord;
      const positions = new Map(terms.names.map((term, t) => [term, t]));
      const others = terms.others && new TermHash(terms.others.bits);
      this.#termOf = (term) => positions.get(term) ?? (others ? terms.names.length + others.of(term) : -1);
    }
    this.#weighting = weighting;
    this.#idf = Float64Array.from(
      [terms.frequencies, (terms as NamedTerms).others?.frequencies].flatMap((list) =>
        list ? [...decodeWhole(list)!] : [],
      ),
      (frequency) => rarity(documents, frequency),
    );
    this.#counts = new Uint32Array(Math.min(width, mostCounts));
    this.#emit = (name, isShort) => {
      const term = this.#termOf(name);
      this.#add(term);
      if (unknown === undefined || !isShort) return;
      unknown.values++;
      if (term >= 0) return;
      unknown.unknown++;
      unknown.meet(name);
    };
  }

  /** Counts a term of the current text. @returns its count so far. */
  #count(term: number): number {
    if (term < mostCounts) return ++this.#counts[term]!;
    const count = (this.#farCounts.get(term) ?? 0) + 1;
    this.#farCounts.set(term, count);
    return count;
  }

  #countOf(term: number): number {
    return term < mostCounts ? this.#counts[term]! : this.#farCounts.get(term)!;
  }

  #add(term: number): void {
    if (term < 0) return;
    if (this.#count(term) > 1) return;
    if (this.#size === this.#present.length) {
      const grown = new Uint32Array(this.#size * 2);
      grown.set(this.#present);
      this.#present = grown;
    }
    this.#present[this.#size++] = term;
  }

  /** Passes the features of a text to `put`, in rising order of their indices. @param text null: missing. */
  encode(text: string | null, put: Put): void {
    if (text === null) {
      if (this.#indicator >= 0) put(this.#indicator, 1);
      return;
    }
    this.#size = 0;
    this.#terms.each(text, this.#emit);
    const present = this.#present.subarray(0, this.#size).sort();
    if (this.#weighting === 'tf-idf') {
      let cut = 0;
      while (cut < present.length && present[cut]! < this.#ofCharacters) cut++;
      this.#weigh(present.subarray(0, cut), put);
      this.#weigh(present.subarray(cut), put);
    } else {
      const binary = this.#weighting === 'binary';
      for (const term of present) put(this.#first + term, binary ? 1 : this.#countOf(term));
    }
    for (const term of present) if (term < mostCounts) this.#counts[term] = 0;
    this.#farCounts.clear();
  }

  /** Passes the values of some terms of the text, a vector of length 1, to `put`. */
  #weigh(terms: Uint32Array, put: Put): void {
    const idf = this.#idf;
    let squares = 0;
    for (const term of terms) {
      const value = termFrequency(this.#countOf(term)) * idf[term]!;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    for (const term of terms) put(this.#first + term, (termFrequency(this.#countOf(term)) * idf[term]!) / length);
  }
}

/** Returns the inverse document frequency of a term, 1 + ln((1 + n) / (1 + d)). */
export function rarity(documents: number, frequency: number): number {
  return 1 + naturalLog((1 + documents) / (1 + frequency));
}

/** Returns 1 + ln count: ten occurrences of one word say less than ten different words. */
export function termFrequency(count: number): number {
  return count < known.length ? known[count]! : 1 + naturalLog(count);
}

const known = Float64Array.from({ length: 64 }, (_, count) => (count === 0 ? 0 : 1 + naturalLog(count)));
