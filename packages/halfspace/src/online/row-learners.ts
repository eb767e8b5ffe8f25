import type { PlainRow } from '../kernels/plain-row.ts';
import type { LinearLearnerState, LinearParameters } from '../rules/learner.ts';
import type { RuleName, RuleOptions } from '../rules/registry.ts';
import type { AdwinState } from './drift/adwin.ts';

/** A rule with all its options. */
export interface NamedRule {
  readonly rule: RuleName;
  readonly options: RuleOptions;
}

/** The learners of all classes, one row at a time. Classes are numbered in the order in which they came. */
export interface RowLearners {
  /** The rules that are compared, or the only one; the one at position {@link leader} answers. */
  readonly rules: readonly NamedRule[];
  /** Number of rules that learn; one that answers in two ways is in `rules` twice. */
  readonly learners: number;
  readonly leader: number;
  /** Recent mistakes of each rule, by which they were compared; none if there is one rule. */
  readonly mistakes: readonly number[];
  /** The scores of the row that was prepared last, by rule. */
  readonly prepared: readonly (readonly number[])[];

  /** Adds a class. */
  join(): void;

  /** Makes room for features in [0, dimension). */
  reserve(dimension: number): void;

  /** Writes the scores of a row: with two classes that of class 1, else one for each class. Returns their number. */
  answerInto(row: PlainRow, out: number[]): number;

  /**
   * Scores a row by all learners, those of other rules and of a class that has not come yet included, before it is
   * learned. Returns the largest absolute score.
   *
   * @param answers what {@link answerInto}, the last call, wrote for the same row.
   */
  prepare(row: PlainRow, answers: readonly number[]): number;

  /**
   * Learns from a row of class k.
   *
   * @param prepared true if the last call was {@link prepare} with the same row.
   */
  learn(row: PlainRow, k: number, importance: number, prepared: boolean): void;

  /** Number of updates of the classes' learners of the rule that answers. */
  readonly updates: number;

  /** Returns copies of the weights that answer; as many as {@link answerInto} writes scores. */
  parameters(): LinearParameters[];

  state(): RowLearnersState;
}

export interface OneVersusRestRowsState {
  readonly machines: readonly LinearLearnerState[];
  /** Null if no class may join. */
  readonly nobody: LinearLearnerState | null;
  readonly classes: number;
}

export interface FollowTheLeaderState {
  /** In the order of the learners. */
  readonly learners: readonly OneVersusRestRowsState[];
  /** m, by rule. */
  readonly mistakes: Float64Array;
  /** The detector of the mistakes of the first rule. */
  readonly drift: AdwinState;
}

export type RowLearnersState = OneVersusRestRowsState | FollowTheLeaderState;
