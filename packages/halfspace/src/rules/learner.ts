import type { StoredBatch } from '../batch.ts';
import type { DualFunction } from '../model/dual/function.ts';
import type { Recordable } from './update-log.ts';

/**
 * The interface of every update rule. A training run shows batches to a learner; the caller decides on order, passes and stopping.
 */
export interface Learner extends Partial<Recordable> {
  /** The rule's name, as in `--rule`. */
  readonly rule: string;

  /** Scores per example: 1 for two classes, else the number of classes seen so far. */
  readonly outputs: number;

  /**
   * Shows examples of a batch, one after the other.
   *
   * @param batch labels −1 or +1; of learners of several classes the classes' positions, from 0. Neither mutated nor kept.
   * @param from, to which examples, half-open; default all.
   * @returns the number of examples shown: fewer than asked if a limit of {@link LearnerLimits} was reached.
   * @throws HalfspaceError `memory-exhausted` when the features need more memory than there is.
   */
  learn(batch: StoredBatch, from?: number, to?: number): number;

  /**
   * Writes the scores of every example into `out` (length ≥ rows · outputs), row by row, with the bits of {@link functions}. The cost follows
   * the numbers in the batch, whatever the rule. The learner does not change. Features that the learner does not have count 0.
   */
  scoreInto(batch: StoredBatch, out: Float64Array): void;

  /** Returns copies of the functions that score, as a model has them: one for each output. */
  functions(): readonly LearnedFunction[];

  /** Counters of the run so far. */
  readonly progress: LearnerProgress;

  /** Limits that stop {@link learn} early. */
  limit(limits: LearnerLimits): void;

  /** Returns a copy, as plain data, of everything needed to continue later with the same bits. */
  state(): LearnerState;

  /**
   * Starts from given weights instead of zero: w = `weights`, b = `bias` (of the constant feature). Only before learning. Absent for rules
   * that cannot.
   */
  start?(weights: Float64Array, bias: number): void;

  /**
   * Advances the clock by `importance` without an update, as examples that need no update would. In a mean over time the present weights
   * gain what further clean passes would give them. Absent for rules without a mean.
   */
  survive?(importance: number): void;

  /**
   * Returns copies of the present weights if {@link functions} returns their mean over time. Null, or absent, if it returns the present ones
   * themselves.
   */
  presentFunctions?(): readonly LearnedFunction[] | null;

  /** Gives kernel memory back. The learner must not be used again. */
  free(): void;
}

/** A learner of two classes whose score is linear in the features. */
export interface LinearLearner extends Learner {
  readonly outputs: 1;
  /** Returns a copy of the only function of {@link Learner.functions}. */
  parameters(): LinearParameters;
  state(): LinearLearnerState;
}

/** A function that scores: weights, or for rules in dual form the mistakes. */
export type LearnedFunction = LinearParameters | DualFunction;

export interface LinearParameters {
  /** One weight per feature. */
  readonly weights: Float64Array;
  /** Weight of the constant feature. */
  readonly bias: number;
}

export interface LearnerProgress {
  /** Examples shown, repeats included. */
  readonly examples: number;
  /** Updates made. */
  readonly updates: number;
  /** Examples whose class was predicted wrongly when they were shown, before their update; null where that is not known. */
  readonly mistakes: number | null;
  /** Number of examples shown since the last update. */
  readonly cleanStreak: number;
  /** Importance shown. */
  readonly clock: number;
}

export interface LearnerLimits {
  /** Number of examples in a row without an update after which to stop. Default ∞. */
  readonly cleanStreak?: number;
  /** Number of updates in all after which to stop. Default ∞. */
  readonly updates?: number;
}

/** See {@link Learner.state}: plain data, whose other members are the rule's own. */
export interface LearnerState {
  readonly rule: string;
}

export interface LinearLearnerState extends LearnerState {
  readonly weights: Float64Array;
  /** Sums for averaging, or null for rules without. */
  readonly sums: Float64Array | null;
  /** The kernels' scalars, at the positions of kernels/layout.ts. */
  readonly scalars: Float64Array;
  /** Further vectors of a rule, by names that the rule chooses. */
  readonly vectors?: Readonly<Record<string, Float64Array>>;
}
