import { HalfspaceError } from 'halfspace';
import {
  cellText,
  chooseClasses,
  labelNumber,
  listed,
  sliceCells,
  TableEncoder,
  type TableEncoding,
  TableFitter,
  tableHoldout,
} from 'halfspace/internal/tables';
import type { StoredBatch } from 'halfspace/rules';
import { batchRows, checkColumns } from './encode-points.ts';
import type { EncodingOptions } from './read.ts';
import type { ReadTable } from './read-table.ts';

/** Fits the encoding that the command fits to the same table. @throws HalfspaceError with a message for the user. */
export function fitEncoding(table: ReadTable, { scale, holdout, seed }: EncodingOptions): TableEncoding {
  const { rows, columns, label } = table;
  const fitter = new TableFitter(columns);
  const cells = columns.map((column) => column.cells);
  columns.forEach(({ cells: all, identity }, c) => {
    if (identity !== undefined) fitter.leaveOut(c, identity.reason, identity.isSpare);
    else if (all === null) fitter.leaveOut(c);
  });
  const out = holdout > 0 ? tableHoldout({ fraction: holdout, seed }, { positive: table.positive ?? undefined }) : null;
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
    ...table.words,
  });
  checkColumns(encoding, 'Choose other columns.');
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
