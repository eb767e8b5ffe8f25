import { sourcePieces } from 'halfspace/internal';
import { transcoded } from 'halfspace/internal/tables';
import { openBytes } from 'halfspace/node';

/** A table in a file. */
export interface TableFile {
  readonly path: string;
  /** Name for messages: the path, or `-` for standard input that was copied to a file. */
  readonly name: string;
  /** Character encoding, as `characterEncoding` names it. Default: as the text shows. */
  readonly encoding?: string | null | undefined;
}

/** Yields the text of a file in UTF-8, decompressed. @throws HalfspaceError `source-unreadable`, `source-corrupt`. */
export function bytesOf(
  { path, name, encoding }: TableFile,
  onFound?: (note: string) => void,
): AsyncGenerator<Uint8Array> {
  const pieces = sourcePieces(() => openBytes(path, { name }));
  return transcoded(pieces, name, { encoding, onFound });
}
