import type { Scan, ScanOptions, Wanted } from './scan.ts';
import type { SourceColumn } from './source-column.ts';

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
