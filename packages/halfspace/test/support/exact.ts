import type { Example } from '../oracles/oracle.ts';

/** Doubles as whole numbers of 2⁻¹⁰⁷⁴, of which every finite double is some; plain, and slow. */
export function exact(value: number): bigint {
  let [whole, exponent] = [value, 0];
  while (!Number.isInteger(whole)) {
    whole *= 2;
    exponent++;
  }
  return BigInt(whole) << BigInt(1074 - exponent);
}

/** w·x, in 2⁻²¹⁴⁸. */
export function exactDot(w: ArrayLike<number>, x: ArrayLike<number>): bigint {
  let sum = 0n;
  for (let j = 0; j < x.length; j++) sum += exact(w[j]!) * exact(x[j]!);
  return sum;
}

/** min y(w·x) without rounding, in 2⁻²¹⁴⁸. */
export function exactLeast(data: readonly Example[], w: ArrayLike<number>): bigint {
  return data.map(({ x, y }) => BigInt(y) * exactDot(w, x)).reduce((least, each) => (each < least ? each : least));
}

/** Every example with a constant before its features: the blog's lift. */
export function lifted(data: readonly Example[], constant = 1): Example[] {
  return data.map(({ x, y }) => ({ x: [constant, ...x], y }));
}

/** Returns whether value ≤ least/√square exactly, for value, least ≥ 0 in the form of {@link exactDot}. */
export function atMostMargin(value: number, least: bigint, square: bigint): boolean {
  return exact(value) ** 2n * square <= least ** 2n;
}

/** Returns whether value ≥ least/√square exactly; see {@link atMostMargin}. */
export function atLeastMargin(value: number, least: bigint, square: bigint): boolean {
  return exact(value) ** 2n * square >= least ** 2n;
}
