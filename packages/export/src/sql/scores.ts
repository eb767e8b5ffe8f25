import { HalfspaceError } from 'halfspace';
import type { TableColumn, TableEncoding } from 'halfspace/internal';
import type { Dialect } from './dialect.ts';

/** The table and the database of a query. */
export interface SqlContext {
  readonly dialect: Dialect;
  readonly encoding: TableEncoding;
  /** Expression of a column's value: NULL if it is missing; a double, or the text of a category. */
  readonly cell: (column: TableColumn) => string;
  /** Returns a name that no column of the table has. */
  readonly own: (name: string) => string;
}

/** The scores of a row in SQL. */
export interface SqlScores {
  readonly expressions: readonly string[];
  /** Common table expressions that the joins use. */
  readonly lists: readonly string[];
  readonly joins: readonly string[];
  /** Lines for the comment: how exact the scores are. */
  readonly exactness: readonly string[];
}

/** Returns the error for a model that SQL cannot hold. */
export function refused(expected: string, got: string): HalfspaceError {
  return new HalfspaceError('option-invalid', `expected ${expected}; got ${got}`);
}
