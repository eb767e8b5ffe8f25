import {
  type ColumnKind,
  type ErrorCode,
  HalfspaceError,
  HoldoutSplit,
  type LeftOutColumn,
  type StoredBatch,
  TableEncoder,
  type TableEncoding,
} from 'halfspace';
import {
  type CellFault,
  type ColumnCells,
  cellText,
  chooseClasses,
  chooseColumns,
  expectedCell,
  labelNumber,
  listed,
  listedLeftOut,
  readTables,
  sliceCells,
  TableFitter,
  type WordCells,
} from 'halfspace/internal';
import { type Dataset, type PointSet, pointLabel, pointsToCsv, type Table } from './dataset.ts';
import { MemoryColumns } from './memory-columns.ts';
import { formatOf, inSentences, openText, type ReadOptions, sentence } from './table-text.ts';

/** A dataset as it was read: cells, but no features yet. */
export interface ReadTable {
  readonly rows: number;
  /** By the file's name, as in the command. */
  readonly format: 'csv' | 'tsv';
  /** Whether the first line holds the names. */
  readonly header: boolean;
  /** Columns that may become features. */
  readonly columns: readonly ReadColumn[];
  /** Columns that a person left out. */
  readonly dropped: readonly LeftOutColumn[];
  readonly label: { readonly column: string; readonly cells: WordCells; readonly counts: ReadonlyMap<string, number> };
  readonly positive: string | null;
  readonly scale: 'none' | 'standard';
  readonly notes: readonly string[];
}

export interface ReadColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Null: the column has too many different words to be a category. */
  readonly cells: ColumnCells | null;
}

/**
 * Reads a dataset as `halfspace train` reads its CSV: the same kinds of columns, the same doubles, the same classes.
 * @throws HalfspaceError with a sentence for a person.
 */
export async function readDataset(dataset: Dataset, options: ReadOptions = {}): Promise<ReadTable> {
  if (dataset.kind === 'points') checkPoints(dataset.points);
  const table = dataset.kind === 'table' ? dataset : tableOf(dataset);
  const opened = await openText(table.file ?? table.text, table.name, options);
  const names = opened.columns.map(({ name }) => name);
  if (!names.includes(table.label))
    throw new HalfspaceError(
      'column-unknown',
      `There is no column “${table.label}” to predict. Choose one of: ${listed(names)}.`,
    );
  const unknown = table.columns?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new HalfspaceError('column-unknown', `There is no column “${unknown}”. There are: ${listed(names)}.`);
  const others = names.filter((name) => name !== table.label && table.columns?.includes(name) === false);
  const chosen = chooseColumns([opened], table.label, {
    columns: Object.fromEntries(others.map((name) => [name, { kind: 'drop' }])),
  });
  if (chosen.candidates.length === 0)
    throw new HalfspaceError(
      'source-empty',
      'There is no column to learn from: choose at least one besides the label.',
    );
  const begin = (kinds: readonly ColumnKind[]) => new MemoryColumns(kinds.map((kind) => kind === 'text'));
  const { reading, sink } = await inSentences(() => readTables([opened], chosen, { tolerant: false }, begin));
  if (reading.fault !== null) throw new HalfspaceError(...sentenceOf(reading.fault));
  if (reading.rows === 0)
    throw new HalfspaceError(
      'source-empty',
      'There is a line of names, but no row below it. Give a row for each example.',
    );
  const counts = reading.labelCounts();
  const notes = [...opened.notes, ...reading.mixedNotes()].map(sentence);
  return {
    rows: reading.rows,
    format: formatOf(table.name),
    header: opened.header === true,
    columns: chosen.candidates.map(({ name }, c) => ({ name, kind: reading.kinds[c]!, cells: sink.cells(c) })),
    dropped: chosen.leftOut,
    label: { column: table.label, cells: sink.label, counts },
    positive: table.positive ?? firstOfMany(table.label, counts, notes),
    scale: table.scale,
    notes,
  };
}

/** Returns drawn points as the table that is exported. */
function tableOf(points: PointSet): Table {
  return {
    kind: 'table',
    name: 'points.csv',
    text: pointsToCsv(points),
    label: pointLabel.column,
    positive: null,
    columns: null,
    scale: 'none',
  };
}

function sentenceOf({ row, field, kind, cell, value }: CellFault): [ErrorCode, string] {
  if (kind === null)
    return [
      'label-missing',
      `Row ${row + 1} has nothing in the column to predict, “${field}”. Fill it in, or take the row out.`,
    ];
  const text = String(value);
  const shown = text.length > 30 ? `${text.slice(0, 30)}…` : text;
  return [
    'number-invalid',
    `Row ${row + 1} has “${shown.trim()}” in column “${field}”, where ${expectedCell(kind, cell)} is expected. Mend or empty that cell, or leave the column out.`,
  ];
}

/** Returns the first of three and more classes, which the lab sets against the rest until a person chooses another; of two classes null. */
function firstOfMany(label: string, counts: ReadonlyMap<string, number>, notes: string[]): string | null {
  if (counts.size < 2)
    throw new HalfspaceError(
      'label-classes',
      `Two classes are needed; the column “${label}” has ${counts.size === 0 ? 'none' : `only “${[...counts.keys()][0]}”`}. Add examples of another class, or choose another column to predict.`,
    );
  if (counts.size === 2) return null;
  let classes: readonly string[];
  try {
    ({ classes } = chooseClasses(label, counts));
  } catch {
    throw new HalfspaceError(
      'label-classes',
      `The column “${label}” has ${counts.size.toLocaleString('en')} different values: these are hardly classes. Choose another column to predict, or one of its values as the positive class.`,
    );
  }
  if (classes.length < 3) return null;
  notes.push(
    `“${label}” has ${classes.length} classes: ${listed(classes)}. “${classes[0]}” is set against the others until you choose another.`,
  );
  return classes[0]!;
}

function checkPoints(points: readonly { readonly label: number }[]): void {
  if (points.length === 0)
    throw new HalfspaceError('source-empty', 'There are no points yet: add at least one of each class.');
  const first = points[0]!.label;
  if (points.every(({ label }) => label === first))
    throw new HalfspaceError('label-classes', 'All points are of one class: add at least one of the other.');
}

/** What a run decides about the encoding of a table. */
export interface EncodingOptions {
  readonly scale: 'none' | 'standard';
  /** Share of the rows, by seed, that the encoding is not fitted to; 0: none. */
  readonly holdout: number;
  readonly seed: number;
}

/** Fits the encoding that the command fits to the same table. @throws HalfspaceError with a sentence for a person. */
export function fitEncoding(table: ReadTable, { scale, holdout, seed }: EncodingOptions): TableEncoding {
  const { rows, columns, label } = table;
  const fitter = new TableFitter(columns);
  const cells = columns.map((column) => column.cells);
  cells.forEach((all, c) => {
    if (all === null) fitter.leaveOut(c);
  });
  if (holdout > 0) {
    const [kept, held] = [new Uint32Array(rows), new Uint32Array(rows)];
    const count = new HoldoutSplit(holdout, seed).nextInto(rows, kept, held);
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
    // The encoder uses its arrays again, and they are longer than the batch.
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
