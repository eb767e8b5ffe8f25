import type { MarginBracket } from '../margin/bracket.ts';
import type { MaximumMargin } from '../margin/maximum-margin.ts';
import type { MistakeBound } from '../margin/mistake-bound.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { Judgement, Score } from '../model/metrics.ts';
import type { Model } from '../model/model.ts';
import type { TrainState } from './train-state.ts';

/**
 * Reason why a run ended.
 * - `separated`: a clean pass or streak, and every training example was checked to be classified correctly.
 * - `quiet`: a clean pass or streak, but some example is not classified correctly (score 0, or never drawn).
 * - `budget`: the largest number of passes.
 * - `patience`: early stopping, or the largest number of passes with it; the weights are those of the best pass.
 * - `grown`: the tree is grown and pruned.
 * - `minimum`: the weights minimise the objective of the rule. Then `updates` is the number of steps.
 */
export type StopReason = 'separated' | 'quiet' | 'budget' | 'patience' | 'grown' | 'minimum';

export interface TrainingResult {
  readonly model: Model;
  readonly report: TrainingReport;
  /** The state to continue from; present if `keepState` asked for it. */
  readonly state?: TrainState;
}

/** Data, course and results of a run. */
export interface TrainingReport {
  readonly rule: string;
  /** The lecture's variant, or null. */
  readonly as: string | null;
  /** Number of training examples, without held-out rows and rows of importance 0. */
  readonly examples: number;
  /** Number of features. Of 65,536 and more numbered ones only those that occur, if the examples were kept. */
  readonly features: number;
  readonly nonzeros: number;
  /** The negative and the positive class, or more classes. */
  readonly classes: readonly string[];
  /** Number of training examples of each class. */
  readonly classExamples: readonly number[];
  /** Number of passes started. */
  readonly passes: number;
  readonly updates: number;
  readonly updatesPerPass: readonly number[];
  readonly stop: StopReason;
  /** With early stopping: the pass whose weights the model has, and its accuracy on rows held out for it; else null. */
  readonly best: { readonly pass: number; readonly accuracy: number } | null;
  readonly seed: number;
  /** Score of the first pass: each example is predicted before it is learned. Null if the rule does not know it. */
  readonly progressive: Score | null;
  /** Score of the model on the training examples; null if a single pass could not keep them. */
  readonly train: (Judgement & Geometry) | null;
  /**
   * Bracket on the largest margin of x with the constant feature, for any kind of bias, of two classes. A hyperplane
   * that separates gives the lower end. The weights of `perceptron` and `averaged`, which are a sum of examples, give
   * the upper end if all importance is 1 and the start is not random; else it is the radius. With `separability` both
   * ends are narrowed. Null for a tree, for dual rules without `separability`, and if the examples could not be kept.
   */
  readonly bracket: MarginBracket | null;
  /**
   * Bounds on the updates of this run by Freund & Schapire and by Mohri & Rostamizadeh, for rows that the model does
   * not separate. For the rules `perceptron` and `averaged` from zero, with two classes and importance 1, in any order
   * but `random`; else null.
   */
  readonly mistakeBounds: readonly [MistakeBound, MistakeBound] | null;
  /**
   * With `separability` and three or more classes: the bracket of each class against all others. Null else, and if the
   * examples are too many or could not be kept.
   */
  readonly classBrackets: readonly ClassBracket[] | null;
  /**
   * With `separability` and three or more classes: bracket on the largest margin of any weights of all classes
   * together, the smallest lead of the true class over the norm of all weights. The radius is that of the differences
   * of two classes (Kesler's construction). Null else, and if there are too many examples.
   */
  readonly multiclassBracket: MarginBracket | null;
  /** The largest margin, in the geometry of {@link Geometry.margin}; null without `marginGap`. */
  readonly maximumMargin: MarginReport | null;
  /** Score of the model on the held-out examples; null without the option `holdout`, or if none were held out. */
  readonly holdout: Judgement | null;
  /** Score of the model on the examples of the option `validation`; null without it. */
  readonly validation: Evaluation | null;
}

/** The bracket of one class against all others. */
export interface ClassBracket extends MarginBracket {
  readonly class: string;
}

/** The largest margin, without weights and nearest examples. */
export type MarginReport = Omit<MaximumMargin, 'weights' | 'bias' | 'nearest'>;

/** Geometry of the examples and the hyperplane, in the units of x after scaling. */
export interface Geometry {
  /** True if the model classifies every example correctly. */
  readonly separated: boolean;
  /**
   * Smallest y(w·x + b)/‖w‖, negative if an example is misclassified; 0 for w = 0. With an absorbed bias ‖w‖ includes
   * the weight of the constant feature, as x includes the constant. For several classes: the smallest lead of the true
   * class over the norm of all weights. Null for dual rules, whose norm needs products of all rows, and for a tree.
   */
  readonly margin: number | null;
  /** max‖x‖, including the constant if the bias is absorbed; null for a tree. */
  readonly radius: number | null;
}
