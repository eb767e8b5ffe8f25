import { type ExampleSource, HalfspaceError, type OpenSourceOptions } from 'halfspace';
import {
  type BagEvidence,
  type BagPiece,
  type GivenDialect,
  jsonBags,
  knownNames,
  layoutOf,
  type OpenTablesOptions,
  openBags,
  openTables,
  type SourceColumn,
  type Table,
  type TableFormat,
  type TableSource,
  unchanged,
} from 'halfspace/internal/tables';
import { FileState } from 'halfspace/node';
import type { Format } from '../files/formats.ts';
import { openParquetTable } from './duckdb-native.ts';
import { readFileHead } from './file-head.ts';
import { openQueryTable } from './query-table.ts';
import { RawStore } from './raw-store.ts';
import { openStreamedBags, openStreamedTable, type StreamedFormat } from './streamed-table.ts';
import { openJsonFile, openTextFile } from './text-file.ts';
import { bytesOf, type TableFile } from './text-pieces.ts';

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

/** The model that bags are read for; none: the rows determine it. */
type BagRun = Pick<OpenSourceOptions, 'encoding' | 'classes' | 'grows' | 'keepsUnknown'>;

/** Options of a table that bags have, too. */
interface BagFilesOptions extends Pick<OpenTablesOptions, 'label' | 'labelsNeeded' | 'positive' | 'reject' | 'carry'> {
  readonly format: Format | 'sql';
  readonly pipes?: ReadonlyMap<string, AsyncIterable<Uint8Array>> | undefined;
}

/** A source of the rows of tables, or of bags of features. */
interface OpenTable extends ExampleSource {
  readonly notes: readonly string[];
  readonly carried?: readonly SourceColumn[];
  readonly leaks?: readonly string[];
  close?(): void;
}

/** Opens files or pipes of JSON as one source of bags of features. @throws HalfspaceError as `openBags`. */
async function openBagFiles(
  files: readonly TableFile[],
  options: BagFilesOptions,
  run: BagRun,
  notes: readonly string[] = [],
): Promise<OpenTable> {
  const { format, carry, pipes, label, labelsNeeded, positive, reject } = options;
  if (format !== 'json' && format !== 'ndjson')
    throw new HalfspaceError('option-invalid', `expected JSON for a model of bags of features; got ${format}`);
  const carried = carry?.names ?? [];
  const marks: string[] = [];
  const parts: (() => AsyncGenerator<BagPiece>)[] = [];
  for (const file of files) {
    const pipe = pipes?.get(file.path);
    if (pipe !== undefined) {
      parts.push(await openStreamedBags(file, pipe, format, carried));
      continue;
    }
    const check = FileState.of(file.path, file.name);
    const head = await readFileHead(file);
    marks.push(...head.encodingNotes);
    parts.push(jsonBags(file.name, layoutOf(head, format, file.name, false), () => bytesOf(file), { carried, check }));
  }
  const bags = {
    ...{ name: nameOf(files), label, labelsNeeded, positive, reject, carry },
    notes: [...marks, ...notes],
    prompt: pipes !== undefined && pipes.size > 0,
    async *pieces() {
      for (const begin of parts) yield* begin();
    },
  };
  const source = await openBags(bags, run);
  return Object.assign(source as OpenTable, {
    carried: carried.map((name, position) => ({ name, type: 'cell' as const, position })),
  });
}

/** Returns the name of some files, for messages. */
function nameOf(files: readonly TableFile[]): string {
  return files.length === 1 ? files[0]!.name : `${files[0]!.name} and ${files.length - 1} more`;
}
