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
export function clockTime(text: string, mostHours = 23): number {
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
export function timeSpan(text: string): number {
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
