import type { MarginBracket } from '../margin/bracket.ts';
import type { MaximumMargin } from '../margin/maximum-margin.ts';
import type { Judgement, Score } from '../model/metrics.ts';
import type { Model } from '../model/model.ts';

/**
 * Reason why a run ended.
 * - `separated`: a clean pass or streak, and the model gives every training example its class, which was checked.
 * - `quiet`: a clean pass or streak, but some example does not have its class (it scores 0, or draws missed it).
 * - `budget`: the allowed passes are spent.
 * - `patience`: early stopping, or no more passes; the weights are those of the best pass.
 * - `grown`: the tree is grown and pruned.
 */
export type StopReason = 'separated' | 'quiet' | 'budget' | 'patience' | 'grown';

export interface TrainingResult {
  readonly model: Model;
  readonly report: TrainingReport;
}

/** What a run read, learned and found out. */
export interface TrainingReport {
  readonly rule: string;
  /** The lecture's variant, or null. */
  readonly as: string | null;
  /** Number of examples learned from, without rows held out and rows of importance 0. */
  readonly examples: number;
  readonly features: number;
  readonly nonzeros: number;
  /** The negative and the positive class, or more classes. */
  readonly classes: readonly string[];
  /** Number of examples of each class among those learned from. */
  readonly classExamples: readonly number[];
  /** Number of passes begun. */
  readonly passes: number;
  readonly updates: number;
  readonly updatesPerPass: readonly number[];
  readonly stop: StopReason;
  /** With early stopping: the pass whose weights the model has, and its accuracy on the held-out batches; else null. */
  readonly best: { readonly pass: number; readonly accuracy: number } | null;
  readonly seed: number;
  /** The first pass, each example judged before it was learned from; null where the rule does not judge. */
  readonly progressive: Score | null;
  /** The model on the examples that it learned from; null when a single pass could not keep them. */
  readonly train: (Judgement & Geometry) | null;
  /**
   * Bracket on the largest margin of x with the constant feature, whatever the kind of bias. For the rules `perceptron`
   * and `averaged` with two classes, whose weights are a sum of examples; null for others, with importance other than
   * 1, with a random start, and where the examples could not be kept.
   */
  readonly bracket: MarginBracket | null;
  /** The largest margin, in the geometry of {@link Geometry.margin}; null unless `marginGap` asked for it. */
  readonly maximumMargin: MarginReport | null;
  readonly holdout: Judgement | null;
  readonly validate: Judgement | null;
}

/** The largest margin, without its weights and the examples nearest to the hyperplane. */
export type MarginReport = Omit<MaximumMargin, 'weights' | 'bias' | 'nearest'>;

/** The examples about the hyperplane, in the units of x as learned from. */
export interface Geometry {
  /** Whether the model gives every example its class. */
  readonly separated: boolean;
  /**
   * Least y(w·x + b)/‖w‖, negative when an example is on the wrong side; 0 for w = 0. With an absorbed bias ‖w‖
   * includes the constant feature's weight, as x includes the constant. For several classes: the least lead of the true
   * class's score over the length of all weights. Null for rules in dual form, where the length takes products of all
   * rows, and for a tree.
   */
  readonly margin: number | null;
  /** max‖x‖, the constant included when the bias is absorbed; null for a tree. */
  readonly radius: number | null;
}
