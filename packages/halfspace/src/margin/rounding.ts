/** Unit roundoff of doubles. */
export const roundoff = 2 ** -53;

/** At most what a sum of so many squares, a root and a division were meant to give. @param value at least 0. */
export function roundedDown(value: number, terms: number): number {
  return value * (1 - (terms + 8) * roundoff);
}

/** At least that. */
export function roundedUp(value: number, terms: number): number {
  return value * (1 + (terms + 8) * roundoff);
}
