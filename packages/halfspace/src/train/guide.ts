import type { StoredBatch } from '../batch.ts';
import type { Score } from '../model/metrics.ts';
import type { Learner } from '../rules/learner.ts';

/** Shows a run's examples in its place: to make again, from a ledger, what another run did. */
export interface Guide {
  /** Whether the other run began anew when a third class came, so that nothing is to be shown while reading. */
  readonly restarted: boolean;
  /** Whether nothing more is to be shown: the run ends here. */
  readonly done: boolean;
  /**
   * Shows a batch, and returns how many of its examples were shown.
   *
   * @param pass from 1.
   * @param position how many examples were shown in this pass before.
   */
  show(learner: Learner, batch: StoredBatch, pass: number, position: number): number;
  /** How the first pass went, where examples that go by are not judged; undefined: as the run finds. */
  readonly progressive?: Score | null | undefined;
  /** Called after every pass. */
  endPass?(learner: Learner): void;
  /** Called when nothing more will be shown. */
  end?(learner: Learner): void;
}

/** How a run follows another one. */
export interface Following {
  readonly guide: Guide | null;
  /** The source lacks this example, from 0 among those of importance above 0, for which chance is drawn all the same when examples are held out; −1: none. */
  readonly omitted?: number | undefined;
}
