import type { FeatureEncoding } from '../features/encoding.ts';
import type { Strategy } from '../model/model.ts';
import type { RuleOptions } from '../rules/registry.ts';
import type { ClassWeights } from './plan.ts';
import type { PerceptronVariant, PresetName } from './presets.ts';
import type { TrainingReport } from './report.ts';

/** What a run is about to do: all that must be known, beside the data, to do it again. Plain data. */
export interface LedgerOpening {
  readonly as: PresetName | null;
  readonly variant: PerceptronVariant;
  readonly ruleOptions: RuleOptions;
  readonly multiclass: Strategy;
  readonly classWeights: ClassWeights | null;
  readonly patience: number | null;
  readonly seed: number;
  /** Share of the examples held out; 0: none. */
  readonly holdout: number;
  /** The class set against the rest, where one was named for a source of numeric labels. */
  readonly positive: string | null;
}

/** What a run did. Plain data. */
export interface LedgerClosing {
  /** Rows read, those held out and those of importance 0 included. */
  readonly rows: number;
  /** Numbers, from 0 and rising, of the rows of importance 0, which are no examples; absent: there are none. */
  readonly leftOut?: readonly number[] | undefined;
  /** Of the examples as read, by data/digest.ts. */
  readonly digest: string;
  readonly classes: readonly string[];
  /** Examples of each class to learn from. */
  readonly classExamples: readonly number[];
  /** Updates in all, and in each pass. */
  readonly updates: number;
  readonly updatesPerPass: readonly number[];
  readonly stop: TrainingReport['stop'];
  /** The first pass, each example judged before it was learned from; null where that is not known. */
  readonly progressive: TrainingReport['progressive'];
  readonly features: FeatureEncoding;
}

/** Is told what a run does, update by update. All methods but `flush` are called in the middle of learning and only take note. */
export interface LedgerSink {
  begin(opening: LedgerOpening): void;
  /**
   * One update.
   *
   * @param position how many examples were shown in this pass before; never falling within a pass.
   * @param row number of the example in the data, from 0; rows held out and rows of importance 0 are counted too.
   * @param raised, lowered, lead as an `UpdateLog` is told them.
   */
  update(position: number, row: number, raised: number, lowered: number, lead: number): void;
  /** A pass ends, after so many examples. */
  endPass(shown: number): void;
  /** What was told so far counts no more: a third class has come, and the run begins anew with all that was read. */
  restart(): void;
  end(closing: LedgerClosing): void;
  /** Called between batches, and after `end`. What it throws ends the run. */
  flush(): Promise<void>;
}
