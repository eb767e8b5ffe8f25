/** Whole numbers of any size: what finding certificates needs of them. The checker has its own few lines (check.ts). */

/** Greatest common divisor, ≥ 0. */
export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** a/b in lowest terms, `/1` left out. @param b > 0. */
export function fraction(a: bigint, b: bigint): string {
  const divisor = gcd(a, b);
  return b === divisor ? String(a / divisor) : `${a / divisor}/${b / divisor}`;
}

/** The double nearest to a/b or its neighbour, for b > 0 and a ≥ 0 of any size. */
export function quotient(a: bigint, b: bigint): number {
  if (a === 0n) return 0;
  // 64 bits of the quotient, of which a double keeps 53.
  const shift = 64 - (bitLength(a) - bitLength(b));
  const digits = shift >= 0 ? (a << BigInt(shift)) / b : a / (b << BigInt(-shift));
  return shift > 1000 ? Number(digits) * 2 ** -1000 * 2 ** (1000 - shift) : Number(digits) * 2 ** -shift;
}

/** √(text) of a fraction as this package writes it. */
export function rootOf(text: string): number {
  const [a, b = '1'] = text.split('/') as [string, string?];
  const [x, y] = [BigInt(a), BigInt(b)];
  // By an even power of two, so that squares beyond the range of doubles have roots within it.
  const half = Math.trunc((bitLength(x) - bitLength(y)) / 2);
  const root = Math.sqrt(half >= 0 ? quotient(x, y << BigInt(2 * half)) : quotient(x << BigInt(-2 * half), y));
  return root * 2 ** half;
}

/** Number of binary digits of |a|. */
export function bitLength(a: bigint): number {
  const hex = (a < 0n ? -a : a).toString(16);
  return hex === '0' ? 0 : 4 * (hex.length - 1) + (32 - Math.clz32(Number.parseInt(hex[0]!, 16)));
}

/** A finite double as mantissa·2^exponent; an odd mantissa, or 0·2^0. */
export function partsOf(value: number): { mantissa: bigint; exponent: number } {
  if (value === 0) return { mantissa: 0n, exponent: 0 };
  let mantissa = Math.abs(value);
  let exponent = 0;
  // Multiplying by powers of two does not round here: subnormal numbers grow, others have room.
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

/** The least k ≥ 0 for which all values times 2^k are whole. */
export function binaryPlaces(values: ArrayLike<number>): number {
  let k = 0;
  let factor = 1;
  for (let i = 0; i < values.length; i++)
    if (!Number.isInteger(values[i]! * factor)) {
      k = Math.max(k, -partsOf(values[i]!).exponent);
      factor = 2 ** k;
    }
  return k;
}

/** value·2^k, which must be whole. */
export function scaled(value: number, k: number): bigint {
  const product = value * 2 ** k;
  if (Number.isSafeInteger(product)) return BigInt(product);
  const { mantissa, exponent } = partsOf(value);
  return mantissa << BigInt(exponent + k);
}
