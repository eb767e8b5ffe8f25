import type { KernelFunction } from './kernel-function.ts';
import type { SupportData } from './support-rows.ts';

/**
 * The way to compute a score from the vectors v₀ = 0 and vₖ after the k-th mistake, where vₖ survived the importance
 * cₖ:
 *   last      v_M·x, by the vector after all mistakes
 *   averaged  Σ cₖ (vₖ·x) / Σ cₖ
 *   voted     Σ cₖ sgn(vₖ·x) / Σ cₖ with sgn(0) = 0: the share of the votes, in [−1, 1]
 */
export type Aggregate = 'last' | 'averaged' | 'voted';

export const aggregates: readonly Aggregate[] = ['last', 'averaged', 'voted'];

/**
 * A classifier in dual form, as plain data: vₖ = Σ_{j ≤ k} αⱼ φ(xⱼ) over the mistakes in their order, where φ is the
 * feature map of the kernel. A row occurs in `rows` once for each of its nᵢ mistakes.
 */
export interface DualFunction {
  readonly kernel: KernelFunction;
  readonly aggregate: Aggregate;
  /** c ≥ 0: value of the constant feature of every x; 0 for no bias. */
  readonly biasConstant: number;
  /** Number above 0 by which every x is divided; `support` holds quotients already. */
  readonly divisor: number;
  /** The distinct rows of the mistakes, in the order of their first mistakes. */
  readonly support: SupportData;
  /** Row of `support` for each mistake, in order. */
  readonly rows: Uint32Array;
  /** αⱼ for each mistake: label times importance. */
  readonly coefficients: Float64Array;
  /**
   * cₖ for v₀ and each vₖ, one more than there are mistakes: the importance of the examples shown while vₖ was the
   * current vector, including the example that created it. Empty if only the last vector is known, for example after a
   * budget removed mistakes.
   */
  readonly survivals: Float64Array;
}

/** A support row with the number of its mistakes. */
interface CountedRow {
  /** Row of `support`. */
  readonly row: number;
  /** nᵢ: its number of mistakes. */
  readonly mistakes: number;
  /** Sum of its coefficients. */
  readonly coefficient: number;
}

/** Returns the rows with the most mistakes; of equal ones the first. @param top largest number of rows. */
export function mostMistaken({ rows, coefficients, support }: DualFunction, top = Infinity): CountedRow[] {
  const counted = Array.from({ length: support.offsets.length - 1 }, (_, row) => ({
    row,
    mistakes: 0,
    coefficient: 0,
  }));
  rows.forEach((row, k) => {
    counted[row]!.mistakes++;
    counted[row]!.coefficient += coefficients[k]!;
  });
  return counted.sort((a, b) => b.mistakes - a.mistakes || a.row - b.row).slice(0, top);
}
