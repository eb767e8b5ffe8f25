import { dateCell, daysOf, refusedWord } from '../table-cell.ts';
import { dayNumber, fullYear, weekDay } from './calendar.ts';
import { type CountedFormat, type DateFormat, isCounted, type WrittenFormat } from './format-names.ts';

/** Hours that the zones of mail (RFC 2822) and of central Europe are ahead of UTC. */
const zones: Readonly<Record<string, number>> = {
  ...{ Z: 0, UTC: 0, GMT: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, CET: 1, CEST: 2 },
};
const clockPattern = new RegExp(
  `^(\\d{1,3})(?::([0-5]\\d)(?::([0-5]\\d)(?:[.,](\\d{1,9}))?)?)?(?:[ \\u00a0\\u202f]?([ap])\\.?m\\.?)?(?: ?(?:(${Object.keys(zones).join('|')})|(?:UTC|GMT)?([+-])([01]\\d|2[0-3])(?::?([0-5]\\d))?))?(?: \\([\\p{L} ]+\\))?$`,
  'iu',
);
/** Minutes and seconds with a fraction. */
const lapPattern = /^(\d{1,3}):([0-5]\d[.,]\d{1,6})$/;
const durationPattern =
  /^(?:PT)?(?:(\d{1,3}) ?h(?:(?:ou)?rs?)?\.?)?(?:,? ?(?:and )?(\d{1,3}) ?m(?:in(?:ute)?s?)?\.?)?(?:,? ?(?:and )?(\d{1,3}) ?s(?:ec(?:ond)?s?)?\.?)?$/i;

/**
 * Returns the microseconds since midnight of a time of day: `13:44`, `13:44:10.5`, `1:44 PM`, `1 PM`, also with a zone
 * (`Z`, `UTC`, `EST`, `+02:00`), which moves it to UTC; NaN for other words.
 *
 * @param mostHours of a time without AM and PM: a duration may have more than 23.
 */
