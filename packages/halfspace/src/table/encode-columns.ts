import type { StoredBatch } from '../batch.ts';
import { TableEncoder } from '../features/encode-table.ts';
import { TableFitter } from '../features/fit-table.ts';
import { cellText } from '../features/table-cell.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import { labelNumber } from '../features/table-label.ts';
import { sliceCells } from './cells.ts';
import { tableHoldout } from './held-out-rows.ts';
import type { TableColumns } from './read-columns.ts';

/** Options of {@link fitColumns}. */
interface FitColumnsOptions extends Pick<TableEncoding, 'format' | 'header' | 'scale' | 'label'> {
  /** Share of the rows, drawn by `seed`, that the encoding is not fitted to; 0: none. */
  readonly holdout: number;
  readonly seed: number;
  /** The class that is learned against all others. Default: none. */
  readonly positive?: string | undefined;
}

type Columns = Pick<TableColumns, 'rows' | 'columns' | 'label' | 'dropped'> & Partial<Pick<TableColumns, 'words'>>;

/** Fits the encoding that training fits to the same table. It may be without columns. */
export function fitColumns(
  { rows, columns, label, dropped, words }: Columns,
  { holdout, seed, positive, ...rest }: FitColumnsOptions,
): TableEncoding {
  const fitter = new TableFitter(columns);
  const cells = columns.map((column) => column.cells);
  columns.forEach(({ cells: all, identity }, c) => {
    if (identity !== undefined) fitter.leaveOut(c, identity.reason, identity.isSpare);
    else if (all === null) fitter.leaveOut(c);
  });
  const out = holdout > 0 ? tableHoldout({ fraction: holdout, seed }, { positive }) : null;
  if (out !== null) {
    const [kept, held] = [new Uint32Array(rows), new Uint32Array(rows)];
    const count = out.split.nextInto(out.classes.of(label.cells, rows), rows, kept, held);
    fitter.observe({ rows: count, numbers: kept.subarray(0, count), columns: cells });
  } else fitter.observe({ rows, columns: cells });
  return fitter.encoding({ ...rest, leftOut: dropped, ...words });
}

/** Encodes the rows of a table of two classes, in batches of `batchRows` with arrays of their own. */
export function encodeColumns(table: Columns, encoding: TableEncoding, batchRows: number): StoredBatch[] {
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
