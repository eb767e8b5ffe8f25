import { type ColumnRow, noFeature, oneHotRow } from '../column-row.ts';
import { levelOf, type ReadWord, refusedCell, valueCell } from '../table-cell.ts';
import { cellForm, type MeasuredColumn, numberLevels, type ScaledColumn } from '../table-encoding.ts';

/** Scaling of a column: its feature is (x − mean) / deviation, or `filled` if x is missing. */
export interface Scaling {
  readonly mean: number;
  readonly deviation: number;
  readonly filled: number;
}

export function scalingOf(column: MeasuredColumn, standardize: boolean): Scaling {
  const [mean, deviation] =
    standardize && column.kind !== 'boolean' ? [column.mean, column.deviation] : ([0, 1] as const);
  return { mean, deviation, filled: (column.missing.fill - mean) / deviation };
}

/** Encodes single fields of a number, boolean or date, as {@link NumericFeature} does columns. */
export function numericRow(column: MeasuredColumn, first: number, standardize: boolean, read?: ReadWord): ColumnRow {
  const { kind, name, missing } = column;
  const { mean, deviation, filled } = scalingOf(column, standardize);
  const levels = numberLevels(column).length;
  return (value, put) => {
    const cell = valueCell(kind, value, read);
    const level = levelOf(cell, levels);
    const feature = level < 0 ? (cell - mean) / deviation : Number.NaN;
    if (Math.abs(feature) === Infinity) throw refusedCell(kind, cell, value, { field: name }, cellForm(column));
    const isMissing = Number.isNaN(feature);
    put(first, isMissing ? filled : feature);
    for (let k = 0; k < levels; k++) put(first + 1 + k, k === level ? 1 : 0);
    if (missing.indicator) put(first + 1 + levels, isMissing && level < 0 ? 1 : 0);
    return 0;
  };
}

/**
 * Returns a function from a number to the feature of its interval; NaN is a missing value. The features are one per
 * interval, one per word in place of a number, then the indicator of a missing value.
 *
 * @param first position of the first interval's feature.
 */
export function intervalFeature(column: ScaledColumn, first: number): (x: number) => number {
  const { edges = [], missing } = column;
  const levels = numberLevels(column).length;
  const absent = missing.indicator ? first + edges.length + 1 + levels : noFeature;
  return (x) => (Number.isNaN(x) ? absent : first + intervalOf(x, edges, levels));
}

/**
 * Returns the number of the interval, from 0, in which a number lies; of a word in its place, the one behind.
 *
 * @param edges see {@link NumberColumn}.
 * @param levels number of such words.
 */
export function intervalOf(x: number, edges: readonly number[], levels: number): number {
  const level = levelOf(x, levels);
  return level >= 0 ? edges.length + 1 + level : countUpTo(x, edges);
}

/** Returns how many of some rising numbers are at most x. */
export function countUpTo(x: number, edges: ArrayLike<number>): number {
  let from = 0;
  let to = edges.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (x < edges[middle]!) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Encodes single fields of a number or date cut into intervals. */
export function intervalRow(column: ScaledColumn, first: number, read?: ReadWord): ColumnRow {
  const featureOf = intervalFeature(column, first);
  return oneHotRow((value) => {
    const x = valueCell(column.kind, value, read);
    if (Math.abs(x) === Infinity) throw refusedCell(column.kind, x, value, { field: column.name }, cellForm(column));
    return featureOf(x);
  });
}
