import { printable } from 'halfspace/printable';

/** `1,234` */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 row`, `2 rows` */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/**
 * A share as a percentage that never says more than is so: 100 % and 0 % only where every or no example is meant.
 *
 * @param share in [0, 1].
 */
export function percent(share: number): string {
  if (share === 1 || share === 0) return `${100 * share} %`;
  const shown = (100 * share).toFixed(share > 0.999 || share < 0.001 ? 3 : 1);
  if (Number(shown) >= 100) return '> 99.999 %';
  return Number(shown) === 0 ? '< 0.001 %' : `${shown} %`;
}

/** Four significant digits. */
export function number(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e6 || size < 1e-4 ? value.toExponential(3) : String(Number(value.toPrecision(4)));
}

export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 1e6) return `${(size / 1e3).toPrecision(3)} kB`;
  return `${(size / 1e6).toPrecision(3)} MB`;
}

/** Lines `title  text`, each made printable; titles in a column of their own, further lines indented. */
export function section(title: string, lines: readonly string[]): string {
  return lines.map((line, i) => `${(i === 0 ? title : '').padEnd(11)}${printable(line)}\n`).join('');
}

/** `a, b, c and 5 more` */
export function listed(names: readonly string[], most: number): string {
  return names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
