import { wordReader } from './cell-forms.ts';
import { type ColumnRows, plainRows } from './encode-row.ts';
import { setRow } from './set/row.ts';
import { textRow } from './text/row.ts';

/** All kinds of columns. */
export const columnRows: ColumnRows = { ...plainRows, text: textRow, set: setRow, form: wordReader };
