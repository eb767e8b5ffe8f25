import type { ColumnKind, ExampleSource, FeatureEncoding, Label, Place, RawRow } from 'halfspace';
import { dimensionOf } from 'halfspace/models';
import {
  BagEvidence,
  characterEncoding,
  openRecords,
  piecesOf,
  type RecordTable,
  type TextColumns,
} from 'halfspace/node';
import type { Kernels, SparseBatch } from 'halfspace/rules';
import { BatchView } from 'halfspace/rules';
import { labelByName } from 'halfspace/tables';
import { type Format, isTable } from '../files/formats.ts';
import { totalBytes } from '../files/paths.ts';
import { usage } from '../usage.ts';
import { dialectFlags, dialectOf, displayName, openTextInput, type ReadData } from './input.ts';
import { type DataOptions, finishRejects, type Input, rejectFileOf } from './opened.ts';

type IndexedEncoding = Extract<FeatureEncoding, { kind: 'indexed' }>;

/** Rows in the order of DATA, as they arrive. Valid until the next piece is requested. */
export interface StreamPiece {
  readonly count: number;
  /** True if the row could be read; the others have an error. */
  isGood(i: number): boolean;
  rejected(i: number): ReturnType<NonNullable<Row['rejected']>>;
  /** Returns the fields, or the indices and values, of a good row; valid until the next call. */
  row(i: number): RawRow;
  label(i: number): Label;
  importance(i: number): number;
  place(i: number): Place;
  /** Returns the row as it is in DATA, for the file of skipped rows; null if that is not kept. */
  text(i: number): string | null;
  /** Returns the number of features that rows up to this one have named; 0 for tables. */
  featuresUpTo(i: number): number;
}

type Row = Parameters<RecordTable['fieldsOf']>[0];

/** Open DATA of `learn`. */
export interface StreamInput extends Omit<Input, 'source' | 'format'> {
  readonly format: Format;
  pieces(): AsyncGenerator<StreamPiece>;
  /** Column of the label of tables, once the first row is known; null for text. */
  readonly label: string | null;
  /** Kinds that the first text table declares, by name of the column. Absent: none. */
  readonly kinds?: ReadonlyMap<string, ColumnKind>;
  /** Layout of the last text table so far; null: none. */
  readonly layout: TextColumns | null;
  /** Returns the encoding of the first features of text; null for tables. */
  features(count: number): FeatureEncoding | null;
}

interface StreamOptions extends DataOptions {
  /** Layout of the text tables of earlier runs. */
  readonly layout: TextColumns | null;
  /** True: rows of JSON are bags of features. */
  readonly areBags: boolean;
  /** True: a note says that rows of JSON look like bags of features. */
  readonly suggestsBags: boolean;
  /** Names of columns to leave out. */
  readonly dropped: ReadonlySet<string>;
}

/** Opens DATA of `learn` for its rows as they come. @throws HalfspaceError as `openRecords`. */
export function openStream(data: ReadData, options: StreamOptions, kernels: Kernels): StreamInput {
  if (data.format === 'parquet')
    throw usage('learn reads rows as they come: csv, tsv, json, ndjson, libsvm, vw; got parquet');
  if (dialectOf(options) !== undefined && data.format !== 'csv' && data.format !== 'tsv')
    throw usage(`${dialectFlags} are for delimited text; got ${data.format}`);
  if (options.encoding !== undefined && !isTable(data.format))
    throw usage(`--encoding is for tables; got ${data.format} text`);
  return isTable(data.format) ? openTables(data, options) : openText(data, options, kernels);
}

