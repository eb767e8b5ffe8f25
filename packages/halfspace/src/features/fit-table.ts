import { HalfspaceError } from '../errors.ts';
import { cellText, refusedCell, wordCell } from './table-cell.ts';
import type { ColumnCells, TableChunk, WordCells } from './table-chunk.ts';
import {
  type ColumnKind,
  compareCodePoints,
  type LeftOutColumn,
  type LeftOutReason,
  type TableColumn,
  type TableEncoding,
} from './table-encoding.ts';

/** A column as the fitter is told of it. */
export interface FitColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** More categories than this in one column are not kept, by default. */
export const mostLevels = 100_000;
/** From so many different categories on, a column in which none occurs twice is taken for an identifier. */
const fewestIdentifiers = 50;

/**
 * Learns an encoding from the rows of a table in one pass over them, in order.
 *
 * Means and deviations are Welford's: one update per value, in the order of the rows, so that the same rows give the same
 * bits however they are cut into chunks, and no cancellation when the mean is large against the deviation.
 *
 * @see Welford (1962), Note on a method for calculating corrected sums of squares and products.
 */
export class TableFitter {
  readonly #columns: readonly (NumericFit | CategoryFit)[];

  constructor(columns: readonly FitColumn[], options: { readonly mostLevels?: number } = {}) {
    this.#columns = columns.map(({ name, kind }) =>
      kind === 'category' ? new CategoryFit(name, options.mostLevels ?? mostLevels) : new NumericFit(name, kind),
    );
  }

  /**
   * Takes note of some rows.
   * @throws HalfspaceError `number-invalid` for a cell that is refused.
   */
  observe(chunk: TableChunk): void {
    this.#columns.forEach((column, c) => {
      column.observe(chunk.columns[c] ?? null, chunk);
    });
  }

  /** Leaves a category column out, whatever it holds: the reader cannot keep its words. */
  leaveOut(column: number): void {
    const fit = this.#columns[column];
    if (fit instanceof CategoryFit) fit.full = true;
  }

  /**
   * The encoding of what was seen. Columns that cannot tell rows apart are left out.
   *
   * @param rest what the data alone do not say, and columns that were left out before.
   * @throws HalfspaceError `number-invalid` for a column whose mean or deviation leaves the range of doubles.
   */
  encoding(rest: Omit<TableEncoding, 'kind' | 'columns'>): TableEncoding {
    const columns: TableColumn[] = [];
    const leftOut: LeftOutColumn[] = [...rest.leftOut];
    for (const fit of this.#columns) {
      const fitted = fit.fitted();
      if (typeof fitted === 'string') leftOut.push({ name: fit.name, reason: fitted });
      else columns.push(fitted);
    }
    const { format, header, scale, label } = rest;
    return { kind: 'table', format, header, scale, label, columns, leftOut };
  }
}

/** Count, mean and squared deviations of a number, boolean or date column. */
class NumericFit {
  readonly name: string;
  readonly #kind: Exclude<ColumnKind, 'category'>;
  #count = 0;
  #missing = 0;
  #mean = 0;
  #squares = 0;
  #least = Infinity;
  #most = -Infinity;

  constructor(name: string, kind: Exclude<ColumnKind, 'category'>) {
    this.name = name;
    this.#kind = kind;
  }

  observe(cells: ColumnCells | null, chunk: TableChunk): void {
    const { rows, numbers } = chunk;
    if (cells === null) {
      this.#missing += rows;
      return;
    }
    const values = cells instanceof Float64Array ? cells : this.#valuesOf(cells);
    let count = this.#count;
    let mean = this.#mean;
    let squares = this.#squares;
    let least = this.#least;
    let most = this.#most;
    for (let k = 0; k < rows; k++) {
      const i = numbers === undefined ? k : numbers[k]!;
      const x = values[i]!;
      if (x - x !== 0) {
        if (Number.isNaN(x)) continue;
        this.#refuse(x, cells, i, chunk);
      }
      count++;
      const distance = x - mean;
      mean += distance / count;
      squares += distance * (x - mean);
      if (x < least) least = x;
      if (x > most) most = x;
    }
    this.#missing += rows - (count - this.#count);
    this.#count = count;
    this.#mean = mean;
    this.#squares = squares;
    this.#least = least;
    this.#most = most;
  }

