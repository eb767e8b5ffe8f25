import { judgeBatches } from '../model/judge.ts';
import type { LearnedFunction } from '../rules/learner.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { RunExamples } from './run-examples.ts';

/**
 * Early stopping: judges every pass on held-out batches, keeps the functions of the best pass, and ends the run after
 * `patience` passes in a row without fewer errors. The error on held-out examples falls at first and rises later, but
 * not steadily, so one bad pass says little.
 *
 * Source: Prechelt 1998, Early stopping — but when? (in Neural Networks: Tricks of the Trade); of passes with equal
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
  /** Share of the held-out examples that were right then. */
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
