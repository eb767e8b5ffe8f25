import type { LabelType } from '../data/label.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Calibration } from './calibration.ts';

/** The members that all kinds of models have. */
export interface ModelCommon {
  /** Name of the update rule that learned the model. */
  readonly rule: string;
  /** All options of the rule, defaults included. */
  readonly options: Readonly<Record<string, number | string | boolean>>;
  /** Name of the preset (a variant in the lecture), or null. */
  readonly as: string | null;
  /** The type of the labels that the model learned, and that its predictions have. Absent: text. */
  readonly labelType?: LabelType;
  readonly features: FeatureEncoding;
  readonly training: TrainingRecord;
  /**
   * Turns scores into probabilities; null: the model has scores only, which are not probabilities. One calibration: for
   * two classes of their score, for more of all scores together.
   */
  readonly calibration: readonly [Calibration] | null;
  /**
   * Mean of every feature over the training rows, each counted by its importance: the row that explanations compare
   * with. Only in linear and multiclass models that were trained with `means`; absent otherwise.
   */
  readonly means?: Float64Array | undefined;
}

/** The members of a model file that all kinds have. */
export type DecodedCommon = ModelCommon & { readonly classes: readonly string[] };

/** The data that a model was trained on, and how the run ended. No times, no paths: equal runs give equal bits. */
export interface TrainingRecord {
  /** Rows learned from. Rows held out and rows of importance 0 are not counted. */
  readonly examples: number;
  /** As in the report of the training. */
  readonly features: number;
  readonly nonzeros: number;
  readonly passes: number;
  readonly updates: number;
  readonly order: string;
  readonly seed: number;
  /** See `StopReason` in train/report.ts. */
  readonly stop: string;
  /** True if every training example is classified correctly; null if that was not checked. */
  readonly separated: boolean | null;
  /** Accuracy in the first pass: each example is predicted before the learner sees its label. */
  readonly progressiveAccuracy: number | null;
  readonly trainAccuracy: number | null;
  readonly holdoutAccuracy: number | null;
  /** Number of shards that learned apart and were mixed after each pass, from 2. Absent: one run over all rows. */
  readonly shards?: number;
}
