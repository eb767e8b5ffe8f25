import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import type { Gunzip } from 'node:zlib';
import { streamSource } from '../data/in-memory.ts';
import type { ByteSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import { reasonOf } from './reason.ts';

type Pieces = AsyncIterable<Uint8Array>;

export interface OpenOptions {
  /** Name for messages. Default: the path. */
  readonly name?: string;
  /** Standard input, for the path `-`. Default: the process's. */
  readonly stdin?: Pieces;
  /** Called with bytes as they are read, before decompression. */
  readonly onRead?: (bytes: number) => void;
  /** Decompresses zstd where the runtime cannot. */
  readonly zstd?: (pieces: Pieces) => Pieces;
}

/**
 * Opens a file, `-` for standard input, or a pipe, as a source of bytes. gzip and zstd are known by their first bytes,
 * whatever the name, and decompressed.
 *
 * @throws HalfspaceError `source-unreadable`; from `read`, `source-corrupt` for an archive that is damaged or cut.
 */
export async function openBytes(path: string, options: OpenOptions = {}): Promise<ByteSource> {
  const name = options.name ?? path;
  const onRead = options.onRead ?? (() => {});
  if (path === '-') return decompressed(options.stdin ?? process.stdin, name, options, onRead);

  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw unreadable(name, error);
  }
  const status = fstatSync(file);
  if (status.isDirectory()) {
    closeSync(file);
    throw unreadable(name, { code: 'EISDIR' });
  }
  if (!status.isFile()) return decompressed(createReadStream(path, { fd: file }), name, options, onRead);

  const magic = new Uint8Array(4);
  readSync(file, magic, 0, 4, 0);
  if (compressionOf(magic) !== null)
    return decompressed(createReadStream(path, { fd: file, start: 0 }), name, options, onRead);

  // A plain file: straight into the caller's buffer.
  let position = 0;
  let open = true;
  return {
    name,
    file: { descriptor: file, size: status.size, onRead },
    read(target) {
      if (!open) return 0;
      let count: number;
      try {
        count = readSync(file, target, 0, target.length, position);
      } catch (error) {
        throw unreadable(name, error);
      }
      position += count;
      onRead(count);
      return count;
    },
    close() {
      if (open) closeSync(file);
      open = false;
    },
  };
}

function compressionOf(bytes: Uint8Array): 'gzip' | 'zstd' | null {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return 'zstd';
  return null;
}

/** A stream of pieces as a source, decompressed as its first bytes ask. */
async function decompressed(
  pieces: Pieces,
  name: string,
  options: OpenOptions,
  onRead: (bytes: number) => void,
): Promise<ByteSource> {
  const iterator = pieces[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let length = 0;
  try {
    while (length < 4) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      head.push(value);
      length += value.length;
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  const compression = compressionOf(Buffer.concat(head));
  const counted = countedPieces(head, iterator, onRead);
  return streamSource(decompress(counted, compression, name, options), name);
}

async function* countedPieces(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for (const piece of head) {
    onRead(piece.length);
    yield piece;
  }
  for (;;) {
    const { done, value } = await rest.next();
    if (done === true) return;
    onRead(value.length);
    yield value;
  }
}

async function* decompress(
  pieces: Pieces,
  compression: 'gzip' | 'zstd' | null,
  name: string,
  options: OpenOptions,
): AsyncGenerator<Uint8Array> {
  try {
    if (compression === null) {
      yield* pieces;
      return;
    }
    // Most files need none of it, and loading it takes longer than reading a small one.
    const zlib = await import('node:zlib');
    if (compression === 'gzip') yield* through(pieces, zlib.createGunzip());
    else if ('createZstdDecompress' in zlib)
      yield* through(pieces, (zlib as unknown as { createZstdDecompress(): Gunzip }).createZstdDecompress());
    else if (options.zstd !== undefined) yield* options.zstd(pieces);
    else
      throw new HalfspaceError('source-unreadable', 'expected a runtime that reads zstd; got one that does not', {
        source: name,
      });
  } catch (error) {
    if (error instanceof HalfspaceError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (compression === null) throw unreadable(name, error);
    const cut = code === 'Z_BUF_ERROR' || /unexpected e(nd of file|of)/i.test(message);
    throw new HalfspaceError(
      'source-corrupt',
      cut
        ? `expected a whole ${compression} file; got one that is cut short`
        : `expected ${compression} data; got damaged bytes (${message})`,
      { source: name },
    );
  }
}

async function* through(pieces: Pieces, transform: Gunzip): AsyncGenerator<Uint8Array> {
  const feeding = (async () => {
    try {
      for await (const piece of pieces)
        if (!transform.write(piece)) await new Promise((resolve) => transform.once('drain', resolve));
      transform.end();
    } catch (error) {
      transform.destroy(error as Error);
    }
  })();
  try {
    yield* transform as AsyncIterable<Uint8Array>;
  } finally {
    transform.destroy();
  }
  await feeding;
}

function unreadable(name: string, error: unknown): HalfspaceError {
  return new HalfspaceError('source-unreadable', `expected a readable file; got ${reasonOf(error)}`, { source: name });
}