function openTables({ paths, pipes, format }: ReadData, options: StreamOptions): StreamInput {
  const tolerant = options.onError === 'skip';
  const isJson = format === 'json' || format === 'ndjson';
  if (options.areBags && !isJson) throw usage(`--column bag is for JSON; got ${format}`);
  const evidence = isJson && options.suggestsBags ? new BagEvidence(options.label) : null;
  const rejects = rejectFileOf(options);
  const kinds = new Map<string, ColumnKind>();
  let label = options.label ?? null;
  let { layout } = options;
  const chooseLabel = (names: readonly string[], isText: boolean, name: string) => {
    label = labelByName(names);
    if (label === null && !isText) throw usage(`${name}: objects have no last column; name the label with --label`);
    label ??= names.at(-1)!;
    if (labelByName(names) === null)
      input.notes.push(`the last column, ${label}, is taken for the label; --label names another`);
  };
  const input: StreamInput = {
    format,
    name: displayName(paths),
    live: pipes.size > 0,
    bytes: totalBytes(paths),
    bytesRead: 0,
    rejects,
    notes: [],
    get label() {
      return label;
    },
    get layout() {
      return layout;
    },
    kinds,
    features: () => null,
    async *pieces() {
      for (const path of paths) {
        const pipe = pipes.get(path);
        const pieces = piecesOf(pipe === undefined ? path : '-', {
          name: path,
          ...(pipe === undefined ? {} : { stdin: pipe.pieces() }),
          onRead: (count) => {
            input.bytesRead += count;
          },
        });
        const table = await openRecords(path, pieces, {
          format: format as 'csv' | 'tsv' | 'json' | 'ndjson',
          encoding: options.encoding,
          header: options.header,
          given: dialectOf(options),
          known: layout,
          label,
          keepsText: tolerant,
          live: pipes.has(path),
          areBags: options.areBags,
          evidence,
        });
        const { columns, header, declared = [] } = table;
        if (columns !== null) {
          // Online learning takes no formats.
          if (layout === null)
            declared.forEach(({ kind, ...form }, c) => {
              if (kind !== undefined && Object.keys(form).length === 0) kinds.set(columns[c]!, kind);
            });
          if (kinds.size > 0)
            input.notes.push('columns have the kinds that the text declares (--column NAME=KIND changes one)');
          if (label === null) chooseLabel(columns, true, path);
          layout ??= { header: header!, columns };
        }
        let first = 0;
        for await (const rows of table.pieces()) {
          const good = rows.find(({ rejected }) => rejected === null);
          if (label === null && good !== undefined) chooseLabel(Object.keys(table.fieldsOf(good)), false, path);
          yield pieceOf(rows, table, { label: label ?? '', dropped: options.dropped, path, first });
          first += rows.length;
        }
        input.notes.push(...table.notes);
      }
    },
    finish() {
      finishRejects(input);
      if (evidence?.areBags === true)
        input.notes.push(
          `${input.name} looks like bags of features: ${evidence.reason}, and an absent one counts as missing (--column bag of a new state reads it as 0)`,
        );
    },
    close: () => rejects.discard(),
  };
  characterEncoding(options.encoding);
  return input;
}

interface PieceOptions {
  readonly label: string;
  readonly dropped: ReadonlySet<string>;
  readonly path: string;
  /** Number of rows of the file before these. */
  readonly first: number;
}

function pieceOf(rows: readonly Row[], table: RecordTable, { label, dropped, path, first }: PieceOptions): StreamPiece {
  let at = -1;
  let fields: RawRow & Readonly<Record<string, unknown>> = {};
  const open = (i: number) => {
    if (at === i) return fields;
    at = i;
    fields = table.fieldsOf(rows[i]!);
    if (dropped.size > 0) fields = Object.fromEntries(Object.entries(fields).filter(([name]) => !dropped.has(name)));
    return fields;
  };
  return {
    count: rows.length,
    isGood: (i) => rows[i]!.rejected === null,
    rejected: (i) => rows[i]!.rejected!(),
    row: open,
    label: (i) => open(i)[label] as Label,
    importance: () => 1,
    place: (i) => ({ source: path, row: first + i + 1 }),
    text: (i) => rows[i]!.text,
    featuresUpTo: () => 0,
  };
}

