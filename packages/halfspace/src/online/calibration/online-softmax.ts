import { check, flag, members, number, whole } from '../../json.ts';
import { exponential } from '../../kernels/exponential.ts';
import type { SoftmaxCalibration } from '../../model/calibration.ts';
import { classProbabilities } from '../../model/class-probabilities.ts';
import { checkDoubles } from '../../rules/learner-state.ts';
import { dampedShare, firstSweeps, pace } from './newton.ts';
import { ScoreRange, type ScoreRangeState } from './score-range.ts';

/*
 * Softmax of the scores of several classes, fitted to the latest rows.
 *
 *   minimise   F(a) = − Σᵢ hᵢ Σₖ tᵢₖ ln pᵢₖ   over a ≥ 0,   pᵢₖ ∝ exp(a·xᵢₖ)
 *   targets    tᵢₖ = (N + 1) / (N + 2) for the row's class; the other classes share 1 / (N + 2)
 *
 * xᵢₖ: the distance of score k behind the highest one, at most `reach` and in units of it, so in [−1, 0]; h:
 * importance; N: number of rows of the class in the window. reach is a multiple of the mean lead of the highest score
 * over the next one (score-range.ts), so outliers do not dominate the fit. Newton's method never stops: it follows the
 * window, see newton.ts. evaluate/softmax.ts is the fit of a whole set, with its sources.
 *
 * When a class joins, the window starts anew, because its rows lack a score; the fit stays.
 */

/** Number of rows before there is a calibration. */
const leastRows = 50;
/** The reach in mean leads. */
const farthest = 2.5;
const ridge = 1e-3;
/** Larger importance counts as this one, so that no product of sums overflows. */
const largestImportance = 2 ** 53;
const smallestReach = 1e-280;
const largestReach = 1e303;
const largestFit = 1e9;
/** Most scores in the window, which has fewer rows if there are many classes. */
const mostScores = 2 ** 17;

/** The state of an {@link OnlineSoftmax}. */
export interface SoftmaxState {
  readonly classes: number;
  /** a for distances in [−1, 0]. */
  readonly fit: number;
  /** At the start of the sweep; 0: there is none. */
  readonly reach: number;
  /** Position of the sweep in the window; derivatives so far. */
  readonly position: number;
  readonly sums: Float64Array;
  /** Number of rows since the last class joined. */
  readonly rows: number;
  readonly isFitted: boolean;
  readonly leads: ScoreRangeState;
  /** Distances of the rows of the window, at most 0; row r is at r % rows of the window. */
  readonly behind: Float64Array;
  readonly labels: Uint32Array;
  readonly importance: Float64Array;
}

/** Fits a softmax to the latest rows; see the head of this file. */
export class OnlineSoftmax {
  readonly #longest: number;
  #classes: number;
  /** Number of rows of the window. */
  #window: number;
  #a = 1;
  #reach = 0;
  #position = 0;
  /** F′ and F″. */
  readonly #sums = new Float64Array(2);
  /** Number of rows since the last class joined. */
  #rows = 0;
  #within: Uint32Array;
  #leads: ScoreRange;
  #behind: Float64Array;
  #labels: Uint32Array;
  #importance: Float64Array;
  #calibration: readonly [SoftmaxCalibration] | null = null;

  /** @param classes more than two. */
  constructor(window: number, classes: number) {
    this.#longest = window;
    this.#leads = new ScoreRange(window);
    this.#classes = classes;
    this.#window = Math.min(window, Math.floor(mostScores / classes));
    this.#within = new Uint32Array(classes);
    this.#behind = new Float64Array(classes);
    this.#labels = new Uint32Array(1);
    this.#importance = new Float64Array(1);
  }

  /** Null until {@link leastRows} rows have come. */
  get calibration(): SoftmaxCalibration | null {
    return this.#calibration?.[0] ?? null;
  }

