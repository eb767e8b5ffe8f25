import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Judged {
  readonly roc: [number[], number[], number[]];
  readonly rocArea: number;
  readonly precisionRecall: [number[], number[], number[]];
  readonly averagePrecision: number;
  readonly logLoss: number;
  readonly brierScore: number;
  readonly zeroOneLoss: number;
  readonly platt: { readonly slope: number; readonly intercept: number };
  readonly isotonic: number[];
}

interface Reference {
  readonly labels: number[];
  readonly scores: number[];
  readonly importance: number[];
  readonly probabilities: number[];
  readonly at: number[];
  readonly plain: Judged;
  readonly weighted: Judged;
  readonly reliability: { readonly probabilities: number[]; readonly shares: number[]; readonly means: number[] };
  readonly differences: number[];
  readonly tTests: { readonly testedPerLearned: number; readonly t: number; readonly pValue: number }[];
  readonly studentTwoSided: [t: number, freedom: number, p: number][];
  readonly mcNemar: {
    readonly counts: [number, number];
    readonly exact: boolean;
    readonly chiSquared?: number;
    readonly pValue: number;
  }[];
}

/** Made by ../reference/evaluate.py with scikit-learn and SciPy. */
export const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, '../reference/evaluate.json'), 'utf8'),
) as Reference;

export const referenceLabels = Float64Array.from(reference.labels);
export const referenceScores = Float64Array.from(reference.scores);

/** The reference's two weightings, with the importance weights that they take. */
export const weightings = [
  ['without importance', reference.plain, null],
  ['with importance', reference.weighted, Float64Array.from(reference.importance)],
] as const;

/** Returns whether two lists of numbers agree to some digits. */
export function largestDifference(actual: ArrayLike<number>, expected: readonly number[]): number {
  if (actual.length !== expected.length) return Infinity;
  return expected.reduce((most, value, i) => Math.max(most, Math.abs(actual[i]! - value)), 0);
}
