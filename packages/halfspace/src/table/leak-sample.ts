import { cellText } from '../features/table-cell.ts';
import type { ScannedChunk } from './table.ts';

/** Maximum numbers of sampled rows, of their cells together, and of sampled rows whose texts are taken apart. */
const mostRows = 1024;
const mostCells = 1 << 20;
const mostTexts = 512;
/** With more classes, or fewer rows, a sample shows nothing. */
const mostClasses = 20;
const fewestRows = 20;
const fewestEach = 5;
/** A column gives the class if it is right in this share of the rows, and saves most errors of always one class. */
const leastRight = 0.98;
const mostErrors = 0.2;
/** A column is filled for one class if at least so many cells, and this share of the rows of the class, say so. */
const fewestFilled = 10;
const leastFilled = 0.1;
/** Probability, over all columns, at which filled cells have one class by chance. */
const chance = 1e-5;
/** Number of sampled rows, at least, that are looked at first, and the share of them that must be right. */
const fewestScreened = 256;
const leastScreened = 0.9;
/** Maximum length of a sampled word. */
const longestWord = 300;

/** A sampled column that tells the class. */
interface SampledLeak {
  /** Position of the column. */
  readonly column: number;
  /** Number of rows whose class it gives, of `rows`; with `filled`, of its cells that are not missing. */
  readonly right: number;
  readonly rows: number;
  /** Number of the only class that its filled cells have; null: its values give the class. */
  readonly filled: number | null;
}

type Cell = number | string | null;

/** Returns a hash of a row's number, so that no order of the rows and no period in them decides about the sample. */
function hashOf(row: number): number {
  const mixed = Math.imul(row ^ (row >>> 16), 0x45d9f3b);
  const again = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return again ^ (again >>> 16);
}

/**
 * Keeps some rows, spread over a table, and finds columns that alone nearly give the class, or that are filled
 * for one class only. Small tables are kept whole. Which rows are kept depends on their numbers only.
 */
export class LeakSample {
  readonly #isText: readonly boolean[];
  readonly #cells: Cell[][];
  #labels: number[] = [];
  readonly #most: number;
  /** A row is kept if its hash has none of these bits. */
  #mask = 0;
  #hashes: number[] = [];
  #seen = 0;

  /** @param isText true for columns of text. */
  constructor(isText: readonly boolean[]) {
    this.#isText = isText;
    this.#cells = isText.map(() => []);
    this.#most = Math.min(mostRows, Math.max(2 * fewestRows, Math.floor(mostCells / Math.max(1, isText.length))));
  }

