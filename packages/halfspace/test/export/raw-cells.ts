import {
  cellForm,
  keepsWords,
  type MeasuredColumn,
  type TableEncoding,
  unlessMissing,
  valueCell,
  valueText,
  wordReader,
} from 'halfspace/internal/tables';

/**
 * Reads a row as programs in other languages take it: a double per column, NaN if missing; the text of a category, null
 * if missing. @throws for what Predictor refuses.
 */
export function rawCells(encoding: TableEncoding, row: Record<string, unknown>): (number | string | null)[] {
  return encoding.columns.map((column) => {
    const given = Object.hasOwn(row, column.name) ? row[column.name] : undefined;
    const value = unlessMissing(given, encoding.missing, keepsWords(encoding, column.name));
    if (column.kind === 'category') return valueText(value, column.name);
    const { kind } = column as MeasuredColumn;
    const form = cellForm(column);
    return valueCell(kind, value, form && wordReader(kind, form));
  });
}
