import { HalfspaceError } from '../errors.ts';
import { skipping } from './bad-rows.ts';
import { type BytePieces, byteText, isAscii, latin1, readableUtf8, utf8 } from './byte-text.ts';
import { cutLines } from './cut-lines.ts';
import { PlainLine } from './plain-line.ts';
import { blanks, type Dialect, RecordParser, type TextRecord } from './record-parser.ts';
import type { Row, RowPieces } from './row-scan.ts';
import { notUtf8 } from './transcode.ts';

export interface TextLayout {
  readonly dialect: Dialect;
  /** Number of columns. */
  readonly width: number;
  /** True if the first record holds the names, and is no row. */
  readonly header: boolean;
  /** Number of records below the names that are no rows. Default 0. */
  readonly units?: number;
  /** True if the text is in another shape, and was translated. Default false. */
  readonly isTranslated?: boolean;
}

/** Numbers of records that are no rows. */
export interface SkippedRecords {
  comments: number;
  /** Lines that repeat the names. */
  names: number;
  /** Blank lines and totals at the end, as text. */
  readonly last: string[];
}

/** Maximum number of bytes of a line, and of a line of a wide table. */
const longestLine = 2 * 1024 * 1024;
const longestWideLine = 64 * 1024 * 1024;
/** Tables with more columns are wide. */
const wideColumns = 1000;

/** Messages for malformed lines of a text table. */
export const malformed = {
  quote:
    'expected a quoted cell to end before its delimiter; got no closing quote, or text behind it (quote: "none" reads quotes as characters, --quote none of the command)',
  long: (bytes: number) => `expected a line of at most ${bytes.toLocaleString('en')} bytes; got a longer one`,
  cells: (expected: number, found: number) => `expected ${expected} ${expected === 1 ? 'cell' : 'cells'}; got ${found}`,
} as const;

interface TextRowsOptions {
  /** True if rows keep their text. */
  readonly keepsText?: boolean;
  /** True: the first quoted cells determine rules for quotes that the dialect leaves open. */
  readonly adapts?: boolean;
  /** The beginning of the text, whose words show its encoding if it is not UTF-8. */
  readonly beginning?: Uint8Array | undefined;
  /** Positions of cells that are read as numbers, Default: none. */
  readonly numbers?: readonly number[] | undefined;
  /** Called at the end. */
  readonly onSkipped?: ((skipped: SkippedRecords) => void) | undefined;
}

/** Words that begin a line of sums below the rows. */
const totalWord = /^(?:grand |sub-?)?(?:totals?|sums?|summe|gesamt(?:summe)?)\s*:?$/i;

/** Reads the rows of a text table. */
export async function* textRows(
  pieces: BytePieces,
  source: string,
  { dialect, width, header, units = 0 }: TextLayout,
  { keepsText = false, adapts = false, onSkipped, beginning, numbers = [] }: TextRowsOptions = {},
): RowPieces {
  let rows: Row[] = [];
  let skips = header ? 1 + units : 0;
  let names: readonly string[] | null = null;
  const skipped: SkippedRecords = { comments: 0, names: 0, last: [] };
  /** Records that are no rows if no others follow. */
  let held: TextRecord[] = [];
  let mayTotal = header && width > 1;
  /** True if all pieces of the next record are ASCII. */
  let needsNoDecoding = true;
  const longest = width > wideColumns ? longestWideLine : longestLine;
  const add = (record: TextRecord) => rows.push(rowOf(record, width, source, longest, needsNoDecoding, beginning));
  const take = (record: TextRecord) => {
    if (skips > 0) {
      if (skips-- > units && width > 1) names = record.cells;
    } else if (names !== null && mayRepeat(record, names) && areEqual(record.cells, names)) skipped.names++;
    else if (mayTotal && mayEndIn(record, width)) held.push(record);
    else {
      if (held.length > 0) {
        for (const each of held) add(each);
        held = [];
        mayTotal = false;
      }
      add(record);
    }
  };
  const form = bytewise(dialect);
  const parser = new RecordParser(form, take, {
    ...{ keepsText, single: width === 1, longest, adapts },
    onComment: () => {
      skipped.comments++;
    },
  });
  const texts = byteText(pieces, source);
  const decide = (line: string) => parser.quoteAs({ quote: quotesOfTabs(line, width), escape: '"' });
  const readable = adapts && dialect.delimiter === '\t' ? untilQuoted(texts, decide) : texts;
  const isCut = !adapts && isPlainForm(form) && width > 1;
  for await (const text of isCut ? wholeLines(readable, longest) : readable) {
    const lines =
      isCut && text.length <= longest && parser.isBetweenLines ? cutLines(text, { ...form, width, numbers }) : null;
    const isPieceAscii = lines !== null || isAscii(text);
    needsNoDecoding &&= isPieceAscii;
    if (lines === null) parser.push(text);
    else {
      needsNoDecoding = true;
      const line = parser.passLines(lines.rows);
      for (let row = 0; row < lines.rows; row++) {
        const { starts } = lines;
        const place = { starts, first: row * (width + 1), count: width, numbers: lines.numbers, row };
        take(new PlainLine(text, place, line + row, keepsText));
      }
    }
    if (rows.length === 0) continue;
    needsNoDecoding = isPieceAscii;
    yield rows;
    rows = [];
  }
  parser.end();
  skipped.last.push(...held.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').join(' ')));
  onSkipped?.(skipped);
  if (rows.length > 0) yield rows;
}

/** Yields text in pieces that end with a line, but for lines that are too long. */
async function* wholeLines(texts: AsyncIterable<string>, longest: number): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0 && rest.length < longest) {
      rest += text;
      continue;
    }
    yield rest + text.slice(0, end);
    rest = text.slice(end);
  }
  if (rest !== '') yield rest;
}

