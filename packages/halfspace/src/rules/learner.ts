import type { StoredBatch } from '../batch.ts';
import type { DualFunction } from '../model/dual/function.ts';
import type { Recordable } from './update-log.ts';

/**
 * What every update rule offers. A training run is a fold of batches into a learner; whoever folds decides on the order, on
 * passes and on stopping.
 */
export interface Learner extends Partial<Recordable> {
  /** The rule's name, as `--rule` knows it. */
  readonly rule: string;

  /** Scores for an example: 1 where two classes are told apart, else the number of classes seen so far. */
  readonly outputs: number;

  /**
   * Shows examples of a batch, one after the other.
   *
   * @param batch labels −1 or +1; of learners of several classes the classes' positions, from 0. Neither mutated nor kept.
   * @param from, to which examples, half-open; default all.
   * @returns how many were shown: fewer than asked when a limit of {@link LearnerLimits} was reached.
   * @throws HalfspaceError `memory-exhausted` when the features need more memory than there is.
   */
  learn(batch: StoredBatch, from?: number, to?: number): number;

  /**
   * Writes the scores of every example into `out` (length ≥ rows · outputs), row by row: to the bit those of {@link functions}. It costs the
   * numbers that the batch has, whatever the rule, and changes nothing that the learner learns or gives later. Features that the learner does
   * not have count 0.
   */
  scoreInto(batch: StoredBatch, out: Float64Array): void;

  /** What scores, as it would go into a model: one function for each output. Copies. */
  functions(): readonly LearnedFunction[];

  /** Where the run stands. */
  readonly progress: LearnerProgress;

  /** Limits that stop {@link learn} early. */
  limit(limits: LearnerLimits): void;

  /** Everything needed to go on later as if never stopped. Plain data, copied. */
  state(): LearnerState;

  /**
   * Starts from given weights instead of zero: w = `weights`, b = `bias` (of the constant feature). Only before learning; rules that
   * cannot lack it.
   */
  start?(weights: Float64Array, bias: number): void;

  /**
   * Lets `importance` go by without an update, as examples that need none would: in a mean over time the present weights gain what
   * further clean passes would give them. Rules without a mean lack it.
   */
  survive?(importance: number): void;

  /**
   * The present weights where {@link functions} gives their mean over time, copied; null, or lacking, where it gives the present ones
   * themselves.
   */
  presentFunctions?(): readonly LearnedFunction[] | null;

  /** Gives kernel memory back. The learner must not be used again. */
  free(): void;
}

/** A learner of two classes whose score is linear in the features. */
export interface LinearLearner extends Learner {
  readonly outputs: 1;
  /** The only one of {@link Learner.functions}. A copy. */
  parameters(): LinearParameters;
  state(): LinearLearnerState;
}

/** What scores: weights, or for the rules in dual form the mistakes that they are made of. */
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
  /** What else a rule keeps, by names of its own. */
  readonly vectors?: Readonly<Record<string, Float64Array>>;
}
