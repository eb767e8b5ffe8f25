/* Numbers for people, from exact ones: rounded so that a bound stays a bound. */
import type { Certificate, Fraction } from '../certificate.ts';
import { partsOf, rootOf, terms } from './whole.ts';

/**
 * Returns how many updates a perceptron makes at most, if it starts at 0 and the bias is the weight of one more
 * coordinate, which is 1: the whole part of (R² + 1)/γ², with γ² = `absorbedMarginSquared` (Novikoff 1962); null
 * without a separator.
 */
export function mostUpdates({
  separator,
  radiusSquared,
}: Pick<Certificate, 'separator' | 'radiusSquared'>): bigint | null {
  if (separator === null) return null;
  const [a, b] = terms(radiusSquared);
  const [c, d] = terms(separator.absorbedMarginSquared);
  return ((a + b) * d) / (b * c);
}

/** Returns a double that is not above the square root of a fraction ≥ 0, given as its text, and not far below. */
export function rootBelow(square: Fraction): number {
  const [a, b] = terms(square);
  return firstOf(rootOf(square), nextBelow, (root) => compareSquare(root, a, b) <= 0);
}

/** Returns a double that is not below the square root of a fraction ≥ 0, given as its text, and not far above. */
export function rootAbove(square: Fraction): number {
  const [a, b] = terms(square);
  return firstOf(rootOf(square), nextAbove, (root) => compareSquare(root, a, b) >= 0);
}

/** Returns the first of `start`, its neighbour by `next`, and so on, that fits. */
function firstOf(start: number, next: (value: number) => number, fits: (value: number) => boolean): number {
  let value = start;
  while (!fits(value)) value = next(value);
  return value;
}

/** Returns the sign of root² − a/b, for a double root ≥ 0. */
function compareSquare(root: number, a: bigint, b: bigint): number {
  if (root === Infinity) return 1;
  const { mantissa, exponent } = partsOf(root);
  const shift = BigInt(2 * Math.abs(exponent));
  const [left, right] = exponent >= 0 ? [(mantissa ** 2n * b) << shift, a] : [mantissa ** 2n * b, a << shift];
  return left < right ? -1 : left > right ? 1 : 0;
}

function nextAbove(value: number): number {
  return neighbour(value, 1n);
}

/** @param value ≥ 0. */
function nextBelow(value: number): number {
  return value === 0 ? 0 : neighbour(value, -1n);
}

/** Returns the double whose bits, as a whole number, are `step` more: for values ≥ 0 the next in that direction. */
function neighbour(value: number, step: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + step);
  return view.getFloat64(0);
}
