import { cellReader } from '../../src/export/cell-reader.ts';
import type { TableEncoding } from '../../src/features/table-encoding.ts';

/** Reads a row as programs in other languages take it. @throws for what Predictor refuses. */
export const rawCells = (encoding: TableEncoding, row: Record<string, unknown>): (number | string | null)[] =>
  encoding.columns.map((column) => cellReader(column, encoding)(row as never));
