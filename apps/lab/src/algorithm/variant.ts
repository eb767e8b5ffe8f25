import { defaultVariant, type PerceptronVariant, presets } from 'halfspace';
import type { Algorithm } from './algorithm.ts';

/** The lecture's or the rule's variant of an algorithm, with what was set besides. */
export function variantOf({ as, rule, options, order, passes }: Algorithm): PerceptronVariant {
  const base: PerceptronVariant = as === null ? { ...defaultVariant, rule } : presets[as];
  return {
    ...base,
    order: order ?? base.order,
    updateWhen: as === null && options.updateWhen !== undefined ? (options.updateWhen as never) : base.updateWhen,
    stop: passes === null ? base.stop : { ...base.stop, passes },
  };
}

/** Rules that take the perceptron's steps, y·x where an example is not right. */
export const perceptronSteps: readonly string[] = ['perceptron', 'averaged', 'pocket', 'voted', 'margin'];

/** Whether weights of `sgd` answer by their mean over time, as they do unless told otherwise or a part of the penalty is L1. */
export function answersByMean({ options }: Pick<Algorithm, 'options'>): boolean {
  const answer = options.answer ?? (options.penalty === 'l1' || options.penalty === 'elastic-net' ? 'last' : 'mean');
  return answer === 'mean';
}
