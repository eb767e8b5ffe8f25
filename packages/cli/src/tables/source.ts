import { HalfspaceError } from 'halfspace';
import {
  type BagEvidence,
  type GivenDialect,
  knownNames,
  type OpenTablesOptions,
  openTables,
  type Table,
  type TableFormat,
  type TableSource,
  unchanged,
} from 'halfspace/internal/tables';
import { FileState } from 'halfspace/node';
import type { Format } from '../files/formats.ts';
import { type BagRun, nameOf, type OpenTable, openBagFiles } from './bag-files.ts';
import { openParquetTable } from './duckdb-native.ts';
import { openTextFile } from './duckdb-text.ts';
import { openJsonFile } from './json-file.ts';
import { openQueryTable } from './query-table.ts';
import { RawStore } from './raw-store.ts';
import { openStreamedTable, type StreamedFormat } from './streamed-table.ts';
import type { TableFile } from './text-pieces.ts';

export type { TableSource } from 'halfspace/internal/tables';
export type { TableFile } from './text-pieces.ts';

export interface TableOptions extends Omit<OpenTablesOptions, 'format' | 'store'> {
  /** `sql`: a query instead of files. */
  readonly format: Format | 'sql';
  readonly sql?: string | undefined;
  /** Form of delimited text, as far as it is known. */
  readonly given?: GivenDialect | undefined;
  /** With `encoding`: open pipes, by the paths of the files. Their rows are read once, as they arrive. */
  readonly pipes?: ReadonlyMap<string, AsyncIterable<Uint8Array>> | undefined;
}

/** Decides if rows of JSON are bags of features. */
export interface BagChoice {
  /** Collects if they are. */
  readonly evidence?: BagEvidence | undefined;
  /** They are, for this model of named features, or for a state that goes on. */
  readonly run?: BagRun | undefined;
}

/**
 * Opens a table, of one file or of several with the same columns, as a source of examples.
 *
 * For training, the whole table is read now, to fit its encoding. A {@link RawStore} keeps its rows until `batches` is
 * called; if bad rows are skipped, they are read again instead. Memory does not grow with a large table.
 *
 * @param choice for rows that may be bags of features, which have a source of their own. Default: they are a table.
 * @throws HalfspaceError with the place of the first fault.
 */
export async function openTable(files: readonly TableFile[], options: TableOptions): Promise<TableSource>;
export async function openTable(
  files: readonly TableFile[],
  options: TableOptions,
  choice: BagChoice,
): Promise<OpenTable>;
export async function openTable(
  files: readonly TableFile[],
  options: TableOptions,
  { evidence, run }: BagChoice = {},
): Promise<OpenTable> {
  const { encoding } = options;
  if (run !== undefined) return openBagFiles(files, options, run);
  const tables: Table[] = [];
  if (options.sql !== undefined) tables.push(await openQueryTable(options.sql));
  else
    for (const file of files) {
      const pipe = options.pipes?.get(file.path);
      if (pipe !== undefined && encoding !== undefined) {
        const known = knownNames(encoding, options);
        const format = options.format as StreamedFormat;
        tables.push(await openStreamedTable(file, pipe, format, options, encoding, known));
        continue;
      }
      const state = FileState.of(file.path, file.name);
      tables.push(unchanged(await openFile(file, options, tables[0], evidence), state));
    }
  if (tables.length === 0) throw new HalfspaceError('option-invalid', 'expected files, or a query; got neither');
  const name = files.length > 1 ? nameOf(files) : tables[0]!.name;
  const note = evidence?.note(name) ?? null;
  if (note !== null) return openBagFiles(files, options, {}, [note]);
  return openTables(tables, name, {
    ...options,
    format: options.format as TableFormat,
    store: (isText) => new RawStore(isText),
  });
}

async function openFile(
  file: TableFile,
  options: TableOptions,
  first: Table | undefined,
  evidence: BagEvidence | undefined,
): Promise<Table> {
  const { format, header, encoding, given } = options;
  switch (format) {
    case 'csv':
    case 'tsv': {
      // The header is as in the model, else as in the first of several files.
      const known = header ?? encoding?.header ?? first?.header ?? undefined;
      return openTextFile(file, { tabs: format === 'tsv', header: known, encoding, given });
    }
    case 'json':
    case 'ndjson': {
      const tolerant = options.reject !== undefined;
      return openJsonFile(file, format, tolerant, encoding && knownNames(encoding, options), evidence);
    }
    case 'parquet':
      return openParquetTable(file);
    default:
      throw new HalfspaceError('option-invalid', `expected the format of a table; got ${format}`);
  }
}
