import { HalfspaceError } from 'halfspace';
import { type Dialect, isBlank, recordAt, type SplitRecord } from './dialect.ts';

/** The text of a table: what was pasted, or a file, which is read piece by piece and never held whole. */
export type TableText = string | Blob;

/** How much of a table is looked at to learn how it is written; the command looks at as much. */
const headBytes = 256 * 1024;
/** Bytes, or letters, read at a time. */
const pieceSize = 1 << 21;
/** A longer line is none of a table. */
const longestLine = 1 << 24;

/** The beginning of a table's text, and whether that is all of it. @throws HalfspaceError for what is no text. */
export async function headOf(text: TableText): Promise<{ readonly text: string; readonly whole: boolean }> {
  const bytes =
    typeof text === 'string'
      ? new TextEncoder().encode(text.slice(0, headBytes)).subarray(0, headBytes)
      : new Uint8Array(await bytesOf(text.slice(0, headBytes)));
  const whole = bytes.length < headBytes;
  if (bytes.length === 0 || (whole && !/\S/.test(new TextDecoder().decode(bytes))))
    throw new HalfspaceError(
      'source-empty',
      'There is nothing in it. Give a table with a line of names and a row for each example.',
    );
  checkIsText(bytes);
  const decoded = new TextDecoder().decode(bytes);
  // A head may end within a letter.
  return { text: whole ? decoded : decoded.replace(/\uFFFD+$/, ''), whole };
}

async function bytesOf(piece: Blob): Promise<ArrayBuffer> {
  try {
    return await piece.arrayBuffer();
  } catch {
    throw new HalfspaceError(
      'source-unreadable',
      'The file can no longer be read: it was changed or moved since it was opened. Open it again.',
    );
  }
}

function checkIsText(bytes: Uint8Array): void {
  const [a, b, c, d] = bytes;
  const advice = 'Save the table as CSV in UTF-8 and open that.';
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    throw new HalfspaceError('source-corrupt', `This is text in UTF-16. ${advice}`);
  if (a === 0x1f && b === 0x8b)
    throw new HalfspaceError('source-corrupt', 'This is a gzip archive. Unpack it and open the CSV in it.');
  if (a === 0x50 && b === 0x4b && c === 3 && d === 4)
    throw new HalfspaceError('source-corrupt', `This is an archive or a spreadsheet, not text. ${advice}`);
  if (bytes.includes(0)) throw new HalfspaceError('source-corrupt', `This is no text. ${advice}`);
}

export interface RecordReading {
  /** Given the cells of a record, and the number of the line where it begins, from 1. */
  readonly onRecord: (cells: readonly string[], line: number) => void;
  /** The share that is read, in [0, 1]. */
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Only so many records. */
  readonly limit?: number | undefined;
}

/**
 * Reads the records of a table, from its first line on; blank lines are none.
 * @throws HalfspaceError `source-corrupt`, `row-malformed`, `interrupted`.
 */
export async function readRecords(text: TableText, dialect: Dialect, reading: RecordReading): Promise<void> {
  const { onRecord, onProgress, signal, limit = Infinity } = reading;
  let [rest, line, count] = ['', 1, 0];
  for await (const { piece, share, last } of piecesOf(text)) {
    if (signal?.aborted === true) throw new HalfspaceError('interrupted', 'Other data were opened meanwhile.');
    const buffer = rest === '' ? piece : rest + piece;
    const special = (dialect.quote !== null && buffer.includes('"')) || /\r(?!\n)/.test(buffer);
    let p = 0;
    while (p < buffer.length && count < limit) {
      const found =
        (special ? null : plainRecord(buffer, p, dialect.delimiter)) ?? carefulRecord(buffer, p, dialect, last);
      if (found === null) break;
      const { cells, end } = found;
      if (!isBlank(cells)) {
        onRecord(cells, line);
        count++;
      }
      if (special) for (let at = p; at < end; at++) line += lineEndAt(buffer, at);
      else line++;
      p = end;
    }
    if (count >= limit) return;
    rest = buffer.slice(p);
    if (rest.length > longestLine)
      throw new HalfspaceError(
        'row-malformed',
        `Line ${line} is longer than the lab reads: is a quotation mark left open there?`,
      );
    onProgress?.(share);
  }
}

/** A record without quotes, as most are. */
function plainRecord(buffer: string, from: number, delimiter: string): SplitRecord | null {
  const end = buffer.indexOf('\n', from);
  if (end === -1) return null;
  const line = buffer.slice(from, end > from && buffer[end - 1] === '\r' ? end - 1 : end);
  return { cells: line.split(delimiter), end: end + 1, faults: 0 };
}

/** Any record: cheap for a line without quotes too. */
function carefulRecord(buffer: string, from: number, dialect: Dialect, last: boolean): SplitRecord | null {
  const end = buffer.indexOf('\n', from);
  const line = end === -1 ? null : buffer.slice(from, end > from && buffer[end - 1] === '\r' ? end - 1 : end);
  if (line !== null && !line.includes('"') && !line.includes('\r'))
    return { cells: line.split(dialect.delimiter), end: end + 1, faults: 0 };
  return recordAt(buffer, from, dialect, last);
}

function lineEndAt(buffer: string, at: number): number {
  return buffer[at] === '\n' || (buffer[at] === '\r' && buffer[at + 1] !== '\n') ? 1 : 0;
}

interface Piece {
  readonly piece: string;
  readonly share: number;
  readonly last: boolean;
}

async function* piecesOf(text: TableText): AsyncGenerator<Piece> {
  const size = typeof text === 'string' ? text.length : text.size;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < size; at += pieceSize) {
    const end = Math.min(size, at + pieceSize);
    const last = end === size;
    if (typeof text === 'string') {
      const piece = text.slice(at, end);
      yield { piece: at === 0 ? piece.replace(/^\uFEFF/, '') : piece, share: end / size, last };
      // Whoever wants to stop is heard.
      if (!last) await new Promise((resolve) => setTimeout(resolve));
      continue;
    }
    const bytes = await bytesOf(text.slice(at, end));
    let piece: string;
    try {
      piece = decoder.decode(bytes, { stream: !last });
    } catch {
      throw new HalfspaceError(
        'source-corrupt',
        'The file has letters that are not UTF-8. Save the table as CSV in UTF-8 and open that.',
      );
    }
    yield { piece, share: end / size, last };
  }
}
