import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type ErrorCode, HalfspaceError } from '../errors.ts';
import { textOfBytes } from '../model/file-contents.ts';
import { reasonOf } from './reason.ts';

/** A kind of file that is read whole. */
export interface WholeKind {
  /** Name for messages: `a model file`. */
  readonly what: string;
  /** Code of the errors for other contents. */
  readonly code: ErrorCode;
  readonly mostBytes: number;
  /** Matches the beginning of every file of this kind. */
  readonly begins: RegExp;
  /** Text of the error for another beginning: what was expected, and what came. */
  readonly other: string;
}

/** The longest text that JavaScript holds has 2²⁹ − 24 characters, so nothing larger was ever read. */
const longestText = 2 ** 29;
/** Options of a million columns take about 50 MiB. */
const longestOptions = 2 ** 26;

const json = (what: string, code: ErrorCode, mostBytes: number, advice = ''): WholeKind => ({
  ...{ what, code, mostBytes, begins: /^\s*[{[]/ },
  other: `${what} (JSON); got other text${advice}`,
});

/** All files that are read whole, with their limits. Data are read in pieces instead. */
export const wholeKinds = {
  model: json('a model file', 'model-invalid', longestText, '; DATA follows the model'),
  state: json('a state file', 'model-invalid', longestText),
  result: json('a result', 'model-invalid', longestText),
  certificate: json('a certificate', 'certificate-invalid', longestText),
  columns: json('options of columns', 'option-invalid', longestOptions),
  job: json('a job', 'option-invalid', longestOptions),
  settings: json('a file of settings', 'option-invalid', longestOptions),
  imported: {
    ...{ what: 'a model of another program', code: 'model-invalid', mostBytes: longestText },
    // The first field of ONNX files is the version of the format, field 1 with a whole number: no text begins so.
    begins: /^(?:[\b]|solver_type|\s*\{)/,
    other: 'a model file of LIBLINEAR, JSON with coefficients, or an ONNX file; got another file',
  },
  canonicalRows: plain('canonical rows', 'certificate-invalid', longestText),
  pem: plain('a file in PEM', 'option-invalid', 2 ** 20),
} as const satisfies Readonly<Record<string, WholeKind>>;

function plain(what: string, code: ErrorCode, mostBytes: number): WholeKind {
  return { what, code, mostBytes, begins: /^[^\0]*$/, other: `${what}; got bytes that are no text` };
}

/** Number of bytes that are read before the beginning is tested. A pipe may deliver fewer. */
const headBytes = 64 * 1024;
const pieceBytes = 1024 * 1024;

/**
 * Reads a file or a pipe whole, unless its beginning is another kind's, or it is too long. So a wrong file, or a device
 * without an end, takes neither time nor memory.
 *
 * @param path `-`: standard input.
 * @param advice for a path that is not there.
 * @throws HalfspaceError `source-unreadable`; the code of the kind.
 */
export function readWhole(
  path: string,
  kind: WholeKind,
  advice: (path: string) => string = () => '',
): Uint8Array<ArrayBuffer> {
  const refused = (message: string) => new HalfspaceError(kind.code, `expected ${message}`, { source: path });
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      const more = (error as NodeJS.ErrnoException).code === 'ENOENT' ? advice(path) : '';
      const message = `expected ${kind.what}; got ${reasonOf(error)}${more}`;
      throw new HalfspaceError('source-unreadable', message, { source: path });
    }
  };
  const file = path === '-' ? 0 : attempt(() => openSync(path, 'r'));
  try {
    const { size } = attempt(() => fstatSync(file));
    const pieces: Uint8Array[] = [];
    let length = 0;
    const readTo = (end: number): boolean => {
      while (length < end) {
        // The byte after the end of a file shows that this is the end.
        const expected = length < size ? size - length + 1 : pieceBytes;
        const piece = new Uint8Array(Math.min(end - length, Math.max(expected, headBytes), 64 * pieceBytes));
        const count = attempt(() => readOf(file, piece));
        if (count === 0) return true;
        pieces.push(count < piece.length / 2 ? piece.slice(0, count) : piece.subarray(0, count));
        length += count;
      }
      return false;
    };
    const ended = readTo(headBytes);
    const head = Buffer.concat(pieces, length);
    if (length === 0 && kind !== wholeKinds.canonicalRows) throw refused(`${kind.what}; got an empty file`);
    if (!kind.begins.test(beginningOf(head)))
      throw refused(ended && textOfBytes(head) === null ? `${kind.what}; got ${noText}` : kind.other);
    if (size > kind.mostBytes || (!ended && !readTo(kind.mostBytes + 1)))
      throw refused(`${kind.what} of at most ${kind.mostBytes / 2 ** 20} MiB; got a longer file`);
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  } finally {
    if (file !== 0) closeSync(file);
  }
}

/** Reads a file of text as {@link readWhole}. @throws HalfspaceError also for bytes that are no text. */
export function readWholeText(path: string, kind: WholeKind, advice?: (path: string) => string): string {
  return wholeText(readWhole(path, kind, advice), path, kind);
}

/** Returns the text of a file. @throws HalfspaceError with the code of the kind for bytes that are no text. */
export function wholeText(bytes: Uint8Array, path: string, { what, code }: Pick<WholeKind, 'what' | 'code'>): string {
  const text = textOfBytes(bytes);
  if (text !== null) return text;
  throw new HalfspaceError(code, `expected ${what}; got ${noText}`, { source: path });
}

const noText = 'bytes that are not UTF-8 text';

/** Returns the beginning as text. It may be cut within a character, or be no text. */
function beginningOf(head: Uint8Array): string {
  const mark = head.length < 2 ? 0 : head[0]! * 256 + head[1]!;
  return new TextDecoder(mark === 0xff_fe ? 'utf-16le' : mark === 0xfe_ff ? 'utf-16be' : 'utf-8').decode(head);
}

function readOf(file: number, piece: Uint8Array): number {
  try {
    return readSync(file, piece, 0, piece.length, null);
  } catch (error) {
    // On Windows, the end of a pipe is an error.
    if ((error as NodeJS.ErrnoException).code === 'EOF') return 0;
    throw error;
  }
}
