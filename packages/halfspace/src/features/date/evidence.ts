import { dayNumber } from './calendar.ts';
import {
  type DateFormat,
  isCounted,
  type WholeFormat,
  type WrittenFormat,
  wholeFormats,
  writtenFormats,
} from './format-names.ts';
import { bareDate, parseDate } from './formats.ts';

/** Every date but a count or `20220801` has a digit and another character; none is longer, with words before it. */
const mayBeDate = /^(?=.*\d)(?!\d+$).{2,80}$/;

/** Returns the formats in which a word is a date; those of whole numbers need more evidence than a word. */
export function formatsOf(text: string): WrittenFormat[] {
  if (!mayBeDate.test(text)) return [];
  return writtenFormats.filter((format) => Number.isFinite(parseDate(text, format)));
}

/** The format of a column's dates, or what leaves it open. */
export interface FormatChoice {
  /** Null: the cells do not decide. */
  readonly format: DateFormat | null;
  /** The formats that are possible; if `isMixed`, each of them fits some cells only. */
  readonly among: readonly DateFormat[];
  readonly isMixed: boolean;
  /** A date of the column, if possible one that fits one order only. */
  readonly example: string;
  /** Number of cells that are such dates, and of different words. */
  readonly cells: number;
  readonly different: number;
}

interface Count {
  cells: number;
  /** Number of different words. */
  different: number;
  example: string;
}

const orders = ['dmy', 'mdy', 'ymd'] as const satisfies readonly DateFormat[];

/** Maximum number of different words before the dates of a column that are counted. */
const mostWords = 16;

/** Counts the cells of a column by the formats in which they are dates, and by the words before these. */
export class FormatTally {
  readonly #tallies = new Map<string, WordsTally>();

  /** Adds cells with the same word. @param text the word without surrounding blanks. */
  add(text: string, cells: number): void {
    const formats = formatsOf(text);
    if (formats.length === 0) return;
    const words = wordsBefore(text);
    let tally = this.#tallies.get(words);
    if (tally === undefined) {
      if (this.#tallies.size >= mostWords) return;
      tally = new WordsTally();
      this.#tallies.set(words, tally);
    }
    tally.add(text, formats, cells);
  }

  /**
   * Returns the format of the column; null if it has no dates.
   *
   * The order of day, month and year is the one that fits all cells with such numbers. If several do, dates with points
   * are day first, and others are not decided.
   *
   * @param fits decides if so many cells, with so many different words, are enough.
   */
  choice(fits: (cells: number, different: number) => boolean): FormatChoice | null {
    let best: FormatChoice | null = null;
    for (const tally of this.#tallies.values()) {
      const choice = tally.choice(fits);
      if (choice !== null && choice.cells > (best?.cells ?? 0)) best = choice;
    }
    return best;
  }
}

/** Returns the words before a date, such as `Updated:`; empty if there are none. */
export function wordsBefore(text: string): string {
  return /^\d/.test(text) ? '' : (bareDate(text)?.words ?? '');
}

/** Counts the cells with the same words before their dates. */
class WordsTally {
  readonly #counts = new Map<WrittenFormat | 'any order', Count>();
  /** True if the example of numbers fits one order only. */
  #isClear = false;
  #isDotted = true;
  #areSeasons = true;
  /** True if some times are no quantity, such as 45 min. */
  #areTimes = false;

  add(text: string, formats: readonly WrittenFormat[], cells: number): void {
    for (const format of formats) this.#count(format, text, cells);
    const fitting = orders.filter((order) => formats.includes(order));
    if (fitting.length > 0) {
      this.#count('any order', text, cells);
      if (fitting.length === 1 && !this.#isClear) {
        this.#isClear = true;
        this.#counts.get('any order')!.example = text;
      }
      this.#isDotted &&= text.includes('.');
    }
    if (formats.includes('month')) this.#areSeasons &&= isSeason(text);
    if (formats.includes('time')) this.#areTimes ||= /^P|\d\D+\d|[ap]\.?m\.?$/i.test(text);
  }

