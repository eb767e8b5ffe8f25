import type { SparseBatch } from 'halfspace/rules';
import { partsOf } from './whole.ts';

/**
 * Examples with the meaning of their numbers. A double of a decimal feature stands for the shortest decimal that is
 * read as this double: 0.1 is 1/10. Any other double is the binary fraction that it is.
 */
export interface ExactBatch extends SparseBatch {
  /** 1 for each decimal feature, else 0. Absent: no feature is decimal. */
  readonly decimal?: Uint8Array | undefined;
}

/** The common unit 1/one of some numbers, with one = 10^tens·2^twos. */
export interface Unit {
  readonly tens: number;
  readonly twos: number;
  readonly one: bigint;
}

/** Returns the least unit in which the values at these positions are whole. */
export function unitOf({ values, indices, decimal }: ExactBatch, positions: Iterable<number>): Unit {
  let tens = 0;
  let twos = 0;
  let factor = 1;
  for (const at of positions) {
    const value = values[at]!;
    if (decimal?.[indices[at]!] === 1) {
      if (!isShort(value, tens)) tens = Math.max(tens, decimalParts(value).places);
    } else if (!Number.isInteger(value * factor)) {
      twos = Math.max(twos, -partsOf(value).exponent);
      factor = 2 ** twos;
    }
  }
  return { tens, twos, one: (10n ** BigInt(tens)) << BigInt(twos) };
}

/** Returns the number at a position in this unit, which must be whole. */
export function valueIn({ values, indices, decimal }: ExactBatch, at: number, { tens, twos, one }: Unit): bigint {
  const value = values[at]!;
  if (decimal?.[indices[at]!] === 1) {
    const product = tens < powers.length ? value * powers[tens]! : Infinity;
    // Two roundings, each by a share of at most 2⁻⁵³: the whole number is less than a half away.
    if (twos === 0 && Math.abs(product) < 2 ** 50) return BigInt(Math.round(product));
    const { mantissa, places } = decimalParts(value);
    return (mantissa * 10n ** BigInt(tens - places)) << BigInt(twos);
  }
  if (tens === 0) {
    const product = value * 2 ** twos;
    if (Number.isSafeInteger(product)) return BigInt(product);
  }
  const { mantissa, exponent } = partsOf(value);
  return exponent >= 0 ? mantissa * one * 2n ** BigInt(exponent) : mantissa * (one >> BigInt(-exponent));
}

/** The powers of ten that are doubles, from 10⁰. */
const powers = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

/**
 * Tests if a double's shortest decimal has at most `places` places. Decimals of at most 15 digits are read as different
 * doubles, so the decimal found here is the shortest one. False for decimals that are longer or very small.
 */
function isShort(value: number, places: number): boolean {
  const power = powers[places] ?? Number.NaN;
  const rounded = Math.round(value * power);
  return Math.abs(rounded) < 1e15 && rounded / power === value;
}

/** Returns a double's shortest decimal as mantissa/10^places; the mantissa is no multiple of 10 unless places is 0. */
export function decimalParts(value: number): { mantissa: bigint; places: number } {
  // ECMAScript's digits are the fewest that are read as the same double.
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))!;
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole! + fraction) * (places < 0 ? 10n ** BigInt(-places) : 1n);
  return { mantissa: sign === '-' ? -digits : digits, places: Math.max(0, places) };
}
