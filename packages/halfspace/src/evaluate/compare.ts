import { HalfspaceError, quote } from '../errors.ts';
import { exponential } from '../kernels/exponential.ts';
import { naturalLog } from '../kernels/natural-log.ts';
import { checkWhole } from './checks.ts';

/** Result of a test of the hypothesis that the mean of differences is 0. */
export interface DifferenceTest {
  readonly mean: number;
  /** Standard error, corrected for the overlap of the training sets. */
  readonly standardError: number;
  /** mean / standardError; 0 if both are 0, ±∞ if only the error is 0. */
  readonly t: number;
  /** Number of differences minus 1. */
  readonly degreesOfFreedom: number;
  /** Two-sided: probability that chance alone gives at least this |t|; in [0, 1]. */
  readonly pValue: number;
}

/**
 * The corrected resampled t-test for differences between two learners over the folds of one or more cross-validations.
 *
 *   t = mean / √((1/J + tested/learned) · s²),   J − 1 degrees of freedom,   s² = Σ (d − mean)² / (J − 1)
 *
 * The training sets of a cross-validation overlap. The plain t-test, without `tested/learned`, treats the runs as
 * independent and finds too many differences. Source: Nadeau & Bengio, "Inference for the generalization error",
 * Machine Learning 52, 2003; for repeated folds Bouckaert & Frank, "Evaluating the replicability of significance
 * tests", 2004.
 *
 * @param differences J ≥ 2 finite numbers, one for every fold of every repetition.
 * @param testedPerLearned number of test examples / number of training examples, above 0: 1 / (k − 1) for k folds.
 * @throws HalfspaceError `option-invalid`, `number-invalid`.
 */
export function correctedResampledTTest(differences: Float64Array, testedPerLearned: number): DifferenceTest {
  const runs = differences.length;
  if (runs < 2) throw new HalfspaceError('option-invalid', `expected at least 2 differences; got ${runs}`);
  if (!(testedPerLearned > 0 && testedPerLearned < Infinity))
    throw new HalfspaceError('option-invalid', `testedPerLearned must be in (0, ∞); got ${quote(testedPerLearned)}`);
  const bad = differences.findIndex((d) => !Number.isFinite(d));
  if (bad !== -1)
    throw new HalfspaceError('number-invalid', `expected a finite difference; got ${quote(differences[bad])}`, {
      row: bad + 1,
    });
  // Equal differences have variance 0, even if rounding moves their mean.
  const equal = differences.every((d) => d === differences[0]);
  const mean = equal ? differences[0]! : differences.reduce((sum, d) => sum + d, 0) / runs;
  const variance = equal ? 0 : differences.reduce((sum, d) => sum + (d - mean) ** 2, 0) / (runs - 1);
  const standardError = Math.sqrt((1 / runs + testedPerLearned) * variance);
  const t = mean === 0 ? 0 : mean / standardError;
  return { mean, standardError, t, degreesOfFreedom: runs - 1, pValue: studentTwoSided(t, runs - 1) };
}

/** Result of a test of the hypothesis that two classifiers err equally often on the same examples. */
export interface McNemarTest {
  readonly method: 'exact' | 'chi-squared';
  /** The corrected chi-squared statistic; null for the exact test. */
  readonly chiSquared: number | null;
  /** Two-sided, in [0, 1]. */
  readonly pValue: number;
}

export interface McNemarOptions {
  /** The test is exact if exactly one classifier is right on fewer examples than this, else chi-squared. Default 25. */
  readonly exactBelow?: number | undefined;
}

/**
 * McNemar's test of two classifiers on the same examples. It uses only the examples on which exactly one is right; if
 * both are equally good, each is right on half of these. Exact: twice the smaller binomial tail, at most 1. Chi-squared
 * with one degree of freedom: max(0, |b − c| − 1)² / (b + c).
 *
 * Source: McNemar, "Note on the sampling error of the difference between correlated proportions or percentages", 1947;
 * the correction of Edwards 1948.
 *
 * @param onlyFirst b: number of examples on which only the first is right.
 * @param onlySecond c: number of examples on which only the second is right.
 * @throws HalfspaceError `option-invalid`.
 */
