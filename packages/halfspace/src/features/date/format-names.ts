/**
 * The format of a column of dates.
 *
 * - `iso`: `2022-08-01`, `2022/08/01`, `2022-08-01T13:44:10Z`.
 * - `dmy`, `mdy`, `ymd`: numbers in this order between `/`, `-` or `.`, or of eight digits: `1/8/2022`, `01.08.22`,
 *   `08012022`. `ymd` also reads `20220801T134410`, `2022年8月1日` and everything that `iso` reads.
 * - `named`: with a month by name in English, German, French, Spanish, Italian, Portuguese or Dutch: `Jun 12 1998`,
 *   `12. Juni 1998`, `June 12, 1998`, `12-Jun-98`, `June 1998`, `Jun-98`, `12/Jun/1998:13:44:10 +0000`.
 * - `week`: `2022-W05`, which is its Monday, and `2022-W05-3`.
 * - `month`: `2022-05`, `2022M05` or `05/2022`, which is its first day.
 * - `time`: `13:44`, `13:44:10`, `1:44 PM` or `1pm`, a fraction of a day; `71:03`, `1h 30m` or `PT4M13S`, a duration.
 * - `epoch`, `epoch-ms`: seconds or milliseconds since 1970-01-01 UTC.
 * - `excel`: days since 1899-12-30, as spreadsheets count from March 1900 on.
 *
 * A time may follow a day: `01/08/2022 13:44`, `Jun 12 1998, 1:44 PM`. It is UTC if there is no zone. Words, a weekday
 * or a bracket may stand before a date, and a weekday behind it: `Week ending: Fri, 07/13/1984`, `2020-01-06 (Mon)`.
 */
export type DateFormat = (typeof dateFormats)[number];
export const writtenFormats = ['iso', 'dmy', 'mdy', 'ymd', 'named', 'week', 'month', 'time'] as const;
const countedFormats = ['epoch', 'epoch-ms', 'excel'] as const;
export const dateFormats = [...writtenFormats, ...countedFormats] as const;

/** The formats that a model names; a column without a format is of ISO 8601. */
export const storedFormats = dateFormats.filter((format) => format !== 'iso');

export type WrittenFormat = (typeof writtenFormats)[number];
/** A format that counts units of time; its dates are numbers. */
export type CountedFormat = (typeof countedFormats)[number];

/** The formats in which dates may be whole numbers by themselves. */
export const wholeFormats = ['ymd', 'dmy', 'mdy', 'epoch', 'epoch-ms'] as const satisfies readonly DateFormat[];
export type WholeFormat = (typeof wholeFormats)[number];

export function isWholeFormat(format: DateFormat): format is WholeFormat {
  return (wholeFormats as readonly DateFormat[]).includes(format);
}

export function isCounted(format: DateFormat): format is CountedFormat {
  return (countedFormats as readonly DateFormat[]).includes(format);
}
