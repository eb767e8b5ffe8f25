import type { StoredBatch } from '../batch.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { TrainStep } from './options.ts';
import type { RunExamples } from './run-examples.ts';

/** Shows examples one at a time, and calls back after each until it returns false. The model keeps its bits. */
export class Steps implements RunObserver {
  readonly #call: (step: TrainStep) => unknown;
  readonly #examples: RunExamples;
  #over = false;

  constructor(call: (step: TrainStep) => unknown, examples: RunExamples) {
    this.#call = call;
    this.#examples = examples;
  }

  show(batch: StoredBatch, { learner, pass, shown, numbers }: RunState): number | undefined {
    if (this.#over) return undefined;
    const step = { pass, position: 0, row: 0, updated: false, learner };
    let { updates } = learner.progress;
    for (let i = 0; i < batch.rows; i++) {
      if (learner.learn(batch, i, i + 1) === 0) return i;
      const { progress } = learner;
      step.position = shown + i;
      step.row = this.#examples.rowOf(numbers, i);
      step.updated = progress.updates > updates;
      updates = progress.updates;
      this.#over = this.#call(step) === false;
      if (this.#over) return i + 1 + learner.learn(batch, i + 1);
    }
    return batch.rows;
  }
}
