const clockPattern =
  /^(\d\d?)(?::([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?)?(?:[ \u00a0\u202f]?([ap])\.?m\.?)?(?: ?(?:Z|UTC|GMT|([+-])([01]\d|2[0-3]):?([0-5]\d)))?$/i;

/**
 * Returns the microseconds since midnight of a time of day: `13:44`, `13:44:10.5`, `1:44 PM`, `1 PM`, also with a zone
 * (`Z`, `UTC`, `+02:00`), which moves it to UTC; NaN for other words.
 */
export function clockTime(text: string): number {
  const parts = clockPattern.exec(text);
  if (parts === null) return Number.NaN;
  const [, hours, minutes, seconds = 0, fraction = '', half, sign, zoneHours, zoneMinutes] = parts;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return Number.NaN;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  } else if (minutes === undefined || hour > 23) return Number.NaN;
  const zone = sign === undefined ? 0 : (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  const second = (hour * 60 + Number(minutes ?? 0) - zone) * 60 + Number(seconds);
  return second * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
