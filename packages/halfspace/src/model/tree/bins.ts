import { Random } from '../../random.ts';
import type { TreeTable, TreeValues } from './columns.ts';
import { type Pausable, WorkCounter } from './pausable.ts';

/*
 * Every value becomes the number of a bin, so that a node counts bins instead of sorting rows. Numbers with at most
 * `most` different values get one bin per value, as for an exact search. Otherwise bins hold about the same number of
 * rows, and a value with more rows than that is alone in its bin. So a column that is mostly 0 still has bins for its
 * other values (as in Ke et al., "LightGBM", 2017). For a category, bins are the positions of its levels.
 */

/** The number of rows that quantiles are computed from; from more, a sample of this size is drawn. */
const sampledRows = 1 << 18;
/** Fixed seed: the sample depends on the number of rows only. */
const sampleSeed = 1;

/** The values of a table as bins. */
export interface BinnedTable {
  /** Bins per column, from 0; `bins` stands for a missing value. One array type for all columns keeps loops fast. */
  readonly codes: readonly BinCodes[];
  readonly columns: readonly BinnedColumn[];
}

export type BinCodes = Uint8Array | Uint16Array | Uint32Array;

export interface BinnedColumn {
  /** The number of bins B, for present values; bin B is for missing ones. */
  readonly bins: number;
  /** The smallest and the largest number in each bin, rising; null for a category. */
  readonly ranges: { readonly low: Float64Array; readonly high: Float64Array } | null;
}

/** Puts the values of a table into bins. @param most the largest number of bins of a column of numbers. */
export function* binning({ rows, columns, values }: TreeTable, most: number): Pausable<BinnedTable> {
  const work = new WorkCounter();
  const uppers: (Float64Array | null)[] = [];
  for (const [c, { kind }] of columns.entries()) {
    uppers.push(kind === 'category' ? null : upperEdges(values[c]!, rows, most));
    if (work.add(rows)) yield;
  }
  const counts = columns.map((column, c) => (column.kind === 'category' ? column.levels.length : uppers[c]!.length));
  const widest = counts.reduce((most, count) => Math.max(most, count), 0);
  const Codes = widest < 0x100 ? Uint8Array : widest < 0x1_0000 ? Uint16Array : Uint32Array;
  const binned: BinnedColumn[] = [];
  const codes: BinCodes[] = [];
  for (const c of columns.keys()) {
    const out = new Codes(rows);
    const bins = counts[c]!;
    const upper = uppers[c]!;
    if (upper === null) {
      const levels = values[c]!;
      for (let i = 0; i < rows; i++) out[i] = levels[i]! < 0 ? bins : levels[i]!;
      binned.push({ bins, ranges: null });
    } else binned.push({ bins, ranges: encodeInto(values[c] as Float64Array, rows, upper, out) });
    codes.push(out);
    if (work.add(rows)) yield;
  }
  return { codes, columns: binned };
}

/** Returns the upper edge of each bin, rising. */
function upperEdges(values: TreeValues, rows: number, most: number): Float64Array {
  const distinct = new Set<number>();
  for (let i = 0; i < rows && distinct.size <= most; i++) {
    const value = values[i]!;
    if (!Number.isNaN(value)) distinct.add(value);
  }
  if (distinct.size <= most) return Float64Array.from(distinct).sort();
  const sorted = sampleOf(values, rows).sort();
  return quantileEdges(sorted, most);
}

/** Returns all present values, or a sample of them if there are many rows. */
function sampleOf(values: TreeValues, rows: number): Float64Array {
  const random = new Random(sampleSeed);
  const size = Math.min(rows, sampledRows);
  const sample = new Float64Array(size);
  let count = 0;
  for (let k = 0; k < size; k++) {
    // One random row from each of `size` equal stretches of the table.
    const from = Math.floor((k * rows) / size);
    const width = Math.floor(((k + 1) * rows) / size) - from;
    const value = values[width === 1 ? from : from + random.below(width)]!;
    if (!Number.isNaN(value)) sample[count++] = value;
  }
  return sample.subarray(0, count);
}

/** @param sorted not empty. */
function quantileEdges(sorted: Float64Array, most: number): Float64Array {
  const groups: { readonly value: number; readonly count: number }[] = [];
  for (let i = 0; i < sorted.length; ) {
    const from = i;
    while (i < sorted.length && sorted[i] === sorted[from]) i++;
    groups.push({ value: sorted[from]!, count: i - from });
  }
  const share = sorted.length / most;
  let large = 0;
  let rest = sorted.length;
  for (const { count } of groups)
    if (count >= share) {
      large++;
      rest -= count;
    }
  // Bins left for values that are not large, and the number of their rows. Both shrink as bins are filled.
  let free = most - large;
  const edges: number[] = [];
  let inBin = 0;
  for (let g = 0; g < groups.length - 1; g++) {
    const { value, count } = groups[g]!;
    const isLarge = count >= share;
    if (!isLarge) inBin += count;
    if (!isLarge && (free <= 1 || (inBin * free < rest && groups[g + 1]!.count < share))) continue;
    edges.push(value);
    if (inBin > 0 && !isLarge) free--;
    rest -= inBin;
    inBin = 0;
  }
  edges.push(Infinity);
  return Float64Array.from(edges);
}

/** Writes the bin of each value to `out`, and returns the range of the values in each bin. */
function encodeInto(values: Float64Array, rows: number, upper: Float64Array, out: BinCodes) {
  const bins = upper.length;
  const low = new Float64Array(bins).fill(Infinity);
  const high = new Float64Array(bins).fill(-Infinity);
  let highestStep = 1;
  while (highestStep * 2 <= bins) highestStep *= 2;
  for (let i = 0; i < rows; i++) {
    const value = values[i]! + 0;
    if (Number.isNaN(value)) {
      out[i] = bins;
      continue;
    }
    // Binary search for the number of edges below the value.
    let bin = 0;
    for (let step = highestStep; step > 0; step >>= 1)
      if (bin + step <= bins && upper[bin + step - 1]! < value) bin += step;
    out[i] = bin;
    if (value < low[bin]!) low[bin] = value;
    if (value > high[bin]!) high[bin] = value;
  }
  return { low, high };
}
