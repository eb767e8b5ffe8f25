import { check } from '../../json.ts';

/** A part of a date, in UTC. Parts show seasons and habits, which a number of days cannot. */
export type DatePart = (typeof dateParts)[number];
export const dateParts = ['month', 'weekday', 'hour'] as const;

/** Number of values of each part. */
export const partWidths: Readonly<Record<DatePart, number>> = { month: 12, weekday: 7, hour: 24 };

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Checks a list of parts of dates: in their order, without repetition. @throws HalfspaceError `model-invalid`. */
export function checkParts(value: unknown, path: string): readonly DatePart[] {
  const fits = Array.isArray(value) && String(dateParts.filter((part) => value.includes(part))) === String(value);
  check(fits, path, `some of ${dateParts.join(', ')}, in this order`, value);
  return [...(value as DatePart[])];
}

/** Returns a part of a date, from 0: January, Monday, 0:00; −1 if undefined. @param day days since 1970-01-01. */
export function partOf(part: DatePart, day: number): number {
  const whole = Math.floor(day);
  switch (part) {
    case 'month': {
      const month = new Date(whole * 86_400_000).getUTCMonth();
      return Number.isNaN(month) ? -1 : month; // outside the years that a Date can hold
    }
    case 'weekday':
      // 1970-01-01 was a Thursday.
      return (((whole + 3) % 7) + 7) % 7;
    case 'hour':
      // Rounds to a second, because fractions of a day are rounded.
      return Math.min(23, Math.floor(Math.round((day - whole) * 86_400) / 3600));
  }
}

/** Returns the names of the values of a part. */
export function partNames(part: DatePart): readonly string[] {
  if (part === 'weekday') return weekdays;
  return Array.from({ length: partWidths[part] }, (_, k) => String(part === 'month' ? k + 1 : k));
}

/** Finds the parts of a column's dates that may help to tell rows apart. */
export class PartsSeen {
  readonly seen = new Map<DatePart, Set<number>>(dateParts.map((part) => [part, new Set()]));
  readonly daysOfMonth = new Set<number>();

  add(day: number): void {
    for (const part of dateParts) this.seen.get(part)!.add(partOf(part, day));
    this.daysOfMonth.add(new Date(Math.floor(day) * 86_400_000).getUTCDate());
  }

  /**
   * Returns the parts that vary over at least 50 dates, if they span a year (months) or four weeks (weekdays); a trend
   * over less would look like a season. Weekdays of dates for whole months or years (few days of the month) say
   * nothing.
   */
  chosen(count: number, span: number): DatePart[] {
    const least = { month: 365, weekday: 28, hour: 0 };
    const spanned = dateParts.filter((part) => count >= 50 && span >= least[part] && this.seen.get(part)!.size > 1);
    return spanned.filter((part) => part !== 'weekday' || this.daysOfMonth.size >= 12);
  }
}
