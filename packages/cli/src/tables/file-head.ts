import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { isZip } from 'halfspace/internal';
import { readHead, type TableHead } from 'halfspace/internal/tables';
import { compressionOf, reasonOf } from 'halfspace/node';
import { bytesOf, type TableFile } from './text-pieces.ts';

/** The beginning of a file, decompressed. */
export interface FileHead extends TableHead {
  /** Determined by the first bytes, not by the name. */
  readonly compression: 'gzip' | 'zstd' | 'zip' | 'none';
  /** A note on the character encoding, if the text shows another than UTF-8. */
  readonly encodingNotes: readonly string[];
}

/**
 * Reads the beginning of a file, the first two lines at least.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`; `row-malformed` for longer lines.
 */
export async function readFileHead(file: TableFile): Promise<FileHead> {
  const first = firstBytes(file);
  const compression = compressionOf(first) ?? (isZip(first) ? 'zip' : 'none');
  // The beginning of a damaged archive is enough to guess the dialect.
  const encodingNotes: string[] = [];
  const bytes = bytesOf(file, (note) => encodingNotes.push(note));
  return { ...(await readHead(bytes, file.name, compression !== 'none')), compression, encodingNotes };
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
    if (error instanceof HalfspaceError) throw error;
    throw new HalfspaceError('source-unreadable', `expected a readable file; got ${reasonOf(error)}`, { source });
  }
  return bytes;
}
