import { isOfDocument, isZip } from '../data/zip.ts';
import { HalfspaceError } from '../errors.ts';
import { type BytePieces, latin1, utf8 } from './byte-text.ts';
import { binaryFault, notUtf8 } from './transcode.ts';

/** The beginning of a table's text. */
export interface TableHead {
  readonly bytes: Uint8Array;
  /** True if this is the whole table. */
  readonly whole: boolean;
}

/** Number of bytes that are read to guess the dialect: some hundred rows, even of wide tables. */
const headBytes = 256 * 1024;
/** Number of bytes that show the character encoding. */
export const mostShown = 64 * 1024;
/** Maximum number of bytes that are read if the first two lines are longer. */
export const mostHeadBytes = 64 * 1024 * 1024;

/**
 * Reads the beginning of a table, the first two lines at least.
 *
 * @param cuts true: an error after the first piece only ends the beginning, because a scan of the whole table will
 *   throw it again.
 * @throws HalfspaceError `source-empty`, and what the pieces throw.
 */
export async function readHead(pieces: BytePieces, source: string, cuts = false): Promise<TableHead> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let lines = 0;
  let whole = true;
  try {
    for await (const piece of pieces) {
      parts.push(piece.slice());
      length += piece.length;
      for (let at = piece.indexOf(10); at !== -1 && lines < 2; at = piece.indexOf(10, at + 1)) lines++;
      whole = length < headBytes || (lines < 2 && length < mostHeadBytes);
      if (!whole) break;
    }
  } catch (error) {
    // Less than two lines tell nothing about the table.
    if (lines < 2 || !cuts) throw error;
    whole = false;
  }
  if (length === 0) throw new HalfspaceError('source-empty', 'expected a table; got an empty file', { source });
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, whole };
}

/**
 * Decodes the beginning of a table.
 * @throws HalfspaceError `source-corrupt` for other files than text, and for names that are not UTF-8.
 */
export function headText({ bytes, whole }: TableHead, source: string): string {
  const other = isZip(bytes) ? archiveText(bytes) : otherText(bytes);
  if (other !== null) throw new HalfspaceError('source-corrupt', `expected a table as text; got ${other}`, { source });
  if (bytes.includes(0)) throw binaryFault(bytes, source);
  // The names must be right. Other lines are checked when they are read.
  const first = bytes.subarray(0, firstLineEnd(bytes));
  if ((whole || first.length < bytes.length) && utf8(latin1(first)) === null)
    throw notUtf8(latin1(first), { source, line: 1 }, bytes.subarray(0, mostShown));
  const text = new TextDecoder().decode(bytes);
  // The beginning may end within a character.
  return whole ? text : text.replace(/\uFFFD+$/, '');
}

/** Returns the position of the first line end, else the length. */
function firstLineEnd(bytes: Uint8Array): number {
  const end = bytes.findIndex((byte) => byte === 10 || byte === 13);
  return end === -1 ? bytes.length : end;
}

/** Returns what a ZIP archive is whose directory was not found, or that is a document. */
function archiveText(bytes: Uint8Array): string {
  const begin = new TextDecoder().decode(bytes.subarray(0, 512));
  return isOfDocument(begin) || !/\w\.\w/.test(begin)
    ? 'a ZIP archive; save a spreadsheet as CSV'
    : 'a ZIP archive without its end, as through a pipe: unzip -p FILE.zip NAME.csv | halfspace train -';
}

/** Texts that stand where a file should be: pages of servers that lack it, and pointers that version control leaves. */
const others: readonly (readonly [begin: RegExp, name: string])[] = [
  [/^\s*<(?:!doctype html|html)\b/i, 'an HTML page'],
  [/^version https:\/\/git-lfs\.github\.com\/spec\//, 'a pointer of Git LFS: "git lfs pull" fetches the file'],
  [/^(?:\S*\/)?annex\/objects\/\S+\s*$/, 'a pointer of git-annex: "git annex get" fetches the file'],
];

/** Returns what another text is than a table; null: nothing shows it. */
function otherText(bytes: Uint8Array): string | null {
  const begin = new TextDecoder().decode(bytes.subarray(0, 512));
  return others.find(([pattern]) => pattern.test(begin))?.[1] ?? null;
}
