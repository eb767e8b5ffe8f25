import type { ColumnCells } from '../features/table-chunk.ts';

/** Returns the cells of rows [from, to) of a column, without a copy. */
export function sliceCells(cells: ColumnCells | null, from: number, to: number): ColumnCells | null {
  if (cells === null) return null;
  if (cells instanceof Float64Array) return cells.subarray(from, to);
  return { codes: cells.codes.subarray(from, to), words: cells.words };
}

/**
 * Tests if the first `length` numbers are all finite. Most columns are, and this is the fastest test: x − x is 0
 * for finite x, else NaN.
 */
export function areFinite(items: Float64Array, length: number): boolean {
  let zero = 0;
  for (let i = 0; i < length; i++) zero += items[i]! - items[i]!;
  return zero === 0;
}

/** Writes a cell of CSV. Spaces at either end would be lost without quotes. */
export function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
