import { members, number, whole } from 'halfspace/checks';
import { createDetector, restoreDetector } from 'halfspace/online';
import type { DetectorName } from './alarm.ts';
import { type DetectorPair, recentShare, restorePair, updatePair } from './detectors.ts';

/*
 * Drift of the mean of one input.
 *
 *   z = (x − m) / s, at most ±4,   m, s: mean and standard deviation of the first 100 values, or of more until s > 0
 *
 * ADWIN watches (z + 4) / 8, which is in [0, 1] as its bounds need; the Page–Hinkley test watches z. With m and s
 * fixed, independent values of one distribution stay so, whatever their distribution is. One far value moves z by 4 at
 * most. After an alarm everything starts anew, m and s too, because the scale may have changed.
 *
 * Many inputs are tested at once. By Bonferroni's inequality the probability of a false alarm of any is at most the sum
 * of theirs, so each of D inputs has δ/D of ADWIN's δ = 0.002. The rate of false alarms of the Page–Hinkley test falls
 * as exp(−2·delta·threshold) (Siegmund, "Sequential Analysis", 1985, section 2.6, for normal values), so its threshold
 * grows by ln(D) / (2·delta). D is the number of inputs rounded up to a power of two, so that it changes rarely.
 */

/** Number of values that give the scale. */
const scaleValues = 100;
const furthest = 4;
const adwinDelta = 0.002;
/** A test costs as much as ten values. */
const adwinCheckEvery = 128;
const pageHinkleyDelta = 0.25;
const pageHinkleyThreshold = 50;
/** ln(2) / (2 · 0.25) */
const thresholdPerDoubling = 1.3862943611198906;
export const mostDoublings = 20;
const largestMean = 2e60;

export interface InputWatchState {
  /** D is 2^doublings. */
  readonly doublings: number;
  /** Number, mean and sum of squared distances from the mean, of the values that give the scale. */
  readonly values: number;
  readonly mean: number;
  readonly squares: number;
  /** Mean of about the latest 16 values. */
  readonly recent: number;
  readonly adwin: object;
  readonly pageHinkley: object;
}

/** Watches the mean of one input; see the head of this file. */
export class InputWatch {
  #doublings: number;
  #detectors: DetectorPair;
  #values = 0;
  #mean = 0;
  #squares = 0;
  /** 1 / s; 0 until the scale is known. */
  #perDeviation = 0;
  /** Mean of about the latest 16 values. */
  recent = 0;
  /** Means of the input at the last alarm. */
  before = 0;
  after = 0;

  /** @param doublings logarithm of D to base 2, from 0 to {@link mostDoublings}. */
  constructor(doublings: number) {
    this.#doublings = doublings;
    this.#detectors = detectorsFor(doublings);
  }

  /**
   * Takes the next value.
   *
   * @param x in [−10⁶⁰, 10⁶⁰].
   * @returns the detector that gives an alarm; null: none does.
   */
  update(x: number): DetectorName | null {
    this.recent += (x - this.recent) * recentShare;
    if (this.#perDeviation === 0) {
      this.#scaleBy(x);
      if (this.#values < scaleValues) return null;
    }
    let z = (x - this.#mean) * this.#perDeviation;
    z = z > furthest ? furthest : z < -furthest ? -furthest : z;
    const alarm = updatePair(this.#detectors, (z + furthest) / (2 * furthest), z);
    if (alarm !== null) this.#restart();
    return alarm;
  }

  /** Tells the number of inputs that are watched together. The detectors go on with what they know. */
  correctFor(doublings: number): void {
    if (doublings === this.#doublings) return;
    this.#doublings = doublings;
    const [adwin, pageHinkley] = this.#detectors;
    const options = optionsFor(doublings);
    this.#detectors = [
      restoreDetector({ ...adwin.state(), ...options.adwin }),
      restoreDetector({ ...pageHinkley.state(), ...options.pageHinkley }),
    ];
  }

  #scaleBy(x: number): void {
    this.#values++;
    const distance = x - this.#mean;
    this.#mean += distance / this.#values;
    this.#squares += distance * (x - this.#mean);
    if (this.#values === 1) this.recent = x;
    this.#fixScale();
  }

  #fixScale(): void {
    if (this.#values >= scaleValues && this.#squares > 0)
      this.#perDeviation = 1 / Math.sqrt(this.#squares / this.#values);
  }

  #restart(): void {
    this.before = this.#mean;
    this.after = this.recent;
    this.#detectors = detectorsFor(this.#doublings);
    this.#values = 0;
    this.#mean = 0;
    this.#squares = 0;
    this.#perDeviation = 0;
  }

  state(): InputWatchState {
    const [adwin, pageHinkley] = this.#detectors;
    return {
      doublings: this.#doublings,
      values: this.#values,
      mean: this.#mean,
      squares: this.#squares,
      recent: this.recent,
      adwin: adwin.state(),
      pageHinkley: pageHinkley.state(),
    };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown): InputWatch {
    const value = members(state, 'input', [
      ...['doublings', 'values', 'mean', 'squares', 'recent'],
      ...['adwin', 'pageHinkley'],
    ]);
    const watch = new InputWatch(whole(value.doublings, 'input.doublings', 0, mostDoublings));
    watch.#detectors = restorePair(value);
    watch.#values = whole(value.values, 'input.values');
    watch.#mean = number(value.mean, 'input.mean', -largestMean, largestMean);
    watch.#squares = number(value.squares, 'input.squares', 0);
    watch.recent = number(value.recent, 'input.recent', -largestMean, largestMean);
    watch.#fixScale();
    return watch;
  }
}

function optionsFor(doublings: number) {
  return {
    adwin: { delta: adwinDelta / 2 ** doublings },
    pageHinkley: { threshold: pageHinkleyThreshold + doublings * thresholdPerDoubling },
  };
}

function detectorsFor(doublings: number): DetectorPair {
  const { adwin, pageHinkley } = optionsFor(doublings);
  return [
    createDetector({ name: 'adwin', direction: 'both', checkEvery: adwinCheckEvery, ...adwin }),
    createDetector({ name: 'page-hinkley', direction: 'both', delta: pageHinkleyDelta, alpha: 1, ...pageHinkley }),
  ];
}
