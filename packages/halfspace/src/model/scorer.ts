import type { StoredBatch } from '../batch.ts';
import { HalfspaceError, type Place } from '../errors.ts';
import { classOf } from '../kernels/kernels.ts';

/** Scores batches of encoded examples. */
export interface Scorer {
  /** Number of scores per example: one for two classes, whose sign decides; else one per class. */
  readonly outputs: number;
  /** Writes `outputs` scores per example, example by example, into `out` (length ≥ rows · outputs). */
  scoreInto(batch: StoredBatch, out: Float64Array): void;
  free(): void;
}

/**
 * Refuses scores that are not finite. They occur for rows with very large numbers, and predict no class.
 *
 * @param place of the batch: `row` is the number of rows before it.
 * @throws HalfspaceError `number-invalid` with the row.
 */
export function checkScores(
  scores: Float64Array,
  rows: number,
  outputs: number,
  { source, row }: { readonly source: string; readonly row: number },
): void {
  for (let k = 0; k < rows * outputs; k++)
    if (!Number.isFinite(scores[k]))
      throw beyondDoubles(scores[k]!, { source, row: row + Math.floor(k / outputs) + 1 });
}

/** Returns the error for a row of finite numbers whose score is not finite. */
export function beyondDoubles(score: number, where: Place = {}): HalfspaceError {
  return new HalfspaceError(
    'number-invalid',
    `expected numbers whose score is within the range of doubles; got a score of ${score}`,
    where,
  );
}

/**
 * Returns the position of the predicted class. One score decides by its sign, and `tie` is the class of 0. Of several
 * scores the highest decides; of equal ones the first.
 *
 * @param at position of the example's first score.
 */
export function classPosition(scores: Float64Array, at: number, outputs: number, tie: number): number {
  if (outputs === 1) return classOf(scores[at]!, tie) > 0 ? 1 : 0;
  let best = 0;
  for (let k = 1; k < outputs; k++) if (scores[at + k]! > scores[at + best]!) best = k;
  return best;
}

/**
 * Returns the class position of a label. With one score labels are −1 and +1, and −3, −5, … of classes that the model
 * does not have; else they are positions already.
 */
export function labelPosition(label: number, outputs: number): number {
  if (outputs !== 1) return label;
  return label > 0 ? 1 : label >= -1 ? 0 : (1 - label) / 2;
}
