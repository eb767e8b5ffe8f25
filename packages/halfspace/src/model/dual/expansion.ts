import type { StoredBatch } from '../../batch.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { Aggregate, DualFunction } from './function.ts';
import { applyKernel, type KernelFunction } from './kernel-function.ts';
import { Point } from './point.ts';
import { SupportRows } from './support-rows.ts';

/** The mistakes of a dual learner in their order, in arrays that grow. */
class MistakeList {
  /** Row number of each mistake; the first `count` are valid. */
  rows: Uint32Array = new Uint32Array(64);
  /** Label times importance of each mistake; the first `count` are valid. */
  coefficients: Float64Array = new Float64Array(64);
  /** Importance that v₀ and the vector after each mistake survived; the first `count` + 1 are valid. */
  survivals: Float64Array = new Float64Array(65);
  count = 0;

  add(row: number, coefficient: number): void {
    if (this.count === this.rows.length) this.#grow();
    this.rows[this.count] = row;
    this.coefficients[this.count] = coefficient;
    this.survivals[++this.count] = 0;
  }

  /** Adds `importance` to the survival of the current vector. */
  survive(importance: number): void {
    this.survivals[this.count]! += importance;
  }

  /** Removes mistake k and returns its row. Survivals are invalid afterwards. */
  remove(k: number): number {
    const row = this.rows[k]!;
    this.rows.copyWithin(k, k + 1, this.count);
    this.coefficients.copyWithin(k, k + 1, this.count);
    this.count--;
    return row;
  }

  /** Decreases the row numbers above `row`, which was removed, by one. */
  renumberAfter(row: number): void {
    for (let k = 0; k < this.count; k++) if (this.rows[k]! > row) this.rows[k]!--;
  }

  has(row: number): boolean {
    return this.rows.subarray(0, this.count).includes(row);
  }

  #grow(): void {
    const { rows, coefficients, survivals } = this;
    this.rows = new Uint32Array(2 * rows.length);
    this.rows.set(rows);
    this.coefficients = new Float64Array(2 * rows.length);
    this.coefficients.set(coefficients);
    this.survivals = new Float64Array(2 * rows.length + 1);
    this.survivals.set(survivals);
  }
}

/** The members of an expansion besides its mistakes. */
interface ExpansionShape {
  readonly kernel: KernelFunction;
  readonly biasConstant: number;
  readonly divisor: number;
}

/**
 * Σⱼ αⱼ K(xⱼ, x) over a list of mistakes. A learner adds mistakes; a scorer only reads. For each x, one call computes
 * the kernel values of all distinct rows. The sum runs over the mistakes in their order, so that the partial sum of the
 * first k mistakes is the score of vector vₖ.
 */
export class DualExpansion {
  readonly #shape: ExpansionShape;
  readonly #support: SupportRows;
  readonly #point: Point;
  readonly mistakes = new MistakeList();
  /** K(xⱼ, x) of each distinct row and the current x. */
  #values = new Float64Array(64);
  /** True if `#values` belong to the current x. */
  #current = false;
  /** αⱼ times the sum of the survivals from vⱼ on; null: not computed yet. */
  #mean: Float64Array | null = null;

  constructor(kernels: Kernels, shape: ExpansionShape) {
    const { kernel, biasConstant, divisor } = shape;
    this.#shape = { kernel, biasConstant, divisor };
    this.#support = new SupportRows(kernels);
    this.#point = new Point(kernels, this.#support.places, shape.divisor);
  }

  /** Number of distinct rows. */
  get rows(): number {
    return this.#support.count;
  }

  /** Loads the mistakes of `data` into an empty expansion. */
  load({ support, rows, coefficients, survivals }: DualFunction): void {
    this.#support.load(support);
    const { mistakes } = this;
    if (survivals.length > 0) mistakes.survive(survivals[0]!);
    for (let k = 0; k < rows.length; k++) {
      mistakes.add(rows[k]!, coefficients[k]!);
      if (survivals.length > 0) mistakes.survive(survivals[k + 1]!);
    }
  }

