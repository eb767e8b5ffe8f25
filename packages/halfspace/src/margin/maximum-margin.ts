/**
 * The separator of the largest margin, between two bounds.
 *
 * Objective: γ* = max over hyperplanes of their geometric margin, min y(w·x + b)/‖w‖; without `pairs` of (x, c) in place of x, through the origin,
 * min y(w·x + b·c)/‖(w, b)‖. Where no hyperplane separates, γ* is 0 here.
 * Dual: γ* is the distance of the hull of the z = y(x, c) from the origin; with a bias of its own, half the distance of the hulls of the two
 * classes. So every hyperplane's margin is at most γ*, and γ* at most the length of every point of that hull: a bracket, whoever found them.
 * Method: the nearest point of the hull of a working set (minimum-norm-point.ts); then a pass over the examples, which finds those that lie
 * lowest and adds them; until none is lower than the gap allows. Memory: the weights, and the working set.
 * Source: Wolfe 1976; Bennett & Bredensteiner 2000 for the duality; the cutting planes are Kelley's.
 */
import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
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
  /** As in training: `absorbed` margins are of (x, c), `separate` ones of x with a free bias, `none` through the origin. Default `separate`. */
  readonly bias?: 'absorbed' | 'separate' | 'none' | undefined;
  /** c of an absorbed bias. Default 1. */
  readonly biasConstant?: number | undefined;
  /** How far apart lower and upper may be, of the upper, in (0, 1). Default 10⁻⁶. */
  readonly gap?: number | undefined;
  /** The most passes over the examples, from 1. Default 10,000. */
  readonly passes?: number | undefined;
  /** Ends the search, with the bounds it has, once more support vectors than this are met; from 1. Steps take its square. Default 2,000. */
  readonly support?: number | undefined;
}

export interface MaximumMargin {
  /** The separator's weights, one a feature, and its bias. Not scaled; all 0 where none was found that separates. */
  readonly weights: Float64Array;
  readonly bias: number;
  /** Its margin, rounded down, and so at most γ*; 0 where it does not separate. In the units of x. */
  readonly lower: number;
  /** The length of a point of the hull, rounded up, and so at least γ*. 0: it is proved that no hyperplane separates. */
  readonly upper: number;
  /** (upper − lower) / upper; 0 where both are 0. */
  readonly gap: number;
  /** True: separated, by `weights`. False: proved that no hyperplane does. Null: neither was shown. */
  readonly separable: boolean | null;
  /** Examples that the hull's point is made of: the support vectors, where the gap is small. */
  readonly support: number;
  /** That point, nearest to the origin so far: of no examples where none were looked at. */
  readonly nearest: HullPoint;
  /** Passes made over the examples. */
  readonly passes: number;
}

/** Σ weightᵢ·yᵢ(xᵢ, c). With a bias of its own the weights of either class sum to 1, and the length counts half; else all sum to 1, to rounding. */
export interface HullPoint {
  /** Positions of examples in the order of the source, from 0, rising. */
  readonly examples: Uint32Array;
  /** Above 0, one for each. */
  readonly weights: Float64Array;
}

/** Examples that a pass adds at most, of each class where the classes are looked at apart. */
const added = 64;

/** The most terms of a sum that are added up exactly. */
const mostExact = 2_000_000;

/**
 * {@link MaximumMargin} of stored examples, with labels −1 and +1 of both classes; their importance does not count.
 *
 * @throws HalfspaceError `option-invalid`, `memory-exhausted`.
 */
export function maximumMargin(
  store: ExampleStore,
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

/** {@link maximumMargin} pass by pass, for callers that want to do something in between or to end it early. */
export class MarginSearch {
  readonly #store: ExampleStore;
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
  /** The best separator so far, and its margin as the scores tell it. */
  #best: { readonly point: Float64Array; readonly bias: number; readonly margin: number } | null = null;
  #length = Infinity;
  #passes = 0;

  /** @param store stays as it is until the search is over. */
  constructor(store: ExampleStore, kernels: Kernels, options: MaximumMarginOptions = {}) {
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

  /** What the scores tell so far, not rounded to the safe side; of the best hyperplane and the shortest point. */
  get bracket(): { readonly lower: number; readonly upper: number } {
    return { lower: Math.max(0, this.#best?.margin ?? 0), upper: Math.min(this.#radius, this.#length) };
  }

  get passes(): number {
    return this.#passes;
  }

  /** One pass over the examples. Returns whether another one may bring more. */
  step(): boolean {
    if (this.#passes === this.#mostPasses || this.#nearest.combination().size > this.#mostSupport) return false;
    const lowest = this.#look();
    this.#passes++;
    const { lower, upper } = this.bracket;
    if (this.#passes > 1 && upper - lower <= (this.#gap / 2) * upper) return false;
    const before = this.#length;
    let more = false;
    for (const { batch, row, number } of this.#found(lowest)) more = this.#rows.add(batch, row, number) || more;
    if (!more) return false;
    // Nearer than the caller asks, so that the working set does not hold up the whole; rounding ends it before that.
    this.#nearest.descend(Math.min(1e-12, this.#gap / 100));
    this.#length = this.#nearest.length / (this.#pairs ? 2 : 1);
    if (this.#rows.length > 2048 + 4 * this.#nearest.combination().size) this.#nearest.forget();
    // The point is as near as rounding allows, or is the origin.
    return this.#length < before * (1 - 1e-15) && this.#length > 1e-15 * this.#radius;
  }

  /** What is proved of the best found so far; takes one more pass. */
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

  /** Scores all examples by the point there is; keeps it if it is the best. Returns which examples lie lowest, each class apart with pairs. */
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

  /** The examples with these numbers, as rows of batches. */
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

  /** ‖p‖ */
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

  /** The point's length; its sums without rounding, where that is no great work. */
  #provedUpper(): number {
    const weights = this.#nearest.combination();
    const parts = this.#pairs ? 2 : 1;
    if (weights.size === 0) return this.#radius;
    let terms = 0;
    for (const row of weights.keys()) this.#rows.each(row, () => terms++);
    const { dimension } = this.#rows;
    if (terms > mostExact)
      // |error of a sum of n products| ≤ n·2⁻⁵³·Σ|terms|, and the λ sum to 1 as nearly.
      return roundedUp(this.#nearest.length / parts + 4 * (weights.size + 3) * roundoff * this.#radius, dimension);
    const sums = new Map<number, ExactSum>();
    // Of every class they sum to the same, to rounding; what is left of that goes to the class that has less.
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

  /** Whether the weights of both classes have exactly the same sum, as a point of the hull of differences has. */
  #balanced(weights: ReadonlyMap<number, number>): boolean {
    if (!this.#pairs) return true;
    const sum = new ExactSum();
    for (const [row, weight] of weights) sum.addProduct(this.#rows.labels[row]!, weight);
    return sum.value.m === 0n;
  }
}

/** The numbers of those examples whose scores are the least, the first of equal ones. */
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
