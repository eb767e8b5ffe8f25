import type { FeatureEncoding } from '../features/encoding.ts';

/** score(x) = Σⱼ weightsⱼ·(xⱼ / divisor) + bias·biasConstant. */
export interface LinearFunction {
  /** One per feature; finite. */
  readonly weights: Float64Array;
  /** Weight of the constant feature. */
  readonly bias: number;
  /** Value of the constant feature: 1, 1/divisor when it was scaled with x, 0 for no bias. */
  readonly biasConstant: number;
  /** > 0: what every x was divided by. */
  readonly divisor: number;
}

/**
 * A linear model: plain data that says everything needed to judge raw input. The class is the positive one where the score
 * is above 0, the negative one below, and that of `tie` at 0.
 */
export interface Model extends LinearFunction {
  /** The update rule that made it. */
  readonly rule: string;
  /** The lecture's variant, or null. */
  readonly as: string | null;
  /** Names of the negative and the positive class. */
  readonly classes: readonly [negative: string, positive: string];
  readonly tie: -1 | 1;
  readonly features: FeatureEncoding;
  readonly training: TrainingRecord;
}

/** What a model was trained on and how that ended: for people, and for the same bits again. No times, no paths. */
export interface TrainingRecord {
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
