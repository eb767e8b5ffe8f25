import type { StoredBatch } from '../batch.ts';

/** No class: one versus rest, the rest. */
export const noClass = -1;

/**
 * Called for every update of a learner, in the order of the examples, and for one example in the order of the classes.
 *
 * @param row the example's position in the batch.
 * @param raised, lowered positions of the class whose score the update raises and of the one whose it lowers; {@link noClass} where
 *   that is the rest of the classes. Of two classes they are 0, the negative one, and 1.
 * @param lead by how much the raised class led before: y·a, or what f_y(x) is above f_r(x). Not above the rule's threshold.
 * @param step τ > 0: by how many x the weights of these classes changed.
 */
export type UpdateLog = (row: number, raised: number, lowered: number, lead: number, step: number) => void;

/** The examples of a batch that made an update and must make it again. Both lists have the same length. */
export interface UpdateMarks {
  /** Positions in the batch, not falling. */
  readonly rows: readonly number[];
  /** Positions of the functions that were updated, rising where rows are the same: 0 where there is one function for all. */
  readonly functions: readonly number[];
}

/** A learner whose updates can be recorded, and made again from that record without a look at the other examples. */
export interface Recordable {
  /** Calls `log` for every update from now on; null: none. */
  record(log: UpdateLog | null): void;

  /**
   * Counts examples [from, to) as ones that need no update, without reading their features. Returns their number: fewer than asked if a limit
   * was reached.
   */
  skip(batch: StoredBatch, from: number, to: number): number;

  /**
   * Shows the marked ones of examples [from, to) to the marked functions, and skips the others as {@link skip} does. Returns the number of
   * examples shown. A marked example that makes no update is not counted as one and does not end the run.
   */
  follow(batch: StoredBatch, from: number, to: number, marks: UpdateMarks): number;
}
