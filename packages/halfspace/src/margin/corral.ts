/**
 * The triangular factor of affinely independent points v₁ … vₖ, for the point of their affine hull that is nearest to the origin.
 *
 * RᵀR = G + s·eeᵀ with G = (vᵢ·vⱼ) and e = (1, …, 1). Where Σαᵢ = 1, ‖Σαᵢvᵢ‖² = αᵀ(G + s·eeᵀ)α − s, so the least one is
 * α = u / Σu for RᵀR u = e, whatever s > 0.
 * Source: Wolfe 1976, "Finding the nearest point in a polytope", section 3; the factor is changed, not made anew, when a point comes or
 * goes (Golub & Van Loan, section 6.5).
 */
export class Corral {
  /** s, about the size of the ‖vᵢ‖². */
  readonly shift: number;
  /** Column i of R has i + 1 numbers. */
  readonly #columns: Float64Array[] = [];

  constructor(shift: number) {
    this.shift = shift;
  }

  get size(): number {
    return this.#columns.length;
  }

  /**
   * Adds a point v, given as (√s, v) = Σ aᵢ(√s, vᵢ) + a rest that is orthogonal to all (√s, vᵢ). From products alone the rest could not be told from
   * rounding once it is shorter than 10⁻⁸ of v; from itself it can.
   *
   * @param coefficients aᵢ. @param square the rest's length, squared: above 0.
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

  /** Takes point j away. */
  remove(j: number): void {
    const columns = this.#columns;
    columns.splice(j, 1);
    // From column j on there is one number too many below the diagonal: a rotation for each takes it away.
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

  /** Solves RᵀR u = v in place; `v` has the corral's size. */
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
