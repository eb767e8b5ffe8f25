/**
 * The perceptron with a margin: also learns from examples that are on the correct side but too near.
 *
 * Objective: find (w, b) with y(w·x + b·c) > τ for every example (x, y), y ∈ {−1, +1}.
 * Update, when y·a ≤ τ for the score a = w·x + b·c:   w ← w + h·y·x,   b ← b + h·y·c
 * Symbols: τ ≥ 0 the margin, in the units of the score; c value of the constant feature (1, or 0 for no bias), h
 * importance of the example (default 1). τ = 0 is the perceptron.
 * Bound: started from zero with h = 1, at most (R² + 2τ)/γ² updates on data of radius R and margin γ, by Novikoff's
 * proof: k updates give w*·w ≥ k·γ for the separator w* of length 1, and ‖w‖² ≤ k(R² + 2τ).
 * Source: Duda & Hart 1973, section 5.5, the single-sample rule with a margin b, here with a constant increment of 1.
 * Krauth & Mézard 1987 require the same stability, w·ξ ≥ c.
 * Differences: h, as in perceptron.ts. Krauth & Mézard learn from the example of least stability, we from each in turn.
 * As the required margin grows, theirs finds the separator of the largest margin γ; for ours the bound gives only τ/‖w‖
 * ≥ γ·τ/(R² + 2τ), which approaches γ/2.
 */
import type { Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import type { SharedOptions } from './kernel-memory-learner.ts';
import type { LearnerState, LinearLearnerState } from './learner.ts';
import { checkLinearState } from './learner-state.ts';
import { MistakeDriven } from './mistake-driven.ts';
import type { RuleDefinition } from './rule-definition.ts';
import { checkLearnerOptions, completeOptions, type GivenOptions, type OptionSpecs } from './rule-options.ts';

export const marginOptions = {
  margin: { kind: 'number', from: 0, default: 1, about: 'update on rows with at most this functional margin' },
} as const satisfies OptionSpecs;

/** `margin`, in [0, ∞): learn from examples with y·a up to this. Default 1. */
export type MarginPerceptronOptions = SharedOptions & GivenOptions<typeof marginOptions>;

export class MarginPerceptron extends MistakeDriven {
  readonly rule = 'margin';

  /**
   * @param state to continue from; if given, the options are those of the state.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: MarginPerceptronOptions = {}, state?: LearnerState) {
    checkLearnerOptions('margin', marginOptions, options);
    const { margin } = completeOptions(marginOptions, options);
    super(kernels, options, false);
    this.scalars.array[layout.threshold] = margin as number;
    if (state !== undefined) this.restore(state as LinearLearnerState);
  }
}

export const margin = {
  summary: 'the perceptron that also learns from rows that are right, but too near',
  options: marginOptions,
  recordable: true,
  answersBy: 'last',
  create: (kernels, options, state) => new MarginPerceptron(kernels, options, state),
  checkState: (state) => checkLinearState(state, false),
  multiclass: (options: { margin: number }) => ({ threshold: options.margin }),
} as const satisfies RuleDefinition;
