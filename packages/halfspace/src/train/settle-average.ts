import { isDual } from '../model/model.ts';
import type { LearnedFunction, Learner } from '../rules/learner.ts';

/** The examples by which a mean is settled. */
export interface Settling {
  /** Returns the sum of their importance. */
  importance(): number;
  /** Returns their smallest margin by some functions: above 0 if every example is strictly on its correct side. */
  leastMargin(functions: readonly LearnedFunction[]): number;
}

/**
 * Makes the mean of the weights separate the examples, if the current weights do. After a clean pass, further passes
 * would only add weight to the current vector in the mean. This adds that weight, doubled each round, until the mean
 * separates too. Does nothing for a learner without a mean, or if the current weights do not separate.
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
