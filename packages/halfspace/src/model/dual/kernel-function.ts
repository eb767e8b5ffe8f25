import { exponential } from '../../kernels/exponential.ts';

/**
 * A kernel function (Mercer's; not the hot loops of kernels/): an inner product after a feature map that is never
 * computed. With z = x·x' + c², the inner product of rows that include the constant feature c of the bias:
 *   linear      K = z
 *   polynomial  K = (γ·z + coef0)^degree
 *   rbf         K = exp(−γ·‖x − x'‖²); the constant feature cancels
 * Freund & Schapire's (1 + x·x')^d is `polynomial` with c = 1, γ = 1 and coef0 = 0.
 */
export type KernelFunction =
  | { readonly kind: 'linear' }
  | {
      readonly kind: 'polynomial';
      /** Whole number in [1, 32]. */
      readonly degree: number;
      /** γ > 0. */
      readonly gamma: number;
      /** In [0, ∞), so that K is a kernel. */
      readonly coef0: number;
    }
  | {
      readonly kind: 'rbf';
      /** γ > 0. */
      readonly gamma: number;
    };

/** The largest degree of a polynomial kernel. */
export const largestDegree = 32;

/** Squared lengths, for distances: ‖x − x'‖² = ‖x‖² + ‖x'‖² − 2 x·x'. */
interface SquaredNorms {
  /** Of the stored rows. */
  readonly rows: Float64Array;
  /** Of the current row. */
  readonly point: number;
}

/**
 * Replaces `values[j]` = xⱼ·x' by K(xⱼ, x') for j in [0, count). Powers are repeated products, left to right.
 *
 * @param biasConstant c ≥ 0.
 */
export function applyKernel(
  kernel: KernelFunction,
  values: Float64Array,
  { count, biasConstant, norms }: { count: number; biasConstant: number; norms: SquaredNorms },
): void {
  if (kernel.kind === 'rbf') {
    const { gamma } = kernel;
    const { rows, point } = norms;
    // Rounding can make a squared distance slightly negative.
    for (let j = 0; j < count; j++) values[j] = exponential(-gamma * Math.max(0, rows[j]! + point - 2 * values[j]!));
    return;
  }
  const square = biasConstant * biasConstant;
  for (let j = 0; j < count; j++) values[j]! += square;
  if (kernel.kind === 'linear') return;
  const { degree, gamma, coef0 } = kernel;
  for (let j = 0; j < count; j++) {
    const base = gamma * values[j]! + coef0;
    let power = base;
    for (let n = 1; n < degree; n++) power *= base;
    values[j] = power;
  }
}
