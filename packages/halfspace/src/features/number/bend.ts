import type { SparseBatch, StoredBatch } from '../../batch.ts';
import { BatchView } from '../../kernels/batch-view.ts';
import { partRanges } from '../date/part-ranges.ts';
import type { FeatureEncoding } from '../encoding.ts';
import {
  columnsByName,
  columnWidth,
  crossPairs,
  crossWidth,
  type DateColumn,
  dimension,
  groupCount,
  type NumberColumn,
  type TableColumn,
  type TableEncoding,
  trendOf,
} from '../table-encoding.ts';
import { countUpTo, type Scaling, scalingOf } from './row.ts';

/*
 * Bends the numbers of a table: their columns are cut into intervals, each with a weight, so that the score becomes a
 * curve of the number. A rule that penalises the increments between neighbours, such as `logistic`, learns a smooth
 * one.
 */

/** Features of one column, neighbours in order, of which a row has at most one, with value 1; or those of a pair. */
export interface Chain {
  /** Position of the first feature. */
  readonly first: number;
  /** Number of features; 1: a straight number, whose weight has the sign. */
  readonly length: number;
  /** The sign of all increments between the weights of neighbours; 0 may be among them. Absent: any. */
  readonly sign?: 1 | -1;
  /** The last is a neighbour of the first. Never with a sign. */
  readonly isRing?: true;
  /** Of a pair: the features are a matrix, row by row. */
  readonly pair?: {
    readonly width: number;
    /** Number of neighbours at the start of each column and of each row; 0: the features of the side are words. */
    readonly neighbours: readonly [down: number, across: number];
  };
}

/**
 * Returns the intervals of each column that is cut, straight columns with a trend, and pairs of cut columns; none for
 * features that were renumbered.
 *
 * @param features their number in the examples.
 */
export function chainsOf(encoding: FeatureEncoding, features: number): Chain[] {
  if (encoding.kind !== 'table' || dimension(encoding) !== features) return [];
  let first = 0;
  const chains = encoding.columns.flatMap((column): Chain[] => {
    const at = first;
    first += columnWidth(column);
    const trend = trendOf(column);
    const sign = trend === undefined ? {} : { sign: trend === 'rising' ? (1 as const) : (-1 as const) };
    const ring = column.kind === 'date' && column.wraps === true ? { isRing: true as const } : {};
    if ('edges' in column && column.edges !== undefined)
      return [{ first: at, length: column.edges.length + 1, ...sign, ...ring }];
    if (ring.isRing)
      return partRanges(column as DateColumn, at).map(({ first, length }) => ({ first, length, ...ring }));
    return trend === undefined ? [] : [{ first: at, length: 1, ...sign }];
  });
  const all = columnsByName(encoding.columns);
  for (const cross of encoding.crosses ?? []) {
    const length = crossWidth(cross, all);
    const [down, across] = cross.columns.map((name, k) => {
      const column = all.get(name)!;
      const intervals = 'edges' in column && column.edges !== undefined ? column.edges.length + 1 : 0;
      const groups = cross.groups?.[k];
      return groups == null || intervals === 0 ? intervals : groups.filter((start) => start < intervals).length + 1;
    }) as [number, number];
    if (Math.max(down, across) > 1 && length === crossPairs(cross, all)) {
      const width = groupCount(cross.groups?.[1], columnWidth(all.get(cross.columns[1])!));
      chains.push({ first, length, pair: { width, neighbours: [down, across] } });
    }
    first += length;
  }
  return chains;
}

interface BendOptions {
  readonly edges: number;
  readonly evenNone: boolean;
}

/** A column to bend: where its features stand, and how its numbers were scaled. */
interface Bending {
  /** Position of the column in the table. */
  readonly at: number;
  /** Position of its feature. */
  readonly feature: number;
  /** Number of the features of its parts, which follow. */
  readonly parts: number;
  /** Number of its features. */
  readonly width: number;
  readonly scaling: Scaling;
}

/** Features of the bent encoding that stand for those in [from, to) of the straight one. */
interface Piece {
  readonly from: number;
  readonly to: number;
  /** Position of the first of them in the bent encoding. */
  readonly first: number;
  /** Number of features behind the first that the intervals replace too. */
  readonly parts: number;
  /** Rising ends of the intervals as scaled numbers; null: the features stay as they are. */
  readonly ends: Float64Array | null;
}

/** Rows from which edges are chosen; of more, every k-th row is used. */
const mostRows = 65_536;

/**
 * A table encoding with its numbers, plain dates and times of day cut into intervals, and the rows of the straight
 * encoding in it. The parts of other dates become rings. Half of the edges are quantiles of the rows, half of the
 * different values, where one value may be frequent; a number with few values has an edge between any two. Each edge is
 * the shortest decimal between two values of the data.
 */
