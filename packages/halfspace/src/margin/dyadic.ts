/**
 * Exact arithmetic on doubles. Every finite double is an integer times a power of two, and so are sums and products of
 * doubles. Slow: use it for the few numbers that decide something, not for loops over data.
 */

/** The number m · 2^e. */
interface Dyadic {
  readonly m: bigint;
  readonly e: number;
}

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);
const fraction = (1n << 52n) - 1n;

/** Converts a double exactly. @param value finite. */
export function dyadic(value: number): Dyadic {
  double[0] = value;
  const exponent = Number((bits[0]! >> 52n) & 2047n);
  const low = bits[0]! & fraction;
  const m = exponent === 0 ? low : low | (1n << 52n);
  return { m: value < 0 ? -m : m, e: (exponent === 0 ? 1 : exponent) - 1075 };
}

export function add(a: Dyadic, b: Dyadic): Dyadic {
  if (a.m === 0n) return b;
  if (b.m === 0n) return a;
  return a.e >= b.e ? { m: (a.m << BigInt(a.e - b.e)) + b.m, e: b.e } : add(b, a);
}

export function multiply(a: Dyadic, b: Dyadic): Dyadic {
  return { m: a.m * b.m, e: a.e + b.e };
}

/** Returns a negative number, 0 or a positive number for a < b, a = b or a > b. */
export function compare(a: Dyadic, b: Dyadic): number {
  const { m } = add(a, { m: -b.m, e: b.e });
  return m < 0n ? -1 : m > 0n ? 1 : 0;
}

/** Returns the nearest double, the even one of two equally near; ±∞ if out of range. */
export function toNumber({ m, e }: Dyadic): number {
  if (m === 0n) return 0;
  const magnitude = m < 0n ? -m : m;
  const digits = magnitude.toString(16);
  const top = e + 4 * digits.length - Math.clz32(Number.parseInt(digits[0]!, 16)) + 27;
  // The exponent of the last bit of a double of this size; subnormal doubles end at −1074.
  const last = Math.max(top - 52, -1074);
  if (last <= e) return scaled(Number(m), e);
  const dropped = BigInt(last - e);
  const half = 1n << (dropped - 1n);
  const rest = magnitude & ((1n << dropped) - 1n);
  let kept = magnitude >> dropped;
  if (rest > half || (rest === half && kept & 1n)) kept++;
  return scaled(Number(m < 0n ? -kept : kept), last);
}

/** Returns value · 2^exponent in steps that do not overflow or underflow early; exact if the result is a double. */
export function scaled(value: number, exponent: number): number {
  let left = exponent;
  let result = value;
  for (; left > 1000; left -= 1000) result *= powerOfTwo(1000);
  for (; left < -1000; left += 1000) result *= powerOfTwo(-1000);
  return result * powerOfTwo(left);
}

/** Returns 2^exponent from its bits, because engines differ in powers. @param exponent in [−1022, 1023]. */
function powerOfTwo(exponent: number): number {
  bits[0] = BigInt(exponent + 1023) << 52n;
  return double[0]!;
}

/** A sum of numbers and products without rounding. */
export class ExactSum {
  #sum: Dyadic = { m: 0n, e: 0 };

  add(value: number): void {
    if (value !== 0) this.#sum = add(this.#sum, dyadic(value));
  }

  /** Adds a · b. */
  addProduct(a: number, b: number): void {
    if (a !== 0 && b !== 0) this.#sum = add(this.#sum, multiply(dyadic(a), dyadic(b)));
  }

  get value(): Dyadic {
    return this.#sum;
  }

  /** The nearest double. */
  get number(): number {
    return toNumber(this.#sum);
  }
}
