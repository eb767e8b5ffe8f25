import type { ModelCommon } from '../common.ts';
import type { LinearFunction } from '../linear/model.ts';

/** Tells K ≥ 2 classes apart: the one whose function scores highest, and of equal scores the first. */
export interface MulticlassModel extends ModelCommon {
  readonly kind: 'multiclass';
  /** How it was learned; see {@link Strategy}. */
  readonly strategy: Strategy;
  /** Names of the classes. */
  readonly classes: readonly string[];
  /** One for each class, all of one dimension, divisor and value of the constant feature. */
  readonly functions: readonly LinearFunction[];
}

/**
 * How several classes are learned. `one-vs-rest`: one learner for each class, which tells it from all others. `kesler`: one learner of all
 * classes, whose mistakes raise the true class's score and lower that of the class that was given (Kesler's construction).
 */
export type Strategy = 'one-vs-rest' | 'kesler';
