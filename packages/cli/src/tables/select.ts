import type { ColumnCells } from 'halfspace';

/** The cells of rows [from, to) of a column, not copied. */
export function sliceCells(cells: ColumnCells | null, from: number, to: number): ColumnCells | null {
  if (cells === null) return null;
  if (cells instanceof Float64Array) return cells.subarray(from, to);
  return { codes: cells.codes.subarray(from, to), words: cells.words };
}
