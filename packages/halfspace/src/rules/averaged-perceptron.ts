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

  /** @param state where to go on from; given, the options are those of the state. */
  constructor(kernels: Kernels, options: MistakeDrivenOptions = {}, state?: LearnerState) {
    checkLearnerOptions('averaged', updateOptions, options);
    super(kernels, options, true);
    if (state !== undefined) this.restore(state as LinearLearnerState);
  }

  /**
   * Lets `importance` go by without an update, as examples that are all on the right side of w would: the present weights gain
   * in the mean what further clean passes would give them.
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
