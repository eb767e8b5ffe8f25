import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { ColumnCells } from 'halfspace/tables';

/**
 * Reads the cells of one column from DuckDB into arrays: the SQL to select, and the reading of its result.
 * A reader of numbers, booleans or dates returns doubles, NaN for a missing value and ±Infinity for a refused cell; a
 * reader of categories returns words.
 */
export interface CellReader {
  readonly select: readonly string[];
  /** @param first position of `select[0]` in the chunk. The arrays are valid until the next call. */
  read(chunk: DuckDBDataChunk, first: number): ColumnCells;
}
