import type { ColumnCells, TableChunk } from './table-chunk.ts';
import type { LeftOutReason, TableColumn } from './table-encoding.ts';

/** The counts of a fit as plain data, to add them to the fit of other rows. */
export type FitPart =
  | {
      readonly kind: 'numeric';
      readonly count: number;
      readonly missing: number;
      readonly mean: number;
      /** Sum of squared deviations from the mean. */
      readonly squares: number;
      /** The smallest and the largest value; null without values. */
      readonly range: readonly [least: number, most: number] | null;
    }
  | {
      readonly kind: 'category';
      readonly missing: number;
      /** Levels in order of appearance, with their numbers of rows. */
      readonly levels: readonly (readonly [level: string, rows: number])[];
      readonly full: boolean;
    };

/** Learns the encoding of one column from its cells, which must come in row order. */
export interface ColumnFit {
  readonly name: string;
  /** Adds the column's cells in some rows; null: all are missing. */
  observe(cells: ColumnCells | null, chunk: TableChunk): void;
  /** Returns the fitted column, or the reason why it is left out. */
  fitted(): TableColumn | LeftOutReason;
  /** Returns what was counted; null if it cannot be added to the fit of other rows. */
  part(): FitPart | null;
  /** Adds what a fit of the same column counted in later rows. */
  add(part: FitPart): void;
}

/**
 * Returns the default number of rows in which a level or a term must occur to get a feature. A feature that occurs once
 * marks one row only. In cross-validation 2 did as well as larger numbers; small tables keep everything.
 */
export function fewestRows(rows: number): number {
  return rows < 50 ? 1 : 2;
}
