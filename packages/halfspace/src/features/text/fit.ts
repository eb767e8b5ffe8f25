import { encodeNumbers } from '../../numbers.ts';
import { type ColumnFit, fewestRows } from '../column-fit.ts';
import type { ColumnOptions } from '../feature-options.ts';
import { cellText } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import {
  compareCodePoints,
  type HashedTerms,
  type LeftOutReason,
  type NamedTerms,
  type TableColumn,
  type TextForm,
} from '../table-encoding.ts';
import { TermHash } from './hash.ts';
import { isOfCharacters, TextTerms } from './terms.ts';

/** The default of `ColumnOptions.lift`. Pairs below it are chance; in cross-validation the others were enough. */
const leastLift = 10;
/** The default number of terms, and the largest number of names of hashed terms. */
const mostTerms = 2 ** 18;
/** Maximum number of terms of a kind that are counted; beyond it the rarest are forgotten. */
const mostCounted = 2 ** 19;
/** N-grams of characters of a column whose letters are on trial. */
const letters = [2, 5] as const;
/** Largest mean length of texts whose letters are tried, and largest length of all of them, in UTF-16 units. */
const mostMean = 200;
const mostTried = 1_800_000;
/** Number of texts after which their mean length tells that they are long. */
const enoughTexts = 256;

/** Counts the rows in which each term of a text column occurs. */
export class TextFit implements ColumnFit {
  readonly name: string;
  readonly #options: ColumnOptions;
  readonly #form: TextForm;
  terms: TextTerms;
  readonly counter: TermCounters | HashedCounter;
  documents = 0;
  missing = 0;
  /** True if n-grams of characters are counted that the options do not name, because the texts are short so far. */
  onTrial: boolean;
  /** Length of all texts on trial. */
  #length = 0;

