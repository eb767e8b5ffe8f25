import type { FeatureEncoding } from '../features/encoding.ts';
import type { TrainPlan } from './plan.ts';
import type { TrainingReport } from './report.ts';

/** Everything needed to repeat a run, besides the data. Plain data. */
export interface LedgerOpening extends Omit<TrainPlan, 'marginGap'> {
  /** The positive class, if one was named for a source of numeric labels. */
  readonly positive: string | null;
}

/** Result of a run. Plain data. */
export interface LedgerClosing
  extends Pick<TrainingReport, 'classes' | 'classExamples' | 'updates' | 'updatesPerPass' | 'stop' | 'progressive'> {
  /** Number of rows read, including held-out rows and rows of importance 0. */
  readonly rows: number;
  /** Numbers, from 0 and rising, of the rows of importance 0; absent if there are none. */
  readonly leftOut?: readonly number[] | undefined;
  /** Numbers, from 0 and rising, of the held-out rows; absent in runs that hold out none by their options. */
  readonly heldOut?: readonly number[] | undefined;
  /** Digest of the examples as read, see data/digest.ts. */
  readonly digest: string;
  readonly features: FeatureEncoding;
}

/** Records the updates of a run. All methods but `flush` are called in the middle of learning. */
export interface LedgerSink {
  begin(opening: LedgerOpening): void;
  /**
   * Called for every update.
   *
   * @param position number of examples shown in this pass before; not decreasing within a pass.
   * @param row number of the example in the data, from 0; held-out rows and rows of importance 0 count.
   * @param raised, lowered, lead as for `UpdateLog`.
   */
  update(position: number, row: number, raised: number, lowered: number, lead: number): void;
  /** Called after a pass. @param shown number of examples shown in it. */
  endPass(shown: number): void;
  /** Discards all updates so far: a third class has occurred, and the run starts over. */
  restart(): void;
  end(closing: LedgerClosing): void;
  /** Called between batches, and after `end`. An error that it throws ends the run. */
  flush(): Promise<void>;
}
