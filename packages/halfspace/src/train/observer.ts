import type { StoredBatch } from '../batch.ts';
import type { Learner } from '../rules/learner.ts';
import type { StoreNumbers } from './order.ts';

/** State of a run of passes. One object for the whole run; its members change. */
export interface RunState {
  readonly learner: Learner;
  /** The current pass, from 1. */
  readonly pass: number;
  /** Largest number of passes; null while it depends on examples that are not read yet. */
  readonly passes: number | null;
  /** Number of examples shown in this pass, without the batch that is being shown. */
  readonly shown: number;
  /** Number of examples in a pass; null while the first pass reads them. */
  readonly rowsInPass: number | null;
  /** Number of updates in this pass. */
  readonly updates: number;
  /** True if the last pass that ended was a clean one, or had a clean streak, that ends the run. */
  readonly isClean: boolean;
  /** Numbers, in the store, of the examples of the current batch. */
  readonly numbers: StoreNumbers;
}

/** Observes a run of passes, and may end it. Observers are called in order; an absent method costs nothing. */
export interface RunObserver {
  /** Called before the first batch, also when the run starts over. */
  begin?(batch: StoredBatch, run: RunState): void;
  /** Shows a batch in place of the loop. Returns the number of examples shown; undefined leaves it to the next one. */
  show?(batch: StoredBatch, run: RunState): number | undefined;
  /** Called for every update. @param row position of the example in the batch; the others as for `UpdateLog`. */
  update?(run: RunState, row: number, raised: number, lowered: number, lead: number): void;
  /** Called after a batch was shown. */
  batch?(run: RunState): void;
  /** Called after a pass. Returns true to end the run; later observers are then not called. */
  endPass?(run: RunState): boolean | undefined;
  /** Called when the run starts over with another learner: discards everything so far. */
  restart?(): void;
  /** Called after the last pass, before a mean is settled. */
  lastPass?(run: RunState): void;
  /** Called after the last pass. */
  end?(run: RunState): void;
}
