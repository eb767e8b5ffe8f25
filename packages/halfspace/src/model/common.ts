import type { FeatureEncoding } from '../features/encoding.ts';
import type { Calibration } from './calibration.ts';

/** The members that all kinds of models have. */
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

/** The members of a model file that all kinds have. */
export type DecodedCommon = ModelCommon & { readonly classes: readonly string[] };

/** The data that a model was trained on and how the run ended. It holds no times and no paths, so the same run gives the same bits. */
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
  /** Whether every training example is classified correctly; null if that was not checked. */
  readonly separated: boolean | null;
  /** Accuracy in the first pass, each example judged before it was learned from. */
  readonly progressiveAccuracy: number | null;
  readonly trainAccuracy: number | null;
  readonly holdoutAccuracy: number | null;
}
