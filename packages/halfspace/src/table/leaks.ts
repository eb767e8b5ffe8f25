import { WordMeanings } from '../features/column-features.ts';
import { cellText, numberCell } from '../features/table-cell.ts';
import type { ColumnCells, WordCells } from '../features/table-chunk.ts';
import type { BadRows } from './bad-rows.ts';
import { LeakSample } from './leak-sample.ts';
import { columnFlag, listed } from './listed.ts';
import type { ScannedChunk } from './table.ts';

/** Minimum numbers of rows in all, of rows of other classes than the most frequent, and of rows per class or level. */
const fewestRows = 20;
const fewestOthers = 5;
const fewestEach = 5;
/** Minimum number of ways to choose the other rows, for each column: so few columns give the class by chance. */
const fewestWays = 1000;
/** With more classes no column is watched. */
const mostClasses = 1000;

/** A column that may be a leak: it repeats the class, or is known only afterwards. */
export interface Leak {
  readonly name: string;
  /** Number of rows whose class it gives, of `rows`; with `filled`, of its cells that are not missing. */
  readonly right: number;
  readonly rows: number;
  /** True if `rows` are all rows of the table, and no sample. */
  readonly isWhole: boolean;
  /** The class that its filled cells have; null: its values give the class. */
  readonly filled: string | null;
}

/**
 * Finds columns that alone give the class of every row, in one reading: numbers whose classes lie in intervals that do
 * not overlap, and categories each of whose levels has one class. A missing value counts as a level. A column is
 * watched until a row contradicts it, so most columns cost a few rows; a sample shows if it nearly gives the class.
 */
export class LeakWatch {
  readonly #columns: (Determined | null)[];
  readonly #classes = new Map<string, number>();
  readonly #counts: number[] = [];
  readonly #classOf = new WordMeanings(Int32Array, (word) => this.#classOfText(cellText(word)));

  readonly #sample: LeakSample;

  /** @param isText true for columns of text, which are only sampled. */
  constructor(isText: readonly boolean[]) {
    this.#columns = isText.map((text) => (text ? null : new Determined()));
    this.#sample = new LeakSample(isText);
  }

