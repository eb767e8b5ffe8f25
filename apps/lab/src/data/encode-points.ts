import type { TableColumn, TableEncoding } from 'halfspace';
import { HalfspaceError } from 'halfspace';
import type { StoredBatch } from 'halfspace/rules';
import { HoldoutSplit } from 'halfspace/runs';
import { chooseClasses, labelNumber, listedLeftOut } from 'halfspace/tables';
import type { EncodingOptions } from './read.ts';
import type { ReadTable } from './read-table.ts';

type LeftOutColumn = TableEncoding['leftOut'][number];
type NumberColumn = Extract<TableColumn, { kind: 'number' }>;

/*
 * The same as encode-columns.ts for drawn points, which are numbers without gaps: the page starts with points, and then
 * need not wait for the code of tables. A test compares the two.
 */

/** Rows of a batch: a run can be stopped after each batch. */
export const batchRows = 2048;

/** Fits the encoding of drawn points. @throws HalfspaceError with a message for the user. */
export function fitEncoding(table: ReadTable, { scale, holdout, seed }: EncodingOptions): TableEncoding {
  const { rows, label, format, header } = table;
  let kept = Uint32Array.from({ length: rows }, (_, i) => i);
  if (holdout > 0) {
    const held = new Uint32Array(rows);
    const split = new HoldoutSplit(holdout, seed);
    kept = kept.subarray(0, split.nextInto(label.cells.codes, rows, kept, held));
  }
  const columns: NumberColumn[] = [];
  const leftOut: LeftOutColumn[] = [];
  for (const { name, cells } of table.columns) {
    const column = fitNumbers(name, cells as Float64Array, kept);
    if (column === null) leftOut.push({ name, reason: 'constant' });
    else columns.push(column);
  }
  const classes = chooseClasses(label.column, label.counts, undefined);
  const encoding: TableEncoding = { kind: 'table', format, header, scale, label: classes, columns, leftOut };
  checkColumns(encoding, 'Move a point, or add one elsewhere.');
  return encoding;
}

/** Returns the mean and deviation by Welford's method; null: the numbers are all the same. */
function fitNumbers(name: string, values: Float64Array, kept: Uint32Array): NumberColumn | null {
  let count = 0;
  let [mean, squares] = [0, 0];
  for (const i of kept) {
    const x = values[i]!;
    count++;
    const distance = x - mean;
    mean += distance / count;
    squares += distance * (x - mean);
  }
  if (kept.every((i) => values[i] === values[kept[0]!])) return null;
  mean += 0;
  return {
    kind: 'number',
    name,
    mean,
    deviation: Math.sqrt(squares / count) || 1,
    missing: { count: 0, fill: mean, indicator: false },
  };
}

/** @throws HalfspaceError if no column tells examples apart. @param advice a sentence. */
export function checkColumns({ columns, leftOut }: TableEncoding, advice: string): void {
  if (columns.length > 0) return;
  throw new HalfspaceError('source-empty', `No column tells examples apart: ${listedLeftOut(leftOut)}. ${advice}`);
}

/** Encodes drawn points. */
export function encodeTable(table: ReadTable, { columns, label, scale }: TableEncoding): StoredBatch[] {
  const { codes, words } = table.label.cells;
  const signs = words.map((word) => labelNumber(label, word));
  const cells = columns.map(({ name }) => table.columns.find((column) => column.name === name)!.cells as Float64Array);
  const dimension = columns.length;
  const batches: StoredBatch[] = [];
  for (let from = 0; from < table.rows; from += batchRows) {
    const rows = Math.min(table.rows - from, batchRows);
    const values = new Float64Array(rows * dimension);
    (columns as NumberColumn[]).forEach((column, c) => {
      const { mean, deviation } = scale === 'standard' ? column : { mean: 0, deviation: 1 };
      for (let i = 0; i < rows; i++) values[i * dimension + c] = (cells[c]![from + i]! - mean) / deviation;
    });
    const labels = Float64Array.from({ length: rows }, (_, i) => signs[codes[from + i]!]!);
    batches.push({ kind: 'dense', rows, dimension, labels, importance: null, values });
  }
  return batches;
}
