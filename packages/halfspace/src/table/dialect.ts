import { HalfspaceError, quote } from '../errors.ts';
import { cellText } from '../features/table-cell.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import { blanks, type Dialect, RecordParser } from './record-parser.ts';
import type { DelimitedOptions } from './source-options.ts';

/** Form of delimited text, as far as a caller knows it; the rest is guessed. */
export interface GivenDialect {
  readonly delimiter?: string | undefined;
  /** Null: quotes are ordinary characters. */
  readonly quote?: string | null | undefined;
  /** Null: there are no comments. */
  readonly comment?: string | null | undefined;
  readonly skipLines?: number | undefined;
}

/** Returns what options say about the form of delimited text. @throws HalfspaceError `option-invalid`. */
export function givenDialect({ delimiter, quote: mark, comment, skipLines }: DelimitedOptions): GivenDialect {
  const check = (name: string, value: unknown, expected: string, fits: boolean) => {
    if (value !== undefined && !fits)
      throw new HalfspaceError('option-invalid', `${name} must be ${expected}; got ${quote(value)}`);
  };
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && !/[\r\n]/.test(value);
  check('delimiter', delimiter, 'one or more characters between two cells', isText(delimiter) && delimiter !== '"');
  check('quote', mark, 'one ASCII character, or none', mark === 'none' || (isText(mark) && /^[!-~]$/.test(mark!)));
  check('comment', comment, 'the beginning of a line, or none', isText(comment));
  check('skipLines', skipLines, 'a whole number from 0', Number.isSafeInteger(skipLines) && skipLines! >= 0);
  const unlessNone = (text: string | undefined) => (text === 'none' ? null : text);
  return { delimiter, quote: unlessNone(mark), comment: unlessNone(comment), skipLines };
}

/** A line of text, by its number from 1. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

export interface SplitRecords {
  readonly records: string[][];
  /** The lines in which the records begin, from 1. */
  readonly lines: number[];
  readonly comments: TextLine[];
  /** Number of records with a quoted cell that is not closed, or has text after its closing quote. */
  readonly faults: number;
}

/**
 * Splits the beginning of a text table into records, to guess its dialect and header.
 *
 * @param whole true if the text is the whole table; otherwise its last record, which may be cut, is dropped.
 * @param most maximum number of records.
 */
export function splitRecords(text: string, dialect: Dialect, whole: boolean, most = 1000): SplitRecords {
  const records: string[][] = [];
  const lines: number[] = [];
  const comments: TextLine[] = [];
  let faults = 0;
  const parser = new RecordParser(
    dialect,
    ({ cells, fault, line }) => {
      if (records.length >= most) return;
      if (fault !== null) faults++;
      records.push([...cells]);
      lines.push(line);
    },
    {
      onComment: (text, line) => {
        if (records.length < most) comments.push({ text, line });
      },
    },
  );
  for (let at = 0; at < text.length && records.length < most; at += pieceLength)
    parser.push(text.slice(at, at + pieceLength));
  if (whole && records.length < most) parser.end();
  return { records, lines, comments, faults };
}

const pieceLength = 64 * 1024;

export const delimiters = [',', ';', '\t', '|'];
/** Delimiters that are considered if the usual ones give no table. */
const rareDelimiters = ['~', '\u0001', '^', '::', '||', '~~', ':', blanks];

/** The line that tells spreadsheets the delimiter. */
const separatorLine = /^sep=(.)[\r\n]/i;
/** The usual beginnings of comments. */
const commentMarks = ['#', '%', '//'];

/**
 * Guesses the dialect of a table: the one in which most of its first records have the same number of cells, and no
 * quote is misplaced.
 *
 * @param tabs true if the delimiter is known to be the tab.
 * @param encoding encoding of the model that the table is read for. Its columns show the delimiter, if one of the first
 *   records has any of them.
 * @param most maximum number of records to read.
 */
