import * as layout from '../kernels/layout.ts';
import type { PlainRow } from '../kernels/plain-row.ts';
import { createReferenceKernels } from '../kernels/reference.ts';
import { learnRow, type RowSteps, rowSteps } from '../kernels/row-steps.ts';
import { KernelMemoryLearner } from '../rules/kernel-memory-learner.ts';
import type { LinearLearnerState, LinearParameters } from '../rules/learner.ts';
import { createLearner, type RuleName, type RuleOptions } from '../rules/registry.ts';

/** Memory in plain arrays, without a buffer that WebAssembly owns. It is shared, because it has no state. */
const kernels = createReferenceKernels();

/** A learner of two classes that learns from one row at a time. It has the bits of the rule's learner of batches. */
export class RowLearner {
  readonly #learner: KernelMemoryLearner;
  readonly #steps: RowSteps;
  #dimension: number;

  /** @param state to continue from; if given, the options are those of the state. */
  constructor(rule: RuleName, options: RuleOptions, state?: LinearLearnerState) {
    const learner = createLearner(kernels, rule, options, state);
    if (!(learner instanceof KernelMemoryLearner)) throw new TypeError(`${rule} does not learn row by row`);
    this.#learner = learner;
    this.#dimension = state?.weights.length ?? 0;
    this.#steps = rowSteps(learner.memoryFor(this.#dimension));
  }

  /** Makes room for features in [0, dimension). */
  reserve(dimension: number): void {
    if (dimension <= this.#dimension) return;
    this.#dimension = dimension;
    this.#learner.memoryFor(dimension);
    this.#steps.reopen();
  }

  /** Returns the score of a row by the weights that answer. @param last as of {@link RowSteps.answer}. */
  answer(row: PlainRow, last?: boolean): number {
    return this.#steps.answer(row, last);
  }

  /** Score of the row that was answered last by the current weights. */
  get prepared(): number {
    return this.#steps.prepared;
  }

  /** Returns the score of a row by the current weights. */
  score(row: PlainRow): number {
    const steps = this.#steps;
    steps.prepared = steps.score(row);
    return steps.prepared;
  }

  /**
   * Learns from a row with label −1 or +1 and importance above 0.
   *
   * @param answered true if the last call was {@link answer} or {@link score} with the same row; saves the sums.
   */
  learn(row: PlainRow, label: number, importance: number, answered: boolean): void {
    const steps = this.#steps;
    learnRow(steps, row, answered ? steps.prepared : steps.score(row), label, importance);
    steps.state[layout.examples]! += 1;
  }

  /** Returns a learner that has learned from the opposite labels. */
  mirrored(rule: RuleName, options: RuleOptions): RowLearner {
    const mirrored = new RowLearner(rule, options);
    mirrored.reserve(this.#dimension);
    mirrored.#steps.mirror(this.#steps, this.#dimension);
    return mirrored;
  }

  /** Number of updates so far. */
  get updates(): number {
    return this.#steps.state[layout.updates]!;
  }

  /** Returns copies of the weights that answer. @param last true: of the current ones. */
  parameters(last?: boolean): LinearParameters {
    return last === true ? this.#learner.latest() : this.#learner.parameters();
  }

  state(): LinearLearnerState {
    return this.#learner.state();
  }
}
