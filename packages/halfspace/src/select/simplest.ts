import { type MetricName, valueOfLoss } from '../evaluate/metric.ts';
import { spreadOf } from '../evaluate/run-curves.ts';
import type { Scored } from '../pool/fold-task.ts';

/*
 * The order by which every search chooses: that without a rule, that over lists of values, and comparisons.
 *
 * - The lower the mean loss over the folds, the better, whatever the metric; the loss of accuracy is −accuracy.
 * - A candidate is level with the best if its mean loss is at most one standard error of the difference higher.
 * - Of those that are level with the best, the simplest is chosen.
 *
 * All candidates have the same folds, so the differences by fold give the standard error, s / √n of n folds.
 */

/** A candidate that was judged. */
export interface Contender {
  /** By fold, repetition by repetition; a loss is NaN if the fold defines none. */
  readonly scores: readonly Scored[];
  /** The first number that differs decides; lower is simpler. */
  readonly complexity: readonly number[];
}

/** Returns the mean loss over the folds that define it; Infinity if none does. */
export function meanLoss(scores: readonly Scored[]): number {
  const known = scores.filter(({ loss }) => !Number.isNaN(loss));
  return known.length === 0 ? Infinity : known.reduce((sum, { loss }) => sum + loss, 0) / known.length;
}

/**
 * Returns by how many standard errors a candidate is worse than another one; below 0 if it is better, Infinity if there
 * is no error. Of a single fold the numbers of errors give that of accuracy, and there is none of other metrics.
 */
export function errorsBehind(one: readonly Scored[], other: readonly Scored[]): number {
  const shared = one.flatMap(({ loss }, fold) =>
    Number.isNaN(loss - (other[fold]?.loss ?? Number.NaN)) ? [] : [fold],
  );
  const differences = shared.map((fold) => one[fold]!.loss - other[fold]!.loss);
  const count = differences.length;
  const mean = differences.reduce((sum, each) => sum + each, 0) / count;
  if (mean === 0 || one === other) return 0;
  if (count === 0) return Infinity;
  if (count === 1) {
    const both = [one[shared[0]!]!, other[shared[0]!]!];
    const isAccuracy = both.every(({ loss, accuracy }) => loss === 0 - accuracy);
    const errors = both.reduce((sum, each) => sum + each.errors, 0);
    return isAccuracy ? (mean * both[0]!.examples) / Math.sqrt(errors) : Math.sign(mean) * Infinity;
  }
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return mean / Math.sqrt(squares / (count - 1) / count);
}

/** Tests if a candidate is at most one standard error worse than another one. */
export function isLevel(one: readonly Scored[], other: readonly Scored[]): boolean {
  // A tie may be above by rounding.
  return errorsBehind(one, other) <= 1 + 1e-9;
}

/** Returns the position of the one to choose; see the head of this file. Of equally simple ones the first. */
export function simplest(all: readonly Contender[]): number {
  const means = all.map(({ scores }) => meanLoss(scores));
  const best = means.indexOf(Math.min(...means));
  let chosen = best;
  all.forEach(({ scores, complexity }, k) => {
    const order = compared(complexity, all[chosen]!.complexity) || k - chosen;
    if (order < 0 && isLevel(scores, all[best]!.scores)) chosen = k;
  });
  return chosen;
}

function compared(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((each, k) => each !== other[k]);
  return place === -1 ? 0 : one[place]! - other[place]!;
}

/** The result of a candidate in a search. */
export interface Summary {
  /** Mean accuracy over the folds. */
  readonly accuracy: number;
  /** Standard deviation of the accuracy over the folds. */
  readonly spread: number;
  /** Mean value of the metric over the folds that define it; the accuracy if that is the metric. */
  readonly value: number;
  /** Standard deviation of the value over these folds; 0 if one is infinite. */
  readonly valueSpread: number;
  /**
   * Number of errors in one cross-validation of all examples; the mean if it is repeated; in proportion if only some
   * folds are judged.
   */
  readonly errors: number;
  /** Number of folds evaluated. */
  readonly folds: number;
  /** Number of examples in the folds. */
  readonly examples: number;
}

export function summaryOf(scores: readonly Scored[], metric: MetricName, examples: number): Summary {
  const { mean: accuracy, deviation: spread } = spreadOf(scores);
  const loss = meanLoss(scores);
  const known = scores.filter((each) => !Number.isNaN(each.loss));
  const valueSpread = Number.isFinite(loss)
    ? spreadOf(known.map((each) => ({ ...each, accuracy: each.loss }))).deviation
    : 0;
  const predictions = scores.reduce((sum, each) => sum + each.examples, 0);
  const errors = (scores.reduce((sum, each) => sum + each.errors, 0) * examples) / predictions;
  const value = valueOfLoss(metric, loss);
  return { accuracy, spread, value, valueSpread, errors, folds: scores.length, examples };
}
