import { log2 } from './log2.ts';
import type { TreeCriterion } from './options.ts';

/*
 * What a split is worth.
 *
 *   gini               i(t) = 1 − Σₖ pₖ²
 *   information-gain   i(t) = −Σₖ pₖ log₂ pₖ
 *   gain-ratio         the same, the gain divided by −Σⱼ qⱼ log₂ qⱼ
 *
 * pₖ: share of class k among the examples of node t; qⱼ: share of t's examples that go to child j. The gain of a split is i(t) − Σⱼ qⱼ i(child j).
 * Here i is multiplied by the examples N of its node, so that the children's simply add up:  N − Σ nₖ²/N,  and  N log₂ N − Σ nₖ log₂ nₖ.
 *
 * Sources: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984, section 4.3 (Gini); Quinlan, "Induction of
 * decision trees", 1986 (gain, gain ratio); Quinlan, "C4.5", 1993, section 2.2: the gain ratio chooses among the columns whose gain is
 * not below the mean, because it alone would prefer splits that send nearly everything one way. Where we differ: thresholds are
 * chosen by the gain, as in C4.5 release 8, without its log₂(candidates)/N.
 *
 * `gini` is the default: the three agree on nearly all splits of numbers, and it takes no logarithm.
 */

/** N · i of examples of which `counts[at + k]` are of class k, in all `total`; 0 for none. */
export type Impurity = (counts: Float64Array, at: number, classes: number, total: number) => number;

export function impurityOf(criterion: TreeCriterion): Impurity {
  return criterion === 'gini' ? gini : entropy;
}

function gini(counts: Float64Array, at: number, classes: number, total: number): number {
  if (total === 0) return 0;
  let squares = 0;
  for (let k = at; k < at + classes; k++) squares += counts[k]! * counts[k]!;
  return total - squares / total;
}

function entropy(counts: Float64Array, at: number, classes: number, total: number): number {
  let sum = timesLog2(total);
  for (let k = at; k < at + classes; k++) sum -= timesLog2(counts[k]!);
  return sum;
}

/** n log₂ n; 0 at 0, and below: differences of sums that are not whole can come out there. */
export function timesLog2(n: number): number {
  return n <= 0 ? 0 : n * log2(n);
}

/** Differences of impurity below this share of the node's examples are rounding, and never decide: the first candidate does. */
export const negligible = 1e-12;
