import { openBytes } from 'halfspace/node';

/** A table in a file. */
export interface TableFile {
  readonly path: string;
  /** Name for messages: the path, or `-` for standard input that was copied to a file. */
  readonly name: string;
}

const pieceBytes = 128 * 1024;

/** Yields the bytes of a file, decompressed. @throws HalfspaceError `source-unreadable`, `source-corrupt`. */
export async function* bytesOf(file: TableFile): AsyncGenerator<Uint8Array> {
  const source = await openBytes(file.path, { name: file.name });
  const buffer = new Uint8Array(pieceBytes);
  try {
    for (;;) {
      const count = await source.read(buffer);
      if (count === 0) return;
      yield buffer.subarray(0, count);
    }
  } finally {
    source.close?.();
  }
}
