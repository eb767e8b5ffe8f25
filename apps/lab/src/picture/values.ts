import { ticks } from 'd3-array';
import { numberText, tickText } from './numbers.ts';

const day = 86_400_000;

/** Writes a value of a column with a few digits; of dates, which are days since 1970-01-01, the date. */
export function valueText(value: number, format?: string, digits = 4): string {
  if (format === 'time') return new Date(Math.round(value * day)).toISOString().slice(11, 16);
  if (format !== undefined) return isoOf(value);
  const short = Number(value.toPrecision(digits));
  const size = Math.abs(short);
  if (size >= 1e5 && digits === 4) return tickText(short);
  if (size > 0 && size < 1e-3) return numberText(short, digits - 1);
  return short.toLocaleString('en', { maximumFractionDigits: 20, useGrouping: size >= 1e4 }).replace('-', '−');
}

/** Writes edges so that different ones read differently: with equal decimals, or with a few digits each. */
export function edgeTexts(edges: readonly number[], format?: string): string[] {
  const largest = edges.reduce((most, edge) => Math.max(most, Math.abs(edge)), 0);
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(largest || 1)));
  const differ = (texts: readonly string[]) => new Set(texts).size === texts.length;
  const alike = edges.map((edge) => edge.toFixed(Math.min(20, decimals)).replace('-', '−'));
  const isPlain = format === undefined && largest < 1e4 && largest >= 1e-3 && !edges.every(Number.isInteger);
  if (isPlain && differ(alike)) return alike;
  for (let digits = 4; ; digits++) {
    const texts = edges.map((edge) => valueText(edge, format, digits));
    if (digits === 17 || format !== undefined || differ(texts)) return texts;
  }
}

/** Returns round dates, about `count`, and how they are written; null: the column has no dates. */
export function dateTicks(
  [from, to]: readonly [number, number],
  count: number,
  format?: string,
): { readonly ticks: readonly number[]; readonly format: (value: number) => string } | null {
  if (format === undefined) return null;
  if (format === 'time')
    return { ticks: ticks(from * 24, to * 24, count).map((hour) => hour / 24), format: (at) => valueText(at, format) };
  const year = (at: number) => 1970 + at / 365.2425;
  const inYears = (letters: number) => (at: number) => isoOf(at).slice(0, letters);
  if (to - from > 3 * 365) {
    const years = ticks(year(from), year(to), count).filter(Number.isInteger);
    return { ticks: years.map((each) => Date.UTC(each, 0) / day), format: inYears(4) };
  }
  if (to - from > 90) {
    const month = (at: number) => (year(at) - 1970) * 12;
    const months = ticks(month(from), month(to), count).filter(Number.isInteger);
    const all = months.map((each) => Date.UTC(1970, each) / day);
    return { ticks: all.filter((at) => at >= from && at <= to), format: inYears(7) };
  }
  return { ticks: ticks(from, to, Math.ceil(count / 2)), format: inYears(to - from < 3 ? 16 : 10) };
}

function isoOf(days: number): string {
  const date = new Date(Math.round(days * day));
  return Number.isNaN(date.getTime())
    ? numberText(days)
    : date.toISOString().slice(0, 16).replace('T00:00', '').replace('T', ' ');
}
