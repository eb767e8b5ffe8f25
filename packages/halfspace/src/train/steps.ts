import type { StoredBatch } from '../batch.ts';
import { HoldoutSplit } from '../data/split.ts';
import type { Learner } from '../rules/learner.ts';
import type { Intake } from './intake.ts';
import type { StoreNumbers } from './order.ts';
import type { TrainPlan } from './plan.ts';
import { RowNumbers } from './recording.ts';

/** One example was shown. The object is the same at every step: read it before returning. */
export interface TrainStep {
  /** The pass, from 1. */
  readonly pass: number;
  /** How many examples were shown in this pass before. */
  readonly position: number;
  /** Its number in the data, from 0; rows held out and rows of importance 0 are counted too. */
  readonly row: number;
  /** Whether the learner updated on it. */
  readonly updated: boolean;
  /** What learns, after this example. To be read, not to be taught: `functions()`, `presentFunctions()`, `state()` and `progress`. */
  readonly learner: Learner;
}

/** Shows a run's examples one at a time, and tells of each. What comes out has the bits of a run that nobody watches. */
export class Steps {
  readonly #call: (step: TrainStep) => unknown;
  readonly #intake: Intake;
  readonly #rows: RowNumbers;
  /** Whether nobody wants to be told any more. */
  #over = false;

  constructor(call: (step: TrainStep) => unknown, { holdout, seed }: TrainPlan, intake: Intake) {
    this.#call = call;
    this.#intake = intake;
    this.#rows = new RowNumbers(holdout > 0 ? new HoldoutSplit(holdout, seed) : null, intake.leftOut);
  }

  /**
   * Teaches a batch, and returns how many of its examples were shown: fewer than all where so many came in a row without an update. Undefined:
   * nobody wants to be told any more, and nothing was taught.
   *
   * @param numbers of its examples in the store.
   * @param at pass, from 1, and how many examples were shown in it before.
   */
  show(
    learner: Learner,
    batch: StoredBatch,
    numbers: StoreNumbers,
    at: { readonly pass: number; readonly position: number; readonly quietLimit: number },
  ): number | undefined {
    if (this.#over) return undefined;
    const { pass, position, quietLimit } = at;
    const step = { pass, position, row: 0, updated: false, learner };
    let { updates } = learner.progress;
    for (let i = 0; i < batch.rows; i++) {
      learner.learn(batch, i, i + 1);
      const { progress } = learner;
      const stored = typeof numbers === 'number' ? numbers + i : numbers[i]!;
      step.position = position + i;
      step.row = this.#rows.of(this.#intake.numberOf(stored));
      step.updated = progress.updates > updates;
      updates = progress.updates;
      if (this.#call(step) === false) {
        this.#over = true;
        return progress.cleanStreak >= quietLimit ? i + 1 : i + 1 + learner.learn(batch, i + 1);
      }
      if (progress.cleanStreak >= quietLimit) return i + 1;
    }
    return batch.rows;
  }
}
