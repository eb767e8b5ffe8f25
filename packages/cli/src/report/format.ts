import { printable } from 'halfspace/printable';

/**
 * Returns `1,234`, as `toLocaleString('en-US')` does. Its first call in a process loads the formats of all languages,
 * which takes longer than a small training, so it is left to numbers that are not whole.
 */
export function count(value: number): string {
  return Number.isSafeInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, ',') : value.toLocaleString('en-US');
}

/** Returns `1 row`, `2 rows`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/**
 * Returns a share as a percentage. Rounding never makes it `100 %` or `0 %`.
 *
 * @param share in [0, 1].
 */
export function percent(share: number): string {
  if (share === 1 || share === 0) return `${100 * share} %`;
  const shown = (100 * share).toFixed(share > 0.999 || share < 0.001 ? 3 : 1);
  if (Number(shown) >= 100) return '> 99.999 %';
  return Number(shown) === 0 ? '< 0.001 %' : `${shown} %`;
}

/** Returns a number with four significant digits. */
export function number(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e6 || size < 1e-4 ? value.toExponential(3) : String(Number(value.toPrecision(4)));
}

/**
 * Returns numbers with as many decimal places as give the largest of them four significant digits. Those that are
 * nothing but rounding errors beside the largest are 0.
 */
export function numbers(values: readonly number[]): string[] {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest >= 1e6 || largest < 1e-4) return values.map(number);
  const places = Math.min(7, Math.max(0, 3 - Math.floor(Math.log10(largest))));
  return values.map((value) => {
    const size = Math.abs(value);
    return size < 1e-12 * largest ? '0' : size < 0.5 * 10 ** -places ? number(value) : value.toFixed(places);
  });
}

/**
 * Returns a decimal number that is not above the value.
 *
 * @param digits significant digits, from 1.
 */
export function below(value: number, digits: number): string {
  return cutOff(value, digits, value < 0);
}

/** Returns a decimal number that is not below the value: see {@link below}. */
export function above(value: number, digits: number): string {
  return cutOff(value, digits, value > 0);
}

/**
 * Returns a radius as a decimal number that is not below it. Lengths of rows are often short decimals, such as 1 after
 * scaling, and rounding errors, or the room that a proof leaves for them, make them a few units in the last place more.
 * With four digits that would be 1.001; all digits, 1.000000000000001, show that nothing but rounding is between.
 */
export function radiusAbove(radius: number): string {
  const short = Number(radius.toPrecision(4));
  const isNear = radius > short && radius - short < 1e-12 * radius;
  return above(radius, isNear ? 16 : 4);
}

/** Cuts off the digits after the first `digits`. With `away`, the last one grows by 1 if any of them was not 0. */
function cutOff(value: number, digits: number, away: boolean): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const [mantissa, exponent] = Math.abs(value).toExponential(100).split('e') as [string, string];
  const all = mantissa.replace('.', '');
  const more = away && /[1-9]/.test(all.slice(digits));
  const kept = BigInt(all.slice(0, digits)) + (more ? 1n : 0n);
  const [, significant, zeros] = /^(\d*?)(0*)$/.exec(String(kept))!;
  // Digits, not a double: the double nearest to the decimal may have another shortest decimal, on the other side.
  const text = placed(significant!, Number(exponent) - digits + 1 + zeros!.length, Math.abs(value));
  return value < 0 ? `-${text}` : text;
}

/** Returns digits·10^power as text, with an exponent if `size`, which is near it, is very large or small. */
function placed(digits: string, power: number, size: number): string {
  if (size >= 1e6 || size < 1e-4) {
    const exponent = power + digits.length - 1;
    const fraction = digits.length === 1 ? '' : `.${digits.slice(1)}`;
    return `${digits[0]}${fraction}e${exponent < 0 ? '' : '+'}${exponent}`;
  }
  if (power >= 0) return digits + '0'.repeat(power);
  const padded = digits.padStart(1 - power, '0');
  return `${padded.slice(0, power)}.${padded.slice(power)}`;
}

/** Returns `12.3 kB`. */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 1e6) return `${(size / 1e3).toPrecision(3)} kB`;
  return `${(size / 1e6).toPrecision(3)} MB`;
}

/** Returns lines `title  text`, made printable. Lines after the first have no title. Without lines, returns no text. */
export function section(title: string, lines: readonly string[]): string {
  return lines.map((line, i) => `${(i === 0 ? title : '').padEnd(11)}${printable(line)}\n`).join('');
}

/** Returns `a, b, c and 5 more`. */
export function listed(names: readonly string[], most: number): string {
  return names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

/** Returns what `make` returns for a value, and an empty list for null or undefined. */
export function ifKnown<Value, Item>(
  value: Value | null | undefined,
  make: (value: Value) => readonly Item[],
): readonly Item[] {
  return value === null || value === undefined ? [] : make(value);
}

/** Returns the members that are not null. */
export function withoutNulls(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
