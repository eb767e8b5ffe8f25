/** Unit roundoff of doubles. */
export const roundoff = 2 ** -53;

/** Returns a lower bound of an exact √Σx², perhaps divided. @param value rounded, ≥ 0. @param terms of the sum. */
export function roundedDown(value: number, terms: number): number {
  return value * (1 - (terms + 8) * roundoff);
}

/** Returns an upper bound of the same. */
export function roundedUp(value: number, terms: number): number {
  return value * (1 + (terms + 8) * roundoff);
}