  #valuesOf({ codes, words }: WordCells): Float64Array {
    const meaning = words.map((word) => wordCell(this.#kind, word));
    return Float64Array.from(codes, (code) => meaning[code]!);
  }

  #refuse(cell: number, cells: ColumnCells, i: number, { source, firstRow = 0 }: TableChunk): never {
    throw refusedCell(this.#kind, cell, cells instanceof Float64Array ? cell : cells.words[cells.codes[i]!], {
      ...(source === undefined ? {} : { source }),
      row: firstRow + i + 1,
      field: this.name,
    });
  }

  fitted(): TableColumn | LeftOutReason {
    if (this.#count === 0) return 'empty';
    const indicator = this.#missing > 0;
    const varies = this.#least !== this.#most;
    if (!varies && !indicator) return 'constant';
    const mean = varies ? this.#mean + 0 : this.#least + 0;
    const deviation = Math.sqrt(this.#squares / this.#count) || 1;
    if (!Number.isFinite(mean) || !Number.isFinite(deviation))
      throw new HalfspaceError(
        'number-invalid',
        `expected numbers whose squares can be added up; got some from ${this.#least} to ${this.#most}`,
        { field: this.name },
      );
    const missing = { count: this.#missing, fill: mean, indicator };
    if (this.#kind === 'boolean') return { kind: 'boolean', name: this.name, mean, missing };
    return { kind: this.#kind, name: this.name, mean, deviation: varies ? deviation : 1, missing };
  }
}

/** The levels of a category column. */
class CategoryFit {
  readonly name: string;
  readonly #mostLevels: number;
  readonly #levels = new Set<string>();
  #count = 0;
  #missing = 0;
  full = false;
  /** What each word of the list that came last is: 0 not looked at yet, 1 a level, 2 missing. */
  #words: readonly (string | null)[] | null = null;
  #known = new Uint8Array(0);

  constructor(name: string, mostLevels: number) {
    this.name = name;
    this.#mostLevels = mostLevels;
  }

  observe(cells: ColumnCells | null, { rows, numbers }: TableChunk): void {
    if (this.full) return;
    if (cells === null) {
      this.#missing += rows;
      return;
    }
    if (cells instanceof Float64Array) throw new TypeError(`category column ${this.name} must come as words`);
    const { codes, words } = cells;
    this.#knowWords(words);
    const known = this.#known;
    let missingHere = 0;
    for (let k = 0; k < rows; k++) {
      const code = codes[numbers === undefined ? k : numbers[k]!]!;
      if (known[code] === 0) this.#look(words, code);
      if (known[code] === 2) missingHere++;
    }
    this.#missing += missingHere;
    this.#count += rows - missingHere;
    this.full = this.#levels.size > this.#mostLevels;
  }

  #knowWords(words: readonly (string | null)[]): void {
    if (words !== this.#words) {
      this.#words = words;
      this.#known = new Uint8Array(words.length);
    } else if (words.length > this.#known.length) {
      const grown = new Uint8Array(words.length * 2);
      grown.set(this.#known);
      this.#known = grown;
    }
  }

  #look(words: readonly (string | null)[], code: number): void {
    const text = cellText(words[code]!);
    if (text !== null) this.#levels.add(text);
    this.#known[code] = text === null ? 2 : 1;
  }

  fitted(): TableColumn | LeftOutReason {
    if (this.full) return 'too-many-values';
    if (this.#count === 0) return 'empty';
    const indicator = this.#missing > 0;
    if (this.#levels.size === 1 && !indicator) return 'constant';
    if (this.#levels.size === this.#count && this.#count >= fewestIdentifiers) return 'all-different';
    return {
      kind: 'category',
      name: this.name,
      levels: [...this.#levels].sort(compareCodePoints),
      missing: { count: this.#missing, indicator },
    };
  }
}
