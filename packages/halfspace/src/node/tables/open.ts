import type { ExampleSource, OpenSourceOptions } from '../../data/source.ts';
import { HalfspaceError } from '../../errors.ts';
import type { BagEvidence } from '../../table/bag-evidence.ts';
import { type BagPiece, openBags } from '../../table/bag-source.ts';
import type { GivenDialect } from '../../table/dialect.ts';
import { jsonBags } from '../../table/json/bags.ts';
import { layoutOf } from '../../table/json/table.ts';
import { knownNames, type OpenTablesOptions, openTables } from '../../table/open.ts';
import type { TableSource } from '../../table/source.ts';
import type { SourceColumn, Table } from '../../table/table.ts';
import { unchanged } from '../../table/unchanged.ts';
import { FileState } from '../file-state.ts';
import { RawStore } from './raw-store.ts';
import { openStreamedBags, openStreamedTable, type StreamedFormat } from './streamed-table.ts';
import { openTableFile, readFileHead, type TableFile, textOfFile } from './table-file.ts';

/** Options of {@link openTable}. */
export interface TableOptions extends Omit<OpenTablesOptions, 'store'> {
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
 * Opens a table, of one file or of several with the same columns, as a source of examples. A table that is no file,
 * such as the result of a query, is given itself.
 *
 * For training, the whole table is read now, to fit its encoding. A {@link RawStore} keeps its rows until `batches` is
 * called; if bad rows are skipped, they are read again instead. Memory does not grow with a large table.
 *
 * @param choice for rows that may be bags of features, which have a source of their own. Default: they are a table.
 * @throws HalfspaceError with the place of the first fault.
 */
export async function openTable(files: readonly (TableFile | Table)[], options: TableOptions): Promise<TableSource>;
export async function openTable(
  files: readonly (TableFile | Table)[],
  options: TableOptions,
  choice: BagChoice,
): Promise<OpenTable>;
export async function openTable(
  files: readonly (TableFile | Table)[],
  options: TableOptions,
  { evidence, run }: BagChoice = {},
): Promise<OpenTable> {
  const { encoding, format, header, given, pipes, reject } = options;
  if (run !== undefined) return openBagFiles(files as readonly TableFile[], options, run);
  const known = encoding && knownNames(encoding, options);
  const tables: Table[] = [];
  for (const file of files) {
    if ('scan' in file) {
      tables.push(file);
      continue;
    }
    const pipe = pipes?.get(file.path);
    if (pipe !== undefined && encoding !== undefined) {
      tables.push(await openStreamedTable(file, pipe, format as StreamedFormat, options, encoding, known!));
      continue;
    }
    const state = FileState.of(file.path, file.name);
    const table = await openTableFile(file, {
      ...{ format, encoding, given, known, evidence, tolerant: reject !== undefined },
      // As in the model, else as in the first of several files.
      header: header ?? encoding?.header ?? tables[0]?.header ?? undefined,
    });
    tables.push(unchanged(table, state));
  }
  if (tables.length === 0) throw new HalfspaceError('option-invalid', 'expected files, or a query; got neither');
  const name = nameOf(files);
  const note = evidence?.note(name) ?? null;
  if (note !== null) return openBagFiles(files as readonly TableFile[], options, {}, [note]);
  return openTables(tables, name, { ...options, store: (isText) => new RawStore(isText) });
}

/** The model that bags are read for; none: the rows determine it. */
type BagRun = Pick<OpenSourceOptions, 'encoding' | 'classes' | 'grows' | 'keepsUnknown'>;

/** Options of a table that bags have, too. */
interface BagFilesOptions extends Pick<OpenTablesOptions, 'label' | 'labelsNeeded' | 'positive' | 'reject' | 'carry'> {
  readonly format: OpenTablesOptions['format'];
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
    marks.push(...head.notes);
    parts.push(
      jsonBags(file.name, layoutOf(head, format, file.name, false), () => textOfFile(file), { carried, check }),
    );
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
function nameOf(files: readonly { readonly name: string }[]): string {
  return files.length === 1 ? files[0]!.name : `${files[0]!.name} and ${files.length - 1} more`;
}
