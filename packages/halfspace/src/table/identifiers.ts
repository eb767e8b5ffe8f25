import { cellText } from '../features/table-cell.ts';
import type { ColumnCells } from '../features/table-chunk.ts';
import { NumberSet } from './number-set.ts';
import type { ScannedChunk, Table } from './table.ts';
import { WordList } from './words.ts';

/*
 * Running numbers and identifiers name the rows of a table. They say nothing about other rows, but a learner can use
 * them to know its training rows by heart: in a table sorted by class the row number is the best feature of all.
 */

/** Minimum number of values of a column whose name is that of an identifier, and of other running numbers. */
const fewestNamed = 5;
const fewestNumbered = 10;

/** Names of indices and row numbers. pandas writes an index as `Unnamed: 0` or without a name. */
const indexName = /^(?:|unnamed: ?\d+|index|idx|row(?:[ _.-]?(?:ids?|names?|index|idx|no|nr|num|number))?)$/i;
/** Names such as `id`, `customer_id`, `customerId`, `patientID` and `uuid`; not `paid`. */
const identifierName = /^(?:id|uuid|guid)$|[ _.-](?:id|uuid|guid)$/i;
const joinedName = /[a-z0-9](?:I[dD]|U[uU][iI][dD]|G[uU][iI][dD])$/;

/** Tests if a column is named like an identifier or an index. */
export function namesIdentifier(name: string): boolean {
  const text = name.trim();
  return indexName.test(text) || identifierName.test(text) || joinedName.test(text);
}

/** Watches one column for running numbers and, if its name is that of an identifier, for equal values. */
export class IdentityWatch {
  readonly #isNamed: boolean;
  readonly #run = new RunningNumber();
  /** Null: two values are equal, or the name is not that of an identifier. */
  #numbers: NumberSet | null;
  #words: WordList | null;
  #values = 0;

  /** @param isNamed true if the column has the name of an identifier. */
  constructor(isNamed: boolean) {
    this.#isNamed = isNamed;
    this.#numbers = isNamed ? new NumberSet() : null;
    this.#words = isNamed ? new WordList() : null;
  }

  /** Takes the cells of a column of numbers. */
  observeNumbers(table: Table, chunk: ScannedChunk, cells: Float64Array): void {
    this.#run.observe(table, chunk, cells);
    if (this.#numbers === null) return;
    for (let i = 0; i < chunk.rows; i++) {
      const value = cells[i]!;
      if (Number.isNaN(value)) continue;
      this.#values++;
      if (Number.isInteger(value) && this.#numbers.add(value)) continue;
      this.#numbers = null;
      return;
    }
  }

  /** Takes the cells of a column of text. */
  observeWords(cells: ColumnCells | null, rows: number): void {
    if (this.#words === null || cells === null || cells instanceof Float64Array) return;
    for (let i = 0; i < rows; i++) {
      const text = cellText(cells.words[cells.codes[i]!]!);
      if (text === null || this.#words.full) continue;
      this.#values++;
      if (this.#words.code(text) === this.#values) continue;
      this.#words = null;
      return;
    }
  }

  /** Returns the reason to leave out a column of numbers; null: there is none. */
  reasonOfNumbers(): 'running-number' | 'identifier' | null {
    if (this.#run.rows >= (this.#isNamed ? fewestNamed : fewestNumbered)) return 'running-number';
    return this.#numbers !== null && this.#values >= fewestNamed ? 'identifier' : null;
  }

  /** Returns the reason to leave out a column of text; null: there is none. */
  reasonOfText(): 'identifier' | null {
    return this.#words !== null && this.#values >= fewestNamed ? 'identifier' : null;
  }

  /** Returns the reason to leave out a category; null: there is none. @param levels rows with each level. */
  reasonOfLevels(levels: ReadonlyMap<string, number>): 'identifier' | null {
    if (!this.#isNamed || levels.size < fewestNamed) return null;
    for (const count of levels.values()) if (count > 1) return null;
    return 'identifier';
  }
}

/**
 * Follows a column whose numbers start at 0 or 1 and rise by 1 from row to row. Each of several tables may start anew,
 * or go on.
 */
class RunningNumber {
  #table: Table | null = null;
  /** The number of row 0 of the table; null: not known yet. */
  #start: number | null = null;
  /** The number that would come next. */
  #next = 0;
  #rows = 0;
  #isRunning = true;

  /** Number of numbered rows; 0: these are no running numbers. */
  get rows(): number {
    return this.#isRunning ? this.#rows : 0;
  }

  observe(table: Table, { first, rows, damaged }: ScannedChunk, cells: Float64Array): void {
    if (!this.#isRunning) return;
    if (table !== this.#table) {
      this.#table = table;
      this.#start = null;
    }
    for (let i = 0; i < rows; i++) {
      // A row that could not be read still has its number.
      if (damaged !== null && damaged[i] !== 0) continue;
      const start = cells[i]! - first - i;
      this.#start ??= start === 0 || start === 1 || start === this.#next ? start : Number.NaN;
      if (start !== this.#start) {
        this.#isRunning = false;
        return;
      }
      this.#rows++;
    }
    if (this.#start !== null) this.#next = this.#start + first + rows;
  }
}
