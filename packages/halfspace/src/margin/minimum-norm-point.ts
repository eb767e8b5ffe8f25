/**
 * The point of a polytope that is nearest to the origin, by Wolfe's algorithm.
 *
 * Objective: minimise ‖p‖ over p in the convex hull of the vertices. These are z = y·(x, c) of examples; or, with `pairs`, all sums z₊ + z₋
 * of one of either class, that is the differences x₊ − x₋, so that the hull is that of all differences, and ‖p‖ the distance of the classes.
 * Symbols: p = Σ λᵢvᵢ over the corral v₁ … vₖ, λᵢ > 0, Σ λᵢ = 1; α the same for the nearest point of the affine hull.
 * Step: the vertex v of least v·p enters the corral unless v·p ≥ ‖p‖², which ends it. Then, as long as some αᵢ ≤ 0, go from λ towards α to
 * where a first λᵢ is 0, and drop that vᵢ.
 * Source: Wolfe 1976, "Finding the nearest point in a polytope". We differ: α is corrected once by what v·p shows (iterative refinement).
 */
import { Corral } from './corral.ts';
import type { WorkingRows } from './working-rows.ts';

/** A vertex: the rows whose z it is the sum of, one or two. */
type Vertex = readonly number[];

/** λ below this counts as 0. */
const negligible = 1e-14;

export class MinimumNormPoint {
  readonly #rows: WorkingRows;
  readonly #pairs: boolean;
  readonly #corral: Corral;
  #vertices: Vertex[] = [];
  #lambda: number[] = [];
  /** p, of `rows.components` numbers; changed by {@link descend}. */
  readonly point: Float64Array;

  /** @param size about ‖z‖² of the longest row. */
  constructor(rows: WorkingRows, pairs: boolean, size: number) {
    this.#rows = rows;
    this.#pairs = pairs;
    this.#corral = new Corral(size);
    this.point = new Float64Array(rows.components);
  }

  /** Rows of the corral, and what each counts in p: p = Σ weight·z. The sum over rows of one class is 1, or over all without pairs. */
  combination(): Map<number, number> {
    const weights = new Map<number, number>();
    this.#vertices.forEach((vertex, i) => {
      for (const row of vertex) weights.set(row, (weights.get(row) ?? 0) + this.#lambda[i]!);
    });
    return weights;
  }

  /** Goes on to the nearest point of the hull of the rows there are, as near as rounding allows. @param gap relative, of ‖p‖². */
  descend(gap: number): void {
    // Every step that rounding does not spoil makes p shorter, and there are finitely many corrals; the limit is for the others.
    for (let step = 0; step < 50 * (this.#rows.length + 10); step++) {
      const vertex = this.#lowest();
      if (vertex === null) return;
      const square = dot(this.point, this.point);
      if (this.#corral.size > 0 && this.#times(vertex, this.point) >= square * (1 - gap)) return;
      if (this.#vertices.some((each) => each.every((row, i) => row === vertex[i])) || !this.#enter(vertex)) return;
      this.#settle();
    }
  }

  /** Drops all rows that the point does not need. */
  forget(): void {
    const needed = [...new Set(this.#vertices.flat())];
    const places = new Map(needed.map((row, i) => [row, i]));
    this.#vertices = this.#vertices.map((vertex) => vertex.map((row) => places.get(row)!));
    this.#rows.keep(needed);
  }

  /** The vertex of least v·p. */
  #lowest(): Vertex | null {
    const best = [-1, -1];
    const least = [Infinity, Infinity];
    for (let r = 0; r < this.#rows.length; r++) {
      const side = this.#pairs && this.#rows.labels[r]! < 0 ? 1 : 0;
      const product = this.#rows.dot(r, this.point);
      if (product < least[side]!) [least[side], best[side]] = [product, r];
    }
    const vertex = this.#pairs ? best : best.slice(0, 1);
    return vertex.includes(-1) ? null : vertex;
  }

  #times(vertex: Vertex, v: Float64Array): number {
    let sum = 0;
    for (const row of vertex) sum += this.#rows.dot(row, v);
    return sum;
  }

  #enter(vertex: Vertex): boolean {
    const z = new Float64Array(this.point.length);
    for (const row of vertex) this.#rows.addTo(z, row, 1);
    const products = Float64Array.from(this.#vertices, (each) => this.#times(each, z));
    if (!this.#corral.add(products, dot(z, z))) return false;
    this.#lambda.push(this.#vertices.length === 0 ? 1 : 0);
    this.#vertices.push(vertex);
    return true;
  }

  /** Makes p the nearest point of a corral whose affine hull has it inside. */
  #settle(): void {
    for (;;) {
      const alpha = this.#affine();
      if (alpha.every((each) => each > negligible)) {
        this.#lambda = [...alpha];
        this.#place(alpha);
        return;
      }
      let theta = 1;
      for (let i = 0; i < alpha.length; i++) {
        const [l, a] = [this.#lambda[i]!, alpha[i]!];
        if (a <= negligible && l > a) theta = Math.min(theta, l / (l - a));
      }
      this.#lambda = this.#lambda.map((l, i) => (1 - theta) * l + theta * alpha[i]!);
      const least = this.#lambda.indexOf(Math.min(...this.#lambda));
      for (let i = this.#lambda.length - 1; i >= 0; i--)
        if (i === least || this.#lambda[i]! <= negligible) this.#drop(i);
    }
  }

  #drop(i: number): void {
    this.#corral.remove(i);
    this.#vertices.splice(i, 1);
    this.#lambda.splice(i, 1);
  }

  /** α of the corral, once refined. */
  #affine(): Float64Array {
    const u = new Float64Array(this.#corral.size).fill(1);
    this.#corral.solve(u);
    const total = sum(u);
    const alpha = u.map((each) => each / total);
    this.#place(alpha);
    // At the nearest point all vᵢ·p are equal. What is left of differences is a right side for a correction of sum 0.
    const correction = Float64Array.from(this.#vertices, (vertex) => this.#times(vertex, this.point));
    const mean = sum(correction) / correction.length;
    for (let i = 0; i < correction.length; i++) correction[i]! -= mean;
    this.#corral.solve(correction);
    const shift = sum(correction) / total;
    const refined = alpha.map((each, i) => each - correction[i]! + shift * u[i]!);
    const refinedTotal = sum(refined);
    return refined.map((each) => each / refinedTotal);
  }

  #place(weights: ArrayLike<number>): void {
    this.point.fill(0);
    this.#vertices.forEach((vertex, i) => {
      for (const row of vertex) this.#rows.addTo(this.point, row, weights[i]!);
    });
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let j = 0; j < a.length; j++) total += a[j]! * b[j]!;
  return total;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}
