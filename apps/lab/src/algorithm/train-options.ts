import type { RuleWithOptions, TrainOptions } from 'halfspace';
import type { Algorithm } from './algorithm.ts';
import { ruleSpecs } from './rules.constant.ts';

/** Returns the options of the library's `train`; the flags of `command.ts` give the command the same. */
export function trainOptions({ as, rule, options, order, passes, seed, holdout }: Algorithm): TrainOptions {
  const { hasPasses } = ruleSpecs[rule];
  const hasOptions = Object.keys(options).length > 0;
  const named = hasOptions ? ({ name: rule, ...options } as RuleWithOptions) : rule;
  return {
    ...(as === null ? {} : { as }),
    ...(as === null || hasOptions ? { rule: named } : {}),
    // Without a lecture the command's default is `auto`; the lab's is `cyclic`.
    ...(!hasPasses ? {} : order !== null ? { order } : as === null ? { order: 'cyclic' as const } : {}),
    ...(passes === null || !hasPasses ? {} : { passes }),
    ...(holdout === 0 ? {} : { holdout }),
    seed,
  };
}
