import { DeviationTally } from '../margin/mistake-bound.ts';
import { lengthOf } from '../margin/signed-distances.ts';
import type { LearnedFunction } from '../rules/learner.ts';
import type { RunExamples } from './run-examples.ts';

/** Returns a tally for the bounds on the updates of a run; null if it draws rows, or does not start from zero. */
export function mistakeTally(
  { plan, order, biasConstant }: RunExamples,
  functions: readonly LearnedFunction[],
): DeviationTally | null {
  const [first] = functions;
  if (first === undefined || !('weights' in first)) return null;
  if (plan.variant.start !== 'zero' || order === 'random') return null;
  const bias = biasConstant === 0 ? 0 : first.bias;
  // Only the weights that are not 0, so that features that no example has change no bit.
  const terms = first.weights.reduce((count, w) => (w === 0 ? count : count + 1), 1);
  return new DeviationTally(lengthOf(first.weights, bias, true), terms, bias * biasConstant);
}
