import type { FeatureEncoding } from '../features/encoding.ts';
import type { ColumnKind, TableLabel } from '../features/table-encoding.ts';
import type { PlainRow } from '../kernels/plain-row.ts';
import type { OnlineColumn } from './column.ts';
import type { Growth } from './size.ts';
import type { HeldReading } from './undecided-column.ts';

/**
 * Rows of one form, and their features so far. Positions of features are in the order in which they came.
 *
 * To learn from a row: `ask`, then `join`. `ask` may throw and then changes nothing; `join` cannot fail.
 */
export interface OnlineRows {
  /** Number of features so far. */
  readonly dimension: number;
  /** The fields so far; none for rows of numbers. */
  readonly columns: OnlineField[];
  /** Notes on fields whose first values are unusual, from the moment their kind is decided. */
  readonly notes?: readonly string[];
  /** Readings of undecided fields after the row that was asked about; null: it changes none. */
  readonly revised?: ReadonlyMap<string, HeldReading> | null;
  /** Lets values decide again, after rows were learned with the kinds that they have in the end. */
  release?(): void;
  /** Returns names and values of a row in the fields so far, in its order. Absent: rows have no kinds of fields. */
  copyOf?(row: unknown): [name: string, value: unknown][];
  /** Fields in the order in which they came; null for rows of numbers. Not a copy. */
  readonly cells: readonly OnlineColumn[] | null;
  /**
   * Reads a row. Returns its features by the model of the rows so far; valid until the next call.
   *
   * @param importance of the row, if it is to be learned from; 0 if it is only asked about.
   * @throws HalfspaceError `row-malformed`, `number-invalid`, `index-invalid`.
   */
  ask(row: unknown, importance: number): PlainRow;
  /** Lists the fields or indices of a row that are not known so far, as `Predictor.unknownFields` does. */
  unknown(row: unknown): string[];
  /** Joins what is new in the row that was asked about. Returns its features by the model that it is part of. */
  join(): PlainRow;
  /** Bytes of names and kept values so far. */
  readonly bytes: number;
  /** Adds what {@link join} would bring, after {@link ask}; more features than that, if kinds of fields change. */
  growInto(growth: Growth): void;
  /** Returns the encoding for a model. @param rows learned from so far. */
  snapshot(rows: number, label: TableLabel | null): RowsSnapshot;
  /** Returns a copy of the state as plain data. */
  state(): RowsState;
}

/** A field of records. */
export interface OnlineField {
  readonly name: string;
  readonly kind: ColumnKind;
  /** False while further values may show another kind. */
  readonly decided: boolean;
}

export interface RowsSnapshot {
  readonly features: FeatureEncoding;
  /** The position of each feature of the encoding; null: feature j has position j. */
  readonly positions: readonly number[] | null;
}

/** Plain data; its other members belong to the form. */
export interface RowsState {
  readonly form: 'records' | 'numbers' | 'bags' | 'encoded';
}
