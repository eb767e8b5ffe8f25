import { isUtf8 } from 'node:buffer';
import { HalfspaceError } from 'halfspace';
import { openBytes } from 'halfspace/node';
import { decompressZstd } from '../files/zstd.ts';

/** A table in a file. */
export interface TableFile {
  readonly path: string;
  /** For messages: the path, or `-` for standard input that was put in a file. */
  readonly name: string;
}

/** Bytes of text, decompressed, in order. A piece is valid until the next one is asked for. */
export type BytePieces = AsyncIterable<Uint8Array>;

const pieceBytes = 128 * 1024;

/** The bytes of a file, decompressed. @throws HalfspaceError `source-unreadable`, `source-corrupt`. */
export async function* bytesOf(file: TableFile): AsyncGenerator<Uint8Array> {
  const source = await openBytes(file.path, { name: file.name, zstd: decompressZstd });
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

/**
 * Text as strings with one character for each byte: what gives a table its structure is ASCII, and such strings are cheap to cut anywhere. A byte
 * order mark is left out. {@link utf8} makes text of a part.
 *
 * @throws HalfspaceError `source-corrupt` for UTF-16.
 */
export async function* byteText(pieces: BytePieces, source: string): AsyncGenerator<string> {
  let head = '';
  let begun = false;
  for await (const piece of pieces) {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    if (begun) {
      yield text;
      continue;
    }
    head += text;
    if (head.length < 3) continue;
    begun = true;
    yield withoutMark(head, source);
  }
  if (!begun) yield withoutMark(head, source);
}

function withoutMark(head: string, source: string): string {
  if (/^(\xFF\xFE|\xFE\xFF)/.test(head))
    throw new HalfspaceError('source-corrupt', 'expected UTF-8 text; got UTF-16', { source, byte: 0 });
  return head.startsWith('\xEF\xBB\xBF') ? head.slice(3) : head;
}

const beyondAscii = /[\x80-\xFF]/;

/** The text of bytes that {@link byteText} gave; null when they are not UTF-8. */
export function utf8(bytes: string): string | null {
  if (!beyondAscii.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : null;
}
