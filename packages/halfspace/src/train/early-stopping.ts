import { judgeBatches } from '../model/judge-batches.ts';
import type { LearnedFunction } from '../rules/learner.ts';
import type { Goal } from './goal.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { RunExamples } from './run-examples.ts';

/**
 * Early stopping: evaluates every pass on held-out examples, keeps the functions of the best pass, and ends the run
 * after `patience` passes in a row without fewer errors, or without a smaller loss of a goal. The held-out error first
 * falls and later rises, but not steadily, so one bad pass says little.
 *
 * Source: Prechelt 1998, Early stopping — but when? (in Neural Networks: Tricks of the Trade). Of passes with equal
 * errors the first is the best. We differ at a clean pass, which ends the run: it wins among equals, because it also
 * has all learned examples right. It is evaluated after a mean is settled.
 */
export class EarlyStopping implements RunObserver {
  readonly #examples: RunExamples;
  readonly #goal: Goal | null;
  #least = Infinity;
  #since = 0;
  /** The best pass, from 1; 0 before the first. */
  best = 0;
  /** The learned functions after that pass. */
  functions: readonly LearnedFunction[] = [];
  /** Accuracy on the held-out examples after that pass. */
  accuracy = 0;

  /** @param goal its loss is compared; null: the number of errors. */
  constructor(examples: RunExamples, goal: Goal | null) {
    this.#examples = examples;
    this.#goal = goal;
  }

  endPass(run: RunState): boolean {
    if (run.isClean || this.#isBetter(run, run.pass)) return false;
    return ++this.#since >= this.#examples.plan.patience!;
  }

  end(run: RunState): void {
    if (run.isClean) this.#isBetter(run, run.pass - 1);
  }

  /** Evaluates the functions after a pass, and keeps them if they are the best so far. */
  #isBetter({ learner, isClean }: RunState, pass: number): boolean {
    const { plan, classes } = this.#examples;
    const goal = this.#goal;
    const kept = goal?.keeper(classes.length) ?? null;
    const options = { classes: classes.length, onBatch: kept?.add };
    const tally = judgeBatches(this.#examples.heldOut(), learner, plan.variant.tie, options);
    const loss = goal === null ? tally.errors : goal.loss(tally.judgement.confusion, kept?.scored ?? null);
    // The first pass counts even if its scores overflow.
    if (this.best > 0 && (isClean ? loss > this.#least : loss >= this.#least)) return false;
    this.#least = loss;
    this.#since = 0;
    this.best = pass;
    this.functions = learner.functions();
    this.accuracy = tally.accuracy;
    return true;
  }
}
