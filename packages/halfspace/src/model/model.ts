import type { FeatureEncoding } from '../features/encoding.ts';
import type { Calibration } from './calibration.ts';
import type { DualFunction } from './dual/function.ts';
import type { SparseWeights } from './linear/sparse-weights.ts';
import type { DecisionTree } from './tree/decision-tree.ts';

/** score(x) = Σⱼ weightsⱼ·(xⱼ / divisor) + bias·biasConstant. */
export interface LinearFunction {
  /** One per feature; finite. Where `sparse` is there, this array is made when it is first read and takes 8 bytes a feature. */
  readonly weights: Float64Array;
  /** The weights that are not 0, where a model file has few of very many; absent otherwise. */
  readonly sparse?: SparseWeights | undefined;
  /** Weight of the constant feature. */
  readonly bias: number;
  /** Value of the constant feature: 1, 1/divisor when it was scaled with x, 0 for no bias. */
  readonly biasConstant: number;
  /** > 0: what every x was divided by. */
  readonly divisor: number;
}

/** A model: plain data that says everything needed to judge raw input. */
export type Model = LinearModel | MulticlassModel | DualModel | TreeModel;

/** What all kinds of models have. */
export interface ModelCommon {
  /** The update rule that made it. */
  readonly rule: string;
  /** The rule's own options, complete. */
  readonly options: Readonly<Record<string, number | string | boolean>>;
  /** The lecture's variant, or null. */
  readonly as: string | null;
  readonly features: FeatureEncoding;
  readonly training: TrainingRecord;
  /**
   * Turns scores into probabilities: one calibration, of two classes for their score and of several for all scores together. Models of
   * several classes of older versions have one for each score. Null: the model has scores only, and these are no probabilities.
   */
  readonly calibration: readonly Calibration[] | null;
}

/** Tells two classes apart: the positive one where the score is above 0, the negative one below, and that of `tie` at 0. */
export interface LinearModel extends ModelCommon, LinearFunction {
  readonly kind: 'linear';
  /** Names of the negative and the positive class. */
  readonly classes: readonly [negative: string, positive: string];
  readonly tie: -1 | 1;
}

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

/** Tells two or more classes apart as the other kinds do, by functions in dual form. */
export interface DualModel extends ModelCommon {
  readonly kind: 'dual';
  /** Names of the negative and the positive class; or of three and more classes. */
  readonly classes: readonly string[];
  /** The class of score 0, where there are two. */
  readonly tie: -1 | 1;
  /** One for two classes, one for each of more; all of one kernel, aggregate, divisor and value of the constant feature. */
  readonly functions: readonly DualFunction[];
}

/** Asks an example one question after the other; the class is the most frequent one of the leaf, of equally frequent ones the first. */
export interface TreeModel extends ModelCommon {
  readonly kind: 'tree';
  /** Names of the classes: of two the negative and the positive one. */
  readonly classes: readonly string[];
  /** Its columns are those of `features`, its classes `classes`. */
  readonly tree: DecisionTree;
}

/**
 * How several classes are learned. `one-vs-rest`: one learner for each class, which tells it from all others. `kesler`: one learner of all
 * classes, whose mistakes raise the true class's score and lower that of the class that was given (Kesler's construction).
 */
export type Strategy = 'one-vs-rest' | 'kesler';

/** What scores. */
export type ScoringFunction = LinearFunction | DualFunction;

export function isDual(each: object): each is DualFunction {
  return 'kernel' in each;
}

/** The functions that score: one for two classes, one for each of several; a tree has none. */
export function functionsOf(model: LinearModel | MulticlassModel): readonly LinearFunction[];
export function functionsOf(model: Model): readonly ScoringFunction[];
export function functionsOf(model: Model): readonly ScoringFunction[] {
  if (model.kind === 'tree') return [];
  return model.kind === 'linear' ? [model] : model.functions;
}

/** The class of score 0, −1 or +1, where one score decides. */
export function tieOf(model: Model): -1 | 1 {
  return model.kind === 'linear' || model.kind === 'dual' ? model.tie : -1;
}

/** What a model was trained on and how that ended: for people, and for the same bits again. No times, no paths. */
export interface TrainingRecord {
  /** Rows learned from. Rows held out and rows of importance 0 are not counted. */
  readonly examples: number;
  readonly features: number;
  readonly nonzeros: number;
  readonly passes: number;
  readonly updates: number;
  readonly order: string;
  readonly seed: number;
  /** See `StopReason` in train/report.ts. */
  readonly stop: string;
  /** Whether every training example is given its class; null when that was not looked at. */
  readonly separated: boolean | null;
  /** Accuracy in the first pass, each example judged before it was learned from. */
  readonly progressiveAccuracy: number | null;
  readonly trainAccuracy: number | null;
  readonly holdoutAccuracy: number | null;
}
