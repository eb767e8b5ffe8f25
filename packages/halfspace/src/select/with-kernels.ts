import type { Kernels } from '../kernels/kernels.ts';
import { evaluateWith } from '../model/judge.ts';
import { compareRulesWith } from './compare-rules.ts';
import { trainWith } from './train.ts';
import { weightIntervalsWith } from './weight-intervals.ts';

/** Takes the first parameter, the kernels, as given. */
type OnKernels<F> = F extends (kernels: Kernels, ...rest: infer R) => infer T ? (...rest: R) => T : never;

/**
 * Returns the functions of `halfspace` that learn and judge, on given kernels: those that read the rows, too. `train`
 * returns a model also if no row is held out, and `evaluate` has a further parameter, which keeps the scores.
 */
export function withKernels(kernels: Kernels): {
  readonly train: OnKernels<typeof trainWith>;
  readonly compareRules: OnKernels<typeof compareRulesWith>;
  readonly weightIntervals: OnKernels<typeof weightIntervalsWith>;
  readonly evaluate: OnKernels<typeof evaluateWith>;
} {
  return {
    train: (...rest) => trainWith(kernels, ...rest),
    compareRules: (...rest) => compareRulesWith(kernels, ...rest),
    weightIntervals: (...rest) => weightIntervalsWith(kernels, ...rest),
    evaluate: (...rest) => evaluateWith(kernels, ...rest),
  };
}
