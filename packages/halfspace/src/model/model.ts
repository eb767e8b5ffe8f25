import type { Label, Labelled } from '../data/label.ts';
import type { DualFunction } from './dual/function.ts';
import type { DualModel } from './dual/model.ts';
import type { LinearFunction, LinearModel } from './linear/model.ts';
import type { MulticlassModel } from './multiclass/model.ts';
import type { TreeModel } from './tree/model.ts';

/**
 * A model: plain data with everything needed to classify raw input. `kinds.ts` has functions that differ by kind.
 * L is the type of its labels.
 */
export type Model<L extends Label = Label> = (LinearModel | MulticlassModel | DualModel | TreeModel) & Labelled<L>;

/** A function that computes one score. */
export type ScoringFunction = LinearFunction | DualFunction;

export function isDual(each: object): each is DualFunction {
  return 'kernel' in each;
}

/** Returns the scoring functions: one for two classes, else one per class. A tree has none. */
export function functionsOf(model: LinearModel | MulticlassModel): readonly LinearFunction[];
export function functionsOf(model: Model): readonly ScoringFunction[];
export function functionsOf(model: Model): readonly ScoringFunction[] {
  if ('functions' in model) return model.functions;
  return 'weights' in model ? [model] : [];
}

/** Returns the class of score 0, −1 or +1; only models with one score use it. */
export function tieOf(model: Model): -1 | 1 {
  return 'tie' in model ? model.tie : -1;
}
