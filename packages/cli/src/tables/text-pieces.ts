import { sourcePieces } from 'halfspace/internal';
import { openBytes } from 'halfspace/node';

/** A table in a file. */
export interface TableFile {
  readonly path: string;
  /** Name for messages: the path, or `-` for standard input that was copied to a file. */
  readonly name: string;
}

/** Yields the bytes of a file, decompressed. @throws HalfspaceError `source-unreadable`, `source-corrupt`. */
export function bytesOf({ path, name }: TableFile): AsyncGenerator<Uint8Array> {
  return sourcePieces(() => openBytes(path, { name }));
}
