import { type ColumnRow, noFeature, oneHotRow } from '../column-row.ts';
import { type ReadWord, refusedCell, valueCell } from '../table-cell.ts';
import { cellForm, type MeasuredColumn, type ScaledColumn } from '../table-encoding.ts';

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

/** Encodes single fields of a number, boolean or date: the scaled value, then the indicator of a missing value. */
export function numericRow(column: MeasuredColumn, first: number, standardize: boolean, read?: ReadWord): ColumnRow {
  const { kind, name, missing } = column;
  const { mean, deviation, filled } = scalingOf(column, standardize);
  return (value, put) => {
    const cell = valueCell(kind, value, read);
    const feature = (cell - mean) / deviation;
    if (Math.abs(feature) === Infinity) throw refusedCell(kind, cell, value, { field: name }, cellForm(column));
    const isMissing = Number.isNaN(feature);
    put(first, isMissing ? filled : feature);
    if (missing.indicator) put(first + 1, isMissing ? 1 : 0);
    return 0;
  };
}

/**
 * Returns a function from a number to the feature of its interval; NaN is a missing value. The features are one per
 * interval, then the indicator of a missing value.
 *
 * @param first position of the first interval's feature.
 */
export function intervalFeature({ edges = [], missing }: ScaledColumn, first: number): (x: number) => number {
  const absent = missing.indicator ? first + edges.length + 1 : noFeature;
  return (x) => (Number.isNaN(x) ? absent : first + intervalOf(x, edges));
}

/** Returns the number of the interval, from 0, in which a number lies. @param edges see {@link NumberColumn}. */
export function intervalOf(x: number, edges: readonly number[]): number {
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
