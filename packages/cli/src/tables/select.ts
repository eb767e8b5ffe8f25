import type { ColumnCells, WordCells } from 'halfspace';

/** Some cells of a column, in the order of `rows`. */
export function selectCells(cells: ColumnCells | null, rows: ArrayLike<number>): ColumnCells | null {
  if (cells === null) return null;
  if (!(cells instanceof Float64Array)) return selectWords(cells, rows);
  const selected = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) selected[k] = cells[rows[k]!]!;
  return selected;
}

function selectWords({ codes, words }: WordCells, rows: ArrayLike<number>): WordCells {
  const selected = new Uint32Array(rows.length);
  for (let k = 0; k < rows.length; k++) selected[k] = codes[rows[k]!]!;
  return { codes: selected, words };
}

/** The cells of rows [from, to) of a column, not copied. */
export function sliceCells(cells: ColumnCells | null, from: number, to: number): ColumnCells | null {
  if (cells === null) return null;
  if (cells instanceof Float64Array) return cells.subarray(from, to);
  return { codes: cells.codes.subarray(from, to), words: cells.words };
}
