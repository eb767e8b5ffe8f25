import type { StoredBatch } from '../batch.ts';
import type { DualFunction } from '../model/dual/function.ts';
import type { Recordable } from './update-log.ts';

/** An update rule, example by example. A run shows it batches; the caller decides on order, passes and stopping. */
export interface Learner extends Partial<Recordable> {
  /** Name of the rule, as in `--rule`. */
  readonly rule: string;

  /** Number of scores per example: 1 for two classes, else the number of classes seen so far. */
  readonly outputs: number;

  /**
   * Shows examples of a batch, one after the other.
   *
   * @param batch with labels −1 or +1; for several classes, class positions from 0. Neither mutated nor kept.
   * @param from, to half-open range of examples; default all.
   * @returns the number of examples shown: fewer than asked if a limit of {@link LearnerLimits} was reached.
   * @throws HalfspaceError `memory-exhausted` if the features need too much memory.
   */
  learn(batch: StoredBatch, from?: number, to?: number): number;

  /**
   * Writes the scores of every example into `out` (length ≥ rows · outputs), row by row, with the same bits as by
   * {@link functions}. The cost depends on the number of values in the batch. Does not change the learner. Unknown
   * features count 0.
   */
  scoreInto(batch: StoredBatch, out: Float64Array): void;

  /** Returns copies of the scoring functions, one for each output, as a model has them. */
  functions(): readonly LearnedFunction[];

  /** Counters of the run so far. */
  readonly progress: LearnerProgress;

  /** Limits that stop {@link learn} early. */
  limit(limits: LearnerLimits): void;

  /** Returns a copy, as plain data, of everything needed to continue later with the same bits. */
  state(): LearnerState;

  /**
   * Starts from given weights instead of zero: w = `weights`, b = `bias` (of the constant feature). Call it before
   * learning. Absent for rules that cannot.
   */
  start?(weights: Float64Array, bias: number): void;

  /**
   * Adds `importance` to the clock without an update, as examples without an update would: the current weights gain
   * influence in a mean over time. Absent for rules without a mean.
   */
  survive?(importance: number): void;

  /** Returns copies of the current weights if {@link functions} returns their mean over time; else null, or absent. */
  presentFunctions?(): readonly LearnedFunction[] | null;

  /** Frees kernel memory. The learner must not be used afterwards. */
  free(): void;
}

/** A learner of two classes whose score is linear in the features. */
export interface LinearLearner extends Learner {
  readonly outputs: 1;
  /** Returns a copy of the only function of {@link Learner.functions}. */
  parameters(): LinearParameters;
  state(): LinearLearnerState;
}

/** A function that scores: weights, or mistakes for dual rules. */
export type LearnedFunction = LinearParameters | DualFunction;

export interface LinearParameters {
  /** One weight per feature. */
  readonly weights: Float64Array;
  /** Weight of the constant feature. */
  readonly bias: number;
}

export interface LearnerProgress {
  /** Number of examples shown, repeats included. */
  readonly examples: number;
  /** Number of updates. */
  readonly updates: number;
  /** Number of examples predicted wrongly when they were shown, before their update; null if unknown. */
  readonly mistakes: number | null;
  /** Number of examples shown since the last update. */
  readonly cleanStreak: number;
  /** Sum of the importance of the examples shown. */
  readonly clock: number;
}

export interface LearnerLimits {
  /** Number of examples in a row without an update after which to stop. Default ∞. */
  readonly cleanStreak?: number;
  /** Number of updates in all after which to stop. Default ∞. */
  readonly updates?: number;
}

/** See {@link Learner.state}: plain data; its other members belong to the rule. */
export interface LearnerState {
  readonly rule: string;
}

export interface LinearLearnerState extends LearnerState {
  readonly weights: Float64Array;
  /** Sums for averaging; null for rules without a mean. */
  readonly sums: Float64Array | null;
  /** The kernels' scalars, at the positions of kernels/layout.ts. */
  readonly scalars: Float64Array;
  /** Other vectors of the rule, by name. */
  readonly vectors?: Readonly<Record<string, Float64Array>>;
}
