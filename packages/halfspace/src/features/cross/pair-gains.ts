import type { StoredBatch } from '../../batch.ts';
import { HalfspaceError, quote } from '../../errors.ts';
import { BatchView } from '../../kernels/batch-view.ts';
import type { FeatureEncoding } from '../encoding.ts';
import {
  type CrossGroups,
  columnWidth,
  dimension,
  groupCount,
  isOneHot,
  type TableColumn,
  type TableCross,
  type TableEncoding,
  trendOf,
} from '../table-encoding.ts';

/*
 * Pairs of columns that explain what a sum of columns leaves. Lou, Caruana, Gehrke & Hooker 2013, Accurate intelligible
 * models with pairwise interactions (KDD), section 4: each pair is judged by a table of its groups, fitted to what the
 * model of single columns leaves, without learning again.
 */

/** Number of groups of the intervals of a number while pairs are compared, those of missing values not counted. */
const comparedGroups = 8;
/** Largest number in the pairs that are found. */
const mostGroups = 24;
/** Largest number of columns that take part. */
const mostColumns = 60;
/** Largest number of features of a category that takes part. */
const mostLevels = 32;
/** Largest number of rows times pairs that are judged; of more, every k-th row is. */
const mostJudged = 4e7;

/** Names of two columns. */
type Pair = readonly [first: string, second: string];
/** The largest number of pairs, or the pairs. */
export type Pairs = number | readonly Pair[];

/** A column that pairs may use: its features [first, first + width), and their groups. */
interface Crossable {
  readonly name: string;
  readonly first: number;
  readonly width: number;
  readonly groups: CrossGroups;
  /** Those of the pairs that are found. */
  readonly found: CrossGroups;
  /** Number of groups. */
  readonly count: number;
  /** The group of each feature. */
  readonly groupOf: Uint16Array;
}

/** Finds the pairs of columns whose groups explain most of what a model leaves. */
export class PairGains {
  readonly #columns: readonly Crossable[];
  /** The column of each feature; −1: of none that pairs may use. */
  readonly #columnOf: Int16Array;
  readonly #outputs: number;
  /** For each pair (a, b), a < b, and each cell and output: sum of residuals, then sum of curvatures. */
  readonly #sums: readonly Float64Array[];
  readonly #pairs: Pairs;
  readonly #step: number;
  #row = 0;

