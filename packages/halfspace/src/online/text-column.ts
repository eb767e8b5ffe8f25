import { cellText, valueText } from '../features/table-cell.ts';
import { compareCodePoints, type TextForm } from '../features/table-encoding.ts';
import { TermHash } from '../features/text/hash.ts';
import { rarity, termFrequency } from '../features/text/term-features.ts';
import { TextTerms } from '../features/text/terms.ts';
import type { LoadedRow } from '../kernels/plain-row.ts';
import { encodeNumbers } from '../numbers.ts';
import type { ColumnSnapshot, ColumnState, JoinedCell, OnlineColumn } from './column.ts';
import { otherBits, type Positions } from './positions.ts';
import { bytesOfNames, type Growth, nameBytes, ownText } from './size.ts';

export interface TextState extends ColumnState {
  readonly kind: 'text';
  /** In the order in which they came. */
  readonly terms: readonly string[];
  /** One for each term. */
  readonly positions: Uint32Array;
  /** Number of rows with each term. */
  readonly frequencies: Uint32Array;
  /** Position of the first of the features of other terms; −1: the terms are not at their bound yet. */
  readonly others: number;
  /** Number of rows with each of these features; empty if there are none. */
  readonly otherFrequencies: Uint32Array;
}

/** A term, and its count in the text that was read. */
interface Term {
  name: string;
  /** Number of a feature that terms share by their hash; −1: one term. */
  readonly other: number;
  /** −1 until the term joins. */
  position: number;
  /** Number of rows with the term. */
  frequency: number;
  count: number;
}

/** Single words, without regard to case. */
const form: TextForm = { words: [1, 1], characters: null, lowercase: true };

/**
 * A field of text: one feature per word, by tf-idf, and one that marks missing values. If there are as many words as
 * may be, each further one has one of 2^{@link otherBits} features by its hash. Frequencies are those of the rows so
 * far; a row is asked about by those of the rows before it, and learned by frequencies that include its own.
 */
export class TextColumn implements OnlineColumn {
  readonly name: string;
  readonly kind = 'text';
  readonly #most: number;
  readonly #extract = new TextTerms(form);
  readonly #terms = new Map<string, Term>();
  #indicator = -1;
  /** Features that terms share by their hash, because the terms are at their bound; else empty. */
  #others: readonly Term[] = [];
  readonly #hash = new TermHash(otherBits);
  /** Number of rows with a text. */
  #present = 0;
  #isMissing = true;
  /** The different terms of the text that was read, rising by code points. */
  readonly #found: Term[] = [];
  /** Those that are not known, in the order of the text. */
  readonly #new: Term[] = [];
  readonly #strangers = new Map<string, Term>();
  readonly #count: (name: string) => void;
  joined: JoinedCell = 'missing';
  bytes = 0;
  readonly number = Number.NaN;

