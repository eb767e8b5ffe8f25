import type { StoredBatch } from '../batch.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Strategy } from '../model/multiclass/model.ts';
import type { RuleName, RuleOptions } from '../rules/registry.ts';
import type { Breathe } from '../train/breathe.ts';
import type { ClassWeighing } from '../train/class-weights.ts';

/** A rule with its options complete. */
export interface Candidate {
  readonly rule: RuleName;
  readonly options: RuleOptions;
  /** Strategy for several classes. */
  readonly multiclass: Strategy;
  /** Value of the constant feature, 0 for no bias. Default 1. */
  readonly biasConstant?: number | undefined;
}

/** What all candidates of a comparison share. */
export interface FoldContext {
  readonly kernels: Kernels;
  /** Number of classes. */
  readonly classes: number;
  readonly weighing: ClassWeighing;
  /** The encoding of the examples, for rules that ask for columns. */
  readonly encoding: () => FeatureEncoding;
  /** Awaited within runs; may throw to end them. */
  readonly breathe: Breathe;
}

/** The examples of a cross-validation, fold by fold. A batch is valid until the next one is asked for. */
export interface Folds {
  /** The examples of all folds but one. */
  learnedFrom(fold: number): Iterable<StoredBatch>;
  /** The examples of one fold. */
  judgedOn(fold: number): Iterable<StoredBatch>;
}
