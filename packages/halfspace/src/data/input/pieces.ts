import { HalfspaceError, quote } from '../../errors.ts';
import type { ByteSource } from '../source.ts';
import { unzipped } from '../zip.ts';

/** Bytes, or text, as they arrive. */
export type TextPieces = AsyncIterable<TextPiece> | Iterable<TextPiece>;
type TextPiece = string | ArrayBuffer | ArrayBufferView;

/** Small pieces are joined into blocks of this size, because a stream may have millions of lines. */
const blockBytes = 64 * 1024;

/**
 * Yields pieces as bytes, each valid until the next one is requested; text becomes UTF-8. Pieces before an error come
 * first.
 *
 * @throws HalfspaceError `source-unreadable` for other pieces.
 */
export async function* encodedPieces(pieces: TextPieces, source: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const block = new Uint8Array(blockBytes);
  let length = 0;
  const flushed = () => {
    const joined = block.subarray(0, length);
    length = 0;
    return joined;
  };
  // The first half of a surrogate pair that may be cut in two.
  let half = '';
  try {
    for await (const piece of pieces) {
      let bytes: Uint8Array | null;
      if (typeof piece === 'string') {
        const text = half + piece;
        half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
        const whole = half === '' ? text : text.slice(0, -1);
        // A UTF-16 unit takes at most three bytes.
        if (3 * whole.length > blockBytes - length && length > 0) yield flushed();
        if (3 * whole.length <= blockBytes) {
          length += encoder.encodeInto(whole, block.subarray(length)).written;
          continue;
        }
        bytes = encoder.encode(whole);
      } else {
        bytes = bytesOf(piece);
        if (bytes === null)
          throw new HalfspaceError('source-unreadable', `expected pieces of text or bytes; got ${quote(piece)}`, {
            source,
          });
        const cut = encoder.encode(half);
        half = '';
        if (cut.length + bytes.length > blockBytes - length && length > 0) yield flushed();
        block.set(cut, length);
        length += cut.length;
        if (bytes.length <= blockBytes - length) {
          block.set(bytes, length);
          length += bytes.length;
          continue;
        }
        if (length > 0) yield flushed();
      }
      yield bytes;
    }
  } catch (error) {
    if (length > 0) yield flushed();
    throw error;
  }
  const rest = encoder.encode(half);
  if (rest.length > blockBytes - length) yield flushed();
  block.set(rest, length);
  length += rest.length;
  if (length > 0) yield flushed();
}

/** Returns the bytes of a buffer or of a view of one, without a copy; null for anything else. */
export function bytesOf(value: unknown): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]' ? new Uint8Array(value as ArrayBuffer) : null;
}

/**
 * Returns the pieces of a stream; some browsers cannot iterate over one. `return` cancels the stream, also while a
 * piece is awaited, which no generator can.
 */
export function streamPieces<T>(stream: ReadableStream<T>): AsyncIterableIterator<T> {
  const reader = stream.getReader();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const { done, value } = await reader.read();
      if (done) reader.releaseLock();
      return { done, value } as IteratorResult<T>;
    },
    async return() {
      await reader.cancel().catch(() => {});
      reader.releaseLock();
      return { done: true, value: undefined };
    },
  };
}

/** Number of bytes per read of a blob. */
const blobBytes = 1 << 18;

/** Yields the bytes of a blob. @throws HalfspaceError `source-unreadable`. */
export async function* blobPieces(blob: Blob, source: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += blobBytes) {
    const piece = blob.slice(at, at + blobBytes);
    yield await piece.arrayBuffer().then(
      (bytes) => new Uint8Array(bytes),
      () => {
        const message = 'expected a file as it was opened; got one that was changed or moved';
        throw new HalfspaceError('source-unreadable', message, { source });
      },
    );
  }
}

/** Yields the bytes of a blob, or of the only file in it if it is a ZIP archive. */
export function blobContent(blob: Blob, source: string): AsyncGenerator<Uint8Array> {
  const read = async (from: number, to: number) => new Uint8Array(await blob.slice(from, to).arrayBuffer());
  return unzipped({ size: blob.size, read }, source, () => blobPieces(blob, source));
}

const pieceBytes = 128 * 1024;

/** Yields the bytes of a byte source, and closes it. A piece is valid until the next one is requested. */
export async function* sourcePieces(open: () => Promise<ByteSource>): AsyncGenerator<Uint8Array> {
  const source = await open();
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
