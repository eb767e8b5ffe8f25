import type { FeatureEncoding } from '../features/encoding.ts';
import type { TrainPlan } from './plan.ts';
import type { TrainingReport } from './report.ts';

/** What must be known, beside the data, to make a run again. Plain data. */
export interface LedgerOpening extends Omit<TrainPlan, 'marginGap'> {
  /** The class set against the rest, where one was named for a source of numeric labels. */
  readonly positive: string | null;
}

/** What a run did. Plain data. */
export interface LedgerClosing
  extends Pick<TrainingReport, 'classes' | 'classExamples' | 'updates' | 'updatesPerPass' | 'stop' | 'progressive'> {
  /** Number of rows read, those held out and those of importance 0 included. */
  readonly rows: number;
  /** Numbers, from 0 and rising, of the rows of importance 0, which are no examples; absent: there are none. */
  readonly leftOut?: readonly number[] | undefined;
  /** Digest of the examples as read, see data/digest.ts. */
  readonly digest: string;
  readonly features: FeatureEncoding;
}

/** Takes note of what a run does, update by update. All methods but `flush` are called in the middle of learning. */
export interface LedgerSink {
  begin(opening: LedgerOpening): void;
  /**
   * Called for every update.
   *
   * @param position number of examples shown in this pass before; never falling within a pass.
   * @param row number of the example in the data, from 0; rows held out and rows of importance 0 are counted too.
   * @param raised, lowered, lead as for `UpdateLog`.
   */
  update(position: number, row: number, raised: number, lowered: number, lead: number): void;
  /** Called after a pass. @param shown number of examples shown in it. */
  endPass(shown: number): void;
  /** Discards all updates so far: a third class has come, and the run starts over with all that was read. */
  restart(): void;
  end(closing: LedgerClosing): void;
  /** Called between batches, and after `end`. What it throws ends the run. */
  flush(): Promise<void>;
}
