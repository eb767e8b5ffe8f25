import type { BinCodes, BinnedTable } from './bins.ts';
import type { Pausable, WorkCounter } from './pausable.ts';

/** The examples to count. */
interface Counted {
  readonly labels: Int32Array;
  /** Null for all 1. */
  readonly importance: Float64Array | null;
  readonly work: WorkCounter;
}

/**
 * Counts the examples of each class in each bin of each column, for the rows of a node. The bins of column c, and then
 * its bin for missing values, start at `starts[c]`: the count of class k in bin b is at (starts[c] + b) · K + k.
 */
export class Histograms {
  /** One entry per column, then the number of all bins. */
  readonly starts: Uint32Array;
  readonly #table: BinnedTable;
  readonly #classes: number;
  readonly #labels: Int32Array;
  readonly #importance: Float64Array | null;
  readonly #work: WorkCounter;
  readonly #free: Float64Array[] = [];
  /** Labels and importance of the node's rows, gathered once because every column reads them. */
  readonly #label: Int32Array;
  readonly #weight: Float64Array | null;

  constructor(table: BinnedTable, classes: number, { labels, importance, work }: Counted) {
    this.#table = table;
    this.#classes = classes;
    this.#labels = labels;
    this.#importance = importance;
    this.#work = work;
    this.starts = new Uint32Array(table.columns.length + 1);
    table.columns.forEach(({ bins }, c) => {
      this.starts[c + 1] = this.starts[c]! + bins + 1;
    });
    this.#label = new Int32Array(labels.length);
    this.#weight = importance === null ? null : new Float64Array(labels.length);
  }

  /** Counts rows[from, to) in the given columns; others are undefined. Pass the result to {@link release} when done. */
  *count(rows: Uint32Array, from: number, to: number, columns: readonly number[]): Pausable<Float64Array> {
    const classes = this.#classes;
    const out = this.#free.pop() ?? new Float64Array(this.starts.at(-1)! * classes);
    const label = this.#label;
    const weight = this.#weight;
    for (let i = from; i < to; i++) label[i - from] = this.#labels[rows[i]!]!;
    if (weight !== null) for (let i = from; i < to; i++) weight[i - from] = this.#importance![rows[i]!]!;
    for (const c of columns) {
      const start = this.starts[c]! * classes;
      out.fill(0, start, this.starts[c + 1]! * classes);
      const codes = this.#table.codes[c]!;
      if (weight === null) countColumn(codes, rows, from, to, label, classes, out, start);
      else addColumn(codes, rows, from, to, label, weight, classes, out, start);
      if (this.#work.add(to - from + this.starts[c + 1]! - this.starts[c]!)) yield;
    }
    return out;
  }

  /** Subtracts one child's counts from the parent's; the other child's are left. Exact for whole importance. */
  subtract(parent: Float64Array, child: Float64Array, columns: readonly number[]): void {
    for (const c of columns) {
      const end = this.starts[c + 1]! * this.#classes;
      for (let b = this.starts[c]! * this.#classes; b < end; b++) parent[b]! -= child[b]!;
    }
  }

  release(histogram: Float64Array): void {
    this.#free.push(histogram);
  }
}

function countColumn(
  codes: BinCodes,
  rows: Uint32Array,
  from: number,
  to: number,
  label: Int32Array,
  classes: number,
  out: Float64Array,
  start: number,
): void {
  for (let i = from; i < to; i++) out[start + codes[rows[i]!]! * classes + label[i - from]!]! += 1;
}

function addColumn(
  codes: BinCodes,
  rows: Uint32Array,
  from: number,
  to: number,
  label: Int32Array,
  weight: Float64Array,
  classes: number,
  out: Float64Array,
  start: number,
): void {
  for (let i = from; i < to; i++) out[start + codes[rows[i]!]! * classes + label[i - from]!]! += weight[i - from]!;
}
