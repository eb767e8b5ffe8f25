/**
 * The perceptron.
 *
 * Objective: find (w, b) with y(w·x + b) > 0 for every example (x, y), y ∈ {−1, +1}.
 * Update, when y·a ≤ 0 for the score a = w·x + b·c:   w ← w + h·y·x,   b ← b + h·y·c
 * Symbols: c value of the constant feature (1, or 0 for no bias), h importance of the example (1 unless given).
 * Bound: started from zero with h = 1, at most (R/γ)² updates on data of radius R and margin γ (Novikoff 1962).
 * Source: Rosenblatt 1958; the five lectures' forms are in train/presets.ts.
 * We differ in h, which scales the step as repeated presentation of the same mistake would.
 */
import type { StoredBatch } from '../batch.ts';
import { type Kernels, slot } from '../kernels/kernels.ts';
import type { LearnerState, LinearParameters } from './learner.ts';
import { MistakeDriven, type MistakeDrivenOptions } from './mistake-driven.ts';

export class Perceptron extends MistakeDriven {
  readonly rule = 'perceptron';

  /** @param state where to go on from; given, the options are those of the state. */
  constructor(kernels: Kernels, options: MistakeDrivenOptions = {}, state?: LearnerState) {
    super(kernels, options, false);
    if (state !== undefined) this.restore(state);
  }

  scoreInto(batch: StoredBatch, out: Float64Array): void {
    this.reserve(batch.dimension);
    const state = this.scalars.array;
    this.kernels.scoreInto(batch, this.weights, state[slot.bias]!, state[slot.biasConstant]!, out);
  }

  parameters(): LinearParameters {
    const state = this.scalars.array;
    return {
      weights: this.weights.array.slice(0, this.dimension),
      bias: state[slot.bias]!,
    };
  }
}