  /** @param tries true counts n-grams of characters of short texts too, unless the options say which. */
  constructor(name: string, options: ColumnOptions = {}, tries = false) {
    this.name = name;
    this.#options = options;
    const { characters = null, words = characters === null ? [1, 2] : null, lowercase = true } = options;
    this.#form = { words, characters, lowercase };
    this.onTrial = tries && options.characters === undefined && options.bits === undefined;
    this.terms = new TextTerms(this.onTrial ? { ...this.#form, characters: letters } : this.#form);
    this.counter =
      options.bits === undefined
        ? new TermCounters()
        : new HashedCounter(options.bits, options.names === true ? mostTerms : 0);
  }

  observe(cells: ColumnCells | null, { rows, numbers }: TableChunk): void {
    if (cells === null) {
      this.missing += rows;
      return;
    }
    if (cells instanceof Float64Array) throw new TypeError(`text column ${this.name} must come as words`);
    const { codes, words } = cells;
    const counter = this.counter;
    const emit = (term: string) => counter.add(term);
    for (let k = 0; k < rows; k++) {
      const text = cellText(words[codes[numbers === undefined ? k : numbers[k]!]!]!);
      if (text === null) {
        this.missing++;
        continue;
      }
      this.documents++;
      counter.begin();
      this.terms.each(text, emit);
      if (this.onTrial) this.#tryNext(text.length);
    }
  }

  /** Ends the trial of letters if the texts are long. */
  #tryNext(length: number): void {
    this.#length += length;
    const isLong = this.documents >= enoughTexts && this.#length > mostMean * this.documents;
    if (isLong || this.#length > mostTried) this.#endTrial();
  }

  #endTrial(): void {
    const { tokens } = this.terms;
    this.onTrial = false;
    this.terms = new TextTerms(this.#form);
    this.terms.tokens = tokens;
    (this.counter as TermCounters).characters = new TermCounter(mostCounted);
  }

  fitted(): TableColumn | LeftOutReason {
    if (this.documents === 0) return 'empty';
    const {
      weighting = 'tf-idf',
      least = fewestRows(this.documents),
      most = mostTerms,
      lift = leastLift,
    } = this.#options;
    // Lift needs the counts of single words.
    const kept = { least, most, lift: this.#form.words?.[0] === 1 ? lift : 0, tokens: this.terms.tokens };
    if (this.onTrial && (this.#length > mostMean * this.documents || !this.counter.tells(kept))) this.#endTrial();
    const terms = this.counter.terms(kept, weighting === 'tf-idf');
    // Null: no term is in enough rows, or every term is in all rows. Nothing can be learned from either.
    if (terms === null) return 'all-different';
    return {
      kind: 'text',
      name: this.name,
      ...this.#form,
      ...(this.onTrial ? { characters: letters } : {}),
      weighting,
      documents: this.documents,
      terms,
      missing: { count: this.missing, indicator: this.missing > 0 },
    };
  }
}

/** Limits of the terms to keep, see `ColumnOptions`. */
interface Kept {
  readonly least: number;
  readonly most: number;
  readonly lift: number;
  /** Number of tokens in all texts. */
  readonly tokens: number;
}

/**
 * Counts the rows in which each term occurs. If there are more than `most` terms, those in the fewest rows are
 * forgotten until at most half are left. A forgotten term that occurs again starts at 1, so its count may be too low.
 *
 * @see Manku & Motwani (2002), Approximate frequency counts over data streams: the same idea, with fixed buckets.
 */
class TermCounter {
  readonly #most: number;
  /** Terms, numbered in order of appearance. */
  numbers = new Map<string, number>();
  counts: Uint32Array = new Uint32Array(1024);
  /** The last row, from 1, in which each term was counted. */
  #rows = new Float64Array(1024);
  row = 0;
  #forgotten = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Starts the next row. */
  begin(): void {
    this.row++;
    if (this.numbers.size > this.#most) this.#forget();
  }

  add(term: string): void {
    let number = this.numbers.get(term);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(term, number);
      if (number >= this.counts.length) this.#grow();
      this.counts[number] = 1;
      this.#rows[number] = this.row;
    } else if (this.#rows[number] !== this.row) {
      this.counts[number]!++;
      this.#rows[number] = this.row;
    }
  }

  #grow(): void {
    const counts = new Uint32Array(this.counts.length * 2);
    counts.set(this.counts);
    this.counts = counts;
    const rows = new Float64Array(counts.length);
    rows.set(this.#rows);
    this.#rows = rows;
  }

  #forget(): void {
    let left = this.numbers.size;
    while (left > this.#most / 2) {
      this.#forgotten++;
      left = 0;
      for (let n = 0; n < this.numbers.size; n++) if (this.counts[n]! > this.#forgotten) left++;
    }
    const kept = new Map<string, number>();
    for (const [term, number] of this.numbers) {
      if (this.counts[number]! <= this.#forgotten) continue;
      // The new number is never above the old one, so no unread entry is overwritten.
      this.counts[kept.size] = this.counts[number]!;
      this.#rows[kept.size] = this.#rows[number]!;
      kept.set(term, kept.size);
    }
    this.numbers = kept;
  }

  /**
   * Returns the lift of an n-gram of words: observed count / count expected if its last word were independent of those
   * before. Counts are rows. Infinity for other terms.
   */
  #liftOf(term: string, count: number, tokens: number): number {
    const cut = term.lastIndexOf(' ');
    if (cut < 0) return Infinity;
    const [before, last] = [term.slice(0, cut), term.slice(cut + 1)].map((part) => {
      const number = this.numbers.get(part);
      return number === undefined ? count : this.counts[number]!;
    }) as [number, number];
    return (count * tokens) / (before * last);
  }

  /** Returns the terms within the limits, rising; of too many the most frequent. */
  kept({ least, most, lift, tokens }: Kept): CountedTerm[] {
    const found = Array.from(this.numbers, ([name, number]): CountedTerm => ({ name, count: this.counts[number]! }));
    const kept = found.filter(
      ({ name, count }) => count >= least && (lift === 0 || this.#liftOf(name, count, tokens) >= lift),
    );
    const byName = (a: CountedTerm, b: CountedTerm) => compareCodePoints(a.name, b.name);
    if (kept.length <= most) return kept.sort(byName);
    return kept
      .sort((a, b) => b.count - a.count || byName(a, b))
      .slice(0, most)
      .sort(byName);
  }
}

/** A term, and the number of rows with it. */
interface CountedTerm {
  readonly name: string;
  readonly count: number;
}

/** Counts the rows in which each term occurs: n-grams of words apart from those of characters, which are many. */
export class TermCounters {
  readonly words = new TermCounter(mostCounted);
  characters = new TermCounter(mostCounted);
  row = 0;

  begin(): void {
    this.row++;
    this.words.begin();
    this.characters.begin();
  }

  /** Returns the counter of a term. */
  of(term: string): TermCounter {
    return isOfCharacters(term) ? this.characters : this.words;
  }

  add(term: string): void {
    this.of(term).add(term);
  }

  get names(): string[] {
    return [...this.characters.numbers.keys(), ...this.words.numbers.keys()];
  }

  /** Tests if n-grams of words alone tell rows apart. */
  tells(kept: Kept): boolean {
    return this.words.kept(kept).some(({ count }) => count !== this.row);
  }

  /** Returns the terms within the limits; null if every term is in all rows. */
  terms(kept: Kept, weighted: boolean): NamedTerms | null {
    // N-grams of characters come first in the order of code points.
    const terms = [...this.characters.kept({ ...kept, lift: 0 }), ...this.words.kept(kept)];
    if (terms.every(({ count }) => count === this.row)) return null;
    return {
      kind: 'named',
      names: terms.map(({ name }) => name),
      frequencies: weighted ? encodeNumbers(Uint32Array.from(terms, ({ count }) => count)) : null,
    };
  }
}

/** Counts the rows in which each hashed term occurs. Keeps the first `mostNames` terms as names. */
export class HashedCounter {
  readonly #bits: number;
  readonly mostNames: number;
  readonly #hash: TermHash;
  readonly counts: Uint32Array;
  readonly #rows: Float64Array;
  readonly names = new Set<string>();
  row = 0;

  constructor(bits: number, mostNames: number) {
    this.#bits = bits;
    this.mostNames = mostNames;
    this.#hash = new TermHash(bits);
    this.counts = new Uint32Array(2 ** bits);
    this.#rows = new Float64Array(2 ** bits);
  }

  begin(): void {
    this.row++;
  }

  add(term: string): void {
    const slot = this.#hash.of(term);
    if (this.names.size < this.mostNames) this.names.add(term);
    if (this.#rows[slot] === this.row) return;
    this.#rows[slot] = this.row;
    this.counts[slot]!++;
  }

  /** Tests if the terms tell rows apart. */
  tells(_kept: Kept): boolean {
    return this.counts.some((count) => count !== 0 && count !== this.row);
  }

  terms(kept: Kept, weighted: boolean): HashedTerms | null {
    if (!this.tells(kept)) return null;
    return {
      kind: 'hashed',
      bits: this.#bits,
      frequencies: weighted ? encodeNumbers(this.counts) : null,
      names: this.mostNames > 0 ? [...this.names].sort(compareCodePoints) : null,
    };
  }
}
