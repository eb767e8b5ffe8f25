import type { ColumnCells, TableChunk } from './table-chunk.ts';
import type { LeftOutReason, TableColumn } from './table-encoding.ts';

/** Learns the encoding of one column from its cells, which must come in row order. */
export interface ColumnFit {
  readonly name: string;
  /** Adds the column's cells in some rows; null: all are missing. */
  observe(cells: ColumnCells | null, chunk: TableChunk): void;
  /** Returns the fitted column, or the reason why it is left out. */
  fitted(): TableColumn | LeftOutReason;
}

/**
 * Returns the default number of rows in which a level or a term must occur to get a feature. A feature that occurs once
 * marks one row only. In cross-validation 2 did as well as larger numbers; small tables keep everything.
 */
export function fewestRows(rows: number): number {
  return rows < 50 ? 1 : 2;
}
