import type { ModelCommon } from '../common.ts';
import type { LinearFunction } from '../linear/model.ts';

/** Tells K ≥ 2 classes apart: the class whose function scores highest, the first of equals. */
export interface MulticlassModel extends ModelCommon {
  readonly kind: 'multiclass';
  /** The way in which it was learned. */
  readonly strategy: Strategy;
  /** Names of the classes. */
  readonly classes: readonly string[];
  /** One for each class, all of one dimension, divisor and value of the constant feature. */
  readonly functions: readonly LinearFunction[];
}

/**
 * The way in which several classes are learned. `one-vs-rest`: one learner for each class, which tells it from all others. `kesler`: one
 * learner of all classes, whose mistakes raise the score of the true class and lower that of the predicted one (Kesler's construction).
 */
export type Strategy = 'one-vs-rest' | 'kesler';
