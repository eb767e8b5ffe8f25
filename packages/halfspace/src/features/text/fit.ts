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
import { characterMark, TextTerms } from './terms.ts';

/** See `ColumnOptions.lift`. Pairs by chance alone are noise; by cross-validation the others are enough. */
const leastLift = 10;
/** Terms kept by default, and names of hashed terms. */
const mostTerms = 2 ** 18;
/** Terms counted at once; beyond that those that occur least are forgotten. */
const mostCounted = 2 ** 19;

/** The terms of a text column, and in how many rows each occurs. */
export class TextFit implements ColumnFit {
  readonly name: string;
  readonly #options: ColumnOptions;
  readonly #form: TextForm;
  readonly #terms: TextTerms;
  readonly #counter: TermCounter | HashedCounter;
  #documents = 0;
  #missing = 0;

  constructor(name: string, options: ColumnOptions = {}) {
    this.name = name;
    this.#options = options;
    const { characters = null, words = characters === null ? [1, 2] : null, lowercase = true } = options;
    this.#form = { words, characters, lowercase };
    this.#terms = new TextTerms(this.#form);
    this.#counter =
      options.bits === undefined
        ? new TermCounter(mostCounted)
        : new HashedCounter(options.bits, options.names === true ? mostTerms : 0);
  }

  observe(cells: ColumnCells | null, { rows, numbers }: TableChunk): void {
    if (cells === null) {
      this.#missing += rows;
      return;
    }
    if (cells instanceof Float64Array) throw new TypeError(`text column ${this.name} must come as words`);
    const { codes, words } = cells;
    const counter = this.#counter;
    const tell = (term: string) => counter.add(term);
    for (let k = 0; k < rows; k++) {
      const text = cellText(words[codes[numbers === undefined ? k : numbers[k]!]!]!);
      if (text === null) {
        this.#missing++;
        continue;
      }
      this.#documents++;
      counter.begin();
      this.#terms.each(text, tell);
    }
  }

