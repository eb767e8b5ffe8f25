import { HalfspaceError, quote } from '../errors.ts';
import { isNested, plainValue } from './plain-value.ts';
import type { CellForm, MeasuredKind } from './table-encoding.ts';

/**
 * The value of a table cell. Cells of a text table and fields of a plain object are read by the same rules, so both
 * give the same features.
 *
 * A cell of a number, boolean or date column becomes one double. Two special doubles stand for other results: NaN, the
 * value is missing; ±Infinity, it is refused.
 */
export const missing = Number.NaN;
/** Refused: not a value of the column's kind. */
export const refusedWord = -Infinity;
/** Refused: a number that is not finite, such as `nan`, `inf` or `1e999`. */
export const refusedNumber = Infinity;

/** Beyond it are the doubles of words in place of a number: no column with numbers so large can be scaled. */
const firstLevel = -(2 ** 1023);

/** Returns the double that stands for the k-th word of a column that is in place of a number. */
export function levelCell(k: number): number {
  return firstLevel * (1 + (k + 1) / 2 ** 20);
}

/** Returns k of the k-th word of a column with `count` of them; −1: the cell is none of them. */
export function levelOf(cell: number, count: number): number {
  if (!(cell < firstLevel)) return -1;
  const k = (cell / firstLevel - 1) * 2 ** 20 - 1;
  return k < count && Number.isInteger(k) ? k : -1;
}

/** Words for a missing value. Not `None`, which tables use as a category, such as "no damage". */
export const missingWords: readonly string[] = ['', '?', 'NA', 'N/A', 'null', 'NULL'];
const isMissingWord = new Set(missingWords);

/** Matches words for a missing number, date or boolean. In a category they may be values. */
export const measuredMissing =
  /^(-?nan|-?1\.#(ind|qnan)|#na|#?n\/a|#n\/a n\/a|#(div\/0|value|ref|num|null)!|#name\?|<na>|none|\\n|--?|[.–—])$/i;

/** Tests if a cell of a number, date or boolean is missing, though it has a word. */
export function isMeasureMissing(word: string): boolean {
  return measuredMissing.test(trimBlanks(word));
}

/** Returns a cell without surrounding blanks; null if the value is missing. */
export function cellText(word: string | null): string | null {
  if (word === null) return null;
  const text = trimBlanks(word);
  if (isMissingWord.has(text)) return null;
  return text.startsWith(keptMark) ? text.slice(1) : text;
}

/** Stands before a word such as `NA` that is a value: a noncharacter of Unicode, for internal use only. */
const keptMark = '\ufdd0';

/** Columns whose cells are missing for other words than usual. */
export interface MissingCells {
  /** Further words for a missing value. Absent: none. */
  readonly missing?: readonly string[] | undefined;
  /** Columns where words such as `NA` are values, and only empty cells are missing; true: all. Absent: none. */
  readonly notMissing?: true | readonly string[] | undefined;
}

/** Returns all words for a missing value in a column. */
export function missingWordsIn(cells: MissingCells, column: string): readonly string[] {
  return [...new Set([...(keepsWords(cells, column) ? [''] : missingWords), ...(cells.missing ?? [])])];
}

/** Returns true if words such as `NA` are values of a column. */
export function keepsWords({ notMissing }: MissingCells, column: string): boolean {
  return notMissing === true || notMissing?.includes(column) === true;
}

/**
 * Returns null for a value that is one of these words, else the value. Words are compared exactly, without surrounding
 * blanks. A number is compared as its text.
 *
 * @param keeps true: words such as `NA` are marked, so that {@link cellText} takes them for values. Default false.
 */
export function unlessMissing<T>(value: T, words: readonly string[] | undefined, keeps = false): T | null {
  if (words === undefined && !keeps) return value;
  const plain = plainValue(value);
  if (words !== undefined && !isNested(plain) && words.includes(trimBlanks(String(plain)))) return null;
  return keeps && typeof plain === 'string' ? (keptWord(plain) as T) : value;
}

/** Marks a word such as `NA` as a value; returns any other word as it is. */
export function keptWord(word: string): string {
  const text = trimBlanks(word);
  return text !== '' && (isMissingWord.has(text) || measuredMissing.test(text)) ? keptMark + text : word;
}

/** Removes tabs, line ends and spaces at both ends; other white space may be part of a value. */
function trimBlanks(word: string): string {
  let from = 0;
  let to = word.length;
  while (from < to && isBlank(word.charCodeAt(from))) from++;
  while (to > from && isBlank(word.charCodeAt(to - 1))) to--;
  return from === 0 && to === word.length ? word : word.slice(from, to);
}

function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}

// The numbers that DuckDB's casts accept, so that both agree: underscores may separate digits, and - may follow +.
const numberPattern =
  /^(?:\+-|[+-])?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;
const notFinitePattern = /^(?:\+-|[+-])?(?:nan(?:\(\w*\))?|inf|infinity)$/i;

/** Returns {@link missing} for a word that says so in measured columns, else how it is refused. */
function otherCell(word: string, refused = refusedWord): number {
  return isMeasureMissing(word) ? missing : refused;
}

/** Returns the number in a cell, {@link missing}, or a refused value. */
export function numberCell(word: string | null): number {
  const text = cellText(word);
  if (text === null) return missing;
  if (!numberPattern.test(text)) return otherCell(word!, notFinitePattern.test(text) ? refusedNumber : refusedWord);
  const value = Number(text.replace(/_/g, '').replace(/^\+-/, '-'));
  return Number.isFinite(value) ? value : refusedNumber;
}

