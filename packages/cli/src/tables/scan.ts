import type { ColumnCells, ColumnKind, HalfspaceError, WordCells } from 'halfspace';
import type { SourceColumn } from './source-column.ts';
import type { WordList } from './words.ts';

/** A column that is wanted from a table. */
export interface Wanted {
  /** Null: the table lacks it. */
  readonly column: SourceColumn | null;
  readonly kind: ColumnKind;
  /** The words of the column met so far; new ones are added. */
  readonly list: WordList;
}

/** Some rows of a table as they were read. Arrays are valid until the next chunk is asked for. */
export interface ScannedChunk {
  readonly rows: number;
  /** How many rows of the table came before. */
  readonly first: number;
  /** As wanted. */
  readonly columns: readonly (ColumnCells | null)[];
  readonly label: WordCells | null;
  /** Rows that could not be read at all; null: none. */
  readonly damaged: Uint8Array | null;
  /** Why a damaged row could not be read. */
  rejected(row: number): RejectedRow;
  /** A cell of a wanted column as it stood. */
  cell(column: number, row: number): string | null;
  /** A whole row as it stood, for scans that are tolerant. */
  text(row: number): string;
}

export interface ScanOptions {
  /** Rows that cannot be read are told as damaged; otherwise the first of them ends the scan with its error. */
  readonly tolerant: boolean;
  /** Only the first rows, at most this many. */
  readonly limit?: number;
  /** Rows are given as soon as they have come; otherwise they may wait for more to be given together. */
  readonly prompt?: boolean;
}

/**
 * Reads a table from its beginning, rows in order. It can be told that the words of a column are not needed any more.
 *
 * `chunks` throws a HalfspaceError for the first row that does not follow the table's format, after those before it were delivered.
 */
export interface Scan {
  chunks(): AsyncGenerator<ScannedChunk>;
  rest(column: number): void;
}

/** A row that was set aside. */
export interface RejectedRow {
  /** The place and the reason. */
  readonly error: HalfspaceError;
  /** The row as it stood, or near enough to be given again once it is mended. */
  readonly text: string;
}