export class Bend {
  readonly encoding: TableEncoding;
  readonly #pieces: readonly Piece[];
  readonly #dimension: number;
  #offsets = new Uint32Array(0);
  #indices = new Uint32Array(0);
  #values = new Float64Array(0);

  private constructor(encoding: TableEncoding, pieces: readonly Piece[]) {
    this.encoding = encoding;
    this.#pieces = pieces;
    this.#dimension = dimension(encoding);
  }

  /**
   * Chooses the edges.
   *
   * @param encoding the straight encoding.
   * @param rows batches in it, whose features rise in every row; only read.
   * @param count number of rows.
   * @param options.edges largest number of edges of a column, a whole number from 1.
   * @param options.evenNone false returns null if no column can be cut.
   */
  static of(encoding: TableEncoding, rows: Iterable<StoredBatch>, count: number, options: BendOptions): Bend | null {
    const bendings = bendingsOf(encoding);
    const numbers = numbersOf(bendings, rows, count);
    const columns = [...encoding.columns];
    const ends = bendings.map(({ at, scaling }, b) => {
      const found = edgesOf(numbers[b]!, scaling, options.edges);
      if (found.length === 0) return null;
      // In the order of a column that was fitted with intervals, so that model files do not differ.
      const { kind, name, mean, deviation, parts: _, ...rest } = columns[at] as NumberColumn & { parts?: unknown };
      const cut = { kind, name, mean, deviation, edges: found, ...rest };
      columns[at] = isClock(columns[at]!, numbers[b]!, scaling) ? wrapping(cut as unknown as DateColumn) : cut;
      return Float64Array.from(found, (edge) => (edge - scaling.mean) / scaling.deviation);
    });
    columns.forEach((column, at) => {
      if (column.kind === 'date' && column.parts !== undefined) columns[at] = wrapping(column);
    });
    if (!options.evenNone && columns.every((column, at) => column === encoding.columns[at])) return null;
    const bent = { ...encoding, columns };
    return new Bend(
      bent,
      piecesOf(encoding, bent, (at) => ends[bendings.findIndex((each) => each.at === at)] ?? null),
    );
  }

