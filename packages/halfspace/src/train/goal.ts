import type { StoredBatch } from '../batch.ts';
import type { Confusion } from '../model/metrics.ts';

/** Examples with their scores. */
export interface GoalScores {
  /** Number of scores of an example: 1 for two classes, else one for each class. */
  readonly outputs: number;
  /** Row by row. */
  readonly scores: Float64Array;
  /** −1 or +1; with several outputs, positions of classes. */
  readonly labels: Float64Array;
}

/** Keeps scores and labels of rows for a goal. */
export interface GoalKeeper {
  add(batch: StoredBatch, scores: Float64Array): void;
  /** A view of the rows so far. */
  readonly scored: GoalScores;
}

/** A quantity by which runs and passes are compared. */
export interface Goal {
  /**
   * Returns a new keeper of scores; null if the confusion matrix is enough.
   *
   * @param classes number of classes.
   */
  keeper(classes: number): GoalKeeper | null;
  /**
   * Returns a loss: lower is better. Infinity for scores that are not numbers; NaN if the examples do not define it,
   * because a class is missing.
   *
   * @param scored of the keeper; null without one.
   * @throws HalfspaceError `option-invalid` if the goal is for two classes and there are more.
   */
  loss(confusion: Confusion, scored: GoalScores | null): number;
}