  /**
   * @param encoding of a bent table.
   * @param batches in it; only read.
   * @param functions weights of a model of its columns, one function for each output.
   * @param pairs that {@link checkPairs} takes.
   */
  constructor(
    encoding: TableEncoding,
    batches: Iterable<StoredBatch>,
    functions: readonly { readonly weights: Float64Array }[],
    pairs: Pairs,
  ) {
    this.#pairs = pairs;
    const outputs = functions.length;
    const counts = new Float64Array(dimension(encoding));
    let rows = 0;
    for (const batch of batches) {
      const view = new BatchView(batch);
      for (let i = 0; i < batch.rows; i++, rows++) {
        view.open(i);
        for (let k = 0; k < view.count; k++) counts[view.feature(k)]!++;
      }
    }
    const size = (j: number) => functions.reduce((sum, { weights }) => sum + weights[j]! * weights[j]!, 0);
    const named = typeof pairs === 'number' ? null : new Set(pairs.flat());
    this.#columns = crossables(encoding, counts, { rows, size, named });
    this.#outputs = outputs;
    this.#columnOf = new Int16Array(counts.length).fill(-1);
    this.#columns.forEach(({ first, width }, c) => {
      this.#columnOf.fill(c, first, first + width);
    });
    this.#sums = this.#columns.flatMap(({ count }, a) =>
      this.#columns.slice(a + 1).map((other) => new Float64Array(2 * outputs * count * other.count)),
    );
    this.#step = Math.max(1, Math.ceil((rows * this.#sums.length * outputs) / mostJudged));
  }

  /**
   * Adds what a model leaves of some rows: for each row and output the class, 0 or 1, less its probability.
   *
   * @param residuals row by row, one number for each output.
   */
  add(batch: StoredBatch, residuals: Float64Array): void {
    const columns = this.#columns;
    const { length } = columns;
    const K = this.#outputs;
    const groups = new Int32Array(length);
    const counts = Uint32Array.from(columns, ({ count }) => count);
    const [columnOf, all, step] = [this.#columnOf, this.#sums, this.#step];
    /** The numbers that a row adds to its cell of each pair. */
    const parts = new Float64Array(2 * K);
    const view = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++, this.#row++) {
      if (this.#row % step !== 0) continue;
      const h = batch.importance === null ? 1 : batch.importance[i]!;
      groups.fill(-1);
      view.open(i);
      for (let k = 0; k < view.count; k++) {
        const c = columnOf[view.feature(k)]!;
        if (c >= 0) groups[c] = columns[c]!.groupOf[view.feature(k) - columns[c]!.first]!;
      }
      for (let k = 0; k < K; k++) {
        const left = residuals[i * K + k]!;
        parts[2 * k] = h * left;
        parts[2 * k + 1] = h * Math.abs(left) * (1 - Math.abs(left));
      }
      for (let a = 0, pair = 0; a < length; a++)
        for (let b = a + 1; b < length; b++, pair++) {
          if (groups[a]! < 0 || groups[b]! < 0) continue;
          const sums = all[pair]!;
          const cell = 2 * K * (groups[a]! * counts[b]! + groups[b]!);
          for (let k = 0; k < parts.length; k++) sums[cell + k]! += parts[k]!;
        }
    }
  }

  /** Returns the given pairs, or the best ones, as crosses; best first. */
  best(): TableCross[] {
    const pairs = this.#pairs;
    const isWanted = ([one, other]: Pair) =>
      typeof pairs === 'number' || pairs.some((pair) => pair.includes(one) && pair.includes(other));
    const columns = this.#columns;
    const found: { readonly gain: number; readonly cross: TableCross }[] = [];
    for (let a = 0, pair = 0; a < columns.length; a++)
      for (let b = a + 1; b < columns.length; b++, pair++) {
        const gain = gainOf(this.#sums[pair]!);
        const [one, other] = [columns[a]!, columns[b]!];
        const bits = Math.ceil(Math.log2(groupCount(one.found, one.width) * groupCount(other.found, other.width)));
        const groups = one.found === null && other.found === null ? {} : { groups: [one.found, other.found] as const };
        found.push({ gain, cross: { columns: [one.name, other.name], bits, ...groups } });
      }
    // The sort is stable: equal pairs keep the order of the columns.
    return found
      .sort((one, other) => other.gain - one.gain)
      .map(({ cross }) => cross)
      .filter(({ columns }) => isWanted(columns))
      .slice(0, typeof pairs === 'number' ? pairs : undefined);
  }
}

/**
 * Checks names of pairs.
 *
 * @param encoding of a bent table.
 * @throws HalfspaceError `option-invalid` for a column that pairs cannot use.
 */
export function checkPairs(encoding: FeatureEncoding, pairs: Pairs): void {
  if (typeof pairs === 'number') return;
  if (encoding.kind !== 'table')
    throw new HalfspaceError('option-invalid', 'expected a table for pairs of columns; got features without columns');
  for (const name of pairs.flat()) {
    const column = encoding.columns.find((each) => each.name === name);
    if (column === undefined || !isCrossable(column) || ('levels' in column && columnWidth(column) > mostLevels))
      throw new HalfspaceError(
        'option-invalid',
        `expected pairs of numbers without a trend, and of categories of at most ${mostLevels} levels; got ${quote(name)}, ${columnInWords(column)}`,
      );
  }
}

function columnInWords(column: TableColumn | undefined): string {
  if (column === undefined) return 'which is no column of features';
  if (trendOf(column) !== undefined) return 'which is rising or falling';
  if (column.kind === 'category') return `a category of ${columnWidth(column)} levels`;
  if (column.kind === 'boolean') return 'which is true or false (read it as a category)';
  return column.kind === 'number' ? 'a number with a single value' : `a column of kind ${column.kind}`;
}

function isCrossable(column: TableColumn): boolean {
  return isOneHot(column) && trendOf(column) === undefined;
}

/** Returns by how much a table reduces the loss (to second order), in standard deviations of what chance gives. */
function gainOf(sums: Float64Array): number {
  let gain = 0;
  let cells = 0;
  for (let at = 0; at < sums.length; at += 2) {
    const [left, curvature] = [sums[at]!, sums[at + 1]!];
    if (curvature === 0) continue;
    gain += (left * left) / (curvature + 1);
    cells += curvature / (curvature + 1);
  }
  return cells === 0 ? 0 : (gain - cells) / Math.sqrt(2 * cells);
}

/**
 * Returns the columns that weigh most in the rows, or the named ones, in the order of the table.
 *
 * @param size of a feature's weights.
 */
function crossables(
  encoding: TableEncoding,
  counts: Float64Array,
  {
    rows,
    size,
    named,
  }: {
    readonly rows: number;
    readonly size: (j: number) => number;
    readonly named: ReadonlySet<string> | null;
  },
): Crossable[] {
  let first = 0;
  const weighty = encoding.columns.map((column) => {
    let sum = 0;
    for (const end = first + columnWidth(column); first < end; first++) sum += counts[first]! * size(first);
    return isCrossable(column) ? sum : -1;
  });
  const least = [...weighty].sort((a, b) => b - a)[Math.min(mostColumns, weighty.length) - 1]!;
  first = 0;
  return encoding.columns.flatMap((column, c) => {
    const own = { name: column.name, first, width: columnWidth(column) };
    first += own.width;
    if (weighty[c]! < (named === null ? Math.max(0, least) : 0) || named?.has(column.name) === false) return [];
    const shares = counts.subarray(own.first, first);
    const groups = groupsOf(column, shares, comparedGroups);
    const found = groupsOf(
      column,
      shares,
      Math.max(comparedGroups, Math.min(mostGroups, Math.floor(Math.sqrt(rows) / 3))),
    );
    if (groups === null && own.width > mostLevels) return [];
    const groupOf = new Uint16Array(own.width);
    for (let j = 1; j < own.width; j++)
      groupOf[j] = groups === null ? j : groupOf[j - 1]! + (groups.includes(j) ? 1 : 0);
    return [{ ...own, groups, found, count: groupCount(groups, own.width), groupOf }];
  });
}

/** Returns starts of groups: of intervals with about equally many rows, of words, and of missing values. */
function groupsOf(column: TableColumn, counts: Float64Array, most: number): CrossGroups {
  if (!('edges' in column) || column.edges === undefined) return null;
  const intervals = column.edges.length + 1;
  if (intervals <= most) return null;
  const starts: number[] = [];
  const rows = counts.subarray(0, intervals).reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (let j = 0; j < intervals; j++) {
    const wanted = ((starts.length + 1) * rows) / most;
    // A group begins where the rows before it are nearest to its share.
    if (j > 0 && before > 0 && before + counts[j]! / 2 >= wanted) starts.push(j);
    before += counts[j]!;
  }
  for (let j = intervals; j < counts.length; j++) starts.push(j);
  return starts;
}
