import { HalfspaceError, quote } from '../errors.ts';
import { type FormatChoice, formatsOf, isEvident, wordsBefore } from '../features/date/evidence.ts';
import { type DateFormat, isWholeFormat } from '../features/date/format-names.ts';
import { parseDate } from '../features/date/formats.ts';
import { cellText } from '../features/table-cell.ts';
import { columnFlag } from './listed.ts';

/** Matches a first or second number that is no month. */
const showsDay = /(?:^|[-/.])(?:1[3-9]|2\d|3[01])[-/.]/;

/** Watches the cells of a column that is read as dates. They may show that another reading is right. */
export class DateCells {
  /** A date, if possible one that shows which number is the day; null: none. */
  example: string | null = null;
  #isClear = false;
  /** True if a refused cell is a date in another format, or other words stand before a date. */
  hasOthers = false;
  #words: string | null = null;
  /** True if the dates are whole numbers, such as 20220801. */
  areNumbers = false;
  /** True if one of them is no likely date. */
  hasNumbers = false;

  /** Looks at a cell that the format reads. */
  add(value: unknown, format: DateFormat): void {
    const text = cellText(typeof value === 'string' ? value : value == null ? null : String(value));
    if (text === null) return;
    if (this.example === null || (!this.#isClear && showsDay.test(text))) {
      this.example = text;
      this.#isClear = showsDay.test(text);
    }
    if (/^\D/.test(text)) {
      const words = wordsBefore(text);
      this.#words ??= words;
      this.hasOthers ||= words !== this.#words;
    }
    if (!/^\d+$/.test(text) || !isWholeFormat(format)) return;
    this.areNumbers = true;
    this.hasNumbers ||= !isEvident(text, format);
  }

  /** Looks at a cell that the format refuses. */
  addRefused(text: string): void {
    this.hasOthers ||= formatsOf(cellText(text) ?? '').length > 0;
  }
}

/** Returns a note on dates that are not ISO 8601. */
export function formatNote(name: string, format: DateFormat, example: string): string {
  const isDuration = parseDate(example, format) >= 1 || /^P|\d ?[hms]/i.test(example);
  const kind = format !== 'time' ? 'dates' : isDuration ? 'durations' : 'times of day';
  const back = /^\d+$/.test(example) ? ['number', 'numbers'] : ['category', 'words'];
  return `column ${name} is read as ${kind}: ${JSON.stringify(example)} is ${dateText(parseDate(example, format), format)} (${columnFlag(name, back[0]!)} keeps the ${back[1]})`;
}

function dateText(day: number, format: DateFormat): string {
  // Fractions of a day are rounded.
  const text = new Date(Math.round(day * 86_400_000)).toISOString();
  const time = text.slice(11).replace(/(:00)?\.000Z$/, '');
  if (format === 'time') return day < 1 ? time : `${Math.floor(day) * 24 + Number(time.slice(0, 2))}${time.slice(2)}`;
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 10)} ${time.replace('Z', '')}`;
}

const orderNames: Partial<Record<DateFormat, string>> = { dmy: 'day', mdy: 'month', ymd: 'year' };

/** Returns a note on dates whose order of numbers is open. @param kind the words as which the column is read. */
export function undecidedNote(name: string, { among, isMixed, example }: FormatChoice, kind = 'words'): string {
  const first = listedOr(among.map((order) => orderNames[order]!));
  if (isMixed)
    return `column ${name} is read as words: some of its dates have the ${first.replaceAll(' or ', ', some the ')} first, as ${JSON.stringify(example)} (write all in one order to read dates)`;
  return `column ${name} is read as ${kind}: dates such as ${JSON.stringify(example)} may have the ${first} first (${asked(name, among)} reads them)`;
}

/** Returns the error for dates that were asked for, in an order that is not decided. */
export function undecidedError(name: string, { among, example }: FormatChoice): HalfspaceError {
  return new HalfspaceError(
    'option-invalid',
    `expected the order of dates such as ${quote(example)}: format must be ${listedOr(among)} (${asked(name, among)} of the command)`,
    { field: name },
  );
}

function asked(name: string, among: readonly DateFormat[]): string {
  return listedOr(among.map((order) => columnFlag(name, `date:${order}`)));
}

function listedOr(names: readonly string[]): string {
  return names.length < 3 ? names.join(' or ') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
