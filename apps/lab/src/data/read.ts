import {
  type ColumnKind,
  HalfspaceError,
  HoldoutSplit,
  type LeftOutColumn,
  type StoredBatch,
  TableEncoder,
  type TableEncoding,
} from 'halfspace';
import {
  type ColumnCells,
  type ColumnTally,
  cellText,
  chooseClasses,
  chooseKind,
  labelNumber,
  TableFitter,
  type WordCells,
} from 'halfspace/internal';
import { type Dataset, pointLabel, pointsToCsv, type Table } from './dataset.ts';
import { type Dialect, findHeader, guessDialect, type Header, splitRecords } from './dialect.ts';
import { mixedNote } from './kinds.ts';
import { type ColumnReader, columnReader, WordReader } from './raw-column.ts';
import { headOf, readRecords, type TableText } from './table-text.ts';

/** A dataset read, before it is known how its cells become features. */
export interface ReadTable {
  readonly rows: number;
  /** By the file's name, as the command goes by it. */
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
  readonly cells: ColumnCells;
  /** Too many different words to be categories. */
  readonly full: boolean;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The share that is read, in [0, 1]. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** More columns than this are not for a page. */
export const mostColumns = 20_000;
/** So many rows, or cells, are looked at for a first guess of kinds; a guess that the table does not bear out is made anew, up to so many times. */
const [sampledRows, sampledCells, mostGuesses] = [2048, 200_000, 4];

/**
 * Reads a dataset as `halfspace train` reads its CSV: the same kinds of columns, the same doubles, the same classes.
 * @throws HalfspaceError with a sentence for a person.
 */
export async function readDataset(dataset: Dataset, options: ReadOptions = {}): Promise<ReadTable> {
  const table: Table =
    dataset.kind === 'table'
      ? dataset
      : {
          kind: 'table',
          name: 'points.csv',
          text: pointsToCsv(dataset),
          label: pointLabel.column,
          positive: null,
          columns: null,
          scale: 'none',
        };
  if (dataset.kind === 'points') checkPoints(dataset.points);
  const text = table.file ?? table.text;
  const layout = await layoutOf(text, table.name);
  const { names } = layout.header;
  if (!names.includes(table.label))
    throw new HalfspaceError(
      'column-unknown',
      `There is no column “${table.label}” to predict. Choose one of: ${listed(names)}.`,
    );
  const unknown = table.columns?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new HalfspaceError('column-unknown', `There is no column “${unknown}”. There are: ${listed(names)}.`);
  const isFeature = (name: string) => name !== table.label && (table.columns?.includes(name) ?? true);
  const features = names.flatMap((name, c) => (isFeature(name) ? [c] : []));
  const label = names.indexOf(table.label);
  if (features.length === 0)
    throw new HalfspaceError(
      'source-empty',
      'There is no column to learn from: choose at least one besides the label.',
    );
  const read = await readColumns(text, layout, { features, label }, options);
  const counts = countsOf(read.label);
  const notes = [...layout.header.notes, ...read.notes];
  return {
    rows: read.rows,
    format: layout.format,
    header: layout.header.present,
    columns: read.columns,
    dropped: names.flatMap((name, c) =>
      c === label || features.includes(c) ? [] : [{ name, reason: 'dropped' as const }],
    ),
    label: { column: table.label, cells: read.label.cells(), counts },
    positive: table.positive ?? firstOfMany(table.label, counts, notes),
    scale: table.scale,
    notes,
  };
}

/** How a table's text is written. */
export interface Layout {
  readonly format: 'csv' | 'tsv';
  readonly dialect: Dialect;
  readonly header: Header;
  /** The first records, the header among them where there is one. */
  readonly records: readonly string[][];
}

/** Learns from its beginning how a table is written. @throws HalfspaceError for what is no table. */
export async function layoutOf(text: TableText, name: string): Promise<Layout> {
  const format = /\.(?:tsv|tab)$/i.test(name) ? 'tsv' : 'csv';
  const head = await headOf(text);
  const dialect = guessDialect(head.text, head.whole, format === 'tsv');
  const { records } = splitRecords(head.text, dialect, head.whole);
  const wide = head.text.split(dialect.delimiter).length;
  if (records.length === 0 || (records[0]!.length > mostColumns && wide > mostColumns))
    throw new HalfspaceError(
      'row-malformed',
      `The first line has ${records.length === 0 ? `more than ${wide.toLocaleString('en')}` : records[0]!.length.toLocaleString('en')} cells. The page takes tables of up to ${mostColumns.toLocaleString('en')} columns; for wider ones there is the command, halfspace train.`,
    );
  const header = findHeader(records);
  if (header.names.length < 2)
    throw new HalfspaceError(
      'row-malformed',
      'There is only one column. A table needs a column to predict and one to learn from, with commas, semicolons or tabs between them.',
    );
  return { format, dialect, header, records };
}

interface ColumnsRead {
  readonly rows: number;
  readonly columns: readonly ReadColumn[];
  readonly label: WordReader;
  readonly notes: readonly string[];
}

async function readColumns(
  text: TableText,
  layout: Layout,
  { features, label }: { readonly features: readonly number[]; readonly label: number },
  options: ReadOptions,
): Promise<ColumnsRead> {
  const { names } = layout.header;
  const limit = Math.max(100, Math.min(sampledRows, Math.floor(sampledCells / features.length)));
  const sample = await readAs(text, layout, { features, label, kinds: features.map(() => 'category'), limit }, {});
  const sampled = sample.readers.map((reader) => reader.tally(false));
  let kinds: ColumnKind[] = sampled.map((tally) => chooseKind(tally));
  for (let guess = 1; ; guess++) {
    const { readers, labels, rows } = await readAs(text, layout, { features, label, kinds, limit: Infinity }, options);
    const tallies: (ColumnTally | null)[] = readers.map((reader, f) =>
      // Nothing but the first rows can tell text: its words are all different.
      kinds[f] === 'text' ? null : reader.tally(sampled[f]!.measured),
    );
    const revised = tallies.map((tally, f) => (tally === null ? kinds[f]! : chooseKind(tally)));
    if (guess < mostGuesses && revised.some((kind, f) => kind !== kinds[f])) {
      kinds = revised;
      continue;
    }
    if (rows === 0)
      throw new HalfspaceError(
        'source-empty',
        'There is a line of names, but no row below it. Give a row for each example.',
      );
    const first = firstFault(readers, labels);
    if (first !== null)
      throw faultAt(
        first,
        readers,
        kinds,
        features.map((c) => names[c]!),
        names[label]!,
      );
    const columns = readers.map((reader, f) => ({
      name: names[features[f]!]!,
      kind: kinds[f]!,
      cells: reader.cells(),
      full: reader.full,
    }));
    const notes = columns.flatMap(({ name, kind }, f) => {
      const note = kind === 'category' ? mixedNote(name, tallies[f]!) : null;
      return note === null ? [] : [note];
    });
    return { rows, columns, label: labels, notes };
  }
}

/** One reading of the rows. */
async function readAs(
  text: TableText,
  { dialect, header }: Layout,
  wanted: {
    readonly features: readonly number[];
    readonly label: number;
    readonly kinds: readonly ColumnKind[];
    readonly limit: number;
  },
  { signal, onProgress }: ReadOptions,
): Promise<{ readers: readonly ColumnReader[]; labels: WordReader; rows: number }> {
  const { features, label, kinds, limit } = wanted;
  const readers = kinds.map(columnReader);
  const labels = new WordReader();
  const width = header.names.length;
  let rows = header.present ? -1 : 0;
  await readRecords(text, dialect, {
    signal,
    onProgress,
    limit: header.present ? limit + 1 : limit,
    onRecord(cells, line) {
      if (rows++ < 0) return;
      if (cells.length !== width)
        throw new HalfspaceError(
          'row-malformed',
          `Line ${line} has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}; the table has ${width} columns. Mend that line, or put cells with commas in quotation marks.`,
        );
      for (let f = 0; f < features.length; f++) readers[f]!.add(cells[features[f]!]!);
      labels.add(cells[label]!);
    },
  });
  return { readers, labels, rows: Math.max(0, rows) };
}

/** The first row at fault; of one row the column before the label. */
function firstFault(readers: readonly ColumnReader[], labels: WordReader): { row: number; feature: number } | null {
  let first: { row: number; feature: number } | null = null;
  readers.forEach(({ fault }, feature) => {
    if (fault !== null && (first === null || fault.row < first.row)) first = { row: fault.row, feature };
  });
  const found = first as { row: number; feature: number } | null;
  const { codes, words } = labels.cells();
  const missing = words.map((word) => cellText(word) === null);
  const end = found?.row ?? codes.length;
  for (let i = 0; i < end; i++) if (missing[codes[i]!]) return { row: i, feature: -1 };
  return found;
}

function faultAt(
  { row, feature }: { readonly row: number; readonly feature: number },
  readers: readonly ColumnReader[],
  kinds: readonly ColumnKind[],
  names: readonly string[],
  label: string,
): HalfspaceError {
  if (feature === -1)
    return new HalfspaceError(
      'label-missing',
      `Row ${row + 1} has nothing in the column to predict, “${label}”. Fill it in, or take the row out.`,
    );
  const { cell, code } = readers[feature]!.fault!;
  const expected =
    code === Infinity
      ? 'a finite number'
      : { number: 'a number', boolean: 'true or false', date: 'a date such as 2024-02-29' }[
          kinds[feature] as 'number' | 'boolean' | 'date'
        ];
  const shown = cell.length > 30 ? `${cell.slice(0, 30)}…` : cell;
  return new HalfspaceError(
    'number-invalid',
    `Row ${row + 1} has “${shown.trim()}” in column “${names[feature]}”, where ${expected} is expected. Mend or empty that cell, or leave the column out.`,
  );
}

function countsOf(labels: WordReader): Map<string, number> {
  const { words } = labels.cells();
  const counts = new Map<string, number>();
  labels.counts().forEach((count, code) => {
    const text = cellText(words[code]!);
    if (text !== null && count > 0) counts.set(text, (counts.get(text) ?? 0) + count);
  });
  return counts;
}

/** Of three and more classes the lab sets the first against the rest until it is told another. */
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

/** How a table is encoded: what a run has to say in it. */
export interface EncodingOptions {
  readonly scale: 'none' | 'standard';
  /** Share of the rows, by seed, that have no say in the encoding; 0: none. */
  readonly holdout: number;
  readonly seed: number;
}

/** The encoding that the command fits to the same table. @throws HalfspaceError with a sentence for a person. */
export function fitEncoding(table: ReadTable, { scale, holdout, seed }: EncodingOptions): TableEncoding {
  const { rows, columns, label } = table;
  const fitter = new TableFitter(columns.map(({ name, kind }) => ({ name, kind })));
  columns.forEach(({ full }, c) => {
    if (full) fitter.leaveOut(c);
  });
  const cells = columns.map((column) => column.cells);
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
      `No column tells examples apart: ${encoding.leftOut.map(({ name, reason }) => `${name} (${reason.replaceAll('-', ' ')})`).join(', ')}. ${label.column === pointLabel.column ? 'Move a point, or add one elsewhere.' : 'Choose other columns.'}`,
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

/** Rows of a batch: so many are learned from before anybody is heard. */
const batchRows = 2048;

/** A table's rows as learners take them; of two classes. */
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
      columns: columns.map((cells) => slice(cells, from, to)),
      labels,
      firstRow: from,
    });
    const { rows, dimension } = batch;
    // The encoder's arrays are its own, and longer than the batch.
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

function slice(cells: ColumnCells, from: number, to: number): ColumnCells {
  return cells instanceof Float64Array
    ? cells.subarray(from, to)
    : { codes: cells.codes.subarray(from, to), words: cells.words };
}

/** Names, the first of them when there are many. */
export function listed(names: readonly string[], most = 12): string {
  const some = names.slice(0, most).join(', ');
  return names.length > most ? `${some} and ${names.length - most} more` : some;
}