/** Tests if every line of such text that has no quotes is a record. */
function isPlainForm({ delimiter, skip = 0, comment = null, wrapped = false }: Dialect): boolean {
  // A delimiter that numbers have ends no number.
  const isOfNumbers = '-.0123456789'.includes(delimiter);
  return delimiter.length === 1 && !isOfNumbers && delimiter !== blanks && skip === 0 && comment === null && !wrapped;
}

/** Returns a dialect with one character for each byte, as text has. */
function bytewise(dialect: Dialect): Dialect {
  const bytes = (text: string) => latin1(new TextEncoder().encode(text));
  const { delimiter, comment } = dialect;
  return { ...dialect, delimiter: bytes(delimiter), ...(comment ? { comment: bytes(comment) } : {}) };
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((cell, c) => cell === b[c]);
}

/** Tests if a record begins as the names do. */
function mayRepeat(record: TextRecord, [name]: readonly string[]): boolean {
  return record instanceof PlainLine ? record.cellIs(0, name!) : record.cells[0] === name;
}

function mayEndIn(record: TextRecord, width: number): boolean {
  return (!(record instanceof PlainLine) || record.beginsWith(endLetters)) && mayEnd(record.cells, width);
}

/** First letters of a record that is no row: of words for sums, and a blank. */
const endLetters = 'tTsSgG ';

/** Tests if a record is no row if it is the last: all of its cells are empty, or some, behind a word for a sum. */
function mayEnd(cells: readonly string[], width: number): boolean {
  const [first] = cells as [string];
  // Most rows are decided by their first letter.
  if (first !== '' && !endLetters.includes(first[0]!)) return false;
  const filled = cells.find((cell) => cell.trim() !== '');
  return (
    filled === undefined ||
    (totalWord.test(filled.trim()) && (cells.length < width || cells.some((cell) => cell.trim() === '')))
  );
}

const quotedCell = /(?:^|[\t\r\n])"/;

/** Yields tab-separated text. Calls `decide` with the first line in which a cell begins with a quote, before it. */
async function* untilQuoted(texts: AsyncIterable<string>, decide: (line: string) => void): AsyncGenerator<string> {
  let rest = '';
  let isDecided = false;
  for await (const text of texts) {
    rest += text;
    while (!isDecided) {
      const to = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) === -1 ? 0 : lastLineEnd(rest);
      if (to === 0) break;
      const lines = rest.slice(0, to);
      if (!quotedCell.test(lines)) {
        yield lines;
        rest = rest.slice(to);
        break;
      }
      const quote = lines.search(quotedCell) + 1;
      const from = lastLineEnd(lines.slice(0, quote));
      if (from > 0) yield lines.slice(0, from);
      decide(lines.slice(from, from + lines.slice(from).search(/[\r\n]/)));
      isDecided = true;
      rest = rest.slice(from);
    }
    if (!isDecided) continue;
    yield rest;
    rest = '';
  }
  if (rest === '') return;
  if (!isDecided && quotedCell.test(rest)) decide(rest);
  yield rest;
}

/** Returns the position after the last line end; 0: there is none. */
function lastLineEnd(text: string): number {
  return Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
}

/** Returns the quote of tab-separated text, from the first line with a cell that begins with a quote. */
function quotesOfTabs(line: string, width: number): '"' | null {
  const cells = line.split('\t');
  const isClosed = cells.every((cell) => !cell.startsWith('"') || (cell.length > 1 && cell.endsWith('"')));
  return isClosed || cells.length !== width ? '"' : null;
}

function rowOf(
  record: TextRecord,
  width: number,
  source: string,
  longest: number,
  isAscii: boolean,
  beginning: Uint8Array | undefined,
): Row {
  if (isAscii && record instanceof PlainLine && record.count === width) return record;
  const count = record.cells.length;
  if (isAscii && record.fault === null && count === width)
    return { cells: record.cells, rejected: null, text: record.text };
  const cells = decoded(record.cells);
  const text = record.text === null ? null : readableUtf8(record.text);
  const where = { source, line: record.line };
  const refused = (error: () => HalfspaceError): Row => ({
    cells: [],
    rejected: () => ({
      error: error(),
      text: text ?? record.cells.join(','),
    }),
    text,
  });
  // Rows keep their text where bad ones are skipped.
  const malformedRow = (message: string) =>
    refused(
      () => new HalfspaceError('row-malformed', record.text !== null ? message : `${message}; ${skipping}`, where),
    );
  if (record.fault === 'quote') return malformedRow(malformed.quote);
  if (record.fault === 'long') return malformedRow(malformed.long(longest));
  // Empty cells beyond the last column are ignored.
  if (count < width || record.cells.some((cell, c) => c >= width && cell !== ''))
    return malformedRow(malformed.cells(width, count));
  if (cells === null)
    return refused(() => notUtf8(record.cells.find((cell) => utf8(cell) === null)!, where, beginning));
  return { cells, rejected: null, text };
}

/** Decodes cells; returns null if one is not UTF-8. */
function decoded(cells: readonly string[]): readonly string[] | null {
  for (let c = 0; c < cells.length; c++) {
    const text = utf8(cells[c]!);
    if (text === null) return null;
    if (text !== cells[c]) return decodedFrom(cells, c);
  }
  return cells;
}

function decodedFrom(cells: readonly string[], from: number): readonly string[] | null {
  const texts = cells.slice(0, from);
  for (const cell of cells.slice(from)) {
    const text = utf8(cell);
    if (text === null) return null;
    texts.push(text);
  }
  return texts;
}