export function mcNemarTest(onlyFirst: number, onlySecond: number, options: McNemarOptions = {}): McNemarTest {
  checkWhole('onlyFirst', onlyFirst, 0);
  checkWhole('onlySecond', onlySecond, 0);
  const { exactBelow = 25 } = options;
  if (!(exactBelow >= 1))
    throw new HalfspaceError('option-invalid', `exactBelow must be in [1, ∞]; got ${quote(exactBelow)}`);
  const differing = onlyFirst + onlySecond;
  if (differing < exactBelow) {
    const tail = coinTail(Math.min(onlyFirst, onlySecond), differing);
    return { method: 'exact', chiSquared: null, pValue: Math.min(1, 2 * tail) };
  }
  const chiSquared = Math.max(0, Math.abs(onlyFirst - onlySecond) - 1) ** 2 / differing;
  return { method: 'chi-squared', chiSquared, pValue: chiSquaredTail(chiSquared) };
}

/*
 * Tails of distributions for significance tests. Source of the methods: Press, Teukolsky, Vetterling & Flannery,
 * "Numerical Recipes", 3rd edition 2007, sections 6.1, 6.2 and 6.4; continued fractions by the modified method of
 * Lentz.
 */

const tiny = 1e-300;
const precise = 1e-16;
const mostTerms = 100_000;

/** Lanczos' approximation with g = 7 and nine terms, accurate to about 15 digits (Godfrey 2001). */
const lanczos = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
];

/** Returns ln Γ(x). @param x at least ½. */
export function logGamma(x: number): number {
  let sum = lanczos[0]!;
  for (let i = 1; i < lanczos.length; i++) sum += lanczos[i]! / (x - 1 + i);
  const t = x + 6.5;
  return 0.5 * naturalLog(2 * Math.PI) + (x - 0.5) * naturalLog(t) - t + naturalLog(sum);
}

/**
 * Returns the regularised incomplete beta function Iₓ(a, b).
 *
 * @param y 1 − x, as a separate argument because it may be far smaller than x.
 */
export function incompleteBeta(a: number, b: number, x: number, y: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const front = exponential(logGamma(a + b) - logGamma(a) - logGamma(b) + a * naturalLog(x) + b * naturalLog(y));
  // The continued fraction converges quickly for small x; for others use Iₓ(a, b) = 1 − I₁₋ₓ(b, a).
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(a, b, x)) / a : 1 - (front * betaFraction(b, a, y)) / b;
}

function betaFraction(a: number, b: number, x: number): number {
  const apart = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= mostTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / apart(1 + even * d);
    c = apart(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / apart(1 + odd * d);
    c = apart(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) <= precise) break;
  }
  return value;
}

/** Returns P(|T| ≥ |t|) for Student's t with `freedom` ≥ 1 degrees of freedom; `t` may be infinite. */
export function studentTwoSided(t: number, freedom: number): number {
  const square = t * t;
  if (square === Infinity) return 0;
  return incompleteBeta(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square));
}

/** Returns P(X ≥ x) for chi-squared with one degree of freedom, which is Q(½, x/2). @param x in [0, ∞). */
export function chiSquaredTail(x: number): number {
  const z = x / 2;
  if (z === 0) return 1;
  const front = exponential(-z) * Math.sqrt(z / Math.PI);
  if (z < 1.5) {
    let term = 2;
    let sum = term;
    for (let n = 1; n < mostTerms && term > precise * sum; n++) {
      term *= z / (0.5 + n);
      sum += term;
    }
    return 1 - front * sum;
  }
  let b = z + 0.5;
  let c = 1 / tiny;
  let d = 1 / b;
  let value = d;
  for (let i = 1; i <= mostTerms; i++) {
    const an = -i * (i - 0.5);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    value *= d * c;
    if (Math.abs(d * c - 1) <= precise) break;
  }
  return front * value;
}

/** Returns P(X ≤ k) for the heads in n throws of a fair coin. Sums from the largest term down. @param k at most n/2. */
function coinTail(k: number, n: number): number {
  let term = exponential(logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) - n * Math.LN2);
  let sum = 0;
  for (let i = k; i >= 0 && term > sum * precise; i--) {
    sum += term;
    term *= i / (n - i + 1);
  }
  return Math.min(1, sum);
}
