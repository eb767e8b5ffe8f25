import { type ExampleSource, HalfspaceError, type OpenSourceOptions } from 'halfspace';
import {
  type BagPiece,
  jsonBags,
  layoutOf,
  type OpenTablesOptions,
  openBags,
  type SourceColumn,
} from 'halfspace/internal/tables';
import { FileState } from 'halfspace/node';
import type { Format } from '../files/formats.ts';
import { readFileHead } from './file-head.ts';
import { openStreamedBags } from './streamed-table.ts';
import { bytesOf, type TableFile } from './text-pieces.ts';

/** The model that bags are read for; none: the rows determine it. */
export type BagRun = Pick<OpenSourceOptions, 'encoding' | 'classes' | 'grows' | 'keepsUnknown'>;

/** Options of a table that bags have, too. */
export interface BagFilesOptions
  extends Pick<OpenTablesOptions, 'label' | 'labelsNeeded' | 'positive' | 'reject' | 'carry'> {
  readonly format: Format | 'sql';
  readonly pipes?: ReadonlyMap<string, AsyncIterable<Uint8Array>> | undefined;
}

/** A source of the rows of tables, or of bags of features. */
export interface OpenTable extends ExampleSource {
  readonly notes: readonly string[];
  readonly carried?: readonly SourceColumn[];
  readonly leaks?: readonly string[];
  close?(): void;
}

/** Opens files or pipes of JSON as one source of bags of features. @throws HalfspaceError as `openBags`. */
export async function openBagFiles(
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
export function nameOf(files: readonly TableFile[]): string {
  return files.length === 1 ? files[0]!.name : `${files[0]!.name} and ${files.length - 1} more`;
}
