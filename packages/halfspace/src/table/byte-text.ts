import { HalfspaceError } from '../errors.ts';

/** Bytes of text in order, decompressed. A piece is valid until the next one is requested. */
export type BytePieces = AsyncIterable<Uint8Array>;

/**
 * Yields text as strings with one character per byte. The structure of a table is ASCII, and such strings may be cut
 * anywhere. A byte order mark is left out. {@link utf8} decodes a part.
 *
 * @throws HalfspaceError `source-corrupt` for UTF-16.
 */
export async function* byteText(pieces: BytePieces, source: string): AsyncGenerator<string> {
  let head = '';
  let begun = false;
  for await (const piece of pieces) {
    const text = latin1(piece);
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
  if (/^(\xFF\xFE|\xFE\xFF)/.test(head)) throw utf16(source);
  return head.startsWith('\xEF\xBB\xBF') ? head.slice(3) : head;
}

/** Returns the error for a table in UTF-16. */
function utf16(source: string): HalfspaceError {
  return new HalfspaceError('source-corrupt', 'expected UTF-8 text; got UTF-16', { source, byte: 0 });
}

interface Latin1Buffer {
  from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'latin1'): string };
  from(text: string, encoding: 'latin1'): Uint8Array;
}

/** Maximum number of arguments of one call. */
const callLength = 8192;

/**
 * Returns a string with one character per byte. `TextDecoder` has no such encoding: its `latin1` is windows-1252.
 * Node's `Buffer` has, and is three times as fast as the portable loop.
 */
export function latin1(bytes: Uint8Array): string {
  const { Buffer } = globalThis as { readonly Buffer?: Latin1Buffer };
  if (Buffer !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let text = '';
  for (let i = 0; i < bytes.length; i += callLength)
    text += String.fromCharCode.apply(null, bytes.subarray(i, i + callLength) as unknown as number[]);
  return text;
}

const beyondAscii = /[\x80-\xFF]/;
const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Tests if text of {@link byteText} needs no decoding. */
export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

/** Decodes text of {@link byteText}; returns null if the bytes are not UTF-8. */
export function utf8(text: string): string | null {
  if (isAscii(text)) return text;
  try {
    return strictDecoder.decode(bytesOf(text));
  } catch {
    return null;
  }
}

/** Decodes text of {@link byteText} for a message: bytes that are not UTF-8 become U+FFFD. */
export function readableUtf8(text: string): string {
  return utf8Decoder.decode(bytesOf(text));
}

/** Returns the bytes of text with one character per byte. */
export function bytesOf(text: string): Uint8Array {
  const { Buffer } = globalThis as { readonly Buffer?: Latin1Buffer };
  if (Buffer !== undefined) return Buffer.from(text, 'latin1');
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
