/**
 * Finds the point of a polytope that is nearest to the origin, by Wolfe's algorithm.
 *
 * Objective: minimise ‖p‖ over the convex hull of the vertices. A vertex is z = y·(x, c) of an example. With `pairs` it
 * is z₊ + z₋ for one example of each class, that is x₊ − x₋; ‖p‖ is then the distance between the classes' hulls.
 * Symbols: p = Σ λᵢvᵢ over the corral v₁ … vₖ, λᵢ > 0, Σ λᵢ = 1; α: the same for the nearest point of the affine hull.
 * Step: stop if v·p ≥ ‖p‖² for all vertices v; else the vertex of least v·p enters the corral. While some αᵢ ≤ 0, move
 * from λ towards α until a first λᵢ is 0, and drop that vᵢ. Source: Wolfe 1976, "Finding the nearest point in a
 * polytope". Difference: α is corrected by the v·p (iterative refinement).
 */
import { Corral } from './corral.ts';
import type { WorkingRows } from './working-rows.ts';

/** A vertex: one or two rows, whose z it is the sum of. */
type Vertex = readonly number[];

/** Coefficients λ below this count as 0. */
const negligible = 1e-14;

/** A squared residual below this share of the squared vertex is rounding: the vertex is dependent. */
const dependent = 1e-28;

/** Number of steps without progress, in a row, after which the search ends. */
const patience = 20;

/** Multiplications of one call of the descent: about 0.1 s. */
const slice = 1e8;

export class MinimumNormPoint {
  readonly #rows: WorkingRows;
  readonly #pairs: boolean;
  readonly #corral: Corral;
  #vertices: Vertex[] = [];
  #lambda: number[] = [];
  /** Steps without progress, in a row, of the current descent. */
  #idle = 0;
  /** The shortest p so far. */
  #shortest: { readonly vertices: readonly Vertex[]; readonly lambda: readonly number[]; readonly square: number } = {
    vertices: [],
    lambda: [],
    square: Infinity,
  };
  /** The current p, of `rows.components` numbers; {@link descend} changes it. */
  readonly point: Float64Array;

  /** @param size about ‖z‖² of the longest row. */
  constructor(rows: WorkingRows, pairs: boolean, size: number) {
    this.#rows = rows;
    this.#pairs = pairs;
    this.#corral = new Corral(size);
    this.point = new Float64Array(rows.components);
  }

  /** ‖p‖ of the shortest p so far; ∞ before the first. */
  get length(): number {
    return Math.sqrt(this.#shortest.square);
  }

  /** Returns the rows and weights of the shortest p = Σ weight·z. The weights sum to 1, with pairs in each class. */
  combination(): Map<number, number> {
    const { vertices, lambda } = this.#shortest;
    const weights = new Map<number, number>();
    vertices.forEach((vertex, i) => {
      for (const row of vertex) weights.set(row, (weights.get(row) ?? 0) + lambda[i]!);
    });
    return weights;
  }

  /**
   * Moves to the nearest point of the hull, as far as rounding allows. Returns false if that needs another call, which
   * goes on where this one ended: a call does about {@link slice} multiplications.
   *
   * @param gap relative, of ‖p‖².
   */
  descend(gap: number): boolean {
    for (let work = 0; work < slice; work += this.#stepWork()) {
      if (this.#step(gap)) continue;
      this.#idle = 0;
      return true;
    }
    return false;
  }

  /** Adds the lowest vertex to the corral. Returns false if the descent is over. */
  #step(gap: number): boolean {
    const vertex = this.#lowest();
    if (vertex === null) return false;
    const square = dot(this.point, this.point);
    if (this.#corral.size > 0 && this.#times(vertex, this.point) >= square * (1 - gap)) return false;
    if (this.#vertices.some((each) => each.every((row, i) => row === vertex[i])) || !this.#enter(vertex)) return false;
    this.#settle();
    const reached = dot(this.point, this.point);
    // Every exact step makes p shorter. If rounding prevents it, a few more steps may help.
    if (reached >= this.#shortest.square) return ++this.#idle <= patience;
    this.#idle = 0;
    this.#shortest = { vertices: [...this.#vertices], lambda: [...this.#lambda], square: reached };
    return true;
  }

  /** Returns about how many multiplications a step takes. */
  #stepWork(): number {
    const { size } = this.#corral;
    return this.point.length * (this.#rows.length + 16 * size) + 8 * size * size;
  }

  /** Drops all rows that the current and the shortest point do not use. */
  forget(): void {
    const needed = [...new Set([...this.#vertices, ...this.#shortest.vertices].flat())];
    const places = new Map(needed.map((row, i) => [row, i]));
    const moved = (vertices: readonly Vertex[]) => vertices.map((vertex) => vertex.map((row) => places.get(row)!));
    this.#vertices = moved(this.#vertices);
    this.#shortest = { ...this.#shortest, vertices: moved(this.#shortest.vertices) };
    this.#rows.keep(needed);
  }

  /** Returns the vertex of least v·p. */
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

  /**
   * Adds a vertex to the corral. @returns false if it is affinely dependent on the others, up to rounding.
   *
   * The residual of (√s, v) is projected twice by the factor: corrected seminormal equations (Björck 1987).
   */
  #enter(vertex: Vertex): boolean {
    const { shift, size } = this.#corral;
    const z = new Float64Array(this.point.length);
    for (const row of vertex) this.#rows.addTo(z, row, 1);
    const rest = z.slice();
    let lifted = 1;
    const coefficients = new Float64Array(size);
    for (let round = 0; round < 2 && size > 0; round++) {
      const change = Float64Array.from(this.#vertices, (each) => this.#times(each, rest) + shift * lifted);
      this.#corral.solve(change);
      change.forEach((each, i) => {
        coefficients[i]! += each;
        lifted -= each;
        for (const row of this.#vertices[i]!) this.#rows.addTo(rest, row, -each);
      });
    }
    const square = dot(rest, rest) + shift * lifted * lifted;
    if (!(square > dependent * (dot(z, z) + shift))) return false;
    this.#corral.add(coefficients, square);
    this.#lambda.push(this.#vertices.length === 0 ? 1 : 0);
    this.#vertices.push(vertex);
    return true;
  }

  /** Shrinks the corral until the nearest point of its affine hull is inside its convex hull, and moves p there. */
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

  /** Returns α of the corral, refined. */
  #affine(): Float64Array {
    const u = new Float64Array(this.#corral.size).fill(1);
    this.#corral.solve(u);
    const total = sum(u);
    let alpha = u.map((each) => each / total);
    let before = Infinity;
    for (let round = 0; round < 4; round++) {
      this.#place(alpha);
      // At the nearest point all vᵢ·p are equal. Their deviations are the right side of a correction with sum 0.
      const correction = Float64Array.from(this.#vertices, (vertex) => this.#times(vertex, this.point));
      const mean = sum(correction) / correction.length;
      let largest = 0;
      for (let i = 0; i < correction.length; i++) {
        correction[i]! -= mean;
        largest = Math.max(largest, Math.abs(correction[i]!));
      }
      if (!(largest < before / 2)) break;
      before = largest;
      this.#corral.solve(correction);
      const shift = sum(correction) / total;
      const refined = alpha.map((each, i) => each - correction[i]! + shift * u[i]!);
      const refinedTotal = sum(refined);
      alpha = refined.map((each) => each / refinedTotal);
    }
    return alpha;
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
