import type { SparseBatch } from 'halfspace/rules';
import { type FactorOptions, factor } from './cholesky.ts';
import { WeightedExamples } from './weighted.ts';

/**
 * Checks the part of an `InteriorProof` that needs doubles, and returns what is false, or null. With
 * zᵢ = yᵢ(xᵢ, 1)·D (see {@link WeightedExamples}), M = Σ nᵢzᵢzᵢᵀ and r = Σ nᵢzᵢ, the numbers
 *
 *   n'ᵢ = nᵢ(1 − zᵢ·M⁻¹r)
 *
 * satisfy Σ n'ᵢzᵢ = r − M·M⁻¹r = 0, and are positive if max‖zᵢ‖ · ‖r‖ < λ, where λ > 0 is at most the least eigenvalue
 * of M, because |zᵢ·M⁻¹r| ≤ ‖zᵢ‖·‖r‖/λ.
 *
 * @param leftOut features that are combinations of others for all examples with a weight.
 */
export async function interiorFault(
  { weights, leastEigenvalue: c }: { readonly weights: ArrayLike<number>; readonly leastEigenvalue: number },
  examples: SparseBatch,
  leftOut: ReadonlySet<number>,
  options?: Pick<FactorOptions, 'onBlock'>,
): Promise<string | null> {
  const own = new WeightedExamples(examples, weights, leftOut);
  if (own.rows === 0) return 'no example has a weight';
  const least = c - own.rounding;
  if (!(c <= 1 && least > 0)) return 'leastEigenvalue is not above the rounding of the sums, or above 1';
  if (!(own.residual() < least)) return 'the weighted examples do not nearly cancel';
  if (!(await factor(await own.matrix(c, options), own.features.length, options)))
    return 'leastEigenvalue is not proved: the matrix less its multiple of 1 has a pivot that is not positive';
  return null;
}
