import { Random } from 'halfspace/runs';
import type { Frame } from './frame.ts';
import type { Line } from './line-search.ts';

/** A line in the frame's features, with its errors in floating point. */
export interface FewErrorsLine extends Line {
  readonly errors: number;
}

/** Share of the descents that begin at a random line; the others begin near the best one. */
const anew = 0.3;

/**
 * Searches for a line of few errors by random coordinate descent of the 0–1 loss:
 *
 *   minimise over t  #{i : yᵢ(w + t·v)·(x'ᵢ, 1) ≤ 0}    for one direction v after another.
 *
 * The number of errors changes only at those t where the score of an example is 0, so sorting them finds the minimum
 * over all t. The directions are coordinates, random vectors, and examples on the wrong side. A step to equally many
 * errors is taken too. If no step lowers the errors any more, the search begins again, mostly near the best line.
 *
 * @see Li & Lin (2007), Optimizing 0/1 loss for perceptrons by random coordinate descent.
 */
export class CoordinateDescent {
  /** yᵢ(x'ᵢ, 1), feature by feature. */
  readonly #columns: Float64Array[] = [];
  readonly #features: number[] = [];
  readonly #rows: number;
  readonly #dimension: number;
  readonly #random = new Random(1);
  /** The weights of the features that occur, then the bias; of length 1. */
  readonly #w: Float64Array;
  /** yᵢ times the score of the line, and of the direction. */
  readonly #scores: Float64Array;
  readonly #slopes: Float64Array;
  readonly #thresholds: { readonly rising: Float64Array; readonly falling: Float64Array };
  #errors = Infinity;
  #idle = 0;
  #best: { readonly w: Float64Array; readonly errors: number } | null = null;

  constructor(frame: Frame) {
    const { rows, dimension, labels } = frame.examples;
    const place = new Int32Array(dimension).fill(-1);
    for (let j = 0; j < dimension; j++) if (frame.occurs(j)) place[j] = this.#features.push(j) - 1;
    for (let k = 0; k <= this.#features.length; k++) this.#columns.push(new Float64Array(rows));
    for (let i = 0; i < rows; i++) {
      this.#columns.at(-1)![i] = labels[i]!;
      frame.forEach(i, (j, value) => {
        this.#columns[place[j]!]![i] = labels[i]! * value;
      });
    }
    this.#rows = rows;
    this.#dimension = dimension;
    this.#w = new Float64Array(this.#columns.length);
    this.#scores = new Float64Array(rows);
    this.#slopes = new Float64Array(rows);
    this.#thresholds = { rising: new Float64Array(rows), falling: new Float64Array(rows) };
  }

  /** Begins a descent at a line of the frame. */
  begin({ u, bias }: Line): void {
    this.#features.forEach((j, k) => {
      this.#w[k] = u[j]!;
    });
    this.#w[this.#features.length] = bias;
    this.#open();
  }

  get best(): FewErrorsLine | null {
    if (this.#best === null) return null;
    const { w, errors } = this.#best;
    const u = new Float64Array(this.#dimension);
    this.#features.forEach((j, k) => {
      u[j] = w[k]!;
    });
    return { u, bias: w.at(-1)!, errors };
  }

  /** Does one step. Returns true if it found a line of fewer errors than any before. */
  step(): boolean {
    const terms = this.#w.length;
    if (this.#best === null || this.#idle > 10 * terms + 20) this.#restart();
    const v = this.#direction();
    this.#slopes.fill(0);
    for (let k = 0; k < terms; k++) if (v[k] !== 0) addTo(this.#slopes, v[k]!, this.#columns[k]!);
    const { t, errors } = this.#fewest();
    this.#idle++;
    // Steps that leave the range of doubles are not taken.
    if (!(errors <= this.#errors && Math.abs(t) < 1e12)) return false;
    if (errors < this.#errors) this.#idle = 0;
    for (let k = 0; k < terms; k++) this.#w[k]! += t * v[k]!;
    return this.#open();
  }

  #restart(): void {
    const { length } = this.#w;
    const near = this.#best !== null && this.#random.uniform() >= anew ? this.#best.w : null;
    const spread = near === null ? 1 : (0.3 * this.#random.uniform()) / Math.sqrt(length);
    for (let k = 0; k < length; k++) this.#w[k] = (near?.[k] ?? 0) + spread * this.#bell();
    this.#idle = 0;
    this.#open();
  }

  /** Computes the scores anew, for weights of length 1. Returns true if they have fewer errors than any before. */
  #open(): boolean {
    const norm = Math.sqrt(this.#w.reduce((sum, each) => sum + each * each, 0)) || 1;
    this.#scores.fill(0);
    this.#w.forEach((each, k) => {
      this.#w[k] = each / norm;
      addTo(this.#scores, this.#w[k]!, this.#columns[k]!);
    });
    this.#errors = this.#scores.reduce((count, score) => count + (score > 0 ? 0 : 1), 0);
    if (this.#best !== null && this.#errors >= this.#best.errors) return false;
    this.#best = { w: this.#w.slice(), errors: this.#errors };
    return true;
  }

  #direction(): Float64Array {
    const { length } = this.#w;
    const v = new Float64Array(length);
    const kind = this.#random.uniform();
    if (kind < 0.4) v[this.#random.below(length)] = 1;
    else if (kind < 0.7 || this.#errors === 0)
      v.forEach((_, k) => {
        v[k] = this.#bell();
      });
    else {
      // Counts to a random example on the wrong side.
      let left = this.#random.below(this.#errors);
      let wrong = 0;
      while (this.#scores[wrong]! > 0 || left-- > 0) wrong++;
      const isExact = this.#random.uniform() < 0.5;
      v.forEach((_, k) => {
        v[k] = this.#columns[k]![wrong]! * (isExact ? 1 : this.#bell());
      });
    }
    return v;
  }

  /** Returns a number near 0, as likely above 0 as below. */
  #bell(): number {
    const random = this.#random;
    return random.uniform() + random.uniform() + random.uniform() + random.uniform() - 2;
  }

  /** Returns the t of the fewest errors; among several, one in the middle of the longest interval. */
  #fewest(): { t: number; errors: number } {
    const [scores, slopes] = [this.#scores, this.#slopes];
    const { rising, falling } = this.#thresholds;
    let [ups, downs, errors] = [0, 0, 0];
    for (let i = 0; i < this.#rows; i++) {
      const slope = slopes[i]!;
      if (slope === 0) errors += scores[i]! > 0 ? 0 : 1;
      else if (slope > 0) rising[ups++] = -scores[i]! / slope;
      else falling[downs++] = -scores[i]! / slope;
    }
    // At t = −∞ every rising example is an error.
    errors += ups;
    const up = rising.subarray(0, ups).sort();
    const down = falling.subarray(0, downs).sort();
    let best = { t: 0, errors: Infinity, length: 0 };
    for (let a = 0, b = 0; a < ups || b < downs; ) {
      const at = Math.min(up[a] ?? Infinity, down[b] ?? Infinity);
      for (; a < ups && up[a] === at; a++) errors--;
      for (; b < downs && down[b] === at; b++) errors++;
      const next = Math.min(up[a] ?? Infinity, down[b] ?? Infinity);
      const length = next - at;
      if (errors > best.errors || (errors === best.errors && length <= best.length)) continue;
      best = { t: next === Infinity ? at + 1 : at + length / 2, errors, length: next === Infinity ? 1 : length };
    }
    return best;
  }
}

function addTo(sum: Float64Array, factor: number, column: Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += factor * column[i]!;
}
