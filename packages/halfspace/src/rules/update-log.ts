import type { StoredBatch } from '../batch.ts';

/** No class: one versus rest, the rest. */
export const noClass = -1;

/**
 * Told of every update that a learner makes, in the order of the examples, and for one example in the order of the classes.
 *
 * @param row the example's position in the batch.
 * @param raised, lowered positions of the class whose score the update raises and of the one whose it lowers; {@link noClass} where
 *   that is the rest of the classes. Of two classes they are 0, the negative one, and 1.
 * @param lead by how much the raised class led before: y·a, or what f_y(x) is above f_r(x). Not above the rule's threshold.
 * @param step τ > 0: by how many x the weights of these classes changed.
 */
export type UpdateLog = (row: number, raised: number, lowered: number, lead: number, step: number) => void;

/** Which examples of a batch made an update, as a learner is told who is to make them again. Both lists are as long. */
export interface UpdateMarks {
  /** Positions in the batch, not falling. */
  readonly rows: readonly number[];
  /** Positions of the functions that were updated, rising where rows are the same: 0 where there is one function for all. */
  readonly functions: readonly number[];
}

/** A learner whose updates can be recorded, and made again from that record without a look at the other examples. */
export interface Recordable {
  /** Tells `log` of updates from now on; null: nobody. */
  record(log: UpdateLog | null): void;

  /**
   * Lets examples [from, to) go by as ones that need no update, without a look at their features; whether any scores on the wrong side
   * is not noticed. Returns how many: fewer than asked when a limit was reached.
   */
  skip(batch: StoredBatch, from: number, to: number): number;

  /**
   * Shows examples [from, to), of which only those that are marked are looked at, for the functions that are marked; the others go by
   * as by {@link skip}. Returns how many were shown. What does not make an update at its mark is not counted as one, and ends nothing.
   */
  follow(batch: StoredBatch, from: number, to: number, marks: UpdateMarks): number;
}
