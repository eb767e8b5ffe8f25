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
import * as layout from '../kernels/layout.ts';
import { averageOption, mistakeDriven } from './mistake-driven.ts';
import { completeOptions, type GivenOptions, type OptionSpecs, type OptionValue } from './rule-options.ts';

const options = {
  /** Limit of the step: `pa` none, `pa-1` at most C, `pa-2` smaller for a smaller C. Default `pa-1`. */
  variant: {
    kind: 'choice',
    values: ['pa', 'pa-1', 'pa-2'],
    default: 'pa-1',
    about: 'how the size of an update is limited',
  },
  /** C, in (0, ∞); not for `pa`. Default 1. */
  aggressiveness: { kind: 'number', from: 0, open: 'from', default: 1, about: 'C, the limit on the size of an update' },
  /** True predicts with the mean of the weights over time. Default false. */
  average: averageOption,
} as const satisfies OptionSpecs;

/** Adds defaults; `pa` has no C, and `average` is absent unless true, as in models without it. */
function complete(given: GivenOptions<typeof options>): Record<string, OptionValue> {
  const { variant, aggressiveness, average } = completeOptions(options, given);
  const mean: Record<string, OptionValue> = average === true ? { average } : {};
  if (variant !== 'pa') return { variant: variant!, aggressiveness: aggressiveness!, ...mean };
  if (given.aggressiveness !== undefined)
    throw new HalfspaceError('option-invalid', 'aggressiveness is for the variants pa-1 and pa-2; got variant pa');
  return { variant, ...mean };
}

const stepKinds = { pa: layout.stepWhole, 'pa-1': layout.stepCapped, 'pa-2': layout.stepSoftened };

export const passiveAggressive = mistakeDriven({
  name: 'passive-aggressive',
  summary: 'the least change that gets each row right by a margin of 1',
  options,
  complete,
  answersBy: ({ average }: { average?: boolean }) => (average === true ? 'mean' : 'last'),
  step: ({ variant, aggressiveness = 0, average }) => ({
    averaging: average === true,
    condition: layout.updateBelow,
    threshold: 1,
    stepKind: stepKinds[variant],
    aggressiveness,
  }),
});
