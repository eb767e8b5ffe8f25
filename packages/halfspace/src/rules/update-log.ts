import type { StoredBatch } from '../batch.ts';

/** Stands for all other classes in one versus rest. */
export const noClass = -1;

/**
 * Called for every update of a learner, in the order of the examples; for one example in the order of the classes.
 *
 * @param row position of the example in the batch.
 * @param raised, lowered positions of the classes whose scores the update raises and lowers; {@link noClass} for all
 *   other classes. Of two classes, 0 is the negative one and 1 the positive one.
 * @param lead lead of the raised class before the update: y·a, or f_y(x) − f_r(x). At most the rule's threshold.
 * @param step τ > 0: multiple of x by which the weights of these classes changed.
 */
export type UpdateLog = (row: number, raised: number, lowered: number, lead: number, step: number) => void;

/** The examples of a batch that made an update and must make it again. Both lists have equal length. */
export interface UpdateMarks {
  /** Positions in the batch, not decreasing. */
  readonly rows: readonly number[];
  /** Positions of the updated functions, rising for equal rows; 0 if one function serves all classes. */
  readonly functions: readonly number[];
}

/** A learner whose updates can be recorded, and repeated from that record without looking at other examples. */
export interface Recordable {
  /** Calls `log` for every update from now on; null ends that. */
  record(log: UpdateLog | null): void;

  /**
   * Counts examples [from, to) without an update and without reading their features. Returns their number: fewer if a
   * limit was reached.
   */
  skip(batch: StoredBatch, from: number, to: number): number;

  /**
   * Shows the marked examples of [from, to) to the marked functions, and skips the others as {@link skip} does. Returns
   * the number of examples shown. A marked example may make no update; it is then not counted as one, and does not end
   * the run.
   */
  follow(batch: StoredBatch, from: number, to: number, marks: UpdateMarks): number;
}
