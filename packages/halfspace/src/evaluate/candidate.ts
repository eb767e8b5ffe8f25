import type { StoredBatch } from '../batch.ts';
import type { Breathe } from '../data/breathe.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Strategy } from '../model/multiclass/model.ts';
import { completeRuleOptions, type RuleName, type RuleOptions, strategyOf } from '../rules/registry.ts';
import { partsOf, type Rule } from '../rules/rule-with-options.ts';
import type { ClassWeighing } from '../train/class-weights.ts';
import type { RunOptions } from '../train/options.ts';

/** A rule with all its options. */
export interface Candidate {
  readonly rule: RuleName;
  readonly options: RuleOptions;
  /** Strategy for several classes. */
  readonly multiclass: Strategy;
  /**
   * True judges the rule `logistic` at several penalties: the numbers of passes of a run are C of α = 1 / (C · n), with
   * its number n of training examples.
   */
  readonly atPenalties?: boolean | undefined;
  /** Value of the constant feature, 0 for no bias. Default 1. */
  readonly biasConstant?: number | undefined;
}

/**
 * Completes and checks the options of a rule.
 *
 * @param multiclass the strategy for several classes, if one is given.
 * @throws HalfspaceError `option-invalid`.
 */
export function candidateOf(rule: Rule, multiclass?: Strategy): Candidate {
  const { name, options: given } = partsOf(rule);
  const options = completeRuleOptions(name, given);
  return { rule: name, options, multiclass: strategyOf(name, options, multiclass) };
}

/** Values that all candidates of a comparison share. */
export interface FoldContext {
  readonly kernels: Kernels;
  /** Number of classes. */
  readonly classes: number;
  readonly weighing: ClassWeighing;
  /** Returns the encoding of the examples, for rules that need columns. */
  readonly encoding: () => FeatureEncoding;
  /** Largest number of threads that work at a time. Default: one for each core. */
  readonly threads?: number | undefined;
  /** Awaited within runs; may throw to end them. */
  readonly breathe: Breathe;
  /** Store and signal of runs that read examples themselves. Threads have stores of their own, and are ended. */
  readonly reading?: Pick<RunOptions, 'store' | 'signal'> | undefined;
}

/** The examples of a cross-validation by fold. A batch is valid until the next one is requested. */
export interface Folds {
  /** Yields the training examples: those of all folds but one. */
  learnedFrom(fold: number): Iterable<StoredBatch>;
  /** Yields the held-out examples: those of one fold. */
  judgedOn(fold: number): Iterable<StoredBatch>;
}
