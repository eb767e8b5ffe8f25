import type { ColumnCells, TableChunk } from './table-chunk.ts';
import type { LeftOutReason, TableColumn } from './table-encoding.ts';

/** What learns the encoding of one column, rows in order. */
export interface ColumnFit {
  readonly name: string;
  /** Takes note of the column's cells in some rows; null: all missing. */
  observe(cells: ColumnCells | null, chunk: TableChunk): void;
  /** The column as what was seen has it, or why it is left out. */
  fitted(): TableColumn | LeftOutReason;
}

/**
 * In how many rows a level or a term must occur to have a feature of its own, by default: what occurs once tells apart one row and
 * nothing else. By cross-validation 2 is as good as more, and in tables of a few rows everything is rare.
 */
export function fewestRows(rows: number): number {
  return rows < 50 ? 1 : 2;
}
