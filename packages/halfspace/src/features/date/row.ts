import { type ColumnRow, noFeature } from '../column-row.ts';
import { numericRow } from '../number/row.ts';
import { type ReadWord, valueCell } from '../table-cell.ts';
import type { DateColumn } from '../table-encoding.ts';
import { partOf, partWidths } from './parts.ts';

/** Returns the column without the indicator of missing values, which follows the parts. */
export function unmarked(column: DateColumn): DateColumn {
  return { ...column, missing: { ...column.missing, indicator: false } };
}

/**
 * Returns a function that passes the features after the date itself, which all have the value 1: those of its parts, or
 * the indicator of a missing date.
 *
 * @param first position of the first of these features.
 */
export function partFeatures(
  { parts = [], missing }: DateColumn,
  first: number,
): (day: number, put: (index: number) => void) => void {
  let next = first;
  const firsts = parts.map((part) => {
    next += partWidths[part];
    return next - partWidths[part];
  });
  const absent = missing.indicator ? next : noFeature;
  return (day, put) => {
    if (Number.isNaN(day)) {
      if (absent >= 0) put(absent);
      return;
    }
    parts.forEach((part, k) => {
      const value = partOf(part, day);
      if (value >= 0) put(firsts[k]! + value);
    });
  };
}

/** Encodes single fields of a date with parts: the date as a number, then its parts, then the missing indicator. */
export function dateRow(column: DateColumn, first: number, standardize: boolean, read?: ReadWord): ColumnRow {
  const date = numericRow(unmarked(column), first, standardize, read);
  const putParts = partFeatures(column, first + 1);
  return (value, put) => {
    date(value, put);
    putParts(valueCell('date', value, read), (index) => put(index, 1));
    return 0;
  };
}
