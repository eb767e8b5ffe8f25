import type { HalfspaceError } from '../errors.ts';
import type { ColumnOptions } from '../features/feature-options.ts';
import type { ListItems } from '../features/set/list.ts';
import type { ReadWord } from '../features/table-cell.ts';
import type { ColumnCells, WordCells } from '../features/table-chunk.ts';
import type { ColumnKind } from '../features/table-encoding.ts';
import type { WordList } from './words.ts';

/*
 * The contract of tables: columns with names, and scans that give their cells in chunks. Text and plain objects
 * implement it in this folder, pipes in node/tables, DuckDB in the command. One conformance suite checks all of them.
 */

/** A table: one file, one query, one pipe, one list of objects. */
export interface Table {
  /** For messages. */
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** True if the first line holds the names; null: the format has no such line. */
  readonly header: boolean | null;
  /** True if semicolons separate the cells, as where the comma is the decimal mark. Default false. */
  readonly semicolons?: boolean;
  /** Notes for the user about how the table is read. */
  readonly notes: readonly string[];
  /** Notes that are known only after a scan. */
  lateNotes?(): readonly string[];
  /** Returns the types (`typeof`) of the values in a column that are not missing. Absent: all cells are text. */
  valueTypes?(column: SourceColumn): Iterable<string>;
  /** Begins a scan of the wanted columns. A pipe can be scanned once, every other table any number of times. */
  scan(wanted: readonly Wanted[], label: Wanted | null, options: ScanOptions): Scan;
}

export interface SourceColumn {
  readonly name: string;
  readonly type: SourceType;
  /** Position in the table, from 0. */
  readonly position: number;
  /** Options that the table declares, used if the user gives none. Default: none. */
  readonly declared?: DeclaredOptions | undefined;
}

export type DeclaredOptions = ColumnOptions & { readonly kind?: ColumnKind };

/**
 * Type of a column as its table declares it. `cell`: untyped text, whose kind is guessed; `text`: declared as text.
 * `texts` and `numbers` are lists of such values, which can only be sets. Columns that are `nested` or `unsupported`
 * cannot be read.
 */
export type SourceType =
  | 'cell'
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'texts'
  | 'numbers'
  | 'nested'
  | 'unsupported';

/** Returns the type of a column with values of both types. Undefined: there were none before. */
export function typeOfBoth(before: SourceType | null | undefined, type: SourceType): SourceType {
  if (before == null || before === type) return type;
  for (const wider of ['nested', 'texts', 'numbers'] as const) if (before === wider || type === wider) return wider;
  return 'cell';
}

/** Returns the type of a column of lists with these items; null: of other structures. Empty lists tell nothing. */
export function typeOfItems(items: ListItems): SourceType {
  return items === null ? 'nested' : items === 'texts' ? 'texts' : 'numbers';
}

/** Tests if a column has lists. */
export function isListed({ type }: SourceColumn): boolean {
  return type === 'texts' || type === 'numbers';
}

/** Tests if the cells of a column can be read. */
export function isReadable({ type }: SourceColumn): boolean {
  return type !== 'nested' && type !== 'unsupported';
}

/** A column to read, and the kind to read it as. */
export interface Wanted {
  /** Null: the table lacks it. */
  readonly column: SourceColumn | null;
  readonly kind: ColumnKind;
  /** Reads cells that are text. Absent: they are written plainly. */
  readonly read?: ReadWord | undefined;
  /** The words of the column so far; the scan adds new ones. */
  readonly list: WordList;
  /** Further words that count as missing, without surrounding blanks. Default: none. */
  readonly missing?: readonly string[] | undefined;
  /** True if words such as `NA` are values. Default false. */
  readonly keeps?: boolean;
}

export interface ScanOptions {
  /** True: rows that cannot be read are marked as damaged. False: the first of them ends the scan with its error. */
  readonly tolerant: boolean;
  /** Most rows to read. Default: all. */
  readonly limit?: number;
  /** True: rows are delivered as soon as they arrive. Default: they may wait until a chunk is full. */
  readonly prompt?: boolean;
}

/** Reads a table once from its beginning, rows in order. */
export interface Scan {
  /**
   * @throws HalfspaceError for the first row that does not follow the format, after the rows before it were delivered.
   */
  chunks(): AsyncIterable<ScannedChunk>;
  /** Stops reading the words of a wanted column: all its cells may then be missing. */
  skipWords(column: number): void;
}

/** Some rows of a table as they were read. Arrays are valid until the next chunk is requested. */
export interface ScannedChunk {
  readonly rows: number;
  /** Number of rows of the table before these. */
  readonly first: number;
  /** Cells in the order of the wanted columns. */
  readonly columns: readonly (ColumnCells | null)[];
  readonly label: WordCells | null;
  /** Weights of the rows, finite numbers from 0; null or absent: each row counts once. */
  readonly weights?: Float64Array | null;
  /** 1 for each row that could not be read; null: none. */
  readonly damaged: Uint8Array | null;
  /** Returns the error of a damaged row. */
  rejected(row: number): RejectedRow;
  /** Returns a cell of a wanted column as it is in the table. */
  cell(column: number, row: number): unknown;
  /** Returns the text of a whole row; for tolerant scans only. */
  text(row: number): string;
}

/** A bad row that was skipped. */
export interface RejectedRow {
  /** The place and the reason. */
  readonly error: HalfspaceError;
  /** The row as text that can be read again after repair. */
  readonly text: string;
}
