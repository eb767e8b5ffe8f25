import { type FeatureOptions, HalfspaceError, type TableEncoding, type TableFormat } from 'halfspace';
import { FileState } from 'halfspace/node';
import type { Format } from '../files/formats.ts';
import { chooseColumns, labelColumn } from './columns.ts';
import { fitTables } from './fit.ts';
import { absentNote, type KnownNames, openJsonTable, unknownColumns } from './json-table.ts';
import { openParquetTable, openQueryTable } from './native-table.ts';
import type { RejectedRow } from './scan.ts';
import { openStreamedTable, type StreamedFormat } from './streamed-table.ts';
import type { Table } from './table.ts';
import { TableSource } from './table-source.ts';
import type { TableFile } from './text-pieces.ts';
import { openTextTable } from './text-table.ts';
import { unchanged } from './unchanged.ts';
import { WordList } from './words.ts';

export type { RejectedRow } from './scan.ts';
export type { TableSource } from './table-source.ts';
export type { TableFile } from './text-pieces.ts';

export interface TableOptions {
  /** `sql`: a query instead of files. */
  readonly format: Format | 'sql';
  readonly sql?: string | undefined;
  /** Whether a text table's first line holds the names. Default: as the model says, else it shows. */
  readonly header?: boolean | undefined;
  /** Name of the label column. Default: the model's, or label, class, target or y, else the last column. */
  readonly label?: string | undefined;
  /** The class to set against the rest; needed for more than two. */
  readonly positive?: string | undefined;
  /** Default `standard`. */
  readonly scale?: 'none' | 'standard' | undefined;
  /** How columns are to become features, where that is not left to the data. */
  readonly features?: FeatureOptions | undefined;
  /** Share of the rows, by seed, that the encoding must not be fitted on. */
  readonly holdout?: { readonly fraction: number; readonly seed: number } | undefined;
  /** Called, once the rows before it were delivered, for every row that is set aside; without it the first one ends the reading. */
  readonly reject?: ((rejected: RejectedRow) => void) | undefined;
  /** Read the table as this says, instead of learning an encoding. */
  readonly encoding?: TableEncoding | undefined;
  /** With `encoding`: the files are pipes, named or standard input, whose rows are read once and given as they come. */
  readonly pipes?: ReadonlyMap<string, AsyncIterable<Uint8Array>> | undefined;
  /** With `encoding`: whether rows must have a label; otherwise none is read. Default true. */
  readonly labelsNeeded?: boolean | undefined;
}

/**
 * Opens a table, of one file or of several with the same columns, as a source of examples.
 *
 * For training, the whole table is read now, to learn its encoding. Its rows wait in a temporary file until `batches()` is called, or
 * are read again when bad ones are to be set aside. Memory does not grow with the table.
 *
 * @throws HalfspaceError with the place of the first fault.
 */
export async function openTable(files: readonly TableFile[], options: TableOptions): Promise<TableSource> {
  const tolerant = options.reject !== undefined;
  const { encoding } = options;
  const tables: Table[] = [];
  if (options.sql !== undefined) tables.push(await openQueryTable(options.sql));
  else
    for (const file of files) {
      const pipe = options.pipes?.get(file.path);
      if (pipe !== undefined && encoding !== undefined) {
        const known = knownNames(encoding, options);
        const format = options.format as StreamedFormat;
        tables.push(await openStreamedTable(file.name, pipe, format, options.header, encoding, known));
        continue;
      }
      const state = FileState.of(file.path, file.name);
      tables.push(unchanged(await openFile(file, options, tables[0], tolerant), state));
    }
  if (tables.length === 0) throw new HalfspaceError('option-invalid', 'expected files, or a query; got neither');
  const name = files.length > 1 ? `${files[0]!.name} and ${files.length - 1} more` : tables[0]!.name;
  const notes = [...new Set(tables.flatMap((table) => table.notes))];

  if (encoding !== undefined) {
    const { label } = knownNames(encoding, options);
    const fitted = tables.map((table) => fitToModel(table, encoding, label, options, notes));
    const lists = encoding.columns.map((column) => listOf(column.kind === 'category' ? column.levels : []));
    return new TableSource({
      name,
      tables: fitted,
      encoding,
      label,
      lists,
      labelList: listOf(encoding.label.classes),
      stored: null,
      notes,
      reject: options.reject,
    });
  }
  const chosen = chooseColumns(tables, options.label, options.features);
  const fit = await fitTables(tables, chosen, {
    format: options.format as TableFormat,
    header: tables[0]!.header,
    scale: options.scale ?? 'standard',
    crosses: options.features?.crosses ?? [],
    positive: options.positive,
    tolerant,
    holdout: options.holdout,
  });
  notes.push(...chosen.notes, ...fit.notes);
  return new TableSource({ ...fit, name, tables, label: chosen.label, notes, reject: options.reject });
}

/** The columns that are read for a model. */
function knownNames({ columns, label }: TableEncoding, options: TableOptions): KnownNames {
  return {
    features: columns.map(({ name }) => name),
    label: options.labelsNeeded === false ? null : (options.label ?? label.column),
  };
}

async function openFile(
  file: TableFile,
  options: TableOptions,
  first: Table | undefined,
  tolerant: boolean,
): Promise<Table> {
  const { format, header, encoding } = options;
  switch (format) {
    case 'csv':
    case 'tsv': {
      // The model, and the first of several files, say what the first line is.
      const known = header ?? encoding?.header ?? first?.header ?? undefined;
      return openTextTable(file, format, known, encoding);
    }
    case 'json':
    case 'ndjson':
      return openJsonTable(file, format, tolerant, encoding && knownNames(encoding, options));
    case 'parquet':
      return openParquetTable(file);
    default:
      throw new HalfspaceError('option-invalid', `expected the format of a table; got ${format}`);
  }
}

/**
 * A table as a model reads it. Columns may come in any order; those that the model does not know are ignored, and one that is not
 * there is a missing value in every row.
 */
function fitToModel(
  table: Table,
  encoding: TableEncoding,
  label: string | null,
  options: TableOptions,
  notes: string[],
): Table {
  const named = table.header === false ? withoutLabel(table, encoding, label, notes) : table;
  if (label !== null) labelColumn(named, label);
  const names = new Set(named.columns.map((column) => column.name));
  const absent = encoding.columns.map((column) => column.name).filter((column) => !names.has(column));
  if (absent.length === encoding.columns.length) {
    const hint = options.header === undefined && encoding.header === true ? ' (is the first line a header?)' : '';
    throw unknownColumns(table.name, absent, [...names], hint);
  }
  if (absent.length > 0) notes.push(absentNote(table.name, absent));
  return named;
}

/**
 * Rows to be classified often lack the label, and where columns have no names this moves those behind it. Seen by the
 * number of columns, they get the names they had in training.
 */
function withoutLabel(table: Table, encoding: TableEncoding, label: string | null, notes: string[]): Table {
  const trained = encoding.columns.length + encoding.leftOut.length + 1;
  const position = /^column(\d+)$/.exec(encoding.label.column)?.[1];
  if (label !== null || position === undefined || table.columns.length !== trained - 1) return table;
  if (Number(position) < trained - 1)
    notes.push(`${table.name} has one column less than in training: taken for the label, ${encoding.label.column}`);
  const columns = table.columns.map((column, c) => ({ ...column, name: `column${c < Number(position) ? c : c + 1}` }));
  return { ...table, columns };
}

function listOf(words: readonly string[]): WordList {
  const list = new WordList();
  for (const word of words) list.code(word);
  return list;
}
