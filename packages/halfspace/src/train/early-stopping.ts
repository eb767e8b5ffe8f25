import { judgeBatches } from '../model/judge.ts';
import type { LearnedFunction } from '../rules/learner.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { RunExamples } from './run-examples.ts';

/**
 * Early stopping: evaluates every pass on held-out batches, keeps the functions of the best pass, and ends the run
 * after `patience` passes in a row without fewer errors. The held-out error first falls and later rises, but not
 * steadily, so one bad pass says little.
 *
 * Source: Prechelt 1998, Early stopping — but when? (in Neural Networks: Tricks of the Trade). Of passes with equal
 * errors the first is the best.
 */
export class EarlyStopping implements RunObserver {
  readonly #examples: RunExamples;
  #fewest = Infinity;
  #since = 0;
  /** The pass with the fewest errors, from 1; 0 before the first. */
  best = 0;
  /** The learned functions after that pass. */
  functions: readonly LearnedFunction[] = [];
  /** Accuracy on the held-out batches after that pass. */
  accuracy = 0;

  constructor(examples: RunExamples) {
    this.#examples = examples;
  }

  endPass({ learner, pass }: RunState): boolean {
    const { plan, classes } = this.#examples;
    const tally = judgeBatches(this.#examples.heldOut(), learner, plan.variant.tie, { classes: classes.length });
    if (tally.errors >= this.#fewest) return ++this.#since >= plan.patience!;
    this.#fewest = tally.errors;
    this.#since = 0;
    this.best = pass;
    this.functions = learner.functions();
    this.accuracy = tally.accuracy;
    return false;
  }
}
