import type { StoredBatch } from '../batch.ts';
import { BatchView } from '../kernels/batch-view.ts';
import { freundSchapireBound, mohriRostamizadehBound } from './bounds.ts';
import { roundedDown, roundedUp, roundoff, scoreError } from './rounding.ts';

/**
 * Proved bound on the updates of a perceptron's run, for rows that need not be separable. In the units of x after
 * scaling, with the constant feature; all numbers are rounded to the safe side.
 *
 * Symbols: R = max‖(x, c)‖; u the learned unit vector; dᵢ = max(0, γ − yᵢ(u·xᵢ)) the deviations; P passes.
 */
export interface MistakeBound {
  /** `freund-schapire` (1999): ((R + √P·D)/γ)². `mohri-rostamizadeh` (2013): the t with t = P·S/γ + √t·R/γ. */
  readonly theorem: 'freund-schapire' | 'mohri-rostamizadeh';
  /** Maximum number of updates in all passes. */
  readonly updates: number;
  /** γ: of all that were tried, the one that gives the lowest bound. */
  readonly margin: number;
  /** D = √Σdᵢ² for Freund and Schapire, S = Σdᵢ for Mohri and Rostamizadeh. */
  readonly deviation: number;
  /** R, with room for the rounding of the run. */
  readonly radius: number;
  /** P. */
  readonly passes: number;
}

/** A perceptron's run from zero, whose passes show each row at most once. */
interface PerceptronPasses {
  /** max‖(x, c)‖, not rounded up. */
  readonly radius: number;
  readonly passes: number;
  readonly updates: number;
}

/** Bins of distances: their lower edges are the doubles ≥ 0 with two bits after the leading one. */
const bins = 2 ** 13;
const edgeShift = 18;

/** Lengths whose squares and quotients neither overflow nor underflow. */
const [shortest, longest] = [1e-140, 1e140];

/** Share of the radius below which no γ is tried. */
const leastShare = 2 ** -40;

/**
 * Computes the bounds for all γ = (4 + m)·2ᵉ, m in {0, 1, 2, 3}, in one scan of the examples.
 *
 * Each distance l = y(u·x), rounded down, adds to the bin of its leading digits. For the c distances below γ, their sum
 * s and their sum of squares q: Σ(γ − l) = cγ − s and Σ(γ − l)² = cγ² − 2γs + q.
 *
 * The bounds hold for the run as it was, with rounded scores and weights. For N terms in a score and ε = 2⁻⁵³, an
 * update has y(w·x) ≤ Nε‖w‖R and changes ‖w‖ by a factor of at most 1/(1 − ε). So ‖w‖ ≤ √t·R·(1 + 3Nε√t + 2tε) and
 * u·w ≥ Σ y(u·x) − 2ε·t√t·R, and both theorems hold with R·(1 + (4N√t + 8t)ε) for R.
 */
export class DeviationTally {
  readonly #norm: number;
  readonly #offset: number;
  readonly #dimension: number;
  readonly #counts = new Float64Array(bins);
  readonly #sums = new Float64Array(bins);
  readonly #squares = new Float64Array(bins);
  readonly #number = new Float64Array(1);
  readonly #words = new Uint32Array(this.#number.buffer);
  #rows = 0;
  #longestRow = 0;
  #counted = true;

  /** @param norm ‖(w, b)‖, of `dimension` numbers that are not 0. @param offset b·c, the score of x = 0. */
  constructor(norm: number, dimension: number, offset: number) {
    this.#norm = norm;
    this.#dimension = dimension;
    this.#offset = Math.abs(offset);
  }

  /** Adds a batch. @param scores, squaredNorms w·x + b·c and ‖x‖² of each example, from the kernels. */
  add(batch: StoredBatch, scores: Float64Array, squaredNorms: Float64Array): void {
    const { importance, labels, rows } = batch;
    const row = new BatchView(batch);
    for (let i = 0; i < rows; i++) {
      this.#counted &&= importance === null || importance[i] === 1;
      const values = row.open(i).count;
      const score = labels[i]! * scores[i]! - scoreError(values, this.#norm, squaredNorms[i]!, this.#offset);
      const distance = score / this.#norm;
      const low = distance > 0 ? roundedDown(distance, this.#dimension) : roundedUp(distance, this.#dimension);
      const bin = low > 0 ? this.#binOf(low) : 0;
      this.#counts[bin]! += 1;
      this.#sums[bin]! += low;
      this.#squares[bin]! += low * low;
      if (values > this.#longestRow) this.#longestRow = values;
    }
    this.#rows += rows;
  }

  /**
   * Returns the lowest bound by each theorem. Null if some importance is not 1, if lengths are too extreme, and if
   * rounding could matter.
   */
  bounds({ radius, passes, updates }: PerceptronPasses): Pair | null {
    const terms = this.#longestRow + 4;
    const room = (4 * terms * Math.sqrt(updates) + 8 * updates) * roundoff;
    const usable = [radius, this.#norm].every((length) => length >= shortest && length <= longest);
    if (!usable || !this.#counted || passes === 0 || room > 1e-3) return null;
    const run = { radius: roundedUp(radius, terms) * (1 + room), passes };
    // A sum goes through at most as many roundings as there are rows and bins. Twice that covers second-order terms.
    const slack = 2 * (this.#rows + bins + 16) * roundoff;
    let best: Pair | null = null;
    let [count, sum, size, square] = [0, 0, 0, 0];
    const [first, last] = [this.#binOf(radius * leastShare), this.#binOf(radius)];
    for (let bin = 0; bin <= last; bin++) {
      if (bin >= first) {
        const margin = this.#edge(bin);
        const lack = Math.max(0, count * margin - sum) + slack * (count * margin + size);
        const squares =
          Math.max(0, margin * (count * margin - 2 * sum) + square) +
          slack * (margin * (count * margin + 2 * size) + square);
        best = lower(best, [squaredBound(run, margin, squares), summedBound(run, margin, lack)]);
      }
      count += this.#counts[bin]!;
      sum += this.#sums[bin]!;
      size += Math.abs(this.#sums[bin]!);
      square += this.#squares[bin]!;
    }
    return best;
  }

  #binOf(value: number): number {
    this.#number[0] = value;
    return this.#words[1]! >>> edgeShift;
  }

  #edge(bin: number): number {
    this.#words[0] = 0;
    this.#words[1] = bin << edgeShift;
    return this.#number[0]!;
  }
}

type Pair = readonly [MistakeBound, MistakeBound];

/** Returns the lower bound of each theorem. */
function lower(best: Pair | null, [squared, summed]: Pair): Pair {
  if (best === null) return [squared, summed];
  return [squared.updates < best[0].updates ? squared : best[0], summed.updates < best[1].updates ? summed : best[1]];
}

type Run = Pick<MistakeBound, 'radius' | 'passes'>;

/** Covers the few roundings of a formula. */
const slightlyMore = 1 + 2 ** -47;

function squaredBound(run: Run, margin: number, squares: number): MistakeBound {
  const deviation = Math.sqrt(squares) * slightlyMore;
  const updates = freundSchapireBound(run.radius, margin, { norm: Math.sqrt(run.passes) * deviation });
  return { theorem: 'freund-schapire', updates: Math.floor(updates * slightlyMore), margin, deviation, ...run };
}

function summedBound(run: Run, margin: number, deviation: number): MistakeBound {
  const updates = mohriRostamizadehBound(run.radius, margin, { sum: run.passes * deviation });
  return { theorem: 'mohri-rostamizadeh', updates: Math.floor(updates * slightlyMore), margin, deviation, ...run };
}
