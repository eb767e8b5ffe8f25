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

/**
 * Returns a bound on the rounding error of a score of the kernels: (n + 3)·2⁻⁵³·(‖w‖‖x‖ + |b·c|) for n stored values,
 * as sums in any order have it (Higham 2002, section 3.1), and some more for underflow.
 *
 * @param norm ‖w‖, to three digits at least.
 */
export function scoreError(values: number, norm: number, squaredNorm: number, offset: number): number {
  return (values + 3) * (roundoff * (1.001 * norm * Math.sqrt(squaredNorm) + offset) + 1e-307);
}
