import type { ColumnRow } from '../column-row.ts';
import { valueText } from '../table-cell.ts';
import type { TextColumn } from '../table-encoding.ts';
import { TermFeatures } from './term-features.ts';

/** Encodes single fields of text. */
export function textRow(column: TextColumn, first: number): ColumnRow {
  const terms = new TermFeatures(column, first);
  return (value, put) => {
    terms.encode(valueText(value, column.name), put);
    return 0;
  };
}
