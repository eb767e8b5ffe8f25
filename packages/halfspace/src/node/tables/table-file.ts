import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { stoppable } from '../../data/breathe.ts';
import { compressionOf } from '../../data/compression.ts';
import { sourcePieces } from '../../data/input/pieces.ts';
import { isZip } from '../../data/zip.ts';
import { HalfspaceError } from '../../errors.ts';
import type { BagEvidence } from '../../table/bag-evidence.ts';
import { readHead, type TableHead } from '../../table/head.ts';
import { openJsonTable } from '../../table/json/table.ts';
import type { KnownNames } from '../../table/open.ts';
import type { Table } from '../../table/table.ts';
import { openTextTable, type TextTableOptions } from '../../table/text-table.ts';
import { transcoded } from '../../table/transcode.ts';
import { type OpenOptions, openBytes } from '../files.ts';
import { unreadable } from '../reason.ts';

/** A table in a file. */
export interface TableFile {
  readonly path: string;
  /** Name for messages: the path, or `-` for standard input that was copied to a file. */
  readonly name: string;
  /** Character encoding, as `characterEncoding` names it. Default: as the text shows. */
  readonly encoding?: string | null | undefined;
  /** Opens a file of another format than text and JSON. */
  readonly open?: ((file: TableFile) => Promise<Table>) | undefined;
  /** Ends the reading of text with the error `interrupted`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Yields copies of the bytes of a file or a pipe, decompressed. @throws HalfspaceError as `openBytes`. */
export async function* piecesOf(path: string, options?: OpenOptions): AsyncGenerator<Uint8Array> {
  for await (const piece of sourcePieces(() => openBytes(path, options))) yield piece.slice();
}

/** Yields the text of a file in UTF-8, decompressed. @throws HalfspaceError `source-unreadable`, `source-corrupt`. */
export function textOfFile(
  { path, name, encoding, signal }: TableFile,
  onFound?: (note: string) => void,
): AsyncGenerator<Uint8Array> {
  return transcoded(
    stoppable(
      sourcePieces(() => openBytes(path, { name })),
      signal,
      name,
    ),
    name,
    { encoding, onFound },
  );
}

/**
 * Reads the beginning of a file, decompressed: the first two lines at least.
 * @returns with the notes on its character encoding, if the text shows another than UTF-8.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`; `row-malformed` for longer lines.
 */
export async function readFileHead(file: TableFile): Promise<TableHead & { readonly notes: readonly string[] }> {
  const first = firstBytes(file);
  const notes: string[] = [];
  const bytes = textOfFile(file, (note) => notes.push(note));
  // The beginning of a damaged archive is enough to guess the dialect.
  return { ...(await readHead(bytes, file.name, compressionOf(first) !== null || isZip(first))), notes };
}

/** Returns the first four bytes. @throws HalfspaceError `source-unreadable` for a path that is no file. */
function firstBytes({ path, name: source }: TableFile): Uint8Array {
  const bytes = new Uint8Array(4);
  try {
    const status = statSync(path);
    if (!status.isFile())
      throw new HalfspaceError(
        'source-unreadable',
        `expected a file; got ${status.isDirectory() ? 'a directory' : 'a pipe, which can be read only once (give it as -)'}`,
        { source },
      );
    const descriptor = openSync(path, 'r');
    readSync(descriptor, bytes, 0, bytes.length, 0);
    closeSync(descriptor);
  } catch (error) {
    throw error instanceof HalfspaceError ? error : unreadable(source, error);
  }
  return bytes;
}

/** Options of {@link openTableFile}. */
interface TableFileOptions extends Omit<TextTableOptions, 'tabs'> {
  /** Format of a file without `open`. */
  readonly format: string;
  /** For JSON: columns of a model. Default: all keys of all objects, found by a scan of the whole file. */
  readonly known?: KnownNames | undefined;
  /** For JSON: true if bad rows are allowed. Default false. */
  readonly tolerant?: boolean | undefined;
  /** For JSON: collects if the rows are bags of features. */
  readonly evidence?: BagEvidence | undefined;
}

/**
 * Opens a file as a table: delimited text (`csv`, `tsv`), JSON (a list of objects, one object per line, or objects one
 * after the other), or what its `open` reads.
 *
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openTableFile(file: TableFile, options: TableFileOptions): Promise<Table> {
  const { format, tolerant = false, known, evidence, ...text } = options;
  const head = await readFileHead(file);
  if (file.open !== undefined) return file.open(file);
  const { name } = file;
  const open = () => textOfFile(file);
  let table: Table;
  if (format === 'csv' || format === 'tsv')
    table = await openTextTable(name, head, open, { ...text, tabs: format === 'tsv' });
  else if (format === 'json' || format === 'ndjson')
    table = await openJsonTable(name, head, open, { format, tolerant, known, evidence });
  else throw new HalfspaceError('option-invalid', `expected the format of a table; got ${format}`);
  return { ...table, notes: [...head.notes, ...table.notes] };
}
