/** Number of days in a month of the Gregorian calendar, which also counts for years before it was introduced. */
function monthLength(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Returns the days from 1970-01-01 to a date; NaN for a date that does not exist, such as 31 February. */
export function dayNumber(year: number, month: number, day: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month))) return Number.NaN;
  // Years begin in March here, so that the leap day is the last one; 719468 days lie between 1 March 0 and 1970.
  const y = month > 2 ? year : year - 1;
  const daysBeforeMonth = Math.floor((153 * ((month + 9) % 12) + 2) / 5);
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + daysBeforeMonth + day - 1 - 719468;
}

/**
 * Returns the days from 1970-01-01 to a day of an ISO 8601 week; NaN if the year has no such week.
 *
 * @param day 1: Monday.
 */
export function weekDay(year: number, week: number, day: number): number {
  // Week 1 is the week with 4 January. 1970-01-01 was a Thursday.
  const fourth = dayNumber(year, 1, 4);
  const firstMonday = fourth - ((((fourth + 3) % 7) + 7) % 7);
  const monday = firstMonday + 7 * (week - 1);
  // The year of a week is that of its Thursday.
  const isThere = week >= 1 && monday + 3 <= dayNumber(year, 12, 31);
  return isThere ? monday + day - 1 : Number.NaN;
}

/** Returns the year that two digits mean: 00–68 are 2000–2068, and 69–99 are 1969–1999, as in POSIX. */
export function fullYear(year: number): number {
  return year < 69 ? 2000 + year : 1900 + year;
}
