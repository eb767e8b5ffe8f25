import { naturalLog } from '../../kernels/natural-log.ts';
import { decodeWhole } from '../../numbers.ts';
import type { ColumnFeatures } from '../column-features.ts';
import { cellText, valueText } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import { columnWidth, type TextColumn } from '../table-encoding.ts';
import { TermHash } from './hash.ts';
import { TextTerms } from './terms.ts';

/** At most this many terms have a counter each, 4 bytes; of more, those that a text has. */
const mostCounts = 1 << 20;

/** One feature per term, and the indicator behind them; see {@link TextColumn} for their values. */
export class TextFeatures implements ColumnFeatures {
  readonly name: string;
  readonly #first: number;
  /** Feature of a missing value, or −1. */
  readonly #indicator: number;
  readonly #terms: TextTerms;
  /** Which term a name is, from 0; −1: none. */
  readonly #termOf: (name: string) => number;
  readonly #weighting: TextColumn['weighting'];
  /** Inverse document frequencies; empty where the weighting does not ask. */
  readonly #idf: Float64Array;
  readonly isEven = false;
  /** How often each term occurs in the text at hand; 0 between texts. Terms behind it are counted in `#farCounts`. */
  readonly #counts: Uint32Array;
  readonly #farCounts = new Map<number, number>();
  /** The terms of the text at hand. */
  #present = new Uint32Array(64);
  #size = 0;
  /** Features of the rows that were read: row i has those in [ends[i − 1], ends[i]). */
  #ends = new Uint32Array(0);
  #indices = new Uint32Array(256);
  #values = new Float64Array(256);
  readonly #tell: (name: string) => void;

  /** @param first number of the first term's feature. */
  constructor(column: TextColumn, first: number) {
    const { name, terms, weighting, documents, missing } = column;
    const width = columnWidth(column) - (missing.indicator ? 1 : 0);
    this.name = name;
    this.#first = first;
    this.#indicator = missing.indicator ? first + width : -1;
    this.#terms = new TextTerms(column);
    if (terms.kind === 'hashed') {
      const hash = new TermHash(terms.bits);
      this.#termOf = (term) => hash.of(term);
    } else {
      const positions = new Map(terms.names.map((term, t) => [term, t]));
      this.#termOf = (term) => positions.get(term) ?? -1;
    }
    this.#weighting = weighting;
    this.#idf = Float64Array.from(
      terms.frequencies === null ? [] : decodeWhole(terms.frequencies)!,
      (frequency) => 1 + naturalLog((1 + documents) / (1 + frequency)),
    );
    this.#counts = new Uint32Array(Math.min(width, mostCounts));
    this.#tell = (term) => this.#add(this.#termOf(term));
  }

  /** Counts a term of the text at hand, and returns how often it has come. */
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

  /** Tells the features of a text, indices rising. */
  #encode(text: string, put: (index: number, value: number) => void): void {
    this.#size = 0;
    this.#terms.each(text, this.#tell);
    const present = this.#present.subarray(0, this.#size).sort();
    if (this.#weighting === 'tf-idf') {
      const idf = this.#idf;
      let squares = 0;
      for (const term of present) {
        const value = termFrequency(this.#countOf(term)) * idf[term]!;
        squares += value * value;
      }
      const length = Math.sqrt(squares);
      for (const term of present) put(this.#first + term, (termFrequency(this.#countOf(term)) * idf[term]!) / length);
    } else {
      const binary = this.#weighting === 'binary';
      for (const term of present) put(this.#first + term, binary ? 1 : this.#countOf(term));
    }
    for (const term of present) if (term < mostCounts) this.#counts[term] = 0;
    this.#farCounts.clear();
  }

  read(cells: ColumnCells | null, { rows }: TableChunk): number {
    if (this.#ends.length < rows) this.#ends = new Uint32Array(rows);
    if (cells instanceof Float64Array) throw new TypeError(`text column ${this.name} must come as words`);
    let total = 0;
    const put = (index: number, value: number) => {
      if (total === this.#indices.length) this.#grow();
      this.#indices[total] = index;
      this.#values[total++] = value;
    };
    for (let i = 0; i < rows; i++) {
      const text = cells === null ? null : cellText(cells.words[cells.codes[i]!]!);
      if (text !== null) this.#encode(text, put);
      else if (this.#indicator >= 0) put(this.#indicator, 1);
      this.#ends[i] = total;
    }
    return 0;
  }

  #grow(): void {
    const indices = new Uint32Array(this.#indices.length * 2);
    indices.set(this.#indices);
    this.#indices = indices;
    const values = new Float64Array(this.#values.length * 2);
    values.set(this.#values);
    this.#values = values;
  }

  count(counts: Uint32Array, rows: number): void {
    for (let i = 0, from = 0; i < rows; i++) {
      const to = this.#ends[i]!;
      counts[i + 1]! += to - from;
      from = to;
    }
  }

  /** Never asked for: rows of text are not even. */
  appendEvenly(): void {}

  append(ends: Uint32Array, indices: Uint32Array, values: Float64Array, rows: number): void {
    for (let i = 0, from = 0; i < rows; i++) {
      const to = this.#ends[i]!;
      let k = ends[i + 1]!;
      for (; from < to; from++, k++) {
        indices[k] = this.#indices[from]!;
        values[k] = this.#values[from]!;
      }
      ends[i + 1] = k;
    }
  }

  one(value: unknown, put: (index: number, value: number) => void): number {
    const text = valueText(value, this.name);
    if (text !== null) this.#encode(text, put);
    else if (this.#indicator >= 0) put(this.#indicator, 1);
    return 0;
  }
}

/** 1 + ln c: a word that comes ten times says less than ten words. */
function termFrequency(count: number): number {
  return count < known.length ? known[count]! : 1 + naturalLog(count);
}

const known = Float64Array.from({ length: 64 }, (_, count) => (count === 0 ? 0 : 1 + naturalLog(count)));
