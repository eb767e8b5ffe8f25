import { isDual } from '../model/model.ts';
import type { LearnedFunction, Learner } from '../rules/learner.ts';

/** The examples that a mean is settled on. */
export interface Settling {
  /** Returns the sum of their importance. */
  importance(): number;
  /** Returns their least margin by some functions: above 0 where every example is strictly on its side. */
  leastMargin(functions: readonly LearnedFunction[]): number;
}

/**
 * Makes the mean of the weights over time separate the examples that the present weights separate. After a clean pass
 * further passes would change nothing but the time that the present weights count for in the mean. This adds that time,
 * doubled each round, until the mean separates too. Does nothing for a learner without a mean, and where the present
 * weights do not separate.
 */
export function settleAverage(learner: Learner, { importance, leastMargin }: Settling): void {
  const functions = learner.functions();
  const last = functions.every(isDual) ? functions.map((each) => ({ ...each, aggregate: 'last' as const })) : null;
  const present = learner.presentFunctions?.() ?? last;
  if (learner.survive === undefined || present === null || !(leastMargin(present) > 0)) return;
  const pass = importance();
  for (let doubling = 0; doubling < 60 && !(leastMargin(learner.functions()) > 0); doubling++)
    learner.survive(pass * 2 ** doubling);
}
