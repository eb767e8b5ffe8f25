import type { ColumnKind } from 'halfspace';
import {
  booleanCell,
  type ColumnCells,
  type ColumnTally,
  dateCell,
  emptyTally,
  type MeasuredKind,
  numberCell,
  refusedNumber,
  tallyWords,
  type WordCells,
} from 'halfspace/internal';

/** A column as it is read, cell by cell. */
export interface ColumnReader {
  add(cell: string): void;
  /** What its cells look like. @param measured whether the first rows say that it is measured. */
  tally(measured: boolean): ColumnTally;
  /** The first row, from 0, with a cell that is none of its kind, and that cell; null: all are in order. */
  readonly fault: { readonly row: number; readonly cell: string; readonly code: number } | null;
  cells(): ColumnCells;
  /** Whether it has more words than are worth keeping. */
  readonly full: boolean;
}

export function columnReader(kind: ColumnKind): ColumnReader {
  return kind === 'category' || kind === 'text' ? new WordReader(kind === 'text') : new NumberReader(kind);
}

/** Plain decimals, which are most numbers by far, and need no closer look. */
const plain = /^-?\d+(?:\.\d+)?$/;
const cellOf = { number: numberCell, boolean: booleanCell, date: dateCell } as const;

/** Numbers, booleans or dates as doubles. */
class NumberReader implements ColumnReader {
  readonly full = false;
  fault: ColumnReader['fault'] = null;
  readonly #kind: MeasuredKind;
  #values = new Float64Array(1024);
  #rows = 0;
  #there = 0;
  #trues = 0;
  #strays = 0;
  #notFinite = 0;
  #stray: string | null = null;

  constructor(kind: MeasuredKind) {
    this.#kind = kind;
  }

  add(cell: string): void {
    const value = this.#kind === 'number' && cell.length < 16 && plain.test(cell) ? +cell : cellOf[this.#kind](cell);
    if (value - value === 0) {
      this.#there++;
      if (value === 1) this.#trues++;
    } else if (!Number.isNaN(value)) {
      this.#strays++;
      if (value === refusedNumber) this.#notFinite++;
      this.#stray ??= cell;
      this.fault ??= { row: this.#rows, cell, code: value };
    }
    if (this.#rows === this.#values.length) this.#values = grown(this.#values);
    this.#values[this.#rows++] = value;
  }

  tally(measured: boolean): ColumnTally {
    const tally = emptyTally();
    const [there, trues] = [this.#there, this.#trues];
    const kinds = { number: { numbers: there }, date: { dates: there }, boolean: { trues, falses: there - trues } };
    return {
      ...tally,
      ...kinds[this.#kind],
      cells: there + this.#strays,
      notFinite: this.#notFinite,
      stray: this.#stray,
      measured,
    };
  }

  cells(): Float64Array {
    return this.#values.subarray(0, this.#rows);
  }
}

/** More different words than this in one column are not kept, and not more letters than that. */
const mostWords = 100_001;
const mostLetters = 16 * 1024 * 1024;

/** Words by their numbers. */
export class WordReader implements ColumnReader {
  readonly fault = null;
  full = false;
  readonly #unbounded: boolean;
  readonly #words: (string | null)[] = [null];
  readonly #known = new Map<string, number>();
  #letters = 0;
  #codes = new Uint32Array(1024);
  #rows = 0;

  /** @param unbounded texts are all different, and all are kept. */
  constructor(unbounded = false) {
    this.#unbounded = unbounded;
  }

  add(cell: string): void {
    let code = this.#known.get(cell);
    if (code === undefined) {
      code = 0;
      if (!this.full) {
        code = this.#words.push(cell) - 1;
        this.#known.set(cell, code);
        this.#letters += cell.length;
        this.full = !this.#unbounded && (this.#words.length > mostWords || this.#letters > mostLetters);
      }
    }
    if (this.#rows === this.#codes.length) this.#codes = grown(this.#codes);
    this.#codes[this.#rows++] = code;
  }

  tally(): ColumnTally {
    return tallyWords(this.#words, this.counts());
  }

  /** How often each word occurs. */
  counts(): Uint32Array {
    const counts = new Uint32Array(this.#words.length);
    for (let i = 0; i < this.#rows; i++) counts[this.#codes[i]!]!++;
    return counts;
  }

  cells(): WordCells {
    return { codes: this.#codes.subarray(0, this.#rows), words: this.#words };
  }
}

function grown<T extends Float64Array | Uint32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array as never);
  return larger;
}
