import type { RejectedRow } from './scan.ts';

/** A row as it was read. */
export interface Row {
  /** In the order of the table's columns; null, or '': there is none. */
  readonly cells: readonly (string | null)[];
  /** Tells why it cannot be read, when that is asked for: errors take long to make. Null: it can be read. */
  readonly rejected: (() => RejectedRow) | null;
  /** As it stands; null unless texts are kept. */
  readonly text: string | null;
}

/** Rows as they come: all that were complete when there was nothing more to be had. */
export type RowPieces = AsyncIterable<readonly Row[]>;
