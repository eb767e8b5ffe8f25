/**
 * Finds the separator of the largest margin, between two proved bounds.
 *
 * Objective: γ* = max over hyperplanes of the geometric margin min y(w·x + b)/‖w‖. Without `pairs`: hyperplanes through
 * the origin on (x, c), min y(w·x + b·c)/‖(w, b)‖. γ* = 0 if no hyperplane separates. Dual: γ* is the distance of the
 * origin from the convex hull of all z = y(x, c); with a separate bias, half the distance between the hulls of the
 * classes. So margin of any hyperplane ≤ γ* ≤ length of any point of that hull. Method: cutting planes. Find the
 * nearest point of the hull of a working set (minimum-norm-point.ts); find the examples with the lowest scores in a
 * pass and add them; repeat until none is lower than the gap allows. Memory: the weights and the working set. Source:
 * Wolfe 1976; Bennett & Bredensteiner 2000 for the duality; Kelley for cutting planes.
 */
import type { StoredBatch } from '../batch.ts';
import type { ReadableStore } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { checkGap } from './bracket.ts';
import { ExactSum } from './dyadic.ts';
import { LeastMargin } from './least-margin.ts';
import { MinimumNormPoint } from './minimum-norm-point.ts';
import { measureRadius } from './radius.ts';
import { roundedDown, roundedUp, roundoff } from './rounding.ts';
import { WorkingRows } from './working-rows.ts';

export interface MaximumMarginOptions {
  /** `absorbed`: margins of (x, c); `separate`: of x, with a free bias; `none`: without bias. Default `separate`. */
  readonly bias?: 'absorbed' | 'separate' | 'none' | undefined;
  /** The constant c of an absorbed bias. Default 1. */
  readonly biasConstant?: number | undefined;
  /** The target for (upper − lower) / upper, in (0, 1). Default 10⁻⁶. */
  readonly gap?: number | undefined;
  /** Maximum number of passes over the examples, from 1. Default 10,000. */
  readonly passes?: number | undefined;
  /** The search ends, with its bounds, above this number of support vectors; a step takes its square. Default 2,000. */
  readonly support?: number | undefined;
}

export interface MaximumMargin {
  /** Weights of the separator, one per feature, and its bias. Not normalised; all 0 if none was found. */
  readonly weights: Float64Array;
  readonly bias: number;
  /** The separator's margin, rounded down, so ≤ γ*; 0 if none was found. In the units of x. */
  readonly lower: number;
  /** The length of a point of the hull, rounded up, so ≥ γ*. 0 proves that no hyperplane separates. */
  readonly upper: number;
  /** (upper − lower) / upper; 0 if both are 0. */
  readonly gap: number;
  /** True: `weights` separate. False: proved that no hyperplane does. Null: undecided. */
  readonly separable: boolean | null;
  /** Number of examples that form the hull's point; if the gap is small, these are the support vectors. */
  readonly support: number;
  /** The shortest point found; of no examples if none were read. */
  readonly nearest: HullPoint;
  /** Number of passes over the examples. */
  readonly passes: number;
}

/** The point Σ weightᵢ·yᵢ(xᵢ, c). Weights sum to 1; with a separate bias those of each class do, and γ* ≤ length/2. */
export interface HullPoint {
  /** Positions of the examples in the source, from 0, rising. */
  readonly examples: Uint32Array;
  /** The weight of each, above 0. */
  readonly weights: Float64Array;
}

/** Maximum number of examples that a pass adds; with pairs, per class. */
const added = 64;

/** Maximum number of terms that are summed exactly. */
const mostExact = 2_000_000;

/**
 * Computes the {@link MaximumMargin} of stored examples of both classes, with labels −1 and +1; importance is ignored.
 *
 * @throws HalfspaceError `option-invalid`, `memory-exhausted`.
 */
export function maximumMargin(
  store: ReadableStore,
  kernels: Kernels,
  options: MaximumMarginOptions = {},
): MaximumMargin {
  const search = new MarginSearch(store, kernels, options);
  try {
    while (search.step());
    return search.result();
  } finally {
    search.free();
  }
}

/** Runs {@link maximumMargin} step by step, for callers that act in between or end it early. */
export class MarginSearch {
  readonly #store: ReadableStore;
  readonly #kernels: Kernels;
  readonly #pairs: boolean;
  readonly #constant: number;
  readonly #gap: number;
  readonly #mostPasses: number;
  readonly #mostSupport: number;
  readonly #rows: WorkingRows;
  readonly #nearest: MinimumNormPoint;
  readonly #radius: number;
  readonly #weights: Block<Float64Array>;
  #scores = new Float64Array(0);
  /** The best separator so far, and its margin by the rounded scores. */
  #best: { readonly point: Float64Array; readonly bias: number; readonly margin: number } | null = null;
  #length = Infinity;
  #passes = 0;
  /** The search among the added examples is not over. */
  #descending = false;

