import { members, number, whole } from 'halfspace/checks';
import { createDetector } from 'halfspace/online';
import type { DetectorName } from './alarm.ts';
import { type DetectorPair, recentShare, restorePair, updatePair } from './detectors.ts';

export interface ErrorWatchState {
  readonly adwin: object;
  readonly pageHinkley: object;
  /** Number of answers and of errors since the last alarm. */
  readonly answers: number;
  readonly errors: number;
  /** Mean of about the latest 16 answers. */
  readonly recent: number;
}

/*
 * The mean number of answers from one false alarm of the Page–Hinkley test to the next is about
 *
 *   (exp(b) − 1 − b) · σ² / (2·delta²),   b = 2 · delta · threshold / σ²,   σ² = p·(1 − p) ≤ ¼ for errors of share p
 *
 * (Siegmund, "Sequential Analysis", 1985, section 2.6). With these options it is at least 4 million. With alpha below 1
 * the sum wanders around a level for ever, by more than any threshold of use.
 */
export const pageHinkley = { name: 'page-hinkley', delta: 0.025, threshold: 50, alpha: 1 } as const;

/** Watches the errors of answers for a rise, by ADWIN with the library's defaults and by {@link pageHinkley}. */
export class ErrorWatch {
  #detectors = newPair();
  #answers = 0;
  #errors = 0;
  #recent = 0;
  /** Means of the stream at the last alarm. */
  before = 0;
  after = 0;

  /**
   * Takes the next answer.
   *
   * @param own the alarm of the model's own detector, which then decides alone; null: it has one and gives none.
   * @returns the detector that gives an alarm, once for a change; null: none does.
   */
  update(error: 0 | 1, own?: DetectorName | null): DetectorName | null {
    this.#answers++;
    this.#errors += error;
    this.#recent += (error - this.#recent) * recentShare;
    const alarm = own === undefined ? updatePair(this.#detectors, error, error) : own;
    if (alarm === null) return null;
    this.before = this.#errors / this.#answers;
    this.after = this.#recent;
    this.#answers = 0;
    this.#errors = 0;
    // The other detector would find the same change later.
    this.#detectors = newPair();
    return alarm;
  }

  state(): ErrorWatchState {
    const [adwin, pageHinkley] = this.#detectors;
    return {
      adwin: adwin.state(),
      pageHinkley: pageHinkley.state(),
      answers: this.#answers,
      errors: this.#errors,
      recent: this.#recent,
    };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown): ErrorWatch {
    const value = members(state, 'errors', ['adwin', 'pageHinkley', 'answers', 'errors', 'recent']);
    const watch = new ErrorWatch();
    watch.#detectors = restorePair(value);
    watch.#answers = whole(value.answers, 'errors.answers');
    watch.#errors = whole(value.errors, 'errors.errors', 0, watch.#answers);
    watch.#recent = number(value.recent, 'errors.recent', 0, 1);
    return watch;
  }
}

function newPair(): DetectorPair {
  return [createDetector('adwin'), createDetector(pageHinkley)];
}
