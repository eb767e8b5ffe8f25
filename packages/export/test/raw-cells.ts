import {
  cellForm,
  type MeasuredColumn,
  type TableColumn,
  unlessMissing,
  valueCell,
  valueText,
  wordReader,
} from 'halfspace/internal';

/**
 * Reads a row as programs in other languages take it: a double per column, NaN if missing; the text of a category, null
 * if missing. @throws for what Predictor refuses.
 */
export function rawCells(
  columns: readonly TableColumn[],
  row: Record<string, unknown>,
  missing?: readonly string[],
): (number | string | null)[] {
  return columns.map((column) => {
    const value = unlessMissing(Object.hasOwn(row, column.name) ? row[column.name] : undefined, missing);
    if (column.kind === 'category') return valueText(value, column.name);
    const { kind } = column as MeasuredColumn;
    const form = cellForm(column);
    return valueCell(kind, value, form && wordReader(kind, form));
  });
}