  /** Returns rows of the straight encoding in the bent one; valid until the next call. */
  batch(batch: StoredBatch): SparseBatch {
    const { rows } = batch;
    // Copies: the arrays of a stored batch move when kernel memory grows.
    const labels = batch.labels.slice(0, rows);
    const importance = batch.importance?.slice(0, rows) ?? null;
    const pieces = this.#pieces;
    if (this.#offsets.length <= rows) this.#offsets = new Uint32Array(rows + 1);
    const view = new BatchView(batch);
    let most = 0;
    for (let i = 0; i < rows; i++) most += view.open(i).count + pieces.length;
    if (this.#indices.length < most) {
      this.#indices = new Uint32Array(most);
      this.#values = new Float64Array(most);
    }
    const [offsets, indices, values] = [this.#offsets, this.#indices, this.#values];
    let end = 0;
    for (let i = 0; i < rows; i++) {
      offsets[i] = end;
      view.open(i);
      let k = 0;
      for (const { from, to, first, parts, ends } of pieces) {
        let number = 0;
        let mark = 0;
        for (; k < view.count && view.feature(k) < to; k++) {
          const value = view.value(k);
          if (ends === null) {
            if (value === 0) continue;
            indices[end] = view.feature(k) - from + first;
            values[end++] = value;
          } else if (view.feature(k) === from) number = value;
          else if (value !== 0) mark = view.feature(k) - from - parts;
        }
        if (ends === null) continue;
        // Words in place of a number, and the mark of a missing one, stand behind the intervals.
        indices[end] = first + (mark > 0 ? ends.length + mark : countUpTo(number, ends));
        values[end++] = 1;
      }
    }
    offsets[rows] = end;
    return { kind: 'sparse', rows, dimension: this.#dimension, labels, importance, offsets, indices, values };
  }
}

function bendingsOf(encoding: TableEncoding): Bending[] {
  let first = 0;
  return encoding.columns.flatMap((column, at) => {
    const feature = first;
    first += columnWidth(column);
    if (column.kind !== 'number' && column.kind !== 'date') return [];
    const isTime = column.kind === 'date' && column.format === 'time';
    const parts = column.kind === 'date' ? partRanges(column, 0).reduce((sum, { length }) => sum + length, 0) : 0;
    if (column.edges !== undefined || (parts > 0 && !isTime)) return [];
    const width = columnWidth(column);
    return [{ at, feature, width, parts, scaling: scalingOf(column, encoding.scale === 'standard') }];
  });
}

/** Returns a column of dates whose ends meet, with its members in the order of a model file. */
function wrapping({ missing, ...rest }: DateColumn): DateColumn {
  return { ...rest, wraps: true, missing };
}

/** Tests if numbers are times of day: durations seldom begin before 6:00, end after 18:00 and stay below 24:00. */
function isClock(column: TableColumn, sorted: Float64Array, { mean, deviation }: Scaling): boolean {
  const [least, most] = [sorted[0]!, sorted.at(-1)!].map((scaled) => mean + deviation * scaled) as [number, number];
  return column.kind === 'date' && column.format === 'time' && least < 0.25 && most >= 0.75 && most < 1;
}

/** Returns the scaled numbers of each column, rising, without missing ones and words in their place. */
function numbersOf(bendings: readonly Bending[], batches: Iterable<StoredBatch>, count: number): Float64Array[] {
  const step = Math.max(1, Math.ceil(count / mostRows));
  const numbers = bendings.map(() => new Float64Array(Math.ceil(count / step)));
  const found = bendings.map(() => 0);
  let row = 0;
  for (const batch of batches) {
    const view = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++, row++) {
      if (row % step !== 0) continue;
      view.open(i);
      let k = 0;
      bendings.forEach(({ feature, width, parts }, b) => {
        while (k < view.count && view.feature(k) < feature) k++;
        const number = k < view.count && view.feature(k) === feature ? view.value(k++) : 0;
        let isMarked = false;
        for (; k < view.count && view.feature(k) < feature + width; k++)
          isMarked ||= view.value(k) !== 0 && view.feature(k) > feature + parts;
        if (isMarked) return;
        numbers[b]![found[b]!++] = number;
      });
    }
  }
  return numbers.map((each, b) => each.subarray(0, found[b]!).sort());
}

/** Returns rising edges, at most `most`. @param sorted scaled numbers, rising. */
function edgesOf(sorted: Float64Array, scaling: Scaling, most: number): number[] {
  const distinct = sorted.filter((value, k) => k === 0 || value !== sorted[k - 1]!);
  /** Positions in `distinct`, from 1, of values that begin an interval. */
  const starts = new Set<number>();
  if (distinct.length - 1 <= most) for (let d = 1; d < distinct.length; d++) starts.add(d);
  else {
    const half = most >> 1;
    const quantiles = most - half;
    for (let k = 1; k <= quantiles; k++)
      starts.add(countUpTo(sorted[Math.floor((k * sorted.length) / (quantiles + 1))]!, distinct) - 1);
    // Between the quantiles, if all values differ.
    for (let k = 0; k < half; k++) starts.add(Math.floor(((k + 0.5) * distinct.length) / half));
  }
  return [...starts]
    .filter((d) => d > 0)
    .sort((a, b) => a - b)
    .flatMap((d) => edgeBetween(distinct[d - 1]!, distinct[d]!, scaling) ?? []);
}

/**
 * Returns the shortest decimal near the middle between two scaled numbers that separates them when it is scaled itself;
 * null if there is none. Scaling never reverses an order, so it separates the numbers before scaling too.
 */
function edgeBetween(below: number, above: number, { mean, deviation }: Scaling): number | null {
  const middle = mean + deviation * (below + (above - below) / 2);
  for (let digits = 1; digits <= 17; digits++) {
    const edge = Number(middle.toPrecision(digits)) + 0;
    const scaled = (edge - mean) / deviation;
    if (below < scaled && scaled < above) return edge;
  }
  return null;
}

function piecesOf(straight: TableEncoding, bent: TableEncoding, endsOf: (at: number) => Float64Array | null): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let first = 0;
  const add = (width: number, bentWidth: number, parts: number, ends: Float64Array | null) => {
    const last = pieces.at(-1);
    // What stays as it is moves as one piece.
    if (ends === null && last?.ends === null) pieces[pieces.length - 1] = { ...last, to: from + width };
    else pieces.push({ from, to: from + width, first, parts, ends });
    from += width;
    first += bentWidth;
  };
  straight.columns.forEach((column, at) => {
    const parts = column.kind === 'date' ? partRanges(column, 0).reduce((sum, { length }) => sum + length, 0) : 0;
    add(columnWidth(column), columnWidth(bent.columns[at]!), parts, endsOf(at));
  });
  const all = columnsByName(straight.columns);
  for (const cross of straight.crosses ?? []) {
    const width = crossWidth(cross, all);
    add(width, width, 0, null);
  }
  return pieces;
}
