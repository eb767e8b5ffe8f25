import type { MarginBracket } from '../margin/bracket.ts';
import type { MaximumMargin } from '../margin/maximum-margin.ts';
import type { Judgement, Score } from '../model/metrics.ts';
import type { Model } from '../model/model.ts';

/**
 * Why a run ended. `separated`: nothing was left to update, and the model gives every training example its class, which was
 * checked. `quiet`: nothing more was found to update, but some example does not have its class (it scores 0, or draws missed it).
 * `budget`: the passes that were allowed are spent. `patience`: passes no longer did better on what was set aside to watch them, or
 * there were no more; the weights are those of the best pass. `grown`: the tree is grown and pruned.
 */
export type StopReason = 'separated' | 'quiet' | 'budget' | 'patience' | 'grown';

export interface TrainingResult {
  readonly model: Model;
  readonly report: TrainingReport;
}

/** What a run read, learned and found. */
export interface TrainingReport {
  readonly rule: string;
  /** The lecture's variant, or null. */
  readonly as: string | null;
  /** Examples learned from. Rows held out and rows of importance 0 are not counted. */
  readonly examples: number;
  readonly features: number;
  readonly nonzeros: number;
  /** The negative and the positive class, or the names of more. */
  readonly classes: readonly string[];
  /** Examples of each class among those learned from. */
  readonly classExamples: readonly number[];
  /** Passes begun. */
  readonly passes: number;
  readonly updates: number;
  readonly updatesPerPass: readonly number[];
  readonly stop: StopReason;
  /** With patience: the pass whose weights the model has, and how well it did on what was set aside; else null. */
  readonly best: { readonly pass: number; readonly accuracy: number } | null;
  readonly seed: number;
  /** The first pass, each example judged by the weights of that moment before it was learned from; null where that is not known. */
  readonly progressive: Score | null;
  /** The model on the examples it learned from; null when these were too many to keep for a single pass. */
  readonly train: (Judgement & Geometry) | null;
  /**
   * How far the run has closed in on the largest margin, of x with the constant feature, whatever the kind of bias. For the rules `perceptron` and
   * `averaged` with two classes, whose weights are a sum of examples; null for others, where examples count otherwise than once, where the start is
   * random, and where the examples were too many to keep.
   */
  readonly bracket: MarginBracket | null;
  /** The largest margin there is, in the geometry of {@link Geometry.margin}; null unless `marginGap` asked for it. */
  readonly maximumMargin: MarginReport | null;
  readonly holdout: Judgement | null;
  readonly validate: Judgement | null;
}

/** The largest margin, without its weights and the examples nearest to the hyperplane. */
export type MarginReport = Omit<MaximumMargin, 'weights' | 'bias' | 'nearest'>;

/** Where the examples lie about the hyperplane, in the units of x as learned from. */
export interface Geometry {
  /** Whether every example is given its class. */
  readonly separated: boolean;
  /**
   * Least y(w·x + b)/‖w‖, negative when an example is on the wrong side. With an absorbed bias ‖w‖ includes the constant
   * feature's weight, as x includes the constant. 0 for w = 0. Of several classes the least lead of the true class's score, over
   * the length of all weights together. Null for rules in dual form: the length of theirs takes products of all their rows; and for a
   * tree, which has no hyperplane.
   */
  readonly margin: number | null;
  /** max‖x‖, the constant included when the bias is absorbed; null for a tree. */
  readonly radius: number | null;
}
