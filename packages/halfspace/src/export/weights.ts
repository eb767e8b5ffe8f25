import type { LinearFunction, LinearModel } from '../model/linear/model.ts';
import { weightCount, weightReader } from '../model/linear/sparse-weights.ts';
import { functionsOf } from '../model/model.ts';
import type { MulticlassModel } from '../model/multiclass/model.ts';

/** A linear function with the constant of its score. */
export interface ScoreFunction {
  readonly weightOf: (feature: number) => number;
  readonly weights: number;
  readonly of: LinearFunction;
  /** bias · biasConstant */
  readonly offset: number;
}

/** Returns the functions of a model: one for two classes, else one per class. */
export function scoreFunctions(model: LinearModel | MulticlassModel): ScoreFunction[] {
  return functionsOf(model).map((of) => ({
    of,
    weightOf: weightReader(of),
    weights: weightCount(of),
    offset: of.bias * of.biasConstant,
  }));
}
