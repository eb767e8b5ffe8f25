import { numberText } from './numbers.ts';

/** A side of a number: `up` is the safe one of upper bounds, `down` that of lower bounds. */
export type Side = 'up' | 'down';

/** Relative distance below which two numbers differ by the rounding of doubles alone. */
const alike = 1e-12;

/**
 * Rounds to some significant digits, to one side. A decimal that differs from the value by the rounding of doubles
 * alone is the value itself: 0.7999999999999958 is 0.8, also rounded down.
 */
export function roundedTo(value: number, digits: number, side: Side): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const nearest = Number(value.toPrecision(digits));
  if (Math.abs(nearest - value) <= alike * Math.abs(value) || nearest > value === (side === 'up')) return nearest;
  const power = Number(value.toExponential().split('e')[1]) - digits + 1;
  const whole = Math.round(nearest / 10 ** power) + (side === 'up' ? 1 : -1);
  // Decimal digits, because a product with a power of ten may be another double.
  return Number(`${whole}e${power}`);
}

/** Writes a bound with some significant digits, rounded to one side; without zeros at its end where it is exact. */
export function boundText(value: number, digits: number, side: Side): string {
  const rounded = roundedTo(value, digits, side);
  if (rounded === 0 || !Number.isFinite(rounded) || Math.abs(rounded - value) > alike * Math.abs(value))
    return numberText(rounded, digits);
  const needed = rounded.toExponential().replace(/e.*$/, '').replace(/[-.]/g, '').length;
  return numberText(rounded, Math.min(digits, needed));
}
