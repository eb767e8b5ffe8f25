import type { Explanation } from 'halfspace';

/**
 * Returns how far two sums of the terms of a score may be from each other, in any order of summation.
 *
 * Two sums of n terms, each with up to c roundings of its own, differ by at most 2·γ·Σ|term| with γ = m·u / (1 − m·u),
 * m = n + c and u = 2⁻⁵³ (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 4.2). c is 8: products,
 * quotients by the divisor, and the rounding of Σ|term| itself. Terms that are subnormal lose at most 2⁻¹⁰⁷⁴ each.
 */
export function roundingBound({ bias, fields }: Explanation): number {
  let sum = Math.abs(bias);
  let terms = 1;
  for (const { features } of fields)
    for (const { contribution } of features) {
      sum += Math.abs(contribution);
      terms++;
    }
  const m = (terms + 8) * 2 ** -53;
  return ((2 * m) / (1 - m)) * sum + terms * Number.MIN_VALUE;
}