export function guessDialect(
  text: string,
  whole: boolean,
  tabs: boolean,
  encoding?: TableEncoding,
  most = 200,
  given: GivenDialect = {},
): Dialect {
  const separator = separatorLine.exec(text)?.[1];
  const mark = commentMarks.find(
    (each) => text.startsWith(each) || text.includes(`\n${each}`) || text.includes(`\r${each}`),
  );
  const comment = given.comment === undefined ? (mark ?? null) : given.comment;
  const skip = given.skipLines ?? (separator === undefined ? 0 : 1);
  const lines = { ...(skip > 0 ? { skip } : {}), ...(comment === null ? {} : { comment }) };
  if (given.delimiter === undefined && tabs) return { ...guessTabs(text, whole, lines, given.quote), ...lines };
  const known = given.delimiter ?? separator ?? (encoding === undefined ? null : delimiterOf(text, encoding));
  const usual = bestOf(text, whole, known === null ? delimiters : [known], most, known !== null, given.quote, lines);
  const isSure = known !== null || most === 1 || (usual !== null && usual.score > 1.4);
  const rare = isSure ? null : bestOf(text, whole, rareDelimiters, most, false, given.quote, lines);
  const isRare = rare !== null && rare.score > Math.max(1, usual?.score ?? 0);
  const best = isRare ? rare : usual;
  const { quote } = given;
  const plain = { delimiter: known ?? ',', quote: quote === undefined ? '"' : quote, escape: quote ?? '"' };
  const dialect = best?.dialect ?? { ...plain, ...lines };
  return dialect.delimiter === '\t' ? { ...dialect, ...guessTabs(text, whole, lines, quote) } : dialect;
}

interface Scored {
  readonly dialect: Dialect;
  readonly score: number;
}

function bestOf(
  text: string,
  whole: boolean,
  among: readonly string[],
  most: number,
  isKnown: boolean,
  quote: string | null | undefined,
  lines: Pick<Dialect, 'skip' | 'comment'>,
): Scored | null {
  let best: Scored | null = null;
  for (const delimiter of among) {
    if (!isKnown && !isBetween(text, delimiter)) continue;
    for (const dialect of withQuotes(text, delimiter, quote)) {
      const all = { ...dialect, ...lines };
      const { records, faults } = splitRecords(text, all, whole, most);
      const { length, share } = commonLength(records);
      if ((length < 2 && !isKnown) || (dialect.quote === null && quote === undefined && mayEnclose(records))) continue;
      if (!delimiters.includes(delimiter) && !isKnown && !isLikely(delimiter, records, length)) continue;
      // A header as long as the rows raises the score. Otherwise decimal commas could be taken for delimiters.
      const [first = []] = records;
      const head = first.length === length ? 0.5 : first.length === length - 1 || isTitle(first, length) ? 0.25 : 0;
      const score = share + head - (faults / Math.max(1, records.length)) * 2 - costOf(dialect);
      if (score > (best?.score ?? Number.NEGATIVE_INFINITY) + 1e-9 && (isKnown || score > 0))
        best = { dialect: all, score };
    }
  }
  return best;
}

/** Tests if a text has a delimiter, and not always two of them. */
function isBetween(text: string, delimiter: string): boolean {
  if (delimiter === blanks) return true;
  const isDoubled = delimiter === '|' || delimiter === '~' || delimiter === ':';
  const rest = isDoubled ? text.replaceAll(delimiter + delimiter, '') : text;
  return rest.includes(delimiter);
}

/** Returns the dialects of a delimiter whose quotes the text may have. */
function withQuotes(text: string, delimiter: string, quote: string | null | undefined): Dialect[] {
  if (quote !== undefined && quote !== '"') return [{ delimiter, quote, escape: quote ?? '"' }];
  const usual: Dialect = { delimiter, quote: '"', escape: '"' };
  const all = [usual];
  if (text.includes('\\"')) all.push({ ...usual, escape: '\\' });
  if (/ {2}"/.test(text) && delimiter !== blanks) all.push({ ...usual, padded: true });
  if (/^"[^\n]*""/m.test(text)) all.push({ ...usual, wrapped: true });
  if (quote === undefined && text.includes('"')) all.push({ delimiter, quote: null, escape: '"' });
  if (quote === undefined && areEnclosed(text, delimiter)) all.push({ delimiter, quote: "'", escape: "'" });
  return all;
}

/** Unusual quotes are taken only where they are better, but single quotes wherever they may enclose cells. */
function costOf({ quote, padded, wrapped }: Dialect): number {
  return quote === "'" ? -0.05 : quote === null || padded === true || wrapped === true ? 0.02 : 0;
}

/** Tests if single quotes begin and end cells, in half of the lines at least. */
function areEnclosed(text: string, delimiter: string): boolean {
  const mark = delimiter === blanks ? '[ \\t]' : delimiter.replace(/[|^\\]/g, '\\$&');
  const count = (pattern: string) => text.match(new RegExp(pattern, 'gm'))?.length ?? 0;
  const opened = text.includes("'") ? count(`(?:^|${mark}) ?'`) : 0;
  return opened > 1 && opened === count(`' *(?:$|\\r|${mark})`) && opened * 2 >= count('$');
}

/**
 * Tests if double quotes may enclose cells: one of them ends with a quote, or few begin with one, by mistake.
 */
function mayEnclose(records: readonly string[][]): boolean {
  const cells = records.flat();
  return cells.filter((cell) => /^\s*"/.test(cell)).length < 3 || cells.some((cell) => /"\s*$/.test(cell));
}

const numeric = /^[-+]?[\d.,]*\d[\d.,]*(?:e[-+]?\d+)?$/i;
/** Parts of libsvm text between blanks, and between colons. */
const feature = /^\d+:\S/;
const valueAndIndex = /^\S+ +\d+$/;
const time = /^\d\d?(?:\.\d+)?$/;

/** Tests if text that has no usual delimiter may have a rare one. Blanks and colons are common in other text. */
function isLikely(delimiter: string, records: readonly string[][], length: number): boolean {
  const rows = records.slice(1);
  if (rows.length < 2 || commonLength(rows).share < 0.95) return false;
  if (delimiter !== blanks && delimiter !== ':') return true;
  const columns = Array.from({ length }, (_, c) => rows.flatMap((cells) => cellText(cells[c] ?? '') ?? []));
  const most = (cells: readonly string[], pattern: RegExp) =>
    cells.length > 0 && cells.filter((cell) => pattern.test(cell)).length >= 0.9 * cells.length;
  if (!columns.some((cells) => most(cells, numeric))) return false;
  if (columns.some((cells) => most(cells, delimiter === blanks ? feature : valueAndIndex))) return false;
  return delimiter === blanks || (length > 2 && !columns.every((cells) => most(cells, time)));
}

/** Tests if the cells of a line are too few for the names of a table of some width: a title. */
export function isTitle(cells: readonly string[], width: number): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '').length;
  return width > 1 && filled * 2 <= width && (cells.length < width || (filled < 2 && width > 2));
}

