/**
 * The perceptron.
 *
 * Objective: find (w, b) with y(w·x + b) > 0 for every example (x, y), y ∈ {−1, +1}.
 * Update, when y·a ≤ 0 for the score a = w·x + b·c:   w ← w + h·y·x,   b ← b + h·y·c
 * Symbols: c value of the constant feature (1, or 0 for no bias), h importance of the example (default 1).
 * Bound: started from zero with h = 1, at most (R/γ)² updates on data of radius R and margin γ (Novikoff 1962).
 * Source: Rosenblatt 1958; the five lectures' forms are in train/presets.ts.
 * Differences: h scales the step, like h presentations of the same mistake.
 */
import type { Kernels } from '../kernels/kernels.ts';
import type { LearnerState, LinearLearnerState } from './learner.ts';
import { checkLinearState } from './learner-state.ts';
import {
  MistakeDriven,
  type MistakeDrivenOptions,
  multiclassConditions,
  type UpdateWhen,
  updateOptions,
} from './mistake-driven.ts';
import type { RuleDefinition } from './rule-definition.ts';
import { checkLearnerOptions } from './rule-options.ts';

export class Perceptron extends MistakeDriven {
  readonly rule = 'perceptron';

  /** @param state to continue from; if given, the options are those of the state. */
  constructor(kernels: Kernels, options: MistakeDrivenOptions = {}, state?: LearnerState) {
    checkLearnerOptions('perceptron', updateOptions, options);
    super(kernels, options, false);
    if (state !== undefined) this.restore(state as LinearLearnerState);
  }
}

export const perceptron = {
  summary: 'the last weights of the perceptron',
  options: updateOptions,
  recordable: true,
  answersBy: 'last',
  create: (kernels, options, state) => new Perceptron(kernels, options, state),
  checkState: (state) => checkLinearState(state, false),
  multiclass: ({ updateWhen }: { updateWhen: UpdateWhen }) => ({ condition: multiclassConditions[updateWhen] }),
} as const satisfies RuleDefinition;
