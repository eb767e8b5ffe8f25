import type { Score } from '../model/metrics.ts';
import type { RunObserver } from './observer.ts';

/** Shows a run's examples in its place: repeats, from a ledger, what another run did. */
export interface Guide extends RunObserver {
  /** Whether the other run started over when a third class came, so that nothing is shown while reading. */
  readonly restarted: boolean;
  /** Whether the guide has nothing more to show: the run ends here. */
  readonly done: boolean;
  /** The score of the first pass, where examples that are skipped are not judged; undefined: as the run finds it. */
  readonly progressive?: Score | null | undefined;
}

/** How a run follows another one. */
export interface Following {
  readonly guide: Guide;
  /**
   * Number of an example that the source lacks, from 0 among those of importance above 0. When examples are held out a
   * random number is drawn for it all the same. −1: none.
   */
  readonly omitted?: number | undefined;
}
