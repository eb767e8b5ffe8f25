import { HalfspaceError } from 'halfspace';
import {
  cellText,
  chooseClasses,
  labelNumber,
  listed,
  listedLeftOut,
  sliceCells,
  TableEncoder,
  type TableEncoding,
  TableFitter,
  tableHoldout,
} from 'halfspace/internal';
import type { StoredBatch } from 'halfspace/rules';
import { type Dataset, type PointSet, pointColumns, pointLabel } from './dataset.ts';
import type { ReadTable } from './read-table.ts';
import type { ReadOptions } from './table-text.ts';

/**
 * Reads a dataset as `halfspace train` reads its CSV. The code for tables is loaded with the first table.
 * @throws HalfspaceError with a message for the user.
 */
export async function readDataset(dataset: Dataset, options: ReadOptions = {}): Promise<ReadTable> {
  if (dataset.kind === 'points') return readPoints(dataset);
  const { readTable } = await import('./read-table.ts');
  return readTable(dataset, options);
}

/** Returns the same cells as reading the CSV of drawn points would. */
function readPoints({ dimension, points }: PointSet): ReadTable {
  checkPoints(points);
  const { column, negative, positive } = pointLabel;
  const count = points.filter(({ label }) => label > 0).length;
  const words = [negative, positive];
  return {
    rows: points.length,
    format: 'csv',
    header: true,
    columns: pointColumns.slice(0, dimension).map((name, c) => ({
      name,
      kind: 'number',
      // + 0: text has no negative zero.
      cells: Float64Array.from(points, ({ x, y }) => (c === 0 ? x : y) + 0),
    })),
    dropped: [],
    label: {
      column,
      cells: { codes: Uint8Array.from(points, ({ label }) => (label > 0 ? 1 : 0)), words },
      counts: new Map([
        [negative, points.length - count],
        [positive, count],
      ]),
    },
    positive: null,
    scale: 'none',
    notes: [],
  };
}

function checkPoints(points: readonly { readonly label: number }[]): void {
  if (points.length === 0)
    throw new HalfspaceError('source-empty', 'There are no points yet: add at least one of each class.');
  const first = points[0]!.label;
  if (points.every(({ label }) => label === first))
    throw new HalfspaceError('label-classes', 'All points are of one class: add at least one of the other.');
}

/** Options of a run that determine the encoding of a table. */
export interface EncodingOptions {
  readonly scale: 'none' | 'standard';
  /** Share of the rows of each class, drawn by seed, that are held out from fitting the encoding; 0: none. */
  readonly holdout: number;
  readonly seed: number;
}

/** Fits the encoding that the command fits to the same table. @throws HalfspaceError with a message for the user. */
export function fitEncoding(table: ReadTable, { scale, holdout, seed }: EncodingOptions): TableEncoding {
  const { rows, columns, label } = table;
  const fitter = new TableFitter(columns);
  const cells = columns.map((column) => column.cells);
  columns.forEach(({ cells: all, identity }, c) => {
    if (identity !== undefined) fitter.leaveOut(c, identity.reason, identity.isSpare);
    else if (all === null) fitter.leaveOut(c);
  });
  const out = holdout > 0 ? tableHoldout({ fraction: holdout, seed }, table.positive ?? undefined) : null;
  if (out !== null) {
    const [kept, held] = [new Uint32Array(rows), new Uint32Array(rows)];
    const count = out.split.nextInto(out.classes.of(label.cells, rows), rows, kept, held);
    fitter.observe({ rows: count, numbers: kept.subarray(0, count), columns: cells });
  } else fitter.observe({ rows, columns: cells });
  const encoding = fitter.encoding({
    format: table.format,
    header: table.header,
    scale,
    label: classesOf(table),
    leftOut: table.dropped,
  });
  if (encoding.columns.length === 0)
    throw new HalfspaceError(
      'source-empty',
      `No column tells examples apart: ${listedLeftOut(encoding.leftOut)}. ${label.column === pointLabel.column ? 'Move a point, or add one elsewhere.' : 'Choose other columns.'}`,
    );
  return encoding;
}

function classesOf({ label, positive }: ReadTable) {
  try {
    return chooseClasses(label.column, label.counts, positive ?? undefined);
  } catch (error) {
    if (!(error instanceof HalfspaceError) || error.code !== 'option-invalid') throw error;
    throw new HalfspaceError(
      'option-invalid',
      `The column “${label.column}” has no class “${positive}”. Choose one of: ${listed([...label.counts.keys()])}.`,
    );
  }
}

/** Rows of a batch: a run can be stopped after each batch. */
const batchRows = 2048;

/** Encodes a table of two classes. */
export function encodeTable(table: ReadTable, encoding: TableEncoding): StoredBatch[] {
  const encoder = new TableEncoder(encoding);
  const columns = encoding.columns.map(({ name }) => table.columns.find((column) => column.name === name)!.cells);
  const { codes, words } = table.label.cells;
  const signs = words.map((word) => labelNumber(encoding.label, cellText(word)));
  const batches: StoredBatch[] = [];
  for (let from = 0; from < table.rows; from += batchRows) {
    const to = Math.min(table.rows, from + batchRows);
    const labels = Float64Array.from({ length: to - from }, (_, i) => signs[codes[from + i]!]!);
    const batch = encoder.encodeColumns({
      rows: to - from,
      columns: columns.map((cells) => sliceCells(cells, from, to)),
      labels,
      firstRow: from,
    });
    const { rows, dimension } = batch;
    // The encoder reuses its arrays, and they are longer than the batch.
    if (batch.kind === 'dense')
      batches.push({
        kind: 'dense',
        rows,
        dimension,
        labels,
        importance: null,
        values: batch.values.slice(0, rows * dimension),
      });
    else {
      const offsets = batch.offsets.slice(0, rows + 1);
      const end = offsets[rows]!;
      const [indices, values] = [batch.indices.slice(0, end), batch.values.slice(0, end)];
      batches.push({ kind: 'sparse', rows, dimension, labels, importance: null, offsets, indices, values });
    }
  }
  return batches;
}
