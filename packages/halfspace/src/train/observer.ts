import type { StoredBatch } from '../batch.ts';
import type { Learner } from '../rules/learner.ts';
import type { StoreNumbers } from './order.ts';

/** Where a run of passes stands. One object for the whole run, which changes as the run goes on. */
export interface RunState {
  readonly learner: Learner;
  /** The present pass, from 1. */
  readonly pass: number;
  /** Largest number of passes; null while it depends on examples that are not read yet. */
  readonly passes: number | null;
  /** Number of examples shown in this pass; while a batch is shown, without that batch. */
  readonly shown: number;
  /** Number of examples in a pass; null while the first pass reads them. */
  readonly rowsInPass: number | null;
  /** Number of updates in this pass. */
  readonly updates: number;
  /** Numbers, in the store, of the examples of the present batch. */
  readonly numbers: StoreNumbers;
}

/**
 * Follows a run of passes, and may end it. Observers are called in their order; a method that is missing costs nothing.
 */
export interface RunObserver {
  /** Called before the first batch is shown, also where the run starts over. */
  begin?(batch: StoredBatch, run: RunState): void;
  /** Shows a batch in place of the loop, and returns the number of examples shown; undefined: leaves it to the next. */
  show?(batch: StoredBatch, run: RunState): number | undefined;
  /** Called for every update. @param row position of the example in the batch; the others as for `UpdateLog`. */
  update?(run: RunState, row: number, raised: number, lowered: number, lead: number): void;
  /** Called after a batch was shown. */
  batch?(run: RunState): void;
  /** Called after a pass. Returns true to end the run; the observers after it are then not called. */
  endPass?(run: RunState): boolean | undefined;
  /** Called when the run starts over with another learner: what was learned so far counts no more. */
  restart?(): void;
  /** Called after the last pass. */
  end?(run: RunState): void;
}
