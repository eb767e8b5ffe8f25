/**
 * The averaged perceptron: learns like the perceptron and answers with the mean of its weights over time.
 *
 * Objective and update: those of perceptron.ts. Answer: w̄ = (1/T) Σₜ wₜ, the weights after each example t, mistakes or not, so that
 * a weight counts for as long as it survives.
 * Computed without a sum over t: at an update after T examples, u ← u + T·h·y·x; then w̄ = w − u/T (and b likewise).
 * Symbols: T clock, the importance shown so far; h importance of an example, which also is how long its outcome counts.
 * Source: Freund & Schapire 1999, section 2 (voted and averaged); the lazy form is in Daumé's "A Course in
 * Machine Learning", chapter 4, algorithm 7.
 * We differ: some implementations average over updates instead of examples, which gives the many short-lived weights of the
 * start as much say as the one that finally fits.
 */
import type { StoredBatch } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import { type Kernels, slot } from '../kernels/kernels.ts';
import type { LearnerState, LinearParameters } from './learner.ts';
import { Mean, meanOf } from './mean.ts';
import { MistakeDriven, type MistakeDrivenOptions } from './mistake-driven.ts';

export class Averaged extends MistakeDriven {
  readonly rule = 'averaged';
  readonly #mean: Mean;

  /** @param state where to go on from; given, the options are those of the state. */
  constructor(kernels: Kernels, options: MistakeDrivenOptions = {}, state?: LearnerState) {
    super(kernels, options, true);
    this.#mean = new Mean(kernels);
    if (state !== undefined) this.restore(state);
  }

  override scoreInto(batch: StoredBatch, out: Float64Array): void {
    this.reserve(batch.dimension);
    const mean = this.#weights();
    this.kernels.scoreInto(batch, mean, this.#bias(), this.scalars.array[slot.biasConstant]!, out);
  }

  override parameters(): LinearParameters {
    return { weights: this.#weights().array.slice(0, this.dimension), bias: this.#bias() };
  }

  /** The present weights, not their mean. Copies. */
  latest(): LinearParameters {
    return { weights: this.weights.array.slice(0, this.dimension), bias: this.scalars.array[slot.bias]! };
  }

  presentFunctions(): readonly LinearParameters[] {
    return [this.latest()];
  }

  /**
   * Lets `importance` go by without an update, as examples that are all on the right side of w would: the present weights gain
   * in the mean what further clean passes would give them.
   */
  survive(importance: number): void {
    this.scalars.array[slot.clock]! += importance;
  }

  override free(): void {
    this.#mean.free();
    super.free();
  }

  #weights(): Block<Float64Array> {
    return this.#mean.of(this.weights, this.sums!, this.dimension, this.scalars.array[slot.clock]!);
  }

  #bias(): number {
    const state = this.scalars.array;
    return meanOf(state[slot.bias]!, state[slot.biasSum]!, state[slot.clock]!);
  }
}
