import { isDual } from '../model/model.ts';
import type { LearnedFunction, Learner } from '../rules/learner.ts';

/**
 * The present weights need no update any more, so further passes would only let them survive. Lets them, twice as long each
 * time, until their mean separates the examples too: a mean over the past alone may not. Does nothing where there is no mean, or where
 * the present weights do not separate either.
 *
 * @param importance of all examples that are learned from.
 * @param margin the least margin of these examples by some functions, above 0 where each is strictly on its side.
 */
export function outlast(
  learner: Learner,
  importance: number,
  margin: (functions: readonly LearnedFunction[]) => number,
): void {
  const functions = learner.functions();
  const last = functions.every(isDual) ? functions.map((each) => ({ ...each, aggregate: 'last' as const })) : null;
  const present = learner.presentFunctions?.() ?? last;
  if (learner.survive === undefined || present === null || !(margin(present) > 0)) return;
  for (let doubling = 0; doubling < 60 && !(margin(learner.functions()) > 0); doubling++)
    learner.survive(importance * 2 ** doubling);
}
