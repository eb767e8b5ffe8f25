/**
 * The format of a column of dates.
 *
 * - `iso`: `2022-08-01`, `2022/08/01`, `2022-08-01T13:44:10Z`.
 * - `dmy`, `mdy`, `ymd`: numbers in this order between `/`, `-` or `.`: `1/8/2022`, `01.08.22`. `ymd` also reads
 *   `20220801`, `20220801T134410` and everything that `iso` reads.
 * - `named`: with an English month: `Jun 12 1998`, `12 June 1998`, `June 12, 1998`, `12-Jun-98`, `June 1998`, `Jun-98`,
 *   `[12/Jun/1998:13:44:10 +0000]`.
 * - `week`: `2022-W05`, which is its Monday, and `2022-W05-3`.
 * - `month`: `2022-05` or `05/2022`, which is its first day.
 * - `time`: `13:44`, `13:44:10`, `1:44 PM` or `1pm`, a fraction of a day.
 * - `epoch`, `epoch-ms`: seconds or milliseconds since 1970-01-01 UTC.
 * - `excel`: days since 1899-12-30, as spreadsheets count from March 1900 on.
 *
 * A time may follow a day: `01/08/2022 13:44`, `Jun 12 1998, 1:44 PM`. It is UTC if there is no zone.
 */
export type DateFormat = (typeof dateFormats)[number];
export const writtenFormats = ['iso', 'dmy', 'mdy', 'ymd', 'named', 'week', 'month', 'time'] as const;
export const countedFormats = ['epoch', 'epoch-ms', 'excel'] as const;
export const dateFormats = [...writtenFormats, ...countedFormats] as const;

/** The formats that a model names; a column without a format is of ISO 8601. */
export const storedFormats = dateFormats.filter((format) => format !== 'iso');

export type WrittenFormat = (typeof writtenFormats)[number];
/** A format that counts units of time; its dates are numbers. */
export type CountedFormat = (typeof countedFormats)[number];

export function isCounted(format: DateFormat): format is CountedFormat {
  return (countedFormats as readonly DateFormat[]).includes(format);
}