const booleanWords: ReadonlyMap<string, number> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((word) => [word, 1] as const),
  ...['false', 'f', 'no', 'n', '0'].map((word) => [word, 0] as const),
]);

/** Returns 1 for true, t, yes, y and 1; 0 for false, f, no, n and 0, in any case. */
export function booleanCell(word: string | null): number {
  const text = cellText(word);
  if (text === null) return missing;
  return booleanWords.get(text.toLowerCase()) ?? otherCell(word!);
}

const datePattern =
  /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$/;

/**
 * Returns the days since 1970-01-01 UTC of an ISO 8601 date (`2024-02-29`, also `2024/02/29`) or time
 * (`2024-02-29T12:30:00.5+02:00`; UTC without a zone). Fractions of a second count to the microsecond.
 */
export function dateCell(word: string | null): number {
  const text = cellText(word);
  if (text === null) return missing;
  const parts = datePattern.exec(text);
  if (parts === null) return otherCell(word!);
  const [, year, , month, day, hours = 0, minutes = 0, seconds = 0, fraction = '', sign, zoneHours, zoneMinutes] =
    parts;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return refusedWord;
  const zone = sign === undefined ? 0 : (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  const second = (Number(hours) * 60 + Number(minutes) - zone) * 60 + Number(seconds);
  return daysOf(date.getTime() / 86_400_000, second * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6)));
}

/** Converts days and microseconds of any sign to days. The only such sum, so that all paths round alike. */
export function daysOf(days: number, microseconds: number): number {
  const carried = Math.floor(microseconds / 86_400e6);
  return days + carried + (microseconds - carried * 86_400e6) / 86_400e6;
}

const cellOfKind = { number: numberCell, boolean: booleanCell, date: dateCell } as const;

/** Returns the value of a word in a column of this kind, written plainly; `wordReader` knows other forms. */
export function wordCell(kind: MeasuredKind, word: string | null): number {
  return cellOfKind[kind](word);
}

/** Returns the value of a word: a number, {@link missing}, or a refused value. */
export type ReadWord = (word: string | null) => number;

/**
 * Returns the value of a plain object's field in a column of this kind; equals that of its text in a table. An object
 * counts as its {@link plainValue}.
 * @param read reads text. Default: text is written plainly.
 */
export function valueCell(kind: MeasuredKind, given: unknown, read?: ReadWord): number {
  const value = plainValue(given);
  if (value === null || value === undefined) return missing;
  if (typeof value === 'string') return read === undefined ? wordCell(kind, value) : read(value);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  // Counts of seconds, and days such as 20220801.
  if (isNumber && kind === 'date' && read !== undefined) return read(String(value));
  if (isNumber && kind === 'number') {
    const number = Number(value);
    return Number.isFinite(number) ? number : refusedNumber;
  }
  if (kind === 'boolean' && typeof value === 'boolean') return value ? 1 : 0;
  if (kind === 'boolean' && (value === 1 || value === 0)) return value;
  if (kind === 'date' && value instanceof Date) {
    const time = value.getTime();
    const day = Math.floor(time / 86_400_000);
    return Number.isFinite(time) ? daysOf(day, (time - day * 86_400_000) * 1000) : refusedWord;
  }
  return refusedWord;
}

/**
 * Returns the category or class in a field of a plain object; null if it is missing.
 *
 * @param row the place of the object among several: source name, and row number from 1.
 * @throws HalfspaceError `number-invalid` for NaN and infinities, `row-malformed` for structures and lists.
 */
export function valueText(
  given: unknown,
  field: string,
  row: { readonly source?: string; readonly row?: number } = {},
): string | null {
  const value = plainValue(given);
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'string':
      return cellText(value);
    case 'number':
      if (!Number.isFinite(value)) throw refusedCell('number', refusedNumber, value, { ...row, field });
      return String(value + 0);
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      if (value === null) return null;
      if (value instanceof Date && Number.isFinite(value.getTime())) return value.toISOString();
      throw new HalfspaceError('row-malformed', `expected a value; got ${quote(value)}`, { ...row, field });
  }
}

const expectedOfKind = {
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2024-02-29',
} as const;

/**
 * Returns what was expected instead of a refused cell.
 *
 * @param cell the result of {@link wordCell}.
 * @param form how the cells of the column are written. Default: plainly.
 */
export function expectedCell(kind: MeasuredKind, cell: number, form?: CellForm): string {
  if (Number.isFinite(cell)) return 'a number that can be scaled';
  if (typeof form === 'string') return `a date in the format ${form}`;
  return cell === refusedNumber ? 'a finite number' : expectedOfKind[kind];
}

/**
 * Returns the error for a refused cell.
 *
 * @param cell the result of {@link wordCell} for `value`; finite if its scaled value is not.
 * @param form how the cells of the column are written. Default: plainly.
 */
export function refusedCell(
  kind: MeasuredKind,
  cell: number,
  value: unknown,
  where: { readonly source?: string; readonly row?: number; readonly field: string },
  form?: CellForm,
): HalfspaceError {
  return new HalfspaceError('number-invalid', `expected ${expectedCell(kind, cell, form)}; got ${quote(value)}`, where);
}
