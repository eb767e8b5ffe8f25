import type { PlainRow } from '../kernels/plain-row.ts';
import type { LinearLearnerState, LinearParameters } from '../rules/learner.ts';
import type { RuleName, RuleOptions } from '../rules/registry.ts';
import { RowLearner } from './row-learner.ts';

export interface OneVersusRestRowsState {
  readonly machines: readonly LinearLearnerState[];
  /** Null if no class may join. */
  readonly nobody: LinearLearnerState | null;
  readonly classes: number;
}

/**
 * The learners of all classes, one row at a time: each tells its class from all others. Classes are numbered in the
 * order in which they came.
 *
 * A class that joins gets a learner that has seen all rows before as rows of other classes: a copy of `nobody`, to
 * which every row is one of another class. So the weights are those of a run that knew all classes from the start. Two
 * classes need one learner, that of class 1: the learner of class 0 would have the opposite sign in every sum. (Only
 * with `updateWhen: 'sign-differs'`, which is not symmetric at score 0, it would differ.)
 */
export class OneVersusRestRows {
  readonly #rule: RuleName;
  readonly #options: RuleOptions;
  /** For two classes: that of class 1. For more: one for each class. For fewer: none. */
  readonly #machines: RowLearner[];
  readonly #nobody: RowLearner | null;
  #classes: number;

  /**
   * @param open true if classes may join.
   * @param classes number of classes known from the start.
   */
  constructor(rule: RuleName, options: RuleOptions, open: boolean, classes: number, state?: OneVersusRestRowsState) {
    const learner = (from?: LinearLearnerState) => new RowLearner(rule, options, from);
    this.#rule = rule;
    this.#options = options;
    this.#classes = state?.classes ?? classes;
    if (state === undefined) {
      this.#nobody = open ? learner() : null;
      this.#machines = Array.from({ length: machinesOf(classes) }, () => learner());
    } else {
      this.#nobody = state.nobody === null ? null : learner(state.nobody);
      this.#machines = state.machines.map(learner);
    }
  }

  /** Adds a class. */
  join(): void {
    this.#classes++;
    const machines = this.#machines;
    if (this.#classes === 1) return;
    if (this.#classes === 3) machines.unshift(machines[0]!.mirrored(this.#rule, this.#options));
    machines.push(new RowLearner(this.#rule, this.#options, this.#nobody!.state()));
  }

  /** Makes room for features in [0, dimension). */
  reserve(dimension: number): void {
    this.#nobody?.reserve(dimension);
    for (const machine of this.#machines) machine.reserve(dimension);
  }

  /** Writes the scores of a row: with two classes that of class 1, else one for each class. Returns their number. */
  answerInto(row: PlainRow, out: number[]): number {
    const machines = this.#machines;
    for (let k = 0; k < machines.length; k++) out[k] = machines[k]!.answer(row);
    return machines.length;
  }

  /**
   * Returns the score of a row as one of a class that has not come yet; 0 if no class may join. A call after
   * {@link answerInto} with the same row, and before {@link learn}, saves work there.
   */
  answerOfNobody(row: PlainRow): number {
    return this.#nobody?.score(row) ?? 0;
  }

  /**
   * Learns from a row of class k.
   *
   * @param answered true if the last calls were {@link answerInto} and {@link answerOfNobody} with the same row.
   */
  learn(row: PlainRow, k: number, importance: number, answered: boolean): void {
    const machines = this.#machines;
    if (machines.length === 1) machines[0]!.learn(row, k === 1 ? 1 : -1, importance, answered);
    else for (let m = 0; m < machines.length; m++) machines[m]!.learn(row, m === k ? 1 : -1, importance, answered);
    this.#nobody?.learn(row, -1, importance, answered);
  }

  /** Number of updates of the classes' learners. */
  get updates(): number {
    return this.#machines.reduce((sum, { updates }) => sum + updates, 0);
  }

  /** Returns copies of the weights that answer; as many as {@link answerInto} writes scores. */
  parameters(): LinearParameters[] {
    return this.#machines.map((machine) => machine.parameters());
  }

  state(): OneVersusRestRowsState {
    return {
      machines: this.#machines.map((machine) => machine.state()),
      nobody: this.#nobody?.state() ?? null,
      classes: this.#classes,
    };
  }
}

/** Returns the number of learners that this many classes have. */
export function machinesOf(classes: number): number {
  return classes < 2 ? 0 : classes === 2 ? 1 : classes;
}