  #count(key: WrittenFormat | 'any order', example: string, cells: number): void {
    const count = this.#counts.get(key) ?? { cells: 0, different: 0, example };
    count.cells += cells;
    count.different++;
    this.#counts.set(key, count);
  }

  choice(fits: (cells: number, different: number) => boolean): FormatChoice | null {
    const enough = (key: WrittenFormat | 'any order') => {
      const count = this.#counts.get(key);
      return count !== undefined && fits(count.cells, count.different) ? count : null;
    };
    for (const format of ['iso', 'named', 'week', 'month', 'time'] as const) {
      const count = enough(format);
      if (count === null || (format === 'month' && this.#areSeasons && count.different > 1)) continue;
      if (format === 'time' && !this.#areTimes) continue;
      return { ...count, format, among: [format], isMixed: false };
    }
    const any = enough('any order');
    if (any === null) return null;
    const cellsOf = (order: WrittenFormat) => this.#counts.get(order)?.cells ?? 0;
    const among = orders.filter((order) => cellsOf(order) === any.cells);
    if (among.length === 0)
      return { ...any, format: null, among: orders.filter((order) => cellsOf(order) > 0), isMixed: true };
    const format = among.length === 1 || this.#isDotted ? among[0]! : null;
    return { ...any, format, among, isMixed: false };
  }
}

/** Tests if a word is a year and the next one, as in the season 2005-06. */
function isSeason(text: string): boolean {
  const parts = /^(\d{4})[-/](\d\d)$/.exec(text);
  return parts !== null && (Number(parts[1]) + 1) % 100 === Number(parts[2]);
}

/** Least number of different days such as 20220801 in a column that is not named like dates. */
const fewestUnnamed = 20;

/**
 * Returns the format of whole numbers that are dates, or the two that fit all; null if they are numbers. All of them
 * must be days such as 20220801 or 08012022, or counts of seconds or milliseconds in the years 1990 to 2040 in a column
 * that is named like times. A few days need a column that is named like dates.
 *
 * @param words the different words of the column without surrounding blanks, none of them missing.
 * @param isDate true if the column is known to have dates. Default: its name tells.
 */
export function wholeFormat(name: string, words: readonly string[], isDate = false): FormatChoice | null {
  let among = wholeFormats.filter(
    (format) => isDate || isNamedFor(format, name) || (!isCounted(format) && words.length >= fewestUnnamed),
  );
  let example = words[0];
  for (const word of words) {
    const left = among.filter((format) => isEvident(word, format));
    if (left.length === 0) return null;
    if (left.length < among.length) [among, example] = [left, word];
  }
  if (example === undefined || among.length === 0) return null;
  const format = among.length === 1 ? among[0]! : null;
  return { format, among, isMixed: false, example, cells: words.length, different: words.length };
}

/** Tests if a whole number is a likely date of a format. */
export function isEvident(word: string, format: WholeFormat): boolean {
  const digits = { ymd: /^\d{8}(?:\d{4}|\d{6})?$/, dmy: /^\d{7,8}$/, mdy: /^\d{7,8}$/ } as const;
  if (!(isCounted(format) ? /^\d{9,13}$/ : digits[format]).test(word)) return false;
  const day = parseDate(word, format);
  const [from, to] = isCounted(format) ? [1990, 2041] : [format === 'ymd' ? 1500 : 1800, 2200];
  return day >= dayNumber(from, 1, 1) && day < dayNumber(to, 1, 1);
}

function isNamedFor(format: DateFormat, name: string): boolean {
  const parts = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const likes = isCounted(format) ? timeNames : dayNames;
  return parts.some((part) => likes.test(part)) || (isCounted(format) && parts.length > 1 && parts.at(-1) === 'at');
}

const dayNames = /^(?:date.*|.*date|day|dt|ymd|yyyymmdd|time|timestamp|period)$/;
const timeNames = /^(?:.*time|.*timestamp|epoch|unix|ts|date)$/;
