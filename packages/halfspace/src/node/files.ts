import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { compressionOf } from '../data/compression.ts';
import { streamSource } from '../data/in-memory.ts';
import type { ByteSource } from '../data/source.ts';
import { isZip, unzipped } from '../data/zip.ts';
import { HalfspaceError } from '../errors.ts';
import { decompress, pieceBytesOf } from './decompress.ts';
import { FileState } from './file-state.ts';
import { unreadable } from './reason.ts';

type Pieces = AsyncIterable<Uint8Array>;

/** Smaller archives take less time to decompress than a thread takes to start. */
const leastArchiveBytes = 4 * 1024 * 1024;

export interface OpenOptions {
  /** Name for messages. Default: the path. */
  readonly name?: string;
  /** The bytes of the path `-`. Default: the standard input of the process. */
  readonly stdin?: Pieces;
  /** Called with the number of bytes of every read, before decompression. */
  readonly onRead?: (bytes: number) => void;
  /** The state of the file at an earlier reading, if it is read several times. Default: the present state. */
  readonly state?: FileState;
  /** 1: decompress in the caller's thread; more: in another one, ahead of the caller. Default: by the file's size. */
  readonly threads?: number | undefined;
}

/**
 * Opens a file, a pipe, or `-` for standard input, as a source of bytes. Recognises gzip and zstd by their first bytes,
 * whatever the file's name, and decompresses them; also a ZIP archive with one file.
 *
 * @throws HalfspaceError `source-unreadable`; from `read`, `source-corrupt` for a damaged archive and `source-changed`
 *   if the file changed since it was opened (see {@link FileState}).
 */
export async function openBytes(path: string, options: OpenOptions = {}): Promise<ByteSource> {
  const name = options.name ?? path;
  const onRead = options.onRead ?? (() => {});
  if (path === '-') return decompressed(options.stdin ?? process.stdin, name, onRead);

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
  const state = options.state ?? FileState.of(path, name, file);
  if (!status.isFile()) return decompressed(createReadStream(path, { fd: file }), name, onRead);

  const magic = new Uint8Array(4);
  readSync(file, magic, 0, 4, 0);
  const compression = compressionOf(magic);
  if (compression !== null) {
    const { threads } = options;
    if (threads === undefined ? status.size >= leastArchiveBytes : threads > 1) {
      // Loaded here because most files are not compressed.
      const { decompressAhead } = await import('./parallel/decompress-ahead.ts');
      const check = () => state.check();
      const close = () => closeSync(file);
      const ahead = decompressAhead({ name, compression, descriptor: file, onRead, check, close });
      if (ahead !== null) return ahead;
    }
    return decompressed(
      createReadStream(path, { fd: file, start: 0, highWaterMark: pieceBytesOf(compression) }),
      name,
      onRead,
      state,
    );
  }

  if (isZip(magic)) {
    const read = (from: number, to: number) => {
      const bytes = new Uint8Array(to - from);
      const count = readSync(file, bytes, 0, bytes.length, from);
      onRead(count);
      return bytes.subarray(0, count);
    };
    const all = createReadStream(path, { fd: file, start: 0, autoClose: false });
    const content = unzipped({ size: status.size, read }, name, () => all);
    return streamSource(
      closing(
        content,
        () => state.check(),
        () => closeSync(file),
      ),
      name,
    );
  }

  // A plain file is read directly into the caller's buffer.
  let position = 0;
  let open = true;
  return {
    name,
    file: { descriptor: file, size: status.size, onRead, check: () => state.check() },
    read(target) {
      if (!open) return 0;
      let count: number;
      try {
        count = readSync(file, target, 0, target.length, position);
      } catch (error) {
        throw unreadable(name, error);
      }
      if (count === 0) state.check();
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

/** Yields pieces, then checks the file. Closes it in any case. */
async function* closing(pieces: Pieces, check: () => void, close: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
    check();
  } finally {
    close();
  }
}

/** Makes a byte source of a stream, decompressed if its first bytes say so. */
async function decompressed(
  pieces: Pieces,
  name: string,
  onRead: (bytes: number) => void,
  state?: FileState,
): Promise<ByteSource> {
  const iterator = pieces[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let length = 0;
  while (length < 4) {
    const { done, value } = await nextOf(iterator, name);
    if (done === true) break;
    head.push(value);
    length += value.length;
  }
  const compression = compressionOf(Buffer.concat(head));
  const counted = countedPieces(name, head, iterator, onRead, state);
  return streamSource(compression === null ? counted : decompress(compression, counted, name), name);
}

async function* countedPieces(
  name: string,
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  onRead: (bytes: number) => void,
  state: FileState | undefined,
): AsyncGenerator<Uint8Array> {
  for (const piece of head) {
    onRead(piece.length);
    yield piece;
  }
  try {
    for (;;) {
      const { done, value } = await nextOf(rest, name);
      if (done === true) {
        state?.check();
        return;
      }
      onRead(value.length);
      yield value;
    }
  } finally {
    await rest.return?.();
  }
}

async function nextOf(pieces: AsyncIterator<Uint8Array>, name: string): Promise<IteratorResult<Uint8Array>> {
  try {
    return await pieces.next();
  } catch (error) {
    throw error instanceof HalfspaceError ? error : unreadable(name, error);
  }
}
