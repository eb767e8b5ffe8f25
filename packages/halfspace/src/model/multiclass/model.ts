import type { ModelCommon } from '../common.ts';
import type { LinearFunction } from '../linear/model.ts';

/** Tells K ≥ 2 classes apart: the class with the highest score wins, the first of equals. */
export interface MulticlassModel extends ModelCommon {
  readonly kind: 'multiclass';
  /** The way in which the classes were learned. */
  readonly strategy: Strategy;
  /** Names of the classes. */
  readonly classes: readonly string[];
  /** One for each class, all with the same dimension, divisor and constant feature. */
  readonly functions: readonly LinearFunction[];
}

/**
 * The way to learn several classes. `one-vs-rest`: one learner per class tells it from all others. `kesler`: one
 * learner for all classes; a mistake raises the score of the true class and lowers that of the predicted one (Kesler's
 * construction). `joint`: one learner for all classes minimises a loss of all scores, the multinomial loss of `sgd`.
 */
export type Strategy = 'one-vs-rest' | 'kesler' | 'joint';
export const strategies = ['one-vs-rest', 'kesler', 'joint'] as const satisfies readonly Strategy[];
