import type { TreeCriterion } from './options.ts';

/**
 * Returns log₂ x for x in (0, ∞), by +, −, × and ÷ alone: the same bits in every engine, unlike `Math.log2`.
 *
 * x = 2^e · m with m in [√½, √2), and log m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …), s = (m − 1) / (m + 1), |s| < 0.172.
 * Powers of 2 are exact; otherwise the error is within 2 units in the last place.
 */
export function log2(x: number): number {
  view.setFloat64(0, x);
  let high = view.getUint32(0);
  let exponent = (high >>> 20) - 1023;
  if (exponent === -1023) return log2(x * 2 ** 54) - 54; // subnormal: no leading digit
  high = (high & 0xf_ffff) | 0x3ff0_0000;
  view.setUint32(0, high);
  let m = view.getFloat64(0);
  if (m >= Math.SQRT2) {
    m /= 2;
    exponent++;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let tail = 0;
  for (let k = 23; k >= 3; k -= 2) tail = (tail + 1 / k) * z;
  return exponent + (s + s * tail) * twoOverLog2;
}

const view = new DataView(new ArrayBuffer(8));
/** 2 / ln 2. */
const twoOverLog2 = 2.8853900817779268;

/*
 * Criteria for the quality of a split.
 *
 *   gini               i(t) = 1 − Σₖ pₖ²
 *   information-gain   i(t) = −Σₖ pₖ log₂ pₖ
 *   gain-ratio         as information-gain, with the gain divided by −Σⱼ qⱼ log₂ qⱼ
 *
 * pₖ: share of class k in node t; qⱼ: share of t's examples that go to child j. The gain of a split is i(t) − Σⱼ qⱼ
 * i(child j). The code uses N · i, with N the examples of the node, because children's values then add up: N − Σ nₖ²/N,
 * and N log₂ N − Σ nₖ log₂ nₖ.
 *
 * Sources: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984, section 4.3 (Gini); Quinlan,
 * "Induction of decision trees", 1986 (gain, gain ratio); Quinlan, "C4.5", 1993, section 2.2: because the gain ratio
 * alone prefers splits that send nearly all examples one way, it chooses only among columns with at least the mean
 * gain. Difference: thresholds are chosen by gain, as in C4.5 release 8, but without its penalty log₂(candidates)/N.
 *
 * `gini` is the default: the three agree on nearly all splits of numbers, and it needs no logarithm.
 */

/** Returns N · i for a node with counts[at + k] examples of class k and `total` in all; 0 if there are none. */
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

/** Returns n log₂ n, and 0 for n ≤ 0: differences of fractional sums can round to below 0. */
export function timesLog2(n: number): number {
  return n <= 0 ? 0 : n * log2(n);
}

/** Impurities that differ by less than this share of the node's examples count as equal: the difference is rounding. */
export const negligible = 1e-12;
