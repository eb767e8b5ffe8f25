import { wordReader } from './cell-forms.ts';
import type { ColumnRow } from './column-row.ts';
import { type ColumnRows, plainRows } from './encode-row.ts';
import { setRow } from './set/row.ts';
import { valueText } from './table-cell.ts';
import type { TextColumn } from './table-encoding.ts';
import { TermFeatures } from './text/term-features.ts';

/** All kinds of columns. */
export const columnRows: ColumnRows = { ...plainRows, text: textRow, set: setRow, form: wordReader };

/** Encodes single fields of text. */
function textRow(column: TextColumn, first: number): ColumnRow {
  const terms = new TermFeatures(column, first);
  return (value, put) => {
    terms.encode(valueText(value, column.name), put);
    return 0;
  };
}
