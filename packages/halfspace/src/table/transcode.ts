import { HalfspaceError, quote } from '../errors.ts';
import type { BytePieces } from './byte-text.ts';

/*
 * Text in another character encoding than UTF-8 becomes UTF-8 while it is read. Nothing behind this file knows of it.
 */

/** The characters of the bytes 0x80 to 0x9f in windows-1252, which stands for Latin-1 in the Encoding standard. */
const windows1252 =
  '\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178';

/** Returns the character of a byte in windows-1252, from 0x80. */
export function windows1252Character(byte: number): string {
  return byte < 0xa0 ? windows1252[byte - 0x80]! : String.fromCharCode(byte);
}

/**
 * Returns the usual name of a character encoding; null for UTF-8, or if none is given.
 * @throws HalfspaceError `option-invalid` for a name that no runtime knows.
 */
export function characterEncoding(label: unknown): string | null {
  if (label === undefined) return null;
  try {
    if (typeof label !== 'string') throw new TypeError('no label');
    const { encoding } = new TextDecoder(label);
    return encoding === 'utf-8' ? null : encoding;
  } catch {
    throw new HalfspaceError(
      'option-invalid',
      `encoding must be the name of a character encoding, such as latin1, windows-1252, utf-16le or shift_jis; got ${quote(label)}`,
    );
  }
}

/** Options of {@link transcoded}. */
export interface TranscodeOptions {
  /** Result of {@link characterEncoding}. Default: UTF-8, or UTF-16 if the text begins with its byte order mark. */
  readonly encoding?: string | null | undefined;
  /** Called with the name of the encoding that a byte order mark shows. */
  readonly onMark?: ((encoding: string) => void) | undefined;
}

/**
 * Yields text as UTF-8. Text in UTF-8 passes unchanged.
 * @throws HalfspaceError `source-corrupt` for bytes that are no characters in the encoding.
 */
export async function* transcoded(
  pieces: BytePieces,
  source: string,
  { encoding = null, onMark }: TranscodeOptions = {},
): AsyncGenerator<Uint8Array> {
  let decode: Decode | null = encoding === null ? null : decoderOf(encoding, source);
  let head: Uint8Array | null = decode === null ? new Uint8Array(0) : null;
  const encoder = new TextEncoder();
  for await (const given of pieces) {
    let piece = given;
    if (head !== null) {
      piece = joined(head, given);
      head = piece.slice();
      if (piece.length < 2) continue;
      head = null;
      const marked = markOf(piece);
      if (marked !== null) {
        decode = decoderOf(marked, source);
        onMark?.(marked);
      }
    }
    const bytes = decode === null ? piece : encoder.encode(decode(piece));
    if (bytes.length > 0) yield bytes;
  }
  if (head !== null && head.length > 0) yield head;
  const rest = decode === null ? '' : decode(null);
  if (rest !== '') yield encoder.encode(rest);
}

/** Decodes the next piece; null: the end. */
type Decode = (piece: Uint8Array | null) => string;

function decoderOf(encoding: string, source: string): Decode {
  // Some versions of Node decode windows-1252 as ISO 8859-1.
  if (encoding === 'windows-1252') return (piece) => (piece === null ? '' : decodeWindows1252(piece));
  const decoder = new TextDecoder(encoding, { fatal: true });
  let read = 0;
  return (piece) => {
    try {
      return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw new HalfspaceError('source-corrupt', `expected ${encoding} text; got other bytes`, { source, byte: read });
    } finally {
      read += piece?.length ?? 0;
    }
  };
}

function decodeWindows1252(piece: Uint8Array): string {
  let text = '';
  for (let i = 0; i < piece.length; i++) {
    const byte = piece[i]!;
    text += byte >= 0x80 && byte < 0xa0 ? windows1252[byte - 0x80]! : String.fromCharCode(byte);
  }
  return text;
}

/** Returns the encoding that a byte order mark shows; null: there is none but that of UTF-8. */
function markOf([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

/** Returns a note on a text whose byte order mark shows its encoding. */
export function markNote(source: string, encoding: string): string {
  return `${source} is read as ${encoding.toUpperCase()}, as its byte order mark says`;
}

/**
 * Returns the error for bytes that are not UTF-8: what they look like, and the option that reads them.
 *
 * @param text text of `byteText`, one character per byte.
 * @param where the place of the text.
 */
export function notUtf8(text: string, where: HalfspaceError['where']): HalfspaceError {
  const byte = text.charCodeAt(firstStray(text));
  const hex = `0x${byte.toString(16)}`;
  const label = byte < 0xa0 ? 'windows-1252' : 'latin1';
  const name = byte < 0xa0 ? 'Windows-1252' : 'Latin-1';
  return new HalfspaceError(
    'source-corrupt',
    `expected UTF-8 text; got the byte ${hex}, ${windows1252Character(byte)} in ${name}; encoding: "${label}" reads it (--encoding ${label} of the command)`,
    where,
  );
}

/** Returns the position of the first byte that is no part of a character in UTF-8; text that has one. */
function firstStray(text: string): number {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let i = 0; i < text.length; i++) {
    const byte = text.charCodeAt(i);
    if (byte < 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    const bytes = Uint8Array.from(text.slice(i, i + length), (character) => character.charCodeAt(0));
    try {
      strict.decode(bytes);
    } catch {
      return i;
    }
    i += length - 1;
  }
  return 0;
}

/** Returns the error for text with zero bytes: UTF-16 without a mark, or no text. */
export function binaryFault(bytes: Uint8Array, source: string): HalfspaceError {
  const some = bytes.subarray(0, 1000 - (bytes.length % 2));
  const zeros = [0, 0];
  for (let i = 0; i < some.length; i++) if (some[i] === 0) zeros[i % 2]!++;
  const [even, odd] = zeros as [number, number];
  const half = some.length / 2;
  const label =
    odd > half * 0.6 && even < half * 0.1 ? 'utf-16le' : even > half * 0.6 && odd < half * 0.1 ? 'utf-16be' : null;
  const got =
    label === null
      ? 'binary data'
      : `UTF-16 without a byte order mark; encoding: "${label}" reads it (--encoding ${label} of the command)`;
  return new HalfspaceError('source-corrupt', `expected UTF-8 text; got ${got}`, { source, byte: bytes.indexOf(0) });
}
