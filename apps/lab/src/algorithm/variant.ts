import type { PerceptronVariant, RuleName } from 'halfspace';
import { defaultVariant, presets } from 'halfspace/rules';
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

/** Tests if a run starts at y·x of an example (FODA). That start is no update, but it is a term of the sum w. */
export function startsAtExample({ as }: Pick<Algorithm, 'as'>): boolean {
  return as !== null && presets[as].start === 'example';
}

const byClass = (algorithm: Algorithm): string =>
  ({ 'at-most-zero': '≤ 0', 'below-zero': '< 0', 'sign-differs': 'on the wrong side' })[
    variantOf(algorithm).updateWhen
  ];

/** The margins at which each loss of `sgd` has a slope. */
const slopes: Readonly<Record<string, string | null>> = {
  perceptron: '≤ 0',
  hinge: '≤ 1',
  'squared-hinge': '< 1',
  'modified-huber': '< 1',
  logistic: null,
};

const conditions: Readonly<Record<RuleName, (algorithm: Algorithm) => string | null>> = {
  averaged: byClass,
  perceptron: byClass,
  margin: ({ options }) => `≤ τ = ${options.margin ?? 1}`,
  'passive-aggressive': () => '< 1',
  pocket: byClass,
  arow: () => '< 1',
  sgd: ({ options }) => slopes[String(options.loss ?? 'logistic')] ?? null,
  voted: byClass,
  kernel: byClass,
  logistic: () => null,
  tree: () => null,
};

/** Returns the condition of an update, as text that follows the margin y·a: `≤ 0`. Null if there is none. */
export function updateCondition(algorithm: Algorithm): string | null {
  return conditions[algorithm.rule](algorithm);
}

/** Rules whose update is the perceptron's: y·x is added. */
export const perceptronSteps: readonly string[] = ['perceptron', 'averaged', 'pocket', 'voted', 'margin'];

/** Tests if `sgd` predicts with the mean of its weights, which is the default unless the penalty has an L1 part. */
export function answersByMean({ options }: Pick<Algorithm, 'options'>): boolean {
  const answer = options.answer ?? (options.penalty === 'l1' || options.penalty === 'elastic-net' ? 'last' : 'mean');
  return answer === 'mean';
}