  /** Takes the next rows. @param isOut true for a row to leave out. @param classes the class of each. */
  observe({ rows, columns }: ScannedChunk, isOut: (row: number) => boolean, classes: (row: number) => number): void {
    for (let i = 0; i < rows; i++) {
      if (isOut(i)) continue;
      const hash = hashOf(this.#seen++);
      if ((hash & this.#mask) !== 0) continue;
      this.#hashes.push(hash);
      this.#labels.push(classes(i));
      for (let c = 0; c < columns.length; c++) this.#cells[c]!.push(this.#cellOf(columns[c]!, i));
      while (this.#labels.length >= this.#most) this.#thin();
    }
  }

  #cellOf(cells: ScannedChunk['columns'][number], i: number): Cell {
    if (cells === null) return null;
    if (cells instanceof Float64Array) return Number.isNaN(cells[i]!) ? null : cells[i]!;
    const text = cellText(cells.words[cells.codes[i]!]!);
    // A part of a string keeps the whole, unless it is joined to another.
    return text === null || text.length <= longestWord ? text : ` ${text.slice(0, longestWord)}`.slice(1);
  }

  #thin(): void {
    this.#mask = this.#mask * 2 + 1;
    const hashes = this.#hashes;
    const isKept = (_: unknown, i: number) => (hashes[i]! & this.#mask) === 0;
    this.#hashes = hashes.filter(isKept);
    this.#labels = this.#labels.filter(isKept);
    this.#cells.forEach((cells, c) => {
      this.#cells[c] = cells.filter(isKept);
    });
  }

  /** True if every row is in the sample. */
  get isWhole(): boolean {
    return this.#mask === 0;
  }

  /** Returns the columns that tell the class. */
  found(): SampledLeak[] {
    const labels = this.#labels;
    const rows = labels.length;
    const counts: number[] = [];
    for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
    const classes = counts.flatMap((_, k) => k);
    const most = classes.reduce((max, k) => Math.max(max, counts[k]!), 0);
    if (classes.length > mostClasses || rows - most < fewestEach) return [];
    if (rows < Math.max(fewestRows, fewestEach * classes.length)) return [];
    return this.#cells.flatMap((cells, column) => {
      const right = rightOf(cells, labels, this.#isText[column]!, classes);
      if (right >= rows * leastRight && rows - right <= mostErrors * (rows - most))
        return { column, right, rows, filled: null };
      const filled = filledFor(cells, labels, counts, chance / this.#cells.length);
      return filled === null ? [] : { column, right: filled.right, rows: filled.cells, filled: filled.label };
    });
  }
}

/** Returns the number of rows whose class a column gives, if each of its levels, intervals or words stands for one. */
function rightOf(
  cells: readonly Cell[],
  labels: readonly number[],
  isText: boolean,
  classes: readonly number[],
): number {
  const there: number[] = [];
  // Missing cells are a level of their own.
  const absent = new Uint32Array(classes.at(-1)! + 1);
  for (let i = 0; i < cells.length; i++)
    if (cells[i] === null) absent[labels[i]!]!++;
    else there.push(i);
  const missing = Math.max(...absent);
  if (there.length === 0) return missing;
  if (isText) return missing + rightByWord(cells, labels, there);
  const different = new Set(there.map((i) => cells[i]!)).size;
  const hasLevels = different * fewestEach <= labels.length;
  const byLevel = hasLevels ? rightByLevel(there.map((i) => [cells[i]!, labels[i]!])) : 0;
  if (typeof cells[there[0]!] !== 'number') return missing + byLevel;
  const byInterval = (rows: readonly number[]) => rightByInterval(cells as number[], labels, rows, classes);
  // One row of some shows that most measurements are far from giving the class.
  const step = Math.floor(there.length / fewestScreened);
  const some = step < 4 || hasLevels ? [] : there.filter((_, k) => k % step === 0);
  if (byInterval(some) < leastScreened * some.length) return missing;
  return missing + Math.max(byLevel, byInterval(there));
}

/** Counts the pairs whose class is the most frequent one of their level. */
function rightByLevel(pairs: Iterable<readonly [Cell, number]>): number {
  const counts = new Map<Cell, Map<number, number>>();
  let right = 0;
  const most = new Map<Cell, number>();
  for (const [level, label] of pairs) {
    const own = counts.get(level) ?? new Map<number, number>();
    counts.set(level, own);
    const count = (own.get(label) ?? 0) + 1;
    own.set(label, count);
    if (count <= (most.get(level) ?? 0)) continue;
    most.set(level, count);
    right++;
  }
  return right;
}

/** Returns the most rows that intervals of numbers can classify, one for each class, in the order of their medians. */
function rightByInterval(
  cells: readonly number[],
  labels: readonly number[],
  there: readonly number[],
  classes: readonly number[],
): number {
  const values = classes.map((k) =>
    Float64Array.from(
      there.filter((i) => labels[i] === k),
      (i) => cells[i]!,
    ).sort(),
  );
  const order = values.filter(({ length }) => length > 0).sort((a, b) => a[a.length >> 1]! - b[b.length >> 1]!);
  const at = order.map(() => 0);
  const best = order.map(() => 0);
  for (let done = 0; done < there.length; ) {
    let next = Infinity;
    for (let k = 0; k < order.length; k++) next = Math.min(next, order[k]![at[k]!] ?? Infinity);
    // Equal values belong to one interval.
    let before = 0;
    for (let k = 0; k < order.length; k++) {
      const from = at[k]!;
      while (order[k]![at[k]!] === next) at[k]!++;
      before = Math.max(before, best[k]!);
      best[k] = before + at[k]! - from;
      done += at[k]! - from;
    }
    if (next === Infinity) break;
  }
  return Math.max(0, ...best);
}

/** Returns the most rows that the presence of one word for each class but one can classify. */
function rightByWord(cells: readonly Cell[], labels: readonly number[], there: readonly number[]): number {
  const step = Math.ceil(there.length / mostTexts);
  const some = there.filter((_, k) => k % step === 0);
  const counts = new Map<string, Map<number, number>>();
  const rows = new Map<number, number>();
  for (const i of some) {
    rows.set(labels[i]!, (rows.get(labels[i]!) ?? 0) + 1);
    for (const word of new Set(
      String(cells[i])
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    )) {
      const own = counts.get(word) ?? new Map<number, number>();
      counts.set(word, own);
      own.set(labels[i]!, (own.get(labels[i]!) ?? 0) + 1);
    }
  }
  // The errors of the best word for each class: rows without it, and rows of others with it.
  const errors = new Map(rows);
  for (const own of counts.values()) {
    let all = 0;
    for (const count of own.values()) all += count;
    for (const [label, count] of own)
      errors.set(label, Math.min(errors.get(label)!, rows.get(label)! - count + all - count));
  }
  const each = [...errors.values()];
  const wrong = each.reduce((sum, count) => sum + count, 0) - Math.max(...each);
  return Math.max(0, Math.round(there.length * (1 - wrong / some.length)));
}

/** Returns the only class of the filled cells; null: there are several, or too few cells, or it may be chance. */
function filledFor(
  cells: readonly Cell[],
  labels: readonly number[],
  counts: readonly number[],
  chance: number,
): { label: number; right: number; cells: number } | null {
  const own = new Map<number, number>();
  let filled = 0;
  cells.forEach((cell, i) => {
    if (cell === null) return;
    filled++;
    own.set(labels[i]!, (own.get(labels[i]!) ?? 0) + 1);
  });
  const [label, count] = [...own].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
  if (count < fewestFilled || count < filled * leastRight || count < counts[label]! * leastFilled) return null;
  if (filled - count > mostErrors * filled * (1 - counts[label]! / labels.length)) return null;
  let probability = 1;
  for (let k = 0; k < count && probability >= chance; k++) probability *= counts[label]! / labels.length;
  return probability < chance ? { label, right: count, cells: filled } : null;
}
