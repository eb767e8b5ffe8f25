import type { Kernels } from '../kernels/kernels.ts';
import { judgeStore } from '../model/judge.ts';
import { isDual } from '../model/model.ts';
import type { LearnedFunction, Learner } from '../rules/learner.ts';
import type { Intake } from './intake.ts';

/**
 * The present weights need no update any more, so further passes would only let them survive. Lets them, twice as long each
 * time, until their mean separates the examples too: a mean over the past alone may not. Does nothing where there is no mean.
 */
export function outlast(learner: Learner, intake: Intake, kernels: Kernels, biasConstant: number): void {
  const { store, complete, importance } = intake;
  const functions = learner.functions();
  const last = functions.every(isDual) ? functions.map((each) => ({ ...each, aggregate: 'last' as const })) : null;
  const present = learner.presentFunctions?.() ?? last;
  if (learner.survive === undefined || present === null || !complete) return;
  const margin = (some: readonly LearnedFunction[]): number => {
    const scoring = some.map((each) => ({ ...each, biasConstant, divisor: 1 }));
    return judgeStore(store, kernels, scoring, 1).functionalMargin;
  };
  if (!(margin(present) > 0)) return;
  for (let doubling = 0; doubling < 60 && !(margin(learner.functions()) > 0); doubling++)
    learner.survive(importance * 2 ** doubling);
}