  /** Makes example `i` of the batch the current x. */
  place(batch: StoredBatch, i: number): void {
    this.#point.place(batch, i);
    this.#current = false;
  }

  /** Returns the score of the current x. */
  score(aggregate: Aggregate): number {
    if (!this.#current) this.#evaluate();
    if (aggregate === 'averaged') return this.#averaged();
    const { rows, coefficients, survivals, count } = this.mistakes;
    const values = this.#values;
    let sum = 0;
    if (aggregate === 'last') {
      for (let k = 0; k < count; k++) sum += coefficients[k]! * values[rows[k]!]!;
      return sum;
    }
    let votes = 0;
    let time = survivals[0]!;
    for (let k = 0; k < count; k++) {
      sum += coefficients[k]! * values[rows[k]!]!;
      const survived = survivals[k + 1]!;
      if (sum > 0) votes += survived;
      else if (sum < 0) votes -= survived;
      time += survived;
    }
    // A sum that overflowed has no meaningful sign.
    if (!Number.isFinite(sum)) return Number.NaN;
    return time === 0 ? 0 : votes / time;
  }

  /** Adds the current x as a mistake. */
  add(coefficient: number): void {
    this.mistakes.add(this.#support.add(this.#point), coefficient);
    this.#mean = null;
    this.#current = false;
  }

  /** Adds `importance` to the survival of the current vector. */
  survive(importance: number): void {
    this.mistakes.survive(importance);
    this.#mean = null;
  }

  /** Removes mistake k; also removes its row if no other mistake uses it. */
  forget(k: number): void {
    const { mistakes } = this;
    this.#mean = null;
    this.#current = false;
    const row = mistakes.remove(k);
    if (mistakes.has(row)) return;
    this.#support.remove(row);
    mistakes.renumberAfter(row);
  }

  /** Returns a copy as plain data. @param forgetful true if mistakes were removed; survivals are then left out. */
  data(aggregate: Aggregate, forgetful = false): DualFunction {
    const { rows, coefficients, survivals, count } = this.mistakes;
    return {
      ...this.#shape,
      aggregate,
      support: this.#support.data(),
      rows: rows.slice(0, count),
      coefficients: coefficients.slice(0, count),
      survivals: forgetful ? new Float64Array(0) : survivals.slice(0, count + 1),
    };
  }

  free(): void {
    this.#support.free();
    this.#point.free();
  }

  #evaluate(): void {
    const support = this.#support;
    const { count } = support;
    const { kernel, biasConstant } = this.#shape;
    if (this.#values.length < count) this.#values = new Float64Array(2 * count);
    support.productsInto(this.#point, this.#values);
    const point = kernel.kind === 'rbf' ? this.#point.squaredNorm() : 0;
    applyKernel(kernel, this.#values, { count, biasConstant, norms: { rows: support.squaredNorms, point } });
    this.#current = true;
  }

  /** Returns Σₖ cₖ (vₖ·x) / Σ cₖ, computed as one sum over the mistakes. */
  #averaged(): number {
    const { rows, survivals, count } = this.mistakes;
    const mean = this.#meanCoefficients();
    let sum = 0;
    for (let k = 0; k < count; k++) sum += mean[k]! * this.#values[rows[k]!]!;
    const time = mean[count]! + survivals[0]!;
    return time === 0 ? 0 : sum / time;
  }

  /** Returns αⱼ·Σ_{k ≥ j} cₖ for each mistake; the last entry is the sum of all cₖ except c₀. */
  #meanCoefficients(): Float64Array {
    if (this.#mean !== null) return this.#mean;
    const { coefficients, survivals, count } = this.mistakes;
    const mean = new Float64Array(count + 1);
    let survived = 0;
    for (let k = count - 1; k >= 0; k--) {
      survived += survivals[k + 1]!;
      mean[k] = coefficients[k]! * survived;
    }
    mean[count] = survived;
    this.#mean = mean;
    return mean;
  }
}
