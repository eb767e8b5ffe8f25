import type { Split } from '../data/split.ts';
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
  /** Holds out the examples of importance above 0 that the other run held out. Default: as the options say. */
  readonly split?: Split | undefined;
}