/** Returns the delimiter that finds the most columns of a model in a record; null: no delimiter finds one. */
function delimiterOf(text: string, encoding: TableEncoding): string | null {
  let best: string | null = null;
  let most = 0;
  for (const delimiter of [...delimiters, ...rareDelimiters]) {
    if (!text.includes(delimiter[0]!) && delimiter !== ',') continue;
    const { records } = splitRecords(text, { delimiter, quote: '"', escape: '"' }, true, mostTitles);
    const { found } = namesIn(records, encoding);
    if (found > most) {
      best = delimiter;
      most = found;
    }
  }
  return best;
}

/** Maximum number of lines above the names. */
export const mostTitles = 50;

/**
 * Returns the record that has the most columns of a model, and their number; without names, whether the first record is
 * as wide as the model.
 */
export function namesIn(
  records: readonly string[][],
  { header, label, columns, leftOut }: TableEncoding,
): { readonly at: number; readonly found: number } {
  const width = columns.length + leftOut.length + 1;
  if (header === false) {
    const { length } = records[0] ?? [];
    return { at: 0, found: length === width || length === width - 1 ? 1 : 0 };
  }
  const names = new Set([label.column, ...columns.map(({ name }) => name)]);
  let at = 0;
  let most = 0;
  records.slice(0, mostTitles).forEach((cells, r) => {
    const found = cells.filter((cell) => names.has(cell.trim())).length;
    if (found <= most) return;
    at = r;
    most = found;
  });
  return { at, found: most };
}

/** Decides whether quotes enclose cells: in text with tabs they seldom do, and stray quotes are common. */
function guessTabs(
  text: string,
  whole: boolean,
  lines: Pick<Dialect, 'skip' | 'comment'>,
  given: string | null | undefined,
): Dialect {
  const plain: Dialect = { delimiter: '\t', quote: null, escape: '"', ...lines };
  const quoted: Dialect = { ...plain, quote: given ?? '"', escape: given ?? '"' };
  if (given !== undefined) return given === null ? plain : quoted;
  const { records } = splitRecords(text, plain, whole);
  const opened = records.flat().filter((cell) => cell.startsWith('"'));
  if (opened.length === 0) return plain;
  if (opened.every((cell) => cell.length > 1 && cell.endsWith('"')))
    return splitRecords(text, quoted, whole).faults === 0 ? quoted : plain;
  // Some cell begins with a quote and does not end with one. If quotes enclose cells, it contains a tab or a line end,
  // and lines have different numbers of cells. If the quote is an ordinary character, lines have the same number.
  return commonLength(records).share < 1 && splitRecords(text, quoted, whole).faults === 0 ? quoted : plain;
}

/** Returns the number of cells that most records have, and the share of these records. */
export function commonLength(records: readonly string[][]): { length: number; share: number } {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  let best = 0;
  for (const [length, count] of counts) if (count > (counts.get(best) ?? 0)) best = length;
  return { length: best, share: (counts.get(best) ?? 0) / Math.max(1, records.length) };
}
