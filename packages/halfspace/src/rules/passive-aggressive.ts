/**
 * The passive-aggressive rules: as little change as gets the example right by a margin of 1.
 *
 * Objective, at each example (x, y), y ∈ {−1, +1}, of loss ℓ = max(0, 1 − y·a) for the score a = w·x + b·c: the (w', b') nearest to
 * (w, b), that is of the least ½‖(w', b') − (w, b)‖², with
 *   pa      no loss left: ℓ' = 0
 *   pa-1    C·ξ added to the objective, where ℓ' ≤ ξ and ξ ≥ 0
 *   pa-2    C·ξ² added to the objective, where ℓ' ≤ ξ
 * Update, when ℓ > 0:   w ← w + τ·y·x,   b ← b + τ·y·c,   with n = ‖x‖² + c² and
 *   pa      τ = ℓ / n
 *   pa-1    τ = min(C, ℓ / n)
 *   pa-2    τ = ℓ / (n + 1/(2C))
 * Symbols: C > 0 aggressiveness; c value of the constant feature (1, or 0 for no bias).
 * Source: Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006, Online passive-aggressive algorithms (JMLR 7), section 3 and figure 1.
 * We differ: the paper has no bias; here it is the weight of a constant feature of x, so that c² counts in n, and y·a' = 1 holds
 * after an update of `pa` with a bias too. scikit-learn leaves the constant out of n, and steps the intercept by τ·y all the
 * same; without a bias, or with a column of ones for it, both compute the same. The importance h of an example scales C; `pa`, which
 * is the limit of C → ∞, therefore makes the same step whatever h > 0. An empty row without a bias makes no update: no step can help. Where n
 * is beyond the range of doubles, a step of NaN makes the weights NaN, which is refused in the end.
 */
import { HalfspaceError } from '../errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import type { SharedOptions } from './kernel-memory-learner.ts';
import type { LearnerState, LinearLearnerState } from './learner.ts';
import { checkLinearState } from './learner-state.ts';
import { MistakeDriven } from './mistake-driven.ts';
import type { RuleDefinition } from './rule-definition.ts';
import {
  checkLearnerOptions,
  completeOptions,
  type GivenOptions,
  type OptionSpecs,
  type OptionValue,
} from './rule-options.ts';

/** `pa`: each example is made right at whatever cost; `pa-1`: the step is at most C; `pa-2`: the step is smaller the smaller C is. */
export type PassiveAggressiveVariant = 'pa' | 'pa-1' | 'pa-2';

export const passiveAggressiveOptions = {
  variant: {
    kind: 'choice',
    values: ['pa', 'pa-1', 'pa-2'],
    default: 'pa-1',
    about: 'how the size of an update is limited',
  },
  aggressiveness: { kind: 'number', from: 0, open: 'from', default: 1, about: 'C, the limit on the size of an update' },
} as const satisfies OptionSpecs;

/**
 * `variant`: default `pa-1`. `aggressiveness`: C, in (0, ∞), the smaller, the less one example can do; not for `pa`, which has none.
 * Default 1.
 */
export type PassiveAggressiveOptions = SharedOptions & GivenOptions<typeof passiveAggressiveOptions>;

/** The kernels' name of each variant. */
export const passiveAggressiveKinds: Record<PassiveAggressiveVariant, number> = {
  pa: layout.stepWhole,
  'pa-1': layout.stepCapped,
  'pa-2': layout.stepSoftened,
};

export class PassiveAggressive extends MistakeDriven {
  readonly rule = 'passive-aggressive';

  /**
   * @param state where to go on from; given, the options are those of the state.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: PassiveAggressiveOptions = {}, state?: LearnerState) {
    checkLearnerOptions('passive-aggressive', passiveAggressiveOptions, options);
    const { variant, aggressiveness = 0 } = completePassiveAggressive(options);
    super(kernels, options, false);
    const scalars = this.scalars.array;
    scalars[layout.condition] = layout.updateBelow;
    scalars[layout.threshold] = 1;
    scalars[layout.stepKind] = passiveAggressiveKinds[variant as PassiveAggressiveVariant];
    scalars[layout.aggressiveness] = aggressiveness as number;
    if (state !== undefined) this.restore(state as LinearLearnerState);
  }
}

/** The options complete; `pa` has no C. @throws HalfspaceError `option-invalid`. */
export function completePassiveAggressive(
  given: GivenOptions<typeof passiveAggressiveOptions>,
): Record<string, OptionValue> {
  const { aggressiveness, ...rest } = completeOptions(passiveAggressiveOptions, given);
  if (rest.variant !== 'pa') return { ...rest, aggressiveness: aggressiveness! };
  if (given.aggressiveness !== undefined)
    throw new HalfspaceError('option-invalid', 'aggressiveness is for the variants pa-1 and pa-2; got variant pa');
  return rest;
}

export const passiveAggressive = {
  summary: 'the least change that gets each row right by a margin of 1',
  options: passiveAggressiveOptions,
  complete: completePassiveAggressive,
  recordable: true,
  answersBy: 'last',
  create: (kernels, options, state) => new PassiveAggressive(kernels, options, state),
  checkState: (state) => checkLinearState(state, false),
  multiclass: (options: { variant: PassiveAggressiveVariant; aggressiveness?: number }) => ({
    condition: layout.updateBelow,
    threshold: 1,
    stepKind: passiveAggressiveKinds[options.variant],
    aggressiveness: options.aggressiveness ?? 0,
  }),
} as const satisfies RuleDefinition;
