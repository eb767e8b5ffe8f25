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
 * is the limit of C → ∞, therefore makes the same step whatever h > 0. Where n = 0, as for an empty row without a bias, no step can
 * help: there is no update.
 */
import { HalfspaceError, quote } from '../errors.ts';
import { type Kernels, slot, stepKind, updateCondition } from '../kernels/kernels.ts';
import type { LearnerState } from './learner.ts';
import { MistakeDriven, type SharedOptions } from './mistake-driven.ts';

/** `pa`: each example is made right at whatever cost; `pa-1`: the step is at most C; `pa-2`: the step is smaller the smaller C is. */
export type PassiveAggressiveVariant = 'pa' | 'pa-1' | 'pa-2';

export interface PassiveAggressiveOptions extends SharedOptions {
  /** Default `pa-1`. */
  readonly variant?: PassiveAggressiveVariant;
  /** C, in (0, ∞): the smaller, the less one example can do. Not for `pa`, which has none. Default 1. */
  readonly aggressiveness?: number;
}

const kinds: Record<PassiveAggressiveVariant, number> = {
  pa: stepKind.whole,
  'pa-1': stepKind.capped,
  'pa-2': stepKind.softened,
};

export class PassiveAggressive extends MistakeDriven {
  readonly rule = 'passive-aggressive';

  /**
   * @param state where to go on from; given, the options are those of the state.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: PassiveAggressiveOptions = {}, state?: LearnerState) {
    const { variant, aggressiveness } = checkPassiveAggressiveOptions(options);
    super(kernels, options, false);
    const scalars = this.scalars.array;
    scalars[slot.condition] = updateCondition.below;
    scalars[slot.threshold] = 1;
    scalars[slot.stepKind] = kinds[variant];
    scalars[slot.aggressiveness] = aggressiveness ?? 0;
    if (state !== undefined) this.restore(state);
  }
}

/** Completes and checks what is this rule's own. @throws HalfspaceError `option-invalid`. */
export function checkPassiveAggressiveOptions(options: {
  readonly variant?: PassiveAggressiveVariant | undefined;
  readonly aggressiveness?: number | undefined;
}): { variant: PassiveAggressiveVariant; aggressiveness?: number } {
  const { variant = 'pa-1', aggressiveness = 1 } = options;
  if (!Object.keys(kinds).includes(variant))
    throw new HalfspaceError(
      'option-invalid',
      `variant must be one of ${Object.keys(kinds).join(', ')}; got ${quote(variant)}`,
    );
  if (typeof aggressiveness !== 'number' || !(aggressiveness > 0 && aggressiveness < Infinity))
    throw new HalfspaceError('option-invalid', `aggressiveness must be in (0, ∞); got ${quote(aggressiveness)}`);
  if (variant === 'pa' && options.aggressiveness !== undefined)
    throw new HalfspaceError('option-invalid', 'aggressiveness is for the variants pa-1 and pa-2; got variant pa');
  return variant === 'pa' ? { variant } : { variant, aggressiveness };
}