function clockTime(text: string, mostHours = 23): number {
  const parts = clockPattern.exec(text);
  if (parts === null) return Number.NaN;
  const [, hours, minutes, seconds = 0, fraction = '', half, zone, sign, zoneHours, zoneMinutes = 0] = parts;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return Number.NaN;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  } else if (minutes === undefined || hour > mostHours) return Number.NaN;
  const given = sign === undefined ? 0 : (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  const ahead = zone === undefined ? given : 60 * zones[zone.toUpperCase()]!;
  const second = (hour * 60 + Number(minutes ?? 0) - ahead) * 60 + Number(seconds);
  return second * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/** Returns the microseconds of a time of day without a zone, or of a duration: `71:03`, `1:02.45`, `1h 30m`, `PT4M`. */
function timeSpan(text: string): number {
  // 10:00-12:00 is a span between two times.
  const time = /\d ?[+-]/.test(text) ? Number.NaN : clockTime(text, 999);
  if (!Number.isNaN(time)) return time;
  const lap = lapPattern.exec(text);
  if (lap !== null) return Math.round((Number(lap[1]) * 60 + Number(lap[2]!.replace(',', '.'))) * 1e6);
  const parts = /\d/.test(text) ? durationPattern.exec(text) : null;
  if (parts === null) return Number.NaN;
  const [hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((hours! * 60 + minutes!) * 60 + seconds!) * 1e6;
}

/**
 * Returns the days since 1970-01-01 UTC, with a fraction; `refusedWord` for what is no date in this format.
 *
 * @param text a cell without surrounding blanks.
 */
export function parseDate(text: string, format: DateFormat): number {
  if (format === 'iso') return dateCell(text);
  let days: number;
  if (isCounted(format)) days = countedDate(Number(plainNumber.test(text) ? text : Number.NaN), format);
  else {
    days = readers[format](text);
    const bare = Number.isNaN(days) ? bareDate(text) : null;
    if (bare !== null) days = readers[format](bare.text);
  }
  return Number.isNaN(days) ? refusedWord : days;
}

const plainNumber = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;
/** Days that a `Date` can hold, in both directions. */
const mostDays = 1e8;

/** Returns the days since 1970-01-01 UTC of a count of seconds, milliseconds or days; NaN if it is out of range. */
function countedDate(count: number, format: CountedFormat): number {
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
    return day === refusedWord ? numericDate(text, 'ymd') : day;
  },
  named: namedDate,
  week: weekDate,
  month: monthDate,
  time: (text) => daysOf(0, timeSpan(text)),
};

/** Adds the time behind a day. */
function withTime(day: number, time: string | undefined): number {
  return time === undefined ? day : daysOf(day, clockTime(time));
}

/** A time behind a day, with the mark between them. */
const clock = '(?:(?:,? +(?:at +|- +)?|(?<=\\d{4}|[-/.]\\d\\d?|[日일])[T:_])(.+))?$';
const numericPattern = new RegExp(`^(\\d{1,4})([-/.]) ?(\\d\\d?)\\2 ?(\\d{1,4})\\.?${clock}`);
const chinesePattern = new RegExp(`^(\\d{4}) ?[年년] ?(\\d\\d?) ?[月월] ?(?:(\\d\\d?) ?[日일])?${clock}`);
/** Days of eight digits, or of seven where a number lost its leading 0, and a time of four or six. */
const compactPattern = /^(\d{7,8})(?:[T _-]?(\d\d)(\d\d)(\d\d)?((?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?))?$/;
const compactClock = /^(\d{8})(?:,? +|[T:_])(\d\d?:.+)$/;

type Order = 'dmy' | 'mdy' | 'ymd';

function numericDate(text: string, order: Order): number {
  const parts = numericPattern.exec(text);
  if (parts === null) return compactDate(text, order);
  const [, first, mark, second, third, time] = parts as unknown as string[];
  const [year, month, day] = ordered(order, first!, second!, third!);
  // Years of two digits come first only before hyphens: 98-06-12.
  const isYear = year.length === 4 || (year.length === 2 && (order !== 'ymd' || mark === '-'));
  if (!isYear || month.length > 2 || day.length > 2) return Number.NaN;
  return withTime(dayNumber(yearOf(year), Number(month), Number(day)), time);
}

/** Reads a day whose numbers have no marks between them, or those of Chinese, Japanese and Korean. */
function compactDate(text: string, order: Order): number {
  const chinese = order === 'ymd' ? chinesePattern.exec(text) : null;
  if (chinese !== null)
    return withTime(dayNumber(Number(chinese[1]), Number(chinese[2]), Number(chinese[3] ?? 1)), chinese[4]);
  const parts = compactPattern.exec(text);
  const [, given, time] = parts ?? compactClock.exec(text) ?? [];
  if (given === undefined || (given.length === 7 && (order === 'ymd' || time !== undefined))) return Number.NaN;
  const digits = given.padStart(8, '0');
  const at = order === 'ymd' ? 4 : 2;
  const [year, month, day] = ordered(order, digits.slice(0, at), digits.slice(at, at + 2), digits.slice(at + 2));
  const [, , hours, minutes, seconds = '00', rest] = parts ?? [];
  return withTime(
    dayNumber(Number(year), Number(month), Number(day)),
    parts !== null && hours !== undefined ? `${hours}:${minutes}:${seconds}${rest}` : time,
  );
}

/** Returns year, month and day of three numbers. */
function ordered(order: Order, first: string, second: string, third: string): [string, string, string] {
  if (order === 'ymd') return [first, second, third];
  return order === 'dmy' ? [third, second, first] : [third, first, second];
}

/** Returns the year in four or two digits, the latter also after an apostrophe. */
function yearOf(text: string): number {
  return text.length === 4 ? Number(text) : fullYear(Number(text.slice(-2)));
}

/** Names of each month in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const months = [
  'january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari',
  'february feb februar februari février févr fév febrero febbraio fevereiro fev',
  'march mar märz mär mars marzo março maart mrt',
  'april apr avril avr abril abr aprile',
  'may mai mayo maggio mag maio mei',
  'june jun juni juin junio giugno giu junho',
  'july jul juli juillet juil julio luglio lug julho',
  'august aug août aoû agosto ago augustus',
  'september sept sep septembre septiembre settembre setembro set',
  'october oct oktober okt octobre octubre ottobre ott outubro out',
  'november nov novembre noviembre novembro',
  'december dec dezember dez décembre déc diciembre dic dicembre dezembro',
];
const monthOf = new Map(months.flatMap((names, m) => names.split(' ').map((name) => [name, m + 1] as const)));
const monthName = `(${[...monthOf.keys()].sort((a, b) => b.length - a.length).join('|')})`;
const dayOfMonth = '(\\d\\d?)(?:st|nd|rd|th)?';
const anyYear = "(\\d{4}|['’]?\\d\\d)";
const pattern = (text: string) => new RegExp(`^${text}`, 'iu');
const dayFirst = pattern(
  `${dayOfMonth}(?:\\.? *| (?:of|de|di) |[-/])${monthName}\\.?(?:,? *|[-/]| del? )${anyYear}${clock}`,
);
const monthFirst = pattern(`${monthName}\\.?(?: *|[-/])${dayOfMonth}(?:, ?| +|[-/])${anyYear}${clock}`);
const yearFirst = pattern(`(\\d{4})[-/ ]?${monthName}\\.?(?:[-/ ]?${dayOfMonth}${clock}|$)`);
const monthOnly = pattern(`${monthName}\\.?(?:(?:,? +|[-/])(\\d{4})|(?:[-/]| ?['’])(\\d\\d))$`);
/** As programs in C print a time: `Jun 12 13:44:10 1998`, also with a zone before the year. */
const yearLast = pattern(`${monthName} +${dayOfMonth} +(\\d\\d?:\\d\\d[^ ]*(?: [^ ]+)?) (\\d{4})$`);

function namedDate(text: string): number {
  const day = (year: string, month: string, day: string, time?: string) =>
    withTime(dayNumber(yearOf(year), monthOf.get(month.toLowerCase())!, Number(day)), time);
  let parts = yearLast.exec(text);
  if (parts !== null) return day(parts[4]!, parts[1]!, parts[2]!, parts[3]);
  parts = dayFirst.exec(text);
  if (parts !== null) return day(parts[3]!, parts[2]!, parts[1]!, parts[4]);
  parts = monthFirst.exec(text);
  if (parts !== null) return day(parts[3]!, parts[1]!, parts[2]!, parts[4]);
  parts = yearFirst.exec(text);
  if (parts !== null) return day(parts[1]!, parts[2]!, parts[3] ?? '1', parts[4]);
  parts = monthOnly.exec(text);
  return parts === null ? Number.NaN : day(parts[2] ?? parts[3]!, parts[1]!, '1');
}

const weekday = `(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|${[
  'montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so',
  'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo',
  'lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda|terça|quarta|quinta|sexta',
  'maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag',
].join('|')})\\.?`;
/** A weekday behind a day, and what may stand before it: words such as `Updated:`, a weekday, a bracket. */
const wordsBefore = new RegExp(
  `^[[(]?(?:(\\p{L}[\\p{L}\\p{M} ./&'-]{0,30}?)(?:: *| +))??(?:${weekday},? +)?(?=\\d|${monthName}(?!\\p{L}))`,
  'iu',
);
const weekdayBehind = new RegExp(`(?:,? ${weekday}| ?\\(${weekday}\\))(?=$| \\d)`, 'iu');

/**
 * Returns a date without what stands around it, and the words before it; null if there is nothing to take off:
 * `Week ending: Friday, July 13, 1984`, `2020-01-06 (Mon)`, `[12/Jun/1998:13:44:10 +0000]`.
 */
export function bareDate(given: string): { readonly words: string; readonly text: string } | null {
  const before = wordsBefore.exec(given);
  if (before === null) return null;
  let text = given.slice(before[0].length).replace(weekdayBehind, '');
  if (/^[[(]/.test(given)) text = text.replace(/[\])]$/, '');
  return text === given ? null : { words: before[1] ?? '', text };
}

function weekDate(text: string): number {
  const parts = /^(\d{4})-?W(\d\d?)(?:-?([1-7]))?$/i.exec(text);
  return parts === null ? Number.NaN : weekDay(Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 1));
}

function monthDate(text: string): number {
  // Other years are more often numbers of other things: 0151-12, 4711/05.
  const parts = /^(?:(1[5-9]\d\d|2[01]\d\d)(?:[-/]|M)(\d\d?)|(\d\d?)[-/](1[5-9]\d\d|2[01]\d\d))$/.exec(text);
  return parts === null ? Number.NaN : dayNumber(Number(parts[1] ?? parts[4]), Number(parts[2] ?? parts[3]), 1);
}
