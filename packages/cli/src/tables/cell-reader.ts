import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { ColumnCells } from 'halfspace/internal';

/**
 * How the cells of one column travel from DuckDB to arrays: the SQL that is selected for them, and the reading of what comes.
 * A reader of numbers, booleans or dates gives doubles, NaN for a missing value and ±Infinity for a refused cell; a
 * reader of categories gives words.
 */
export interface CellReader {
  readonly select: readonly string[];
  /** @param first position of `select[0]` in the chunk. The arrays are valid until the next call. */
  read(chunk: DuckDBDataChunk, first: number): ColumnCells;
}
