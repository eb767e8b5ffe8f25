import type { TrainOptions } from 'halfspace';
import type { Algorithm } from './algorithm.ts';
import { ruleSpecs } from './rules.constant.ts';

/** What `train` of the library is to be given; the command with the flags of `command.ts` gives it the same. */
export function trainOptions({ as, rule, options, order, passes, seed, holdout }: Algorithm): TrainOptions {
  const { hasPasses } = ruleSpecs[rule];
  return {
    ...options,
    ...(as === null ? { rule } : { as }),
    // Without a lecture the command's default order is `auto`; the lab shows examples in turn unless told otherwise.
    ...(!hasPasses ? {} : order !== null ? { order } : as === null ? { order: 'cyclic' as const } : {}),
    ...(passes === null || !hasPasses ? {} : { passes }),
    ...(holdout === 0 ? {} : { holdout }),
    seed,
  };
}
