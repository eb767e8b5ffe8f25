import type { PresetName, RuleName } from 'halfspace';

/** The algorithm of a run: a lecture's variant or a rule, with its options. Plain data. */
export interface Algorithm {
  /** A lecture's variant; then `rule` is that of the lecture. Null: a rule without a lecture. */
  readonly as: PresetName | null;
  readonly rule: RuleName;
  /** Options of the rule, named as in the library's `rules`. Absent options have their defaults. */
  readonly options: Readonly<Record<string, number | string | boolean>>;
  /** Null: the lecture's order, or without a lecture cyclic. */
  readonly order: 'cyclic' | 'shuffled' | 'shuffled-once' | 'random' | null;
  /** Maximum number of passes; null: the lecture's number, or chosen from the size of the data. */
  readonly passes: number | null;
  /** A whole number in [0, 2⁵³). */
  readonly seed: number;
  /** Share of the examples held out for validation, in [0, 0.9]; 0: none. */
  readonly holdout: number;
}

export const defaultAlgorithm: Algorithm = {
  as: null,
  rule: 'perceptron',
  options: {},
  order: null,
  passes: null,
  seed: 1,
  holdout: 0,
};
