import { HalfspaceError, quote } from '../errors.ts';
import { type BytePieces, bytesOf } from './byte-text.ts';
import { type Candidate, evidenceOf, wideEncodingOf } from './encodings/evidence.ts';
import { decodeWindows1252, windows1252Character } from './encodings/windows-1252.ts';

/*
 * Text in another character encoding than UTF-8 becomes UTF-8 while it is read. Nothing behind this file knows of it.
 */

/**
 * Returns the usual name of a character encoding; null for UTF-8, or if none is given.
 * @throws HalfspaceError `option-invalid` for a name that no runtime knows.
 */
export function characterEncoding(label: unknown): string | null {
  if (label === undefined) return null;
  if (label === 'utf-32le' || label === 'utf-32be') return label;
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
interface TranscodeOptions {
  /** Result of {@link characterEncoding}. Default: as a byte order mark or the bytes show it; else UTF-8. */
  readonly encoding?: string | null | undefined;
  /** Called with a note if the text shows another encoding than UTF-8. */
  readonly onFound?: ((note: string) => void) | undefined;
  /** False: only a byte order mark shows it, as the rows of a pipe must not wait for more. Default true. */
  readonly guesses?: boolean | undefined;
}

/** Number of bytes of the beginning that show the encoding. */
const shownBytes = 64 * 1024;

/**
 * Yields text as UTF-8. Text in UTF-8 passes unchanged.
 * @throws HalfspaceError `source-corrupt` for bytes that are no characters in the encoding.
 */
export async function* transcoded(
  pieces: BytePieces,
  source: string,
  { encoding = null, onFound, guesses = true }: TranscodeOptions = {},
): AsyncGenerator<Uint8Array> {
  let decode: Decode | null = encoding === null ? null : decoderOf(encoding, source);
  const encoder = new TextEncoder();
  const text = function* (bytes: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; decode !== null && at < bytes.length; at += shownBytes) {
      const part = encoder.encode(decode(bytes.subarray(at, at + shownBytes)));
      if (part.length > 0) yield part;
    }
    if (decode === null && bytes.length > 0) yield bytes;
  };
  const begin = (head: Uint8Array) => {
    const found = markOf(head) ?? (guesses ? shownEncoding(head) : null);
    if (found === null) return;
    decode = decoderOf(found.encoding, source);
    onFound?.(`${source} is read as ${found.encoding}, as ${found.why}`);
  };
  let head: Uint8Array[] | null = decode === null ? [] : null;
  let length = 0;
  for await (const piece of pieces) {
    if (head === null) {
      yield* text(piece);
      continue;
    }
    head.push(piece.slice());
    length += piece.length;
    if (length < (guesses ? shownBytes : 4)) continue;
    const all = joined(head, length);
    head = null;
    begin(all);
    yield* text(all);
  }
  if (head !== null && length > 0) {
    const all = joined(head, length);
    begin(all);
    yield* text(all);
  }
  const rest = (decode as Decode | null)?.(null) ?? '';
  if (rest !== '') yield encoder.encode(rest);
}

/** Decodes the next piece; null: the end. */
type Decode = (piece: Uint8Array | null) => string;

