/**
 * The averaged perceptron: learns like the perceptron, and scores with the mean of its weights over time.
 *
 * Objective and update: those of perceptron.ts.
 * Answer: w̄ = (1/T) Σₜ wₜ, the mean of the weights after each example t, with or without an update.
 * Computed without a sum over t: at an update after T examples, u ← u + T·h·y·x; then w̄ = w − u/T (also for b).
 * Symbols: T clock, the importance shown so far; h importance of an example, also its weight in the mean.
 * Source: Freund & Schapire 1999, section 2 (voted and averaged); the lazy form is in Daumé's "A Course in Machine
 * Learning", chapter 4, algorithm 7.
 * Differences: some implementations average over updates instead of examples. That gives the many short-lived weights
 * of the start as much influence as the final ones.
 */
import type { Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
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

export class AveragedPerceptron extends MistakeDriven {
  readonly rule = 'averaged';

  /** @param state to continue from; if given, the options are those of the state. */
  constructor(kernels: Kernels, options: MistakeDrivenOptions = {}, state?: LearnerState) {
    checkLearnerOptions('averaged', updateOptions, options);
    super(kernels, options, true);
    if (state !== undefined) this.restore(state as LinearLearnerState);
  }

  /**
   * Adds `importance` to the clock without an update, as further clean passes would: the current weights weigh more.
   */
  survive(importance: number): void {
    this.scalars.array[layout.clock]! += importance;
  }
}

export const averaged = {
  summary: 'the mean of the perceptron’s weights over time',
  options: updateOptions,
  recordable: true,
  answersBy: 'mean',
  create: (kernels, options, state) => new AveragedPerceptron(kernels, options, state),
  checkState: (state) => checkLinearState(state, true),
  multiclass: (options: { updateWhen: UpdateWhen }) => ({
    averaging: true,
    condition: multiclassConditions[options.updateWhen],
  }),
} as const satisfies RuleDefinition;
