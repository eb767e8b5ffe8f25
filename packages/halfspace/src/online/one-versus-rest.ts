import type { PlainRow } from '../kernels/plain-row.ts';
import type { LinearLearnerState, LinearParameters } from '../rules/learner.ts';
import type { RuleName, RuleOptions } from '../rules/registry.ts';
import { RowLearner } from './row-learner.ts';
import type { NamedRule, OneVersusRestRowsState, RowLearners } from './row-learners.ts';

/**
 * The learners of one rule: each tells its class from all others.
 *
 * A class that joins gets a learner that has seen all rows before as rows of other classes: a copy of `nobody`, to
 * which every row is one of another class. So the weights are those of a run that knew all classes from the start. Two
 * classes need one learner, that of class 1: the learner of class 0 would have the opposite sign in every sum. (Only
 * with `updateWhen: 'sign-differs'`, which is not symmetric at score 0, it would differ.)
 */
export class OneVersusRestRows implements RowLearners {
  readonly rules: readonly [NamedRule];
  readonly learners = 1;
  readonly leader = 0;
  readonly mistakes: readonly number[] = [];
  readonly prepared: [readonly number[]] = [[]];
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
    this.rules = [{ rule, options }];
    this.#classes = state?.classes ?? classes;
    if (state === undefined) {
      this.#nobody = open ? learner() : null;
      this.#machines = Array.from({ length: machinesOf(classes) }, () => learner());
    } else {
      this.#nobody = state.nobody === null ? null : learner(state.nobody);
      this.#machines = state.machines.map(learner);
    }
  }

  join(): void {
    this.#classes++;
    const [{ rule, options }] = this.rules;
    const machines = this.#machines;
    if (this.#classes === 1) return;
    if (this.#classes === 3) machines.unshift(machines[0]!.mirrored(rule, options));
    machines.push(new RowLearner(rule, options, this.#nobody!.state()));
  }

  reserve(dimension: number): void {
    this.#nobody?.reserve(dimension);
    for (const machine of this.#machines) machine.reserve(dimension);
  }

  /** @param last true: by the current weights, also if their mean answers. For sgd only. */
  answerInto(row: PlainRow, out: number[], last?: boolean): number {
    const machines = this.#machines;
    for (let k = 0; k < machines.length; k++) out[k] = machines[k]!.answer(row, last);
    return machines.length;
  }

  /** Writes the scores by the current weights of the row that was answered last. */
  currentInto(out: number[]): void {
    const machines = this.#machines;
    for (let k = 0; k < machines.length; k++) out[k] = machines[k]!.prepared;
  }

  prepare(row: PlainRow, answers: readonly number[]): number {
    let most = Math.abs(this.#nobody?.score(row) ?? 0);
    for (let k = 0; k < answers.length; k++) most = Math.max(most, Math.abs(answers[k]!));
    this.prepared[0] = answers;
    return most;
  }

  learn(row: PlainRow, k: number, importance: number, prepared: boolean): void {
    const machines = this.#machines;
    if (machines.length === 1) machines[0]!.learn(row, k === 1 ? 1 : -1, importance, prepared);
    else for (let m = 0; m < machines.length; m++) machines[m]!.learn(row, m === k ? 1 : -1, importance, prepared);
    this.#nobody?.learn(row, -1, importance, prepared);
  }

  get updates(): number {
    return this.#machines.reduce((sum, { updates }) => sum + updates, 0);
  }

  /** @param last as of {@link answerInto}. */
  parameters(last?: boolean): LinearParameters[] {
    return this.#machines.map((machine) => machine.parameters(last));
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
