import type { Score } from '../model/metrics.ts';
import type { RunObserver } from './observer.ts';

/** Shows the examples of a run in place of the pass loop, to repeat another run from its ledger. */
export interface Guide extends RunObserver {
  /** True if the other run started over at a third class; then nothing is shown while the source is read. */
  readonly restarted: boolean;
  /** True if the guide has nothing more to show; the run ends then. */
  readonly done: boolean;
  /** Score of the first pass, if skipped examples leave it unknown; undefined: use the score that the run measures. */
  readonly progressive?: Score | null | undefined;
}

/** Options of a run that follows another run. */
export interface Following {
  readonly guide: Guide;
  /**
   * Number of an example that the source lacks, from 0 among those of importance above 0. The holdout still draws a
   * random number for it. −1: none.
   */
  readonly omitted?: number | undefined;
}
