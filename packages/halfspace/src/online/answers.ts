import type { Label } from '../data/label.ts';
import type { RuleName, RuleOptions } from '../rules/registry.ts';

/** The answer to a row. */
export interface OnlineAnswer<L extends Label = Label> {
  /** The predicted class, as a label of the type that was learned; null before a class is known. */
  readonly class: L | null;
  /** Scores as of `Predictor.scores`: one for two classes, else one for each class; none before two are known. */
  readonly scores: readonly number[];
}

/** The answer to a row that was learned from. */
export interface LearnedAnswer<L extends Label = Label> extends OnlineAnswer<L> {
  /** True if the class was right; null before a class was known. */
  readonly right: boolean | null;
  /** True if the drift detector gave an alarm at this row. */
  readonly drift: boolean;
}

/** Counts of the rows of one call of `learnFrom`. */
export interface LearnedRows {
  /** Rows that were learned from; those of importance 0 are not. */
  readonly rows: number;
  /** Of these, rows that were answered before, and rows that were answered correctly. */
  readonly answered: number;
  readonly right: number;
}

/** A rule that `follow-the-leader` compares with others. */
export interface OnlineMember {
  readonly rule: RuleName;
  /** All its options. */
  readonly options: RuleOptions;
  /** Number of its recent mistakes: one counts 1, after another row 0.995, then 0.995², … */
  readonly mistakes: number;
  /** True if it answers: none made fewer recent mistakes. */
  readonly answers: boolean;
}
