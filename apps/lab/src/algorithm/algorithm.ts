import type { PresetName, RuleName } from 'halfspace';

/** How to learn: a lecture's variant or a rule, and what was set besides. Plain data. */
export interface Algorithm {
  /** A lecture's variant; then `rule` is its own, and `order`, where it is null, too. */
  readonly as: PresetName | null;
  readonly rule: RuleName;
  /** Options of the rule, by the names that `rules` of the library has. Those left out have their defaults. */
  readonly options: Readonly<Record<string, number | string | boolean>>;
  /** Null: the lecture's own, or in turn. */
  readonly order: 'cyclic' | 'shuffled' | 'shuffled-once' | 'random' | null;
  /** The most passes; null: the lecture's own or what the data allow. */
  readonly passes: number | null;
  /** A whole number in [0, 2⁵³). */
  readonly seed: number;
  /** Share of the examples set aside to judge on, in [0, 0.9]; 0: none. */
  readonly holdout: number;
}

export const defaultAlgorithm: Algorithm = {
  as: 'blog',
  rule: 'perceptron',
  options: {},
  order: null,
  passes: null,
  seed: 1,
  holdout: 0,
};
