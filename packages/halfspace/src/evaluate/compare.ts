import { HalfspaceError, quote } from '../errors.ts';
import { checkWhole } from './checks.ts';
import { chiSquaredTail, coinTail, studentTwoSided } from './distributions.ts';

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
