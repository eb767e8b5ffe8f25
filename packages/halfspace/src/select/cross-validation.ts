import { spreadOf } from '../evaluate/run-curves.ts';
import type { Confusion, Judgement } from '../model/metrics.ts';

/** Evaluation of a rule by k-fold cross-validation: every example is predicted by a run that did not learn from it. */
export interface CrossValidation {
  /** k. */
  readonly folds: number;
  readonly examples: number;
  /** Number of errors in all folds. */
  readonly errors: number;
  /** Mean accuracy over the folds. */
  readonly accuracy: number;
  /** Standard deviation of the accuracy over the folds. */
  readonly spread: number;
  /** Accuracy in every fold. */
  readonly foldAccuracies: readonly number[];
  /** Sum over the folds: rows are true classes, columns are predicted classes. */
  readonly confusion: Confusion;
}

/** Summarises the scores of all folds. */
export function crossValidationOf(judgements: readonly Judgement[]): CrossValidation {
  const { mean, deviation } = spreadOf(judgements);
  const sum = (of: (judgement: Judgement) => number) => judgements.reduce((total, each) => total + of(each), 0);
  return {
    folds: judgements.length,
    examples: sum(({ examples }) => examples),
    errors: sum(({ errors }) => errors),
    accuracy: mean,
    spread: deviation,
    foldAccuracies: judgements.map(({ accuracy }) => accuracy),
    confusion: judgements[0]!.confusion.map((row, i) => row.map((_, j) => sum(({ confusion }) => confusion[i]![j]!))),
  };
}
