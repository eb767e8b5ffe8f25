import type { FeatureEncoding } from '../features/encoding.ts';
import type { ColumnKind, TableLabel } from '../features/table-encoding.ts';
import type { PlainRow } from '../kernels/plain-row.ts';
import type { OnlineColumn } from './column.ts';

/**
 * Rows of one form, and their features so far. Positions of features are in the order in which they came.
 *
 * To learn from a row: `ask`, then `join`. `ask` may throw and then changes nothing; `join` cannot fail.
 */
export interface OnlineRows {
  /** Number of features so far. */
  readonly dimension: number;
  /** Name and kind of each field so far; none for rows of numbers. */
  readonly columns: { readonly name: string; readonly kind: ColumnKind }[];
  /** Fields in the order in which they came; null for rows of numbers. Not a copy. */
  readonly cells: readonly OnlineColumn[] | null;
  /**
   * Reads a row. Returns its features by the model of the rows so far; valid until the next call.
   *
   * @param importance of the row, if it is to be learned from; 0 if it is only asked about.
   * @throws HalfspaceError `row-malformed`, `number-invalid`, `index-invalid`.
   */
  ask(row: unknown, importance: number): PlainRow;
  /** Joins what is new in the row that was asked about. Returns its features by the model that it is part of. */
  join(): PlainRow;
  /** Returns the encoding for a model. @param rows learned from so far. */
  snapshot(rows: number, label: TableLabel | null): RowsSnapshot;
  /** Returns a copy of the state as plain data. */
  state(): RowsState;
}

export interface RowsSnapshot {
  readonly features: FeatureEncoding;
  /** The position of each feature of the encoding; null: feature j has position j. */
  readonly positions: readonly number[] | null;
}

/** Plain data; its other members belong to the form. */
export interface RowsState {
  readonly form: 'records' | 'numbers' | 'bags';
}
