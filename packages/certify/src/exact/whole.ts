/* Whole numbers of any size for the search. The checker has its own functions (check.ts). */

/** Returns the greatest common divisor, ≥ 0. */
export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Returns the text of a/b in lowest terms, without `/1`. @param b > 0. */
export function fraction(a: bigint, b: bigint): string {
  const divisor = gcd(a, b);
  return b === divisor ? String(a / divisor) : `${a / divisor}/${b / divisor}`;
}

/** Returns the double nearest to a/b, or a neighbour of it, for b > 0 and a ≥ 0. */
export function quotient(a: bigint, b: bigint): number {
  if (a === 0n) return 0;
  // 64 bits of the quotient, of which a double keeps 53.
  const shift = 64 - (bitLength(a) - bitLength(b));
  const digits = shift >= 0 ? (a << BigInt(shift)) / b : a / (b << BigInt(-shift));
  return shift > 1000 ? Number(digits) * 2 ** -1000 * 2 ** (1000 - shift) : Number(digits) * 2 ** -shift;
}

/** Returns the square root of a fraction, given as its text, to within some units in the last place. */
export function rootOf(text: string): number {
  const [x, y] = terms(text);
  // Scaled by an even power of two: the square may be outside the range of doubles although the root is inside.
  const half = Math.trunc((bitLength(x) - bitLength(y)) / 2);
  const root = Math.sqrt(half >= 0 ? quotient(x, y << BigInt(2 * half)) : quotient(x << BigInt(-2 * half), y));
  return root * 2 ** half;
}

/** Returns numerator and denominator of a fraction's text. */
export function terms(text: string): [a: bigint, b: bigint] {
  const [a, b = '1'] = text.split('/') as [string, string?];
  return [BigInt(a), BigInt(b)];
}

/** Tests if a fraction ≥ 0 is below a share of another one. Both, and the share, are given as text. */
export function isBelow(least: string, most: string, share = '1'): boolean {
  const [[a, b], [c, d], [e, f]] = [terms(least), terms(most), terms(share)];
  return a * d * f < c * e * b;
}

/** Returns the number of binary digits of |a|. */
export function bitLength(a: bigint): number {
  const hex = (a < 0n ? -a : a).toString(16);
  return hex === '0' ? 0 : 4 * (hex.length - 1) + (32 - Math.clz32(Number.parseInt(hex[0]!, 16)));
}

/** Returns a finite double as mantissa·2^exponent, with an odd mantissa; 0 is 0·2^0. */
export function partsOf(value: number): { mantissa: bigint; exponent: number } {
  if (value === 0) return { mantissa: 0n, exponent: 0 };
  let mantissa = Math.abs(value);
  let exponent = 0;
  // These multiplications by powers of two are exact: subnormal numbers grow, other numbers stay in range.
  while (mantissa < 2 ** 52) {
    mantissa *= 2;
    exponent--;
  }
  while (mantissa >= 2 ** 53) {
    mantissa /= 2;
    exponent++;
  }
  while (mantissa % 2 === 0) {
    mantissa /= 2;
    exponent++;
  }
  return { mantissa: BigInt(value < 0 ? -mantissa : mantissa), exponent };
}