  /** @param store must not change until the search ends. */
  constructor(store: ReadableStore, kernels: Kernels, options: MaximumMarginOptions = {}) {
    const { bias = 'separate', biasConstant = 1, gap = 1e-6, passes = 10_000, support = 2000 } = options;
    checkGap('gap', gap);
    for (const [name, value] of Object.entries({ passes, support }))
      if (!Number.isSafeInteger(value) || value < 1)
        throw new HalfspaceError('option-invalid', `${name} must be a whole number from 1; got ${value}`);
    this.#store = store;
    this.#kernels = kernels;
    this.#pairs = bias === 'separate';
    this.#constant = bias === 'absorbed' ? biasConstant : 0;
    this.#gap = gap;
    this.#mostPasses = passes;
    this.#mostSupport = support;
    this.#rows = new WorkingRows(store.dimension, this.#constant);
    this.#radius = measureRadius(store, kernels, this.#constant);
    this.#nearest = new MinimumNormPoint(this.#rows, this.#pairs, (this.#pairs ? 4 : 1) * this.#radius ** 2);
    this.#weights = kernels.float64(store.dimension);
  }

  /** The bounds so far, by the rounded scores: not rounded to the safe side. */
  get bracket(): { readonly lower: number; readonly upper: number } {
    return { lower: Math.max(0, this.#best?.margin ?? 0), upper: Math.min(this.#radius, this.#length) };
  }

  get passes(): number {
    return this.#passes;
  }

  /**
   * Makes one pass over the examples, or a part of the long search among those that passes have added.
   *
   * @returns true if another step may improve the bounds.
   */
  step(): boolean {
    if (!this.#descending && !this.#addLowest()) return false;
    // More precise than the caller asks, so that the working set is not the limit.
    this.#descending = !this.#nearest.descend(Math.min(1e-12, this.#gap / 100));
    if (this.#descending) return true;
    const before = this.#length;
    this.#length = this.#nearest.length / (this.#pairs ? 2 : 1);
    if (this.#rows.length > 2048 + 4 * this.#nearest.combination().size) this.#nearest.forget();
    // False: the point is as near as rounding allows, or is the origin.
    return this.#length < before * (1 - 1e-15) && this.#length > 1e-15 * this.#radius;
  }

  /** Makes a pass and adds the lowest examples. Returns false if the search is over. */
  #addLowest(): boolean {
    if (this.#passes === this.#mostPasses || this.#nearest.combination().size > this.#mostSupport) return false;
    const lowest = this.#look();
    this.#passes++;
    const { lower, upper } = this.bracket;
    if (this.#passes > 1 && upper - lower <= (this.#gap / 2) * upper) return false;
    let more = false;
    for (const { batch, row, number } of this.#found(lowest)) more = this.#rows.add(batch, row, number) || more;
    return more;
  }

  /** Returns the proved bounds of the best separator so far; needs one more pass. */
  result(): MaximumMargin {
    const { dimension } = this.#rows;
    const lower = this.#provedLower();
    const upper = Math.max(lower, Math.min(roundedUp(this.#radius, dimension), this.#provedUpper()));
    const weights = lower > 0 ? this.#best!.point.slice(0, dimension) : new Float64Array(dimension);
    return {
      weights,
      bias: lower > 0 ? this.#best!.bias : 0,
      lower,
      upper,
      gap: upper === 0 ? 0 : (upper - lower) / upper,
      separable: lower > 0 ? true : upper === 0 ? false : null,
      support: this.#nearest.combination().size,
      nearest: this.#point(),
      passes: this.#passes,
    };
  }

  free(): void {
    this.#weights.free();
  }

  #point(): HullPoint {
    const parts = Array.from(this.#nearest.combination(), ([row, weight]) => ({ at: this.#rows.number(row), weight }));
    const kept = parts.filter(({ weight }) => weight > 0).sort((a, b) => a.at - b.at);
    return {
      examples: Uint32Array.from(kept, ({ at }) => at),
      weights: Float64Array.from(kept, ({ weight }) => weight),
    };
  }

  /** Scores all examples by the current point; keeps the best. @returns the lowest examples, with pairs by class. */
  #look(): Lowest[] {
    const { point } = this.#nearest;
    const classes = this.#pairs ? [new Lowest(), new Lowest()] : [new Lowest()];
    this.#weights.array.set(point.subarray(0, this.#rows.dimension));
    const bias = this.#constant === 0 ? 0 : point[this.#rows.dimension]!;
    let first = 0;
    for (let c = 0; c < this.#store.chunks; c++) {
      const batch = this.#store.load(c);
      this.#score(batch, bias);
      for (let i = 0; i < batch.rows; i++) {
        const y = batch.labels[i]!;
        classes[this.#pairs && y < 0 ? 1 : 0]!.offer(first + i, y * this.#scores[i]!);
      }
      first += batch.rows;
    }
    const norm = this.#norm();
    if (norm > 0) {
      const [positive, negative] = [classes[0]!.least, classes.at(-1)!.least];
      const margin = (this.#pairs ? (positive + negative) / 2 : positive) / norm;
      if (margin > (this.#best?.margin ?? -Infinity))
        this.#best = { point: point.slice(), bias: this.#pairs ? (negative - positive) / 2 : bias, margin };
    }
    return classes;
  }

  #score(batch: StoredBatch, bias: number): void {
    if (this.#scores.length < batch.rows) this.#scores = new Float64Array(batch.rows);
    this.#kernels.scoreInto(batch, this.#weights, bias, this.#pairs ? 1 : this.#constant, this.#scores);
  }

  /** Yields the given examples as rows of batches. */
  *#found(lowest: readonly Lowest[]): Generator<{ batch: StoredBatch; row: number; number: number }> {
    const numbers = lowest.flatMap((each) => each.numbers).sort((a, b) => a - b);
    let first = 0;
    let at = 0;
    for (let c = 0; c < this.#store.chunks && at < numbers.length; c++) {
      const batch = this.#store.load(c);
      for (; at < numbers.length && numbers[at]! < first + batch.rows; at++)
        yield { batch, row: numbers[at]! - first, number: numbers[at]! };
      first += batch.rows;
    }
  }

  /** Returns ‖p‖. */
  #norm(): number {
    return Math.sqrt(this.#nearest.point.reduce((sum, component) => sum + component * component, 0));
  }

  #provedLower(): number {
    const best = this.#best;
    if (best === null || !(best.margin > -Infinity)) return 0;
    const { dimension } = this.#rows;
    const weights = best.point.slice(0, dimension);
    this.#weights.array.set(weights);
    const squares = weights.reduce((sum, w) => sum + w * w, 0);
    const least = new LeastMargin(weights, best.bias, this.#pairs ? 1 : this.#constant, Math.sqrt(squares));
    let norms = new Float64Array(0);
    for (let c = 0; c < this.#store.chunks; c++) {
      const batch = this.#store.load(c);
      if (norms.length < batch.rows) norms = new Float64Array(batch.rows);
      this.#score(batch, best.bias);
      this.#kernels.squaredNormsInto(batch, norms);
      least.add(batch, this.#scores, norms);
    }
    const length = Math.sqrt(squares + (this.#constant === 0 ? 0 : best.bias ** 2));
    return length > 0 && least.value > 0 ? roundedDown(least.value / length, dimension) : 0;
  }

  /** Returns the length of the shortest point, rounded up. Sums exactly if there are few terms. */
  #provedUpper(): number {
    const weights = this.#nearest.combination();
    const parts = this.#pairs ? 2 : 1;
    if (weights.size === 0) return this.#radius;
    let terms = 0;
    for (const row of weights.keys()) this.#rows.each(row, () => terms++);
    const { dimension } = this.#rows;
    if (terms > mostExact)
      // |error of a sum of n products| ≤ n·2⁻⁵³·Σ|terms|; the λ sum to 1 within the same error.
      return roundedUp(this.#nearest.length / parts + 4 * (weights.size + 3) * roundoff * this.#radius, dimension);
    const sums = new Map<number, ExactSum>();
    // With pairs, the weights of both classes have equal sums up to rounding. The difference is added to the bound.
    const totals = new Map<number, number>();
    for (const [row, weight] of weights) {
      const y = this.#pairs ? this.#rows.labels[row]! : 1;
      totals.set(y, (totals.get(y) ?? 0) + weight);
      this.#rows.each(row, (component, value) => {
        if (!sums.has(component)) sums.set(component, new ExactSum());
        sums.get(component)!.addProduct(weight, value);
      });
    }
    if ([...sums.values()].every((sum) => sum.value.m === 0n) && this.#balanced(weights)) return 0;
    const components = Array.from(sums.values(), (sum) => sum.number);
    const length = Math.sqrt(components.reduce((sum, each) => sum + each * each, 0));
    const unbalanced = this.#pairs ? 4 * weights.size * roundoff * this.#radius : 0;
    return roundedUp((length + unbalanced) / parts / Math.min(...totals.values()), dimension + weights.size);
  }

  /** Tests if the weights of both classes have exactly equal sums, as the hull of differences requires. */
  #balanced(weights: ReadonlyMap<number, number>): boolean {
    if (!this.#pairs) return true;
    const sum = new ExactSum();
    for (const [row, weight] of weights) sum.addProduct(this.#rows.labels[row]!, weight);
    return sum.value.m === 0n;
  }
}

/** Keeps the numbers of the examples with the least scores; of equal scores, the first. */
class Lowest {
  readonly #kept: { number: number; score: number }[] = [];

  offer(number: number, score: number): void {
    const kept = this.#kept;
    if (kept.length === added && score >= kept.at(-1)!.score) return;
    let at = kept.length;
    while (at > 0 && kept[at - 1]!.score > score) at--;
    kept.splice(at, 0, { number, score });
    if (kept.length > added) kept.pop();
  }

  get least(): number {
    return this.#kept[0]?.score ?? Infinity;
  }

  get numbers(): number[] {
    return this.#kept.map(({ number }) => number);
  }
}
