import type { HalfspaceError } from 'halfspace';
import type { Scan, ScanOptions, Wanted } from './scan.ts';

/** A table: one file, one query, or one pipe. */
export interface Table {
  /** For messages. */
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** Whether the first line holds the names; null: the format has no such line. */
  readonly header: boolean | null;
  /** What should be said about how it is read. */
  readonly notes: readonly string[];
  /** What should be said after a reading. */
  lateNotes?(): readonly string[];
  /** Begins a reading of the wanted columns. A pipe can be read once only, everything else again and again. */
  scan(wanted: readonly Wanted[], label: Wanted | null, options: ScanOptions): Scan;
}

export interface SourceColumn {
  readonly name: string;
  readonly type: SourceType;
  /** In the table, from 0. */
  readonly position: number;
}

/**
 * `cell`: text whose meaning its letters tell; `text`: text that its table says is text; `nested` and `unsupported` columns are left
 * out.
 */
export type SourceType = 'cell' | 'text' | 'number' | 'boolean' | 'date' | 'time' | 'nested' | 'unsupported';

/** A row that was set aside. */
export interface RejectedRow {
  /** The place and the reason. */
  readonly error: HalfspaceError;
  /** The row as it stood, or near enough to be given again once it is mended. */
  readonly text: string;
}
