import type { SparseBatch } from 'halfspace/rules';
import { factor, rowAt } from '../interior/cholesky.ts';
import { WeightedExamples } from '../interior/weighted.ts';

/** A pivot below this means that a feature is a combination of those before it. The diagonal is about 1. */
const dependent = 1e-14;

/**
 * Solves Σ cᵢzᵢzᵢᵀ·u = g with zᵢ = yᵢ(xᵢ, 1), by a Cholesky factorisation. A feature that is a combination of those
 * before it gets 0.
 *
 * @param c numbers ≥ 0, one for each example.
 * @param g one number for each feature, and the last one for the constant. Takes the solution.
 * @param onBlock as in `FactorOptions`.
 * @throws RangeError if numbers are too far apart, or if the matrix does not fit into memory.
 */
export async function solveNormalEquations(
  examples: SparseBatch,
  c: Float64Array,
  g: Float64Array,
  onBlock: (share: number) => void | Promise<void>,
): Promise<void> {
  const own = new WeightedExamples(examples, c);
  const { features } = own;
  const size = features.length;
  const memory = await own.matrix(0, { onBlock });
  await factor(memory, size, { floor: dependent, leftOut: () => {}, onBlock });
  const { numbers: l } = memory;
  const v = Float64Array.from(features, (j, k) => g[j]! * own.scaleOf(k));
  for (let k = 0; k < size; k++) {
    const row = rowAt(k);
    let rest = v[k]!;
    for (let j = 0; j < k; j++) rest -= l[row + j]! * v[j]!;
    v[k] = rest / l[row + k]!;
  }
  for (let k = size - 1; k >= 0; k--) {
    const row = rowAt(k);
    v[k]! /= l[row + k]!;
    for (let j = 0; j < k; j++) v[j]! -= l[row + j]! * v[k]!;
  }
  g.fill(0);
  features.forEach((j, k) => {
    g[j] = v[k]! * own.scaleOf(k);
  });
}
