/**
 * The passive-aggressive rules: the smallest change that gives the example a margin of 1.
 *
 * Objective, at each example (x, y), y ∈ {−1, +1}, with loss ℓ = max(0, 1 − y·a) for the score a = w·x + b·c: the (w',
 * b') with the smallest ½‖(w', b') − (w, b)‖² such that
 *   pa      ℓ' = 0
 *   pa-1    ℓ' ≤ ξ and ξ ≥ 0, with C·ξ added to the objective
 *   pa-2    ℓ' ≤ ξ, with C·ξ² added to the objective
 * Update, when ℓ > 0:   w ← w + τ·y·x,   b ← b + τ·y·c,   with n = ‖x‖² + c² and
 *   pa      τ = ℓ / n
 *   pa-1    τ = min(C, ℓ / n)
 *   pa-2    τ = ℓ / (n + 1/(2C))
 * Answer: the last w; with `average` the mean of w after each example, weighted by importance, as in
 * averaged-perceptron.ts.
 * Symbols: C > 0 aggressiveness; c value of the constant feature (1, or 0 for no bias).
 * Source: Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006, Online passive-aggressive algorithms (JMLR 7), section
 * 3 and figure 1. The mean is that of Freund & Schapire 1999, section 2.
 * Differences: the paper has no bias and no mean. Here the bias is the weight of a constant feature of x, so n
 * includes c², and y·a' = 1 after an update of `pa`. scikit-learn leaves c² out of n, but steps the intercept by τ·y;
 * without a bias, or with a column of ones instead, both compute the same. The importance h scales C; `pa` is the
 * limit C → ∞, so its step is the same for every h > 0. An empty row without a bias makes no update. If n overflows,
 * the weights become NaN, which the run refuses at its end.
 */
import { HalfspaceError } from '../errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import type { SharedOptions } from './kernel-memory-learner.ts';
import type { LearnerState, LinearLearnerState } from './learner.ts';
import { checkLinearState } from './learner-state.ts';
import { averageOption, MistakeDriven } from './mistake-driven.ts';
import type { RuleDefinition } from './rule-definition.ts';
import {
  checkLearnerOptions,
  completeOptions,
  type GivenOptions,
  type OptionSpecs,
  type OptionValue,
} from './rule-options.ts';

/** `pa`: a step to margin 1, however large; `pa-1`: the step is at most C; `pa-2`: a smaller C makes a smaller step. */
export type PassiveAggressiveVariant = 'pa' | 'pa-1' | 'pa-2';

export const passiveAggressiveOptions = {
  variant: {
    kind: 'choice',
    values: ['pa', 'pa-1', 'pa-2'],
    default: 'pa-1',
    about: 'how the size of an update is limited',
  },
  aggressiveness: { kind: 'number', from: 0, open: 'from', default: 1, about: 'C, the limit on the size of an update' },
  average: averageOption,
} as const satisfies OptionSpecs;

/**
 * `variant`: default `pa-1`. `aggressiveness`: C > 0, the smaller, the smaller the steps; default 1; not for `pa`.
 * `average`: score with the mean of the weights over time; default false.
 */
export type PassiveAggressiveOptions = SharedOptions & GivenOptions<typeof passiveAggressiveOptions>;

/** Step kind of each variant in the kernels. */
export const passiveAggressiveKinds: Record<PassiveAggressiveVariant, number> = {
  pa: layout.stepWhole,
  'pa-1': layout.stepCapped,
  'pa-2': layout.stepSoftened,
};

export class PassiveAggressive extends MistakeDriven {
  readonly rule = 'passive-aggressive';

  /**
   * @param state to continue from; if given, the options are those of the state.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: PassiveAggressiveOptions = {}, state?: LearnerState) {
    checkLearnerOptions('passive-aggressive', passiveAggressiveOptions, options);
    const { variant, aggressiveness = 0, average } = completePassiveAggressive(options);
    super(kernels, options, state === undefined ? average === true : (state as LinearLearnerState).sums !== null);
    const scalars = this.scalars.array;
    scalars[layout.condition] = layout.updateBelow;
    scalars[layout.threshold] = 1;
    scalars[layout.stepKind] = passiveAggressiveKinds[variant as PassiveAggressiveVariant];
    scalars[layout.aggressiveness] = aggressiveness as number;
    if (state !== undefined) this.restore(state as LinearLearnerState);
  }

  survive(importance: number): void {
    this.scalars.array[layout.clock]! += importance;
  }
}

/**
 * Adds defaults to the options; `pa` has no C, and `average` is absent unless true, as in models without it.
 *
 * @throws HalfspaceError `option-invalid`.
 */
export function completePassiveAggressive(
  given: GivenOptions<typeof passiveAggressiveOptions>,
): Record<string, OptionValue> {
  const { variant, aggressiveness, average } = completeOptions(passiveAggressiveOptions, given);
  const mean: Record<string, OptionValue> = average === true ? { average } : {};
  if (variant !== 'pa') return { variant: variant!, aggressiveness: aggressiveness!, ...mean };
  if (given.aggressiveness !== undefined)
    throw new HalfspaceError('option-invalid', 'aggressiveness is for the variants pa-1 and pa-2; got variant pa');
  return { variant, ...mean };
}

export const passiveAggressive = {
  summary: 'the least change that gets each row right by a margin of 1',
  options: passiveAggressiveOptions,
  complete: completePassiveAggressive,
  recordable: true,
  answersBy: ({ average }: { average?: boolean }) => (average === true ? 'mean' : 'last'),
  create: (kernels, options, state) => new PassiveAggressive(kernels, options, state),
  checkState: (state) => checkLinearState(state, state.sums !== null),
  multiclass: (options: { variant: PassiveAggressiveVariant; aggressiveness?: number; average?: boolean }) => ({
    averaging: options.average === true,
    condition: layout.updateBelow,
    threshold: 1,
    stepKind: passiveAggressiveKinds[options.variant],
    aggressiveness: options.aggressiveness ?? 0,
  }),
} as const satisfies RuleDefinition;
