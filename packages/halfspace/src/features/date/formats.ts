import { dateCell, daysOf, refusedWord } from '../table-cell.ts';
import { dayNumber, fullYear, weekDay } from './calendar.ts';
import { clockTime } from './clock.ts';
import { type CountedFormat, type DateFormat, isCounted, type WrittenFormat } from './format-names.ts';

/**
 * Returns the days since 1970-01-01 UTC, with a fraction; `refusedWord` for what is no date in this format.
 *
 * @param text a cell without surrounding blanks.
 */
export function parseDate(text: string, format: DateFormat): number {
  if (format === 'iso') return dateCell(text);
  const days = isCounted(format)
    ? countedDate(Number(plainNumber.test(text) ? text : Number.NaN), format)
    : readers[format](text);
  return Number.isNaN(days) ? refusedWord : days;
}

const plainNumber = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;
/** Days that a `Date` can hold, in both directions. */
const mostDays = 1e8;

/** Returns the days since 1970-01-01 UTC of a count of seconds, milliseconds or days; NaN if it is out of range. */
export function countedDate(count: number, format: CountedFormat): number {
  const perDay = { epoch: 86_400, 'epoch-ms': 86_400_000, excel: 1 }[format];
  const day = Math.floor(count / perDay);
  // Microseconds are rounded because the count may be a fraction.
  const days =
    daysOf(day, Math.round((count - day * perDay) * (86_400e6 / perDay))) - (format === 'excel' ? 25_569 : 0);
  return Math.abs(days) <= mostDays ? days : Number.NaN;
}

type Reader = (text: string) => number;
const readers: Readonly<Record<Exclude<WrittenFormat, 'iso'>, Reader>> = {
  dmy: (text) => numericDate(text, 'dmy'),
  mdy: (text) => numericDate(text, 'mdy'),
  ymd: (text) => {
    const day = dateCell(text);
    return day === refusedWord
      ? numericDate(text.replace(compactPattern, '$1-$2-$3').replace(compactTime, 'T$1:$2:$3'), 'ymd')
      : day;
  },
  named: namedDate,
  week: weekDate,
  month: monthDate,
  time: (text) => {
    const time = clockTime(text);
    return time >= 0 && time < 86_400e6 ? daysOf(0, time) : Number.NaN;
  },
};

/** Adds the time behind a day. */
function withTime(day: number, time: string | undefined): number {
  return time === undefined ? day : daysOf(day, clockTime(time));
}

const numericPattern = /^(\d{1,4})([-/.])(\d\d?)\2(\d{1,4})(?:(?:,? +|T)(.+))?$/;
export const compactPattern = /^(\d{4})(\d\d)(\d\d)(?=$|T|,? )/;
const compactTime = /T(\d\d)(\d\d)(\d\d)(?=$|Z|[+-])/;

function numericDate(text: string, order: 'dmy' | 'mdy' | 'ymd'): number {
  const parts = numericPattern.exec(text);
  if (parts === null) return Number.NaN;
  const [, first, mark, second, third, time] = parts as unknown as string[];
  const [year, month, day] = {
    dmy: [third!, second!, first!],
    mdy: [third!, first!, second!],
    ymd: [first!, second!, third!],
  }[order] as [string, string, string];
  // Years of two digits come first only before hyphens: 98-06-12.
  const isYear = year.length === 4 || (year.length === 2 && (order !== 'ymd' || mark === '-'));
  if (!isYear || month.length > 2 || day.length > 2) return Number.NaN;
  return withTime(dayNumber(yearOf(year), Number(month), Number(day)), time);
}

/** Returns the year in four or two digits, the latter also after an apostrophe. */
function yearOf(text: string): number {
  return text.length === 4 ? Number(text) : fullYear(Number(text.slice(-2)));
}

const monthName =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const weekdayName = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,? +)?';
const dayOfMonth = '(\\d\\d?)(?:st|nd|rd|th)?';
const anyYear = "(\\d{4}|'?\\d\\d)";
const clock = '(?:(?:,? +| at )(.+))?$';
const pattern = (middle: string) => new RegExp(`^${weekdayName}${middle}`, 'i');
const dayFirst = pattern(`${dayOfMonth}(?:\\.? *| of |[-/])${monthName}\\.?(?:,? *|[-/])${anyYear}${clock}`);
const monthFirst = pattern(`${monthName}\\.?(?: *|[-/])${dayOfMonth}(?:, ?| +|[-/])${anyYear}${clock}`);
const yearFirst = pattern(`(\\d{4})[-/ ]?${monthName}\\.?[-/ ]?${dayOfMonth}${clock}`);
const monthOnly = new RegExp(`^${monthName}\\.?(?:(?:,? +|[-/])(\\d{4})|[-'](\\d\\d))$`, 'i');
/** As programs in C print a time: `Fri Jun 12 13:44:10 1998`, also with a zone before the year. */
const yearLast = pattern(`${monthName} +${dayOfMonth} +(\\d\\d:\\d\\d:\\d\\d(?: [-+]\\d{4}| UTC| GMT)?) (\\d{4})$`);

const monthStarts = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** As web servers log a time: `[12/Jun/1998:13:44:10 +0000]`. */
const loggedDate = /^\[?(\d\d\/[a-z]{3}\/\d{4}):([\d:]{8} [-+]\d{4})\]?$/i;

function namedDate(given: string): number {
  const text = given.replace(loggedDate, '$1 $2');
  const day = (year: string, month: string, day: string, time?: string) =>
    withTime(dayNumber(yearOf(year), monthStarts.indexOf(month.slice(0, 3).toLowerCase()) + 1, Number(day)), time);
  let parts = dayFirst.exec(text);
  if (parts !== null) return day(parts[3]!, parts[2]!, parts[1]!, parts[4]);
  parts = monthFirst.exec(text);
  if (parts !== null) return day(parts[3]!, parts[1]!, parts[2]!, parts[4]);
  parts = yearFirst.exec(text);
  if (parts !== null) return day(parts[1]!, parts[2]!, parts[3]!, parts[4]);
  parts = monthOnly.exec(text);
  if (parts !== null) return day(parts[2] ?? parts[3]!, parts[1]!, '1');
  parts = yearLast.exec(text);
  return parts === null ? Number.NaN : day(parts[4]!, parts[1]!, parts[2]!, parts[3]);
}

function weekDate(text: string): number {
  const parts = /^(\d{4})-?W(\d\d?)(?:-?([1-7]))?$/i.exec(text);
  return parts === null ? Number.NaN : weekDay(Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 1));
}

function monthDate(text: string): number {
  // Other years are more often numbers of other things: 0151-12, 4711/05.
  const parts = /^(?:(1[5-9]\d\d|2[01]\d\d)[-/](\d\d?)|(\d\d?)[-/](1[5-9]\d\d|2[01]\d\d))$/.exec(text);
  return parts === null ? Number.NaN : dayNumber(Number(parts[1] ?? parts[4]), Number(parts[2] ?? parts[3]), 1);
}
