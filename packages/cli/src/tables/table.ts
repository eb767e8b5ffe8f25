import type { HalfspaceError } from 'halfspace';

/** A table that can be read again and again: one file, or one query. */
export interface Table {
  /** For messages. */
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** Whether the first line holds the names; null: the format has no such line. */
  readonly header: boolean | null;
  /** What should be said about how it is read. */
  readonly notes: readonly string[];
  /** What follows FROM. Tolerant: rows that cannot be read are dropped, or flagged by `damaged`. */
  from(tolerant: boolean): string;
  /**
   * What follows FROM so that these columns are read as doubles at once, which is quicker than as text first. Reading fails where a
   * cell is neither a number nor missing. Absent: there is no such way.
   */
  fromDoubles?(columns: readonly SourceColumn[]): string;
  /** How a tolerant reading tells rows that it could not read; null: such rows do not come at all. */
  readonly damaged: DamagedRows | null;
  /** The rows that a tolerant reading drops, in order. */
  dropped(): Promise<DroppedRow[]>;
  /** After a fault: puts a copy that DuckDB can read in the table's place, where that is what was wrong. */
  mend(): Promise<boolean>;
  /** Finds faults that DuckDB overlooks. */
  check(): Promise<void>;
  /** What DuckDB said, as an error with its place; may read the table again to find it. */
  fault(error: unknown): Promise<HalfspaceError>;
  /** A row that is set aside, as it may stand in a file of such rows. */
  format(cells: readonly (string | null)[]): string;
}

export interface SourceColumn {
  readonly name: string;
  /** The column as SQL. */
  readonly sql: string;
  readonly type: SourceType;
}

/**
 * `cell`: text whose meaning its letters tell; `text`: text that its table says is text; `nested` and `unsupported` columns are left
 * out.
 */
export type SourceType = 'cell' | 'text' | 'number' | 'boolean' | 'date' | 'time' | 'nested' | 'unsupported';

export interface DamagedRows {
  /** An expression that is true for them. */
  readonly flag: string;
  /** What is wrong with one of them, given its number from 0. Cheap when asked in order. */
  describe(row: number): Promise<RejectedRow>;
}

/** A row that a tolerant reading drops. */
export interface DroppedRow extends RejectedRow {
  /** How many rows that can be read come before it. */
  readonly before: number;
}

/** A row that was set aside. */
export interface RejectedRow {
  /** The place and the reason. */
  readonly error: HalfspaceError;
  /** The row as it stood, or near enough to be given again once it is mended. */
  readonly text: string;
}

/** The type of a column of the given DuckDB type. */
export function sourceType(duckType: string): SourceType {
  if (isNested(duckType) || /^(JSON|VARIANT)$/.test(duckType)) return 'nested';
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL|BIGNUM)\b/.test(duckType)) return 'number';
  if (/^(VARCHAR|UUID|ENUM|"NULL")/.test(duckType)) return 'text';
  if (duckType === 'BOOLEAN') return 'boolean';
  if (duckType === 'DATE') return 'date';
  return /^TIMESTAMP/.test(duckType) ? 'time' : 'unsupported';
}

/** Whether a DuckDB type is a list or structure. */
export function isNested(duckType: string): boolean {
  return /\[\d*\]$|^(STRUCT|MAP|UNION|LIST)\b/.test(duckType);
}