  /** @param most largest number of terms. */
  constructor(name: string, most: number, state?: TextState) {
    this.name = name;
    this.#most = most;
    this.#count = (term) => this.#add(term);
    if (state === undefined) return;
    state.terms.forEach((term, t) => {
      this.#terms.set(term, {
        name: term,
        other: -1,
        position: state.positions[t]!,
        frequency: state.frequencies[t]!,
        count: 0,
      });
    });
    this.bytes = bytesOfNames(state.terms);
    this.#indicator = state.indicator;
    if (state.others >= 0) this.#others = othersFrom(state.others, state.otherFrequencies);
    this.#present = state.present;
  }

  clear(): void {
    if (this.#isMissing) return;
    this.#isMissing = true;
    for (const term of this.#found) term.count = 0;
    this.#found.length = 0;
    if (this.#new.length === 0) return;
    this.#new.length = 0;
    this.#strangers.clear();
  }

  /** Tests if the text that was read has a term. The first such text makes the column. */
  get hasTerms(): boolean {
    return this.#found.length > 0;
  }

  reads(): boolean {
    return true;
  }

  read(value: unknown): void {
    const text = typeof value === 'string' ? cellText(value) : valueText(value, this.name);
    if (text === null) return;
    this.#isMissing = false;
    this.#extract.each(text, this.#count);
    this.#found.sort(compareTerms);
  }

  #add(name: string): void {
    let term = this.#terms.get(name) ?? this.#strangers.get(name);
    if (term === undefined) {
      if (this.#others.length > 0) term = this.#others[this.#hash.of(name)]!;
      else {
        term = { name, other: -1, position: -1, frequency: 0, count: 0 };
        this.#strangers.set(name, term);
        this.#new.push(term);
      }
    }
    if (term.count++ === 0) this.#found.push(term);
  }

  /** Tests if the text that was read has terms, and none that is known by itself. */
  #isNew(): boolean {
    for (const { position, other } of this.#found) if (position >= 0 && other < 0) return false;
    return this.#found.length > 0;
  }

  ask(row: LoadedRow): void {
    if (!this.#isMissing) this.#emit(row);
    else if (this.#indicator >= 0) row.add(this.#indicator, 1);
  }

  join(row: LoadedRow, _dense: boolean, positions: Positions): void {
    if (this.#isMissing) {
      if (this.#indicator < 0) this.#indicator = positions.allot();
      this.joined = 'missing';
    } else {
      this.#present++;
      this.joined = this.#isNew() ? 'new' : 'known';
      for (const term of this.#new) this.#joinTerm(term, positions);
      if (this.#others.length > 0 && this.#new.length > 0) this.#sortFound();
      for (const term of this.#found) term.frequency++;
    }
    this.ask(row);
  }

  growInto(growth: Growth): void {
    if (this.#isMissing && this.#indicator < 0) growth.features++;
    if (this.#others.length > 0) return;
    const room = this.#most - this.#terms.size;
    growth.features += this.#new.length > room ? room + 2 ** otherBits : this.#new.length;
    for (const { name } of this.#new) growth.bytes += nameBytes(name);
  }

  /** Puts shared features at their places, and takes out the terms that share them. */
  #sortFound(): void {
    const found = this.#found.filter(({ count }) => count > 0).sort(compareTerms);
    this.#found.length = 0;
    this.#found.push(...found);
  }

  /** Joins a new term of the text that was read. Beyond the bound, its occurrences count as those of its hash. */
  #joinTerm(term: Term, positions: Positions): void {
    if (this.#terms.size < this.#most) {
      term.position = positions.allot();
      term.name = ownText(term.name);
      this.#terms.set(term.name, term);
      this.bytes += nameBytes(term.name);
      return;
    }
    if (this.#others.length === 0) this.#others = othersFrom(positions.allot(2 ** otherBits));
    const other = this.#others[this.#hash.of(term.name)]!;
    if (other.count === 0) this.#found.push(other);
    other.count += term.count;
    term.count = 0;
  }

  /** Adds the known terms by tf-idf, divided by the length of their vector. */
  #emit(row: LoadedRow): void {
    const documents = this.#present;
    const from = row.count;
    let squares = 0;
    for (const { position, count, frequency } of this.#found) {
      if (position < 0) continue;
      const value = termFrequency(count) * rarity(documents, frequency);
      squares += value * value;
      row.add(position, value);
    }
    const length = Math.sqrt(squares);
    for (let k = from; k < row.count; k++) row.values[k]! /= length;
  }

  snapshot(rows: number): ColumnSnapshot {
    const terms = [...this.#terms.values()].sort((a, b) => compareCodePoints(a.name, b.name));
    const positions = terms.map(({ position }) => position);
    for (const { position } of this.#others) positions.push(position);
    const others = encodeNumbers(Uint32Array.from(this.#others, ({ frequency }) => frequency));
    const indicator = this.#indicator >= 0;
    if (indicator) positions.push(this.#indicator);
    return {
      column: {
        kind: 'text',
        name: this.name,
        ...form,
        weighting: 'tf-idf',
        documents: this.#present,
        terms: {
          kind: 'named',
          names: terms.map(({ name }) => name),
          frequencies: encodeNumbers(Uint32Array.from(terms, ({ frequency }) => frequency)),
          ...(this.#others.length === 0 ? {} : { others: { bits: otherBits, frequencies: others } }),
        },
        missing: { count: rows - this.#present, indicator },
      },
      positions,
    };
  }

  state(): TextState {
    const terms = [...this.#terms.values()];
    return {
      kind: 'text',
      name: this.name,
      indicator: this.#indicator,
      present: this.#present,
      terms: terms.map(({ name }) => name),
      positions: Uint32Array.from(terms, ({ position }) => position),
      frequencies: Uint32Array.from(terms, ({ frequency }) => frequency),
      others: this.#others[0]?.position ?? -1,
      otherFrequencies: Uint32Array.from(this.#others, ({ frequency }) => frequency),
    };
  }
}

/** Makes the features that terms share by their hash. @param first position of the first. */
function othersFrom(first: number, frequencies: Uint32Array = new Uint32Array(2 ** otherBits)): Term[] {
  return Array.from(frequencies, (frequency, k) => ({ name: '', other: k, position: first + k, frequency, count: 0 }));
}

/** Compares terms by their features in an encoding: listed ones by code points, then shared ones. */
function compareTerms(a: Term, b: Term): number {
  if (a.other < 0 && b.other < 0) return compareCodePoints(a.name, b.name);
  return a.other < 0 ? -1 : b.other < 0 ? 1 : a.other - b.other;
}
