import { wordReader } from '../features/cell-forms.ts';
import { setText } from '../features/set/list.ts';
import { keepsWords, unlessMissing, valueCell, valueText } from '../features/table-cell.ts';
import { cellForm, type TableColumn, type TableEncoding } from '../features/table-encoding.ts';
import type { RawRow } from '../model/raw-features.ts';

/**
 * Returns a function that reads the cell of a column from a row of `Predictor`, as exported programs take it: a double,
 * NaN for a missing value; of a category, a text or a set the text, null for a missing value.
 *
 * @throws HalfspaceError for what `Predictor` refuses.
 */
export function cellReader(column: TableColumn, encoding: TableEncoding): (row: RawRow) => number | string | null {
  const { name, kind } = column;
  if (kind === 'category' || kind === 'text' || kind === 'set')
    return (row) => (kind === 'set' ? setText : valueText)(valueIn(row, name, encoding), name);
  const form = cellForm(column);
  const read = form === undefined ? undefined : wordReader(kind, form);
  return (row) => valueCell(kind, valueIn(row, name, encoding), read);
}

function valueIn(row: RawRow, name: string, encoding: TableEncoding): unknown {
  const value = Object.hasOwn(row, name) ? (row as Readonly<Record<string, unknown>>)[name] : undefined;
  return unlessMissing(value, encoding.missing, keepsWords(encoding, name));
}
