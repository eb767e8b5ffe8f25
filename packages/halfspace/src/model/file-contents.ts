import { bytesOf } from '../data/input/pieces.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { isObject, type Members } from '../json.ts';
import { readable } from '../readable.ts';
import { checkDigest } from './digest.ts';

/**
 * A file of the library as a disk, a database or a cache returns it: its text, the bytes of the text, or its parsed
 * JSON, as drivers return a column `jsonb`. Texts and bytes may begin with a byte order mark. White space and the order
 * of members have no meaning.
 */
export type FileContents = string | Uint8Array | ArrayBuffer | object;

/** A kind of file, for {@link openFile}. */
interface FileKind {
  /** For messages: `model file`. */
  readonly name: string;
  readonly format: string;
  readonly version: number;
  /** Name of the writer of such files, for messages. */
  readonly writer: string;
}

/**
 * Returns the members of a file, without `digest`. They share no memory with what was given.
 *
 * @throws HalfspaceError `model-invalid` for another file, one that is cut short, edited or of another version.
 */
export function openFile(contents: FileContents, kind: FileKind): Members {
  const { name, format, version, writer } = kind;
  const value = readable(`a ${name}`, () => parsed(contents, kind), 'model-invalid');
  if (!isObject(value) || value.format !== format) {
    const hint = isObject(value) && value.format === undefined ? `: ${writer} writes such files` : '';
    const got = isObject(value) && value.format !== undefined ? `"format": ${quote(value.format)}` : 'other JSON';
    throw refused(`expected a ${name} ("format": "${format}"); got ${got}${hint}`);
  }
  if (value.version !== version) {
    const got = `version ${quote(value.version)}: use the halfspace that wrote it, or let this one write it again`;
    throw refused(`expected a ${name} of version ${version}; got ${got}`);
  }
  return checkDigest(value);
}

function parsed(contents: FileContents, { name, format }: FileKind): unknown {
  const bytes = bytesOf(contents);
  // A model itself is no file: its numbers would be lost in JSON.
  if (bytes === null && isObject(contents)) return contents.format === format ? copyOf(contents, name) : contents;
  if (bytes === null && typeof contents !== 'string')
    throw refused(`expected the text of a ${name}, its bytes or its parsed JSON; got ${quote(contents)}`);
  const text = bytes === null ? (contents as string).replace(/^\uFEFF/, '') : textOfBytes(bytes);
  if (text === null) throw refused(`expected a ${name} (JSON); got bytes that are not UTF-8 text`);
  try {
    return JSON.parse(text);
  } catch {
    const isCut = text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}');
    throw refused(
      isCut ? `expected a whole ${name}; got one that is cut short` : `expected a ${name} (JSON); got other text`,
    );
  }
}

/**
 * Returns the text of bytes in UTF-8, or in UTF-16 as a byte order mark says, which some shells write; null for bytes
 * that are no text.
 */
export function textOfBytes(bytes: Uint8Array): string | null {
  const mark = bytes.length < 2 ? 0 : bytes[0]! * 256 + bytes[1]!;
  const encoding = mark === 0xff_fe ? 'utf-16le' : mark === 0xfe_ff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function copyOf(value: object, name: string): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (error) {
    throw refused(`expected the parsed JSON of a ${name}; got an object that JSON cannot hold: ${quote(error)}`);
  }
}

function refused(message: string): HalfspaceError {
  return new HalfspaceError('model-invalid', message);
}
