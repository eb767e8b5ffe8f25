import type { TableEncoding } from '../features/table-encoding.ts';
import {
  commonLength,
  type GivenDialect,
  guessDialect,
  isTitle,
  mostTitles,
  namesIn,
  type SplitRecords,
  splitRecords,
  type TextLine,
} from './dialect.ts';
import { findHeader, type Header } from './header.ts';
import { looksLikeData } from './header-evidence.ts';
import { listed } from './listed.ts';
import { type Dialect, RecordParser } from './record-parser.ts';

/** The form of delimited text, and the names of its columns. */
export interface FoundLayout {
  readonly dialect: Dialect;
  readonly header: Header;
  /** Number of records at the beginning; 0: there are only blank lines. */
  readonly records: number;
}

export interface LayoutOptions {
  /** True if the delimiter is the tab by the name of the text. */
  readonly tabs: boolean;
  /** True if the first record holds the names. Default: guessed. */
  readonly header?: boolean | undefined;
  /** Encoding of the model that the text is read for. */
  readonly encoding?: TableEncoding | undefined;
  readonly given?: GivenDialect | undefined;
  /** Maximum number of records to look at. */
  readonly most?: number;
}

/**
 * Finds the form of delimited text from its beginning: the delimiter and quotes, lines above the names that are no
 * records, comments, and the names.
 *
 * @param whole true if the text is the whole table.
 */
export function findLayout(
  text: string,
  whole: boolean,
  { tabs, header, encoding, given = {}, most }: LayoutOptions,
): FoundLayout {
  let dialect = guessDialect(text, whole, tabs, encoding, most, given);
  let split = splitRecords(text, dialect, whole, most);
  if (given.comment === undefined && split.comments.length > 0 && !areComments(split, dialect)) {
    const { comment: _, ...rest } = dialect;
    dialect = rest;
    split = splitRecords(text, dialect, whole, most);
  }
  const { length: width } = commonLength(split.records);
  const named = encoding === undefined ? null : namesIn(split.records, encoding);
  const isNamed = named !== null && named.found > 0;
  const from = given.skipLines !== undefined ? 0 : isNamed ? named.at : firstRecord(split.records, width);
  const records = split.records.slice(from);
  const above = split.comments.filter(({ line }) => line < (split.lines[from] ?? 0));
  const commented = header === false || isNamed ? null : namesInComment(above.at(-1), dialect, records, encoding);
  const skip = from > 0 || above.length > 0 ? split.lines[from]! - 1 : dialect.skip;
  const notes = [...dialectNotes(dialect, given)];
  if (skip !== undefined && skip !== given.skipLines) notes.push(skipNote(text, skip, dialect));
  // Comments above the names are skipped lines. If there are no others, a row may begin like them.
  const { comment, skip: _, ...rest } = dialect;
  const keeps = given.comment !== undefined || split.comments.length > above.length;
  const names =
    commented === null
      ? findHeader(records, width, header ?? (isNamed ? true : undefined))
      : { ...findHeader([commented, ...records], width, true), isComment: true };
  return {
    dialect: { ...rest, ...(skip ? { skip } : {}), ...(keeps && comment ? { comment } : {}) },
    header: { ...names, notes: [...notes, ...names.notes] },
    records: split.records.length,
  };
}

/** Tests if lines that begin like comments are: they stand above all rows, or have another number of cells. */
function areComments({ records, lines, comments }: SplitRecords, dialect: Dialect): boolean {
  if (records.length === 0) return false;
  const { length } = commonLength(records);
  const isRow = ({ text }: TextLine) => cellsOf(text, dialect).length === length && length > 1;
  const top = comments.filter(({ line }) => line < lines[0]!);
  const mark = dialect.comment!;
  // A single line of names may begin with the mark.
  if (top.length === 1 && isRow(top[0]!) && !/\s/.test(top[0]!.text[mark.length] ?? ' ')) return false;
  return comments.every((comment) => top.includes(comment) || !isRow(comment));
}

function cellsOf(text: string, { delimiter, quote, escape: mark }: Dialect): readonly string[] {
  let found: readonly string[] = [];
  const parser = new RecordParser({ delimiter, quote, escape: mark }, ({ cells }) => {
    found = cells;
  });
  parser.push(text);
  parser.end();
  return found;
}

/** Returns the position of the first record that is no title above the table; 0: it has none. */
function firstRecord(records: readonly string[][], width: number): number {
  if (!isTitle(records[0] ?? [], width)) return 0;
  const isFull = (cells: readonly string[]) =>
    cells.length >= width && cells.filter((cell) => cell.trim() !== '').length * 2 > width;
  const at = records.slice(0, mostTitles).findIndex(isFull);
  return at === -1 ? 0 : at;
}

/** Returns the names that stand in the comment directly above the rows; null: it has none. */
function namesInComment(
  last: TextLine | undefined,
  dialect: Dialect,
  records: readonly string[][],
  encoding: TableEncoding | undefined,
): string[] | null {
  const mark = dialect.comment ?? '';
  const [first = []] = records;
  if (last === undefined || first.length < 2) return null;
  const cells = [...cellsOf(last.text.slice(mark.length).trim(), dialect)];
  if (cells.length !== first.length) return null;
  if (encoding !== undefined && namesIn([cells], encoding).found > 0) return cells;
  return !looksLikeData(cells, records) && looksLikeData(first, records.slice(1)) ? cells : null;
}

/** Returns notes on what was found in the text and is unusual. */
function* dialectNotes(dialect: Dialect, given: GivenDialect): Generator<string> {
  const { delimiter, quote, padded, wrapped } = dialect;
  if (given.delimiter === undefined && ![',', ';', '\t', '|'].includes(delimiter))
    yield `cells are separated by ${delimiter === ' ' ? 'blanks' : JSON.stringify(delimiter)} (delimiter: "," names another, --delimiter of the command)`;
  if (given.quote !== undefined) return;
  if (quote === "'") yield `cells stand in single quotes (quote: "none" keeps the quotes, --quote none of the command)`;
  if (quote === null && delimiter !== '\t')
    yield `quotes are read as characters of the cells, because they do not enclose them (quote: "\\"" lets them, --quote '"' of the command)`;
  if (wrapped === true) yield 'lines stand in quotes as a whole, which are left out';
  if (padded === true) yield 'blanks before quotes are left out';
}

function skipNote(text: string, skip: number, { comment }: Dialect): string {
  const lines = text.split(/\r\n|\n|\r/, skip).filter((line) => line.trim() !== '');
  const isComment = comment != null && lines.some((line) => line.startsWith(comment));
  const [option, flag] = isComment
    ? ['comment: "none" and skipLines: 0 read', '--comment none --skip-lines 0']
    : ['skipLines: 0 reads', '--skip-lines 0'];
  return `left out ${skip === 1 ? 'the first line' : `the first ${skip} lines`}, above the table: ${listed(lines, 2)} (${option} ${skip === 1 ? 'it' : 'them'}, ${flag} of the command)`;
}
