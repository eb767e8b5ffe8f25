import type { TableColumn } from '../features/table-encoding.ts';
import type { LoadedRow } from '../kernels/plain-row.ts';
import type { Positions } from './positions.ts';
import type { Growth } from './size.ts';

/**
 * A field of the rows, as one column of a table encoding that grows.
 *
 * A row goes through three steps: {@link read} its cell, {@link ask} for the features that the model of the rows so far
 * has, and, to learn, {@link join}. The first two may throw and change nothing that lasts; `join` cannot fail.
 */
export interface OnlineColumn {
  readonly name: string;
  readonly kind: TableColumn['kind'];
  /** The cell that joined last; valid until the next is read. */
  readonly joined: JoinedCell;
  /** Its number, in days for a date; NaN if it was missing, and for categories and texts. */
  readonly number: number;
  /** Forgets the cell: the value is missing. */
  clear(): void;
  /** Tests if a value is missing, or of the kind of the field; {@link read} may still refuse its size. */
  reads(value: unknown): boolean;
  /**
   * Reads the value of a row's field.
   *
   * @param importance of the row, if it is to be learned from; 0 if it is only asked about.
   * @throws HalfspaceError `number-invalid`, `row-malformed` with the field.
   */
  read(value: unknown, importance: number): void;
  /** Adds the cell's features, by the model of the rows so far. @param dense true adds zeros, too. */
  ask(row: LoadedRow, dense: boolean): void;
  /** Joins what is new in the cell. Then adds its features, by the model that this row is part of. */
  join(row: LoadedRow, dense: boolean, positions: Positions): void;
  /** Bytes of the levels or words, and of kept values, so far. */
  readonly bytes: number;
  /** Adds what {@link join} would bring, after {@link ask}. */
  growInto(growth: Growth): void;
  /** Returns the column of the encoding, and the position of each of its features. @param rows learned from so far. */
  snapshot(rows: number): ColumnSnapshot;
  /** Returns a copy of the state as plain data. */
  state(): ColumnState;
}

/**
 * A cell beside those before it. `new`: a level that no row had, a text without any word that a row had, or such beyond
 * the bound of levels and words, which are not told apart.
 */
export type JoinedCell = 'known' | 'new' | 'missing';

export interface ColumnSnapshot {
  readonly column: TableColumn;
  readonly positions: readonly number[];
}

/** Plain data; its other members belong to the kind. */
export interface ColumnState {
  readonly kind: TableColumn['kind'];
  readonly name: string;
  /** Position of the feature that marks a missing value; −1: none was missing since the field came. */
  readonly indicator: number;
  /** Number of rows with a value. */
  readonly present: number;
  /** The values of a field whose kind is not decided; null or absent: it is decided. */
  readonly first?: readonly FirstValue[] | null;
}

/** A value of a field whose kind is not decided, and the importance of its row. */
export interface FirstValue {
  readonly value: unknown;
  readonly importance: number;
}