  fitted(): TableColumn | LeftOutReason {
    if (this.#documents === 0) return 'empty';
    const {
      weighting = 'tf-idf',
      least = fewestRows(this.#documents),
      most = mostTerms,
      lift = leastLift,
    } = this.#options;
    // Where single words are no terms, nobody counted them.
    const kept = { least, most, lift: this.#form.words?.[0] === 1 ? lift : 0, tokens: this.#terms.tokens };
    const terms = this.#counter.terms(kept, weighting === 'tf-idf');
    // No term, or none but such as are in every text, is in as many texts as it takes to learn from it.
    if (terms === null) return 'all-different';
    return {
      kind: 'text',
      name: this.name,
      ...this.#form,
      weighting,
      documents: this.#documents,
      terms,
      missing: { count: this.#missing, indicator: this.#missing > 0 },
    };
  }
}

/** Which terms are kept. */
interface Kept {
  readonly least: number;
  readonly most: number;
  readonly lift: number;
  /** Tokens of all texts. */
  readonly tokens: number;
}

/**
 * Counts the rows that each term occurs in. When there are more than `most` terms, those in the fewest rows are forgotten, until
 * half are left; a term that comes again after that is counted anew, so counts may be too low by what had been forgotten.
 *
 * @see Manku & Motwani (2002), Approximate frequency counts over data streams: the same idea, with fixed buckets.
 */
class TermCounter {
  readonly #most: number;
  /** Terms, numbered as they came. */
  #numbers = new Map<string, number>();
  #counts = new Uint32Array(1024);
  /** The last row, from 1, that each term was counted for. */
  #rows = new Float64Array(1024);
  #row = 0;
  #forgotten = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The terms of another row follow. */
  begin(): void {
    this.#row++;
    if (this.#numbers.size > this.#most) this.#forget();
  }

  add(term: string): void {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(term, number);
      if (number >= this.#counts.length) this.#grow();
      this.#counts[number] = 1;
      this.#rows[number] = this.#row;
    } else if (this.#rows[number] !== this.#row) {
      this.#counts[number]!++;
      this.#rows[number] = this.#row;
    }
  }

  #grow(): void {
    const counts = new Uint32Array(this.#counts.length * 2);
    counts.set(this.#counts);
    this.#counts = counts;
    const rows = new Float64Array(counts.length);
    rows.set(this.#rows);
    this.#rows = rows;
  }

  #forget(): void {
    let left = this.#numbers.size;
    while (left > this.#most / 2) {
      this.#forgotten++;
      left = 0;
      for (let n = 0; n < this.#numbers.size; n++) if (this.#counts[n]! > this.#forgotten) left++;
    }
    const kept = new Map<string, number>();
    for (const [term, number] of this.#numbers) {
      if (this.#counts[number]! <= this.#forgotten) continue;
      // Numbers only fall, so what is read next has not been written yet.
      this.#counts[kept.size] = this.#counts[number]!;
      this.#rows[kept.size] = this.#rows[number]!;
      kept.set(term, kept.size);
    }
    this.#numbers = kept;
  }

  /**
   * How many times as often an n-gram of words comes as if its last word came without regard to those before it, by the rows they come
   * in; infinite for other terms.
   */
  #liftOf(term: string, count: number, tokens: number): number {
    const cut = term.startsWith(characterMark) ? -1 : term.lastIndexOf(' ');
    if (cut < 0) return Infinity;
    const [before, last] = [term.slice(0, cut), term.slice(cut + 1)].map((part) => {
      const number = this.#numbers.get(part);
      return number === undefined ? count : this.#counts[number]!;
    }) as [number, number];
    return (count * tokens) / (before * last);
  }

  /** The terms in at least so many rows, and of these the most frequent ones; null: none tells rows apart. */
  terms({ least, most, lift, tokens }: Kept, weighted: boolean): NamedTerms | null {
    const counts = this.#counts;
    let kept = [...this.#numbers].filter(
      ([term, number]) =>
        counts[number]! >= least && (lift === 0 || this.#liftOf(term, counts[number]!, tokens) >= lift),
    );
    if (kept.every(([, number]) => counts[number] === this.#row)) return null;
    if (kept.length > most)
      kept = kept.sort((a, b) => counts[b[1]]! - counts[a[1]]! || compareCodePoints(a[0], b[0])).slice(0, most);
    kept.sort((a, b) => compareCodePoints(a[0], b[0]));
    return {
      kind: 'named',
      names: kept.map(([term]) => term),
      frequencies: weighted ? encodeNumbers(Uint32Array.from(kept, ([, number]) => counts[number]!)) : null,
    };
  }
}

/** Counts the rows that each hashed term occurs in, and keeps the first names that come, if wanted. */
class HashedCounter {
  readonly #bits: number;
  readonly #mostNames: number;
  readonly #hash: TermHash;
  readonly #counts: Uint32Array;
  readonly #rows: Float64Array;
  readonly #names = new Set<string>();
  #row = 0;

  constructor(bits: number, mostNames: number) {
    this.#bits = bits;
    this.#mostNames = mostNames;
    this.#hash = new TermHash(bits);
    this.#counts = new Uint32Array(2 ** bits);
    this.#rows = new Float64Array(2 ** bits);
  }

  begin(): void {
    this.#row++;
  }

  add(term: string): void {
    const slot = this.#hash.of(term);
    if (this.#names.size < this.#mostNames) this.#names.add(term);
    if (this.#rows[slot] === this.#row) return;
    this.#rows[slot] = this.#row;
    this.#counts[slot]!++;
  }

  terms(_kept: Kept, weighted: boolean): HashedTerms | null {
    if (this.#counts.every((count) => count === 0 || count === this.#row)) return null;
    return {
      kind: 'hashed',
      bits: this.#bits,
      frequencies: weighted ? encodeNumbers(this.#counts) : null,
      names: this.#mostNames > 0 ? [...this.#names].sort(compareCodePoints) : null,
    };
  }
}
