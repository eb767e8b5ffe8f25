/**
 * The Cholesky factor R of affinely independent points v₁ … vₖ; it gives the point of their affine hull that is nearest
 * to the origin.
 *
 * RᵀR = G + s·eeᵀ with G = (vᵢ·vⱼ) and e = (1, …, 1). For Σαᵢ = 1, ‖Σαᵢvᵢ‖² = αᵀ(G + s·eeᵀ)α − s. So the minimum is at
 * α = u / Σu with RᵀR u = e, for every s > 0. Source: Wolfe 1976, "Finding the nearest point in a polytope", section 3.
 * R is updated when a point is added or removed (Golub & Van Loan, section 6.5).
 */
export class Corral {
  /** The shift s, of the order of the ‖vᵢ‖². */
  readonly shift: number;
  /** The columns of R; column i has i + 1 numbers. */
  readonly #columns: Float64Array[] = [];

  constructor(shift: number) {
    this.shift = shift;
  }

  get size(): number {
    return this.#columns.length;
  }

  /**
   * Adds a point v with (√s, v) = Σ aᵢ(√s, vᵢ) + r, where the residual r is orthogonal to all (√s, vᵢ). The caller
   * computes r itself: from inner products alone, an r shorter than 10⁻⁸‖v‖ could not be told from rounding.
   *
   * @param coefficients aᵢ. @param square ‖r‖², above 0.
   */
  add(coefficients: Float64Array, square: number): void {
    const k = this.size;
    const column = new Float64Array(k + 1);
    for (let l = 0; l < k; l++) {
      const other = this.#columns[l]!;
      for (let i = 0; i <= l; i++) column[i]! += other[i]! * coefficients[l]!;
    }
    column[k] = Math.sqrt(square);
    this.#columns.push(column);
  }

  /** Removes point j. */
  remove(j: number): void {
    const columns = this.#columns;
    columns.splice(j, 1);
    // Each column from j on has one number below the diagonal; a rotation removes it.
    for (let i = j; i < columns.length; i++) {
      const [a, b] = [columns[i]![i]!, columns[i]![i + 1]!];
      const length = Math.sqrt(a * a + b * b);
      const [c, s] = [a / length, b / length];
      for (let l = i; l < columns.length; l++) {
        const column = columns[l]!;
        const [upper, lower] = [column[i]!, column[i + 1]!];
        column[i] = c * upper + s * lower;
        column[i + 1] = c * lower - s * upper;
      }
      columns[i] = columns[i]!.slice(0, i + 1);
    }
  }

  /** Solves RᵀR u = v in place; `v` has `size` numbers. */
  solve(v: Float64Array): void {
    const columns = this.#columns;
    const k = this.size;
    this.#solveTransposed(v, k);
    for (let i = k - 1; i >= 0; i--) {
      const column = columns[i]!;
      v[i]! /= column[i]!;
      for (let l = 0; l < i; l++) v[l]! -= column[l]! * v[i]!;
    }
  }

  #solveTransposed(v: Float64Array, k: number): void {
    for (let i = 0; i < k; i++) {
      const column = this.#columns[i]!;
      let sum = v[i]!;
      for (let l = 0; l < i; l++) sum -= column[l]! * v[l]!;
      v[i] = sum / column[i]!;
    }
  }
}