  /** Takes the next rows, without the bad ones and those without a label. */
  observe(chunk: ScannedChunk, bad: BadRows): void {
    const { rows, columns } = chunk;
    const { codes, words } = chunk.label!;
    const classOf = this.#classOf.of(words);
    const isOut = (i: number) => bad.has(i) || classOf[codes[i]!] === -1;
    for (let i = 0; i < rows; i++) if (!isOut(i)) this.#counts[classOf[codes[i]!]!]!++;
    if (this.#counts.length > mostClasses) this.#columns.fill(null);
    else this.#sample.observe(chunk, isOut, (row) => classOf[codes[row]!]!);
    columns.forEach((cells, c) => {
      const column = this.#columns[c];
      if (column == null) return;
      const fits = (i: number) => isOut(i) || column.fits(cells!, i, classOf[codes[i]!]!);
      for (let i = 0; i < rows; i++)
        if (cells === null || !fits(i)) {
          this.#columns[c] = null;
          return;
        }
    });
  }

  /** Returns the columns that may be leaks. @param names of all columns; null: the column is not used. */
  found(names: readonly (string | null)[]): Leak[] {
    const rows = this.#counts.reduce((sum, count) => sum + count, 0);
    const others = rows - Math.max(0, ...this.#counts);
    const classes = this.#counts.filter((count) => count > 0).length;
    if (rows < Math.max(fewestRows, fewestEach * classes) || others < fewestOthers) return [];
    let ways = 1;
    const enough = fewestWays * this.#columns.length;
    for (let i = 1; i <= Math.min(others, rows - others) && ways < enough; i++) ways *= (rows - i + 1) / i;
    if (ways < enough || classes > mostClasses) return [];
    const sampled = new Map(this.#sample.found().map((leak) => [leak.column, leak]));
    const classNames = [...this.#classes.keys()];
    return names.flatMap((name, c): Leak | Leak[] => {
      const column = this.#columns[c] ?? null;
      if (name === null) return [];
      if (column !== null && column.levels * fewestEach <= rows)
        return { name, right: rows, rows, isWhole: true, filled: null };
      const leak = sampled.get(c);
      if (leak === undefined) return [];
      const filled = leak.filled === null ? null : classNames[leak.filled]!;
      return { name, right: leak.right, rows: leak.rows, isWhole: this.#sample.isWhole, filled };
    });
  }

  #classOfText(text: string | null): number {
    if (text === null) return -1;
    const number = numberCell(text);
    const name = Number.isFinite(number) ? String(number + 0) : text;
    let known = this.#classes.get(name);
    if (known === undefined) {
      known = this.#counts.push(0) - 1;
      this.#classes.set(name, known);
    }
    return known;
  }
}

/** The classes of the values of one column so far. */
class Determined {
  /** Smallest and largest number of each class. */
  readonly #least: number[] = [];
  readonly #most: number[] = [];
  /** Class of each level, by the number of its word; −1: not seen. */
  #classes = new Int32Array(16).fill(-1);
  #missing = -1;
  /** Number of levels, without a missing value. */
  levels = 0;

  /** Takes the value of a row and its class. @returns false if the column does not give the class. */
  fits(cells: ColumnCells, i: number, label: number): boolean {
    return cells instanceof Float64Array ? this.#fitsNumber(cells[i]!, label) : this.#fitsWord(cells, i, label);
  }

  #fitsWord({ codes, words }: WordCells, i: number, label: number): boolean {
    const code = codes[i]!;
    if (code >= this.#classes.length) {
      const grown = new Int32Array(2 * words.length).fill(-1);
      grown.set(this.#classes);
      this.#classes = grown;
    }
    if (this.#classes[code] === -1) {
      if (cellText(words[code]!) === null) return this.#fitsMissing(label);
      this.#classes[code] = label;
      this.levels++;
    }
    return this.#classes[code] === label;
  }

  #fitsMissing(label: number): boolean {
    if (this.#missing === -1) this.#missing = label;
    return this.#missing === label;
  }

  #fitsNumber(value: number, label: number): boolean {
    if (Number.isNaN(value)) return this.#fitsMissing(label);
    const least = this.#least[label] ?? value;
    const most = this.#most[label] ?? value;
    if (least <= value && value <= most && this.#least[label] !== undefined) return true;
    const [from, to] = [Math.min(least, value), Math.max(most, value)];
    for (let k = 0; k < this.#least.length; k++)
      if (k !== label && this.#least[k]! <= to && from <= this.#most[k]!) return false;
    this.#least[label] = from;
    this.#most[label] = to;
    return true;
  }
}

/** Maximum number of columns that each have a note. */
const mostTold = 5;

/** Returns notes on columns that may be leaks. */
export function leakNotes(leaks: readonly Leak[]): string[] {
  const likely = (name: string) =>
    `a likely leak, if it is known only with the class (${columnFlag(name, 'drop')} leaves it out)`;
  const areAll = ({ right, rows, isWhole, filled }: Leak) => isWhole && filled === null && right === rows;
  const whole = leaks.filter(areAll).map(({ name }) => name);
  const notes: string[] = [];
  if (whole.length > 0) {
    const which = whole.length === 1 ? `column ${listed(whole)}` : `each of the columns ${listed(whole, mostTold)}`;
    notes.push(`${which} alone gives the class of all ${leaks.find(areAll)!.rows} rows: ${likely(whole[0]!)}`);
  }
  const others = leaks.filter((leak) => !areAll(leak));
  for (const { name, right, rows, isWhole, filled } of others.slice(0, mostTold)) {
    const more = isWhole ? '' : ' sampled';
    const tells =
      filled === null
        ? `alone gives the class of ${right} of ${rows}${more} rows (${((100 * right) / rows).toFixed(1)} %)`
        : `is filled ${right === rows ? '' : 'nearly '}only for the class ${listed([filled])}, in ${right} of ${rows}${more} cells`;
    notes.push(`column ${listed([name])} ${tells}: ${likely(name)}`);
  }
  if (others.length > mostTold) notes.push(`${others.length - mostTold} more columns are likely leaks`);
  return notes;
}