  /**
   * Learns from one row.
   *
   * @param scores one finite score for each class. @param actual position of the row's class.
   * @param importance above 0.
   * @returns the probability of the row's class by {@link calibration} before this row; null: there was none.
   */
  learn(scores: ArrayLike<number>, actual: number, importance: number): number | null {
    if (scores.length !== this.#classes) this.#resize(scores.length);
    const answer =
      this.#calibration === null ? null : classProbabilities(this.#calibration, scores, 0, this.#classes)[actual]!;
    const h = Math.min(importance, largestImportance);
    this.#push(scores, actual, h);
    const size = Math.min(this.#rows, this.#window);
    if (this.#calibration !== null) {
      // A step from a few rows would forget what the window knew before a class joined.
      if (size >= leastRows) for (let k = pace(this.#rows, 4000, 1); k > 0; k--) this.#visit(size);
    } else if (size >= leastRows) this.#fitFirst(size);
    return answer;
  }

  #resize(classes: number): void {
    this.#classes = classes;
    this.#window = Math.min(this.#longest, Math.floor(mostScores / classes));
    this.#within = new Uint32Array(classes);
    this.#rows = 0;
    this.#position = 0;
    this.#sums.fill(0);
  }

  #push(scores: ArrayLike<number>, actual: number, importance: number): void {
    const at = this.#rows % this.#window;
    if (this.#rows >= this.#window) this.#within[this.#labels[at]!]!--;
    else this.#reserve(at + 1);
    let [highest, next] = [-Infinity, -Infinity];
    for (let k = 0; k < this.#classes; k++) {
      const score = scores[k]!;
      if (score > highest) [highest, next] = [score, highest];
      else if (score > next) next = score;
    }
    const start = at * this.#classes;
    for (let k = 0; k < this.#classes; k++) this.#behind[start + k] = Math.max(scores[k]! - highest, -Number.MAX_VALUE);
    this.#leads.add(Math.min(highest - next, Number.MAX_VALUE), importance);
    this.#labels[at] = actual;
    this.#importance[at] = importance;
    this.#within[actual]!++;
    this.#rows++;
  }

  /** Makes room for so many rows. */
  #reserve(rows: number): void {
    if (rows <= this.#labels.length && rows * this.#classes <= this.#behind.length) return;
    const length = Math.min(Math.max(2 * rows, 16), this.#window);
    const [behind, labels, importance] = [this.#behind, this.#labels, this.#importance];
    this.#behind = new Float64Array(length * this.#classes);
    this.#labels = new Uint32Array(length);
    this.#importance = new Float64Array(length);
    this.#behind.set(behind.subarray(0, (rows - 1) * this.#classes));
    this.#labels.set(labels.subarray(0, rows - 1));
    this.#importance.set(importance.subarray(0, rows - 1));
  }

  #fitFirst(size: number): void {
    this.#openReach();
    for (let k = firstSweeps * size; k > 0; k--) this.#visit(size);
  }

  /** Adds the next row of the window to the sweep, and ends the sweep after the last one. */
  #visit(size: number): void {
    const row = this.#position++;
    const start = row * this.#classes;
    const scale = this.#reach > 0 ? 1 / this.#reach : 0;
    const own = this.#labels[row]!;
    const count = this.#within[own]!;
    let [sum, mean, square, all] = [0, 0, 0, 0];
    for (let k = start; k < start + this.#classes; k++) {
      const x = Math.max(this.#behind[k]! * scale, -1);
      const e = x === 0 ? 1 : exponential(this.#a * x);
      sum += e;
      mean += e * x;
      square += e * x * x;
      all += x;
    }
    mean /= sum;
    const x = Math.max(this.#behind[start + own]! * scale, -1);
    const target = ((count + 1) * x + (all - x) / (this.#classes - 1)) / (count + 2); // Σₖ tₖ xₖ
    const h = this.#importance[row]!;
    this.#sums[0]! += h * (mean - target);
    this.#sums[1]! += h * (square / sum - mean * mean);
    if (this.#position >= size) this.#endSweep();
  }

  #endSweep(): void {
    const [first, second] = this.#sums as unknown as [number, number];
    const step = -first / (second + ridge);
    this.#a = Math.min(Math.max(0, this.#a + dampedShare(Math.abs(step)) * step), largestFit);
    this.#sums.fill(0);
    this.#position = 0;
    this.#openReach();
  }

  /** Takes the reach from the latest leads, and makes the calibration for it. */
  #openReach(): void {
    const reach = farthest * this.#leads.centre;
    this.#reach = reach >= smallestReach ? reach : 0;
    this.#calibration = [this.#calibrationOfFit()];
  }

  #calibrationOfFit(): SoftmaxCalibration {
    if (this.#reach === 0 || this.#a === 0) return { kind: 'softmax', slope: 0, reach: null };
    return { kind: 'softmax', slope: this.#a / this.#reach, reach: this.#reach };
  }

  /** Returns a copy of everything, to go on from later with the same bits. */
  state(): SoftmaxState {
    const size = Math.min(this.#rows, this.#window);
    return {
      classes: this.#classes,
      fit: this.#a,
      reach: this.#reach,
      position: this.#position,
      sums: this.#sums.slice(),
      rows: this.#rows,
      isFitted: this.#calibration !== null,
      leads: this.#leads.state(),
      behind: this.#behind.slice(0, size * this.#classes),
      labels: this.#labels.slice(0, size),
      importance: this.#importance.slice(0, size),
    };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown, window: number): OnlineSoftmax {
    const value = members(state, 'calibration', stateMembers);
    const restored = new OnlineSoftmax(window, whole(value.classes, 'calibration.classes', 3, mostScores));
    restored.#a = number(value.fit, 'calibration.fit', 0, largestFit);
    restored.#reach = number(value.reach, 'calibration.reach', 0, largestReach);
    check(restored.#reach === 0 || restored.#reach >= smallestReach, 'calibration.reach', '0 or larger', value.reach);
    restored.#sums.set(checkDoubles(value.sums, 'calibration.sums', 2));
    restored.#rows = whole(value.rows, 'calibration.rows');
    restored.#leads = ScoreRange.from(value.leads, window);
    restored.#restoreWindow(value);
    restored.#position = whole(value.position, 'calibration.position', 0, Math.max(0, restored.#labels.length - 1));
    if (flag(value.isFitted, 'calibration.isFitted')) restored.#calibration = [restored.#calibrationOfFit()];
    return restored;
  }

  #restoreWindow({ behind, labels, importance }: Readonly<Record<string, unknown>>): void {
    const size = Math.min(this.#rows, this.#window);
    this.#behind = checkDoubles(behind, 'calibration.behind', size * this.#classes).slice();
    for (const each of this.#behind) check(each <= 0, 'calibration.behind', 'at most 0', each);
    this.#importance = checkDoubles(importance, 'calibration.importance', size).slice();
    for (const h of this.#importance) number(h, 'calibration.importance', Number.MIN_VALUE, largestImportance);
    check(labels instanceof Uint32Array && labels.length === size, 'calibration.labels', `${size} numbers`, labels);
    this.#labels = (labels as Uint32Array).slice();
    for (const label of this.#labels) this.#within[whole(label, 'calibration.labels', 0, this.#classes - 1)]!++;
  }
}

const stateMembers = [
  ...['classes', 'fit', 'reach', 'position', 'sums', 'rows', 'isFitted', 'leads'],
  ...['behind', 'labels', 'importance'],
];