function openText({ paths, format, pipes }: ReadData, options: StreamOptions, kernels: Kernels): StreamInput {
  const before = options.encodedFor?.features;
  const first = before === undefined || before.kind === 'indexed' ? numbered(before) : before;
  const encodedFor = format === 'libsvm' || before !== undefined ? { features: first } : undefined;
  const text = { ...options, encodedFor, grows: true };
  const opened = openTextInput(paths, format as 'libsvm' | 'vw', pipes, text, kernels);
  const { source } = opened;
  let known = before === undefined ? 0 : dimensionOf(before);
  return Object.assign(opened as Omit<typeof opened, 'format'>, {
    format,
    label: null,
    layout: null,
    async *pieces() {
      let first = 0;
      for await (const batch of source.batches()) {
        const names = source.labelNames ?? null;
        yield batchPiece(batch as SparseBatch, { path: opened.name, first, known, names });
        first += batch.rows;
        known = featuresOf(batch as SparseBatch, batch.rows, known);
      }
    },
    features: (count: number) => firstFeatures(source.encoding(), count),
  });
}

/** Larger indices of libsvm text get positions in order of appearance, so that the state grows with the features. */
const directIndices = 1 << 16;

/** Returns the encoding of libsvm text so far, in the form in which reading goes on. */
function numbered(before: IndexedEncoding | undefined): IndexedEncoding {
  const { dimension = 0, firstIndex = 1, far = { direct: directIndices, indices: [] } } = before ?? {};
  return { kind: 'indexed', dimension, firstIndex, far };
}

interface BatchPlace {
  readonly path: string;
  /** Number of rows before these. */
  readonly first: number;
  /** Number of features of the rows before these. */
  readonly known: number;
  /** The words of labels; null: they are numbers. */
  readonly names: NonNullable<ExampleSource['labelNames']> | null;
}

function batchPiece(batch: SparseBatch, { path, first, known, names }: BatchPlace): StreamPiece {
  const view = new BatchView(batch);
  return {
    count: batch.rows,
    isGood: () => true,
    rejected: () => {
      throw new RangeError('bad lines of text are told of when they are read');
    },
    row(i) {
      const { count } = view.open(i);
      const indices = new Uint32Array(count);
      const values = new Float64Array(count);
      for (let k = 0; k < count; k++) {
        indices[k] = view.feature(k);
        values[k] = view.value(k);
      }
      return { indices, values };
    },
    label(i) {
      const label = batch.labels[i]!;
      if (Number.isNaN(label)) return label;
      // Text, as `train` has it.
      return names?.nameOf(label) ?? String(label);
    },
    importance: (i) => batch.importance?.[i] ?? 1,
    place: (i) => ({ source: path, row: first + i + 1 }),
    text: () => null,
    featuresUpTo: (i) => featuresOf(batch, i + 1, known),
  };
}

/** Returns the number of features of the first rows of a batch and of those before it. */
function featuresOf(batch: SparseBatch, rows: number, known: number): number {
  const { indices, offsets } = batch;
  let most = known;
  for (let k = offsets[0]!; k < offsets[rows]!; k++) if (indices[k]! >= most) most = indices[k]! + 1;
  return most;
}

/** Returns the encoding of the first features; they are numbered in the order in which they come. */
export function firstFeatures(encoding: FeatureEncoding, count: number): FeatureEncoding {
  if (encoding.kind === 'named') return { kind: 'named', names: encoding.names.slice(0, count) };
  if (encoding.kind !== 'indexed') return encoding;
  const { far } = encoding;
  // Index 0 is counted by the classifier.
  const first: FeatureEncoding = { kind: 'indexed', dimension: count, firstIndex: 1 };
  if (far === undefined || count <= far.direct) return first;
  return { ...first, far: { direct: far.direct, indices: far.indices.slice(0, count - far.direct) } };
}