function decoderOf(encoding: string, source: string): Decode {
  // Some versions of Node decode windows-1252 as ISO 8859-1.
  if (encoding === 'windows-1252') return (piece) => (piece === null ? '' : decodeWindows1252(piece));
  const decoder = encoding.startsWith('utf-32') ? wideDecoder(encoding) : new TextDecoder(encoding, { fatal: true });
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

/** Returns a decoder of UTF-32, which the Encoding standard lacks. */
function wideDecoder(encoding: string): Pick<TextDecoder, 'decode'> {
  let rest = new Uint8Array(0);
  let isFirst = true;
  return {
    decode(piece: Uint8Array = new Uint8Array(0), options?: TextDecodeOptions) {
      const bytes = joined([rest, piece], rest.length + piece.length);
      const whole = bytes.length - (bytes.length % 4);
      if (options?.stream !== true && whole < bytes.length) throw new RangeError('cut');
      rest = bytes.slice(whole);
      const view = new DataView(bytes.buffer, bytes.byteOffset, whole);
      let text = '';
      for (let at = 0; at < whole; at += 4) text += String.fromCodePoint(view.getUint32(at, encoding === 'utf-32le'));
      const isMarked = isFirst && text.startsWith('\uFEFF');
      if (text !== '') isFirst = false;
      return isMarked ? text.slice(1) : text;
    },
  };
}

interface Found {
  readonly encoding: string;
  readonly why: string;
}

/** Returns the encoding that a byte order mark shows; null: there is none but that of UTF-8. */
function markOf([a, b, c, d]: Uint8Array): Found | null {
  const why = 'its byte order mark says';
  if (a === 0xff && b === 0xfe) return { encoding: c === 0 && d === 0 ? 'utf-32le' : 'utf-16le', why };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { encoding: 'utf-32be', why };
  return a === 0xfe && b === 0xff ? { encoding: 'utf-16be', why } : null;
}

/** Returns the encoding that the beginning of a text shows beyond doubt; null: UTF-8, or it is in doubt. */
function shownEncoding(head: Uint8Array): Found | null {
  const some = head.subarray(0, shownBytes);
  if (some.includes(0)) {
    const encoding = wideEncodingOf(some);
    return encoding === null ? null : { encoding, why: 'its zero bytes show (--encoding names another)' };
  }
  // Text in ISO-2022-JP is ASCII with escapes.
  const text = new TextDecoder().decode(some);
  if (text.includes('\x1B$B') || text.includes('\x1B$@'))
    return { encoding: 'iso-2022-jp', why: 'its escapes show (--encoding names another)' };
  if (isMostlyUtf8(text, head.length > shownBytes)) return null;
  const { candidates, sure } = evidenceOf(some);
  const [best] = candidates;
  if (!sure || best === undefined) return null;
  return {
    encoding: best.encoding,
    why: `its words show, ${quote(best.words.join(', '))} (--encoding names another)`,
  };
}

/** Tests if text that was decoded as UTF-8 has at least as many characters beyond ASCII as faults. */
function isMostlyUtf8(text: string, isCut: boolean): boolean {
  let faults = isCut ? -3 : 0;
  let others = 0;
  for (const character of text.match(/[^\0-\x7F]/gu) ?? []) character === '\uFFFD' ? faults++ : others++;
  return faults <= 0 || others >= faults;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * Returns the error for bytes that are not UTF-8: what they look like, and the option that reads them.
 *
 * @param text text of `byteText`, one character per byte.
 * @param where the place of the text.
 * @param beginning bytes whose words show the encoding, unless they are UTF-8 too.
 */
export function notUtf8(text: string, where: HalfspaceError['where'], beginning?: Uint8Array): HalfspaceError {
  const byte = text.charCodeAt(firstStray(text));
  const isShown = beginning !== undefined && !isMostlyUtf8(new TextDecoder().decode(beginning), true);
  const { candidates } = evidenceOf(isShown ? beginning : bytesOf(`${text}\n`));
  const [best, ...others] = candidates;
  const isWestern = best?.encoding === 'latin1' || best?.encoding === 'windows-1252';
  const name = best?.encoding === 'latin1' ? 'Latin-1' : 'Windows-1252';
  const got = `the byte 0x${byte.toString(16)}${isWestern ? `, ${windows1252Character(byte)} in ${name}` : ''}`;
  const reads = ({ encoding, words }: Candidate) => `"${encoding}" reads ${quote(words.join(', '))}`;
  const remedy =
    best === undefined
      ? '; no encoding that is known here makes words of it: save it as UTF-8, or take encoding: "latin1", which reads the ASCII and makes signs of the rest (--encoding latin1 of the command)'
      : isWestern && others.length === 0
        ? `; encoding: "${best.encoding}" reads it (--encoding ${best.encoding} of the command)`
        : `; encoding: ${[`${reads(best)} (--encoding ${best.encoding} of the command)`, ...others.map(reads)].join(', ')}`;
  return new HalfspaceError('source-corrupt', `expected UTF-8 text; got ${got}${remedy}`, where);
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

/** Returns the error for text with zero bytes: UTF-16 or UTF-32 without a mark, or no text. */
export function binaryFault(bytes: Uint8Array, source: string): HalfspaceError {
  const label = wideEncodingOf(bytes);
  const got =
    label === null
      ? 'binary data'
      : `${label.slice(0, 6).toUpperCase()} without a byte order mark; encoding: "${label}" reads it (--encoding ${label} of the command)`;
  return new HalfspaceError('source-corrupt', `expected UTF-8 text; got ${got}`, { source, byte: bytes.indexOf(0) });
}
