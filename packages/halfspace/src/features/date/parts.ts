/**
 * Parts of a date that tell seasons and habits, which a number of days cannot. All are in UTC.
 */
export type DatePart = (typeof dateParts)[number];
export const dateParts = ['month', 'weekday', 'hour'] as const;

/** How many values each has. */
export const partWidths: Readonly<Record<DatePart, number>> = { month: 12, weekday: 7, hour: 24 };

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A part of a date, from 0: January, Monday, the first hour. @param day days since 1970-01-01. @returns −1 where there is none. */
export function partOf(part: DatePart, day: number): number {
  const whole = Math.floor(day);
  switch (part) {
    case 'month': {
      const month = new Date(whole * 86_400_000).getUTCMonth();
      return Number.isNaN(month) ? -1 : month; // beyond the years that dates can have
    }
    case 'weekday':
      // 1970-01-01 was a Thursday.
      return (((whole + 3) % 7) + 7) % 7;
    case 'hour':
      // To the second, since parts of a day are rounded.
      return Math.min(23, Math.floor(Math.round((day - whole) * 86_400) / 3600));
  }
}

/** What the values of a part are called. */
export function partNames(part: DatePart): readonly string[] {
  if (part === 'weekday') return weekdays;
  return Array.from({ length: partWidths[part] }, (_, k) => String(part === 'month' ? k + 1 : k));
}

/** Which parts of a column's dates tell rows apart. */
export class PartsSeen {
  readonly #seen = new Map<DatePart, Set<number>>(dateParts.map((part) => [part, new Set()]));
  readonly #daysOfMonth = new Set<number>();

  add(day: number): void {
    for (const part of dateParts) this.#seen.get(part)!.add(partOf(part, day));
    this.#daysOfMonth.add(new Date(Math.floor(day) * 86_400_000).getUTCDate());
  }

  /**
   * Parts that vary, of at least 50 dates that span a year for months, and four weeks for weekdays: shorter spans would make a season of
   * every trend. The weekdays of dates that stand for months or years say nothing: those fall on few days of the month.
   */
  chosen(count: number, span: number): DatePart[] {
    const least = { month: 365, weekday: 28, hour: 0 };
    const spanned = dateParts.filter((part) => count >= 50 && span >= least[part] && this.#seen.get(part)!.size > 1);
    return spanned.filter((part) => part !== 'weekday' || this.#daysOfMonth.size >= 12);
  }
}
