import { defaultVariant, type PerceptronVariant, presets } from 'halfspace';
import type { Algorithm } from './algorithm.ts';

/** Returns the lecture's or the rule's variant, with the options that are set. */
export function variantOf({ as, rule, options, order, passes }: Algorithm): PerceptronVariant {
  const base: PerceptronVariant = as === null ? { ...defaultVariant, rule } : presets[as];
  return {
    ...base,
    order: order ?? base.order,
    updateWhen: as === null && options.updateWhen !== undefined ? (options.updateWhen as never) : base.updateWhen,
    stop: passes === null ? base.stop : { ...base.stop, passes },
  };
}

/** Rules whose update is the perceptron's: y·x is added. */
export const perceptronSteps: readonly string[] = ['perceptron', 'averaged', 'pocket', 'voted', 'margin'];

/** Tests if `sgd` predicts with the mean of its weights, which is the default unless the penalty has an L1 part. */
export function answersByMean({ options }: Pick<Algorithm, 'options'>): boolean {
  const answer = options.answer ?? (options.penalty === 'l1' || options.penalty === 'elastic-net' ? 'last' : 'mean');
  return answer === 'mean';
}
