import { check, list, members, number, whole } from '../../json.ts';
import {
  type ClippedPlattCalibration,
  type PlattCalibration,
  probabilityOf,
  sigmoid,
} from '../../model/calibration.ts';
import { checkDoubles } from '../../rules/learner-state.ts';
import { dampedShare, firstSweeps, pace } from './newton.ts';
import { ScoreRange, type ScoreRangeState } from './score-range.ts';

/*
 * Platt's sigmoid for two classes, fitted to the latest rows.
 *
 *   minimise   F(a, b) = − Σ hᵢ (tᵢ ln pᵢ + (1 − tᵢ) ln(1 − pᵢ))   over a ≥ 0,   pᵢ = 1 / (1 + exp(−(a·xᵢ + b)))
 *   targets    tᵢ = (N₊ + 1) / (N₊ + 2) for positive rows, 1 / (N₋ + 2) for negative ones
 *
 * xᵢ: score i clipped to [low, high] and mapped to [−1, 1]; h: importance; N: rows of the class in the window. low and
 * high are the ends of both classes' ranges, `reach` widths from their centres (score-range.ts). So outliers do not
 * dominate the fit, and scores that grow while a rule learns do not need another a. Newton's method never stops: it
 * follows the window, see newton.ts. Source: Platt, "Probabilistic outputs for support vector machines and comparisons
 * to regularized likelihood methods", 1999; evaluate/platt.ts is the fit of a whole set. Differences: the window, the
 * clipping always, and a slope that is never negative.
 */

/** Number of rows of each class before there is a calibration. */
const leastPerClass = 20;
const reach = 2.5;
/** Shares of the Hessian, and a number, that are added to its diagonal. */
const ridgeShare = 1e-6;
const ridge = 1e-3;
/** Larger importance counts as this one, so that no product of sums overflows. */
const largestImportance = 2 ** 53;
const smallestHalf = 1e-280;
/** Bounds of the numbers of a state, so that no sum overflows. */
const largestFit = 1e9;
const largestRange = 1e303;

/** The state of an {@link OnlineSigmoid}. */
export interface SigmoidState {
  /** a and b for scores in [−1, 1]. */
  readonly fit: readonly [slope: number, intercept: number];
  /** The middle of the scores and half their range, at the start of the sweep. */
  readonly range: readonly [middle: number, half: number];
  /** Position of the sweep in the window; gradient and Hessian so far. */
  readonly position: number;
  readonly sums: Float64Array;
  readonly negatives: number;
  readonly positives: number;
  readonly ranges: readonly [negative: ScoreRangeState, positive: ScoreRangeState];
  /** The rows of the window; row r is at r % window. */
  readonly scores: Float64Array;
  readonly labels: Uint8Array;
  readonly importance: Float64Array;
}

/** Fits Platt's sigmoid to the latest rows; see the head of this file. */
export class OnlineSigmoid {
  readonly #window: number;
  #a = 0;
  #b = 0;
  #middle = 0;
  #half = 0;
  #position = 0;
  /** Gradient of F for a and b, and its Hessian: aa, ab, bb. */
  readonly #sums = new Float64Array(5);
  /** Numbers of all rows, and of the rows in the window, by class. */
  readonly #rows = [0, 0];
  readonly #within = [0, 0];
  #ranges: [ScoreRange, ScoreRange];
  #scores = new Float64Array(64);
  #labels = new Uint8Array(64);
  #importance = new Float64Array(64);
  #calibration: PlattCalibration | ClippedPlattCalibration | null = null;

  constructor(window: number) {
    this.#window = window;
    this.#ranges = [new ScoreRange(window), new ScoreRange(window)];
  }

  /** Null until both classes have {@link leastPerClass} rows. */
  get calibration(): PlattCalibration | ClippedPlattCalibration | null {
    return this.#calibration;
  }

  /**
   * Learns from one row.
   *
   * @param score finite. @param actual 0 or 1: the negative or the positive class. @param importance above 0.
   * @returns the probability of the row's class by {@link calibration} before this row; null: there was none.
   */
  learn(score: number, actual: number, importance: number): number | null {
    let answer: number | null = null;
    if (this.#calibration !== null) {
      const p = probabilityOf(this.#calibration, score);
      answer = actual === 1 ? p : 1 - p;
    }
    const h = Math.min(importance, largestImportance);
    this.#push(score, actual, h);
    this.#ranges[actual]!.add(score, h);
    const size = this.#within[0]! + this.#within[1]!;
    if (this.#calibration !== null) {
      for (let k = pace(this.#rows[0]! + this.#rows[1]!, 2000, 2); k > 0; k--) this.#visit(size);
    } else if (Math.min(...this.#rows) >= leastPerClass) this.#fitFirst(size);
    return answer;
  }

  #push(score: number, actual: number, importance: number): void {
    const row = this.#rows[0]! + this.#rows[1]!;
    const at = row % this.#window;
    if (row >= this.#window) this.#within[this.#labels[at]!]!--;
    else if (at === this.#scores.length) this.#reserve(Math.min(Math.max(64, 2 * at), this.#window));
    this.#scores[at] = score;
    this.#labels[at] = actual;
    this.#importance[at] = importance;
    this.#rows[actual]!++;
    this.#within[actual]!++;
  }

  #reserve(length: number): void {
    const [scores, labels, importance] = [this.#scores, this.#labels, this.#importance];
    this.#scores = new Float64Array(length);
    this.#labels = new Uint8Array(length);
    this.#importance = new Float64Array(length);
    this.#scores.set(scores);
    this.#labels.set(labels);
    this.#importance.set(importance);
  }

  #fitFirst(size: number): void {
    this.#openRange();
    for (let k = firstSweeps * size; k > 0; k--) this.#visit(size);
  }

  /** Adds the next row of the window to the sweep, and ends the sweep after the last one. */
  #visit(size: number): void {
    const at = this.#position++;
    const isPositive = this.#labels[at] === 1;
    const count = this.#within[isPositive ? 1 : 0]!;
    const target = isPositive ? (count + 1) / (count + 2) : 1 / (count + 2);
    const h = this.#importance[at]!;
    const x = this.#half > 0 ? Math.min(Math.max((this.#scores[at]! - this.#middle) / this.#half, -1), 1) : 0;
    const p = sigmoid(this.#a * x + this.#b);
    const slope = h * (p - target);
    const curvature = h * p * (1 - p);
    const sums = this.#sums;
    sums[0]! += slope * x;
    sums[1]! += slope;
    sums[2]! += curvature * x * x;
    sums[3]! += curvature * x;
    sums[4]! += curvature;
    if (this.#position >= size) this.#endSweep();
  }

  #endSweep(): void {
    this.#step();
    this.#sums.fill(0);
    this.#position = 0;
    this.#openRange();
  }

  #step(): void {
    const [g1, g2, h11, h12, h22] = this.#sums as unknown as [number, number, number, number, number];
    const added = ridge + ridgeShare * (h11 + h22);
    const aa = h11 + added;
    const bb = h22 + added;
    const determinant = aa * bb - h12 * h12;
    const da = (h12 * g2 - bb * g1) / determinant;
    const db = (h12 * g1 - aa * g2) / determinant;
    const share = dampedShare(Math.abs(da) + Math.abs(db));
    if (this.#a + share * da > 0) {
      this.#a += share * da;
      this.#b += share * db;
      return;
    }
    // The minimum is at a = 0: a step of b alone.
    const alone = -g2 / bb;
    this.#a = 0;
    this.#b += dampedShare(Math.abs(alone)) * alone;
  }

  /** Takes the range of the latest scores, and makes the calibration for it. */
  #openRange(): void {
    const [negative, positive] = this.#ranges;
    const low = Math.min(negative.centre - reach * negative.width, positive.centre - reach * positive.width);
    const high = Math.max(negative.centre + reach * negative.width, positive.centre + reach * positive.width);
    this.#middle = low + (high - low) / 2;
    this.#half = (high - low) / 2;
    // Doubles must tell the ends from the middle, and the slope must be finite.
    if (!(low < this.#middle && this.#middle < high && this.#half >= smallestHalf)) this.#half = 0;
    this.#calibration = this.#calibrationOfFit();
  }

  #calibrationOfFit(): PlattCalibration | ClippedPlattCalibration {
    const [middle, half] = [this.#middle, this.#half];
    if (half === 0 || this.#a === 0) return { kind: 'platt', slope: 0, intercept: this.#b };
    const slope = this.#a / half;
    return {
      kind: 'clipped-platt',
      slope,
      intercept: this.#b - slope * middle,
      low: middle - half,
      high: middle + half,
    };
  }

  /** Returns a copy of everything, to go on from later with the same bits. */
  state(): SigmoidState {
    const size = this.#within[0]! + this.#within[1]!;
    return {
      fit: [this.#a, this.#b],
      range: [this.#middle, this.#half],
      position: this.#position,
      sums: this.#sums.slice(),
      negatives: this.#rows[0]!,
      positives: this.#rows[1]!,
      ranges: [this.#ranges[0].state(), this.#ranges[1].state()],
      scores: this.#scores.slice(0, size),
      labels: this.#labels.slice(0, size),
      importance: this.#importance.slice(0, size),
    };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown, window: number): OnlineSigmoid {
    const value = members(state, 'calibration', stateMembers);
    const restored = new OnlineSigmoid(window);
    const [fit, range, sums] = [
      pair(value.fit, 'fit'),
      pair(value.range, 'range'),
      checkDoubles(value.sums, 'sums', 5),
    ];
    restored.#a = number(fit[0], 'calibration.fit', 0, largestFit);
    restored.#b = number(fit[1], 'calibration.fit', -largestFit, largestFit);
    restored.#middle = number(range[0], 'calibration.range', -largestRange, largestRange);
    restored.#half = number(range[1], 'calibration.range', 0, largestRange);
    restored.#sums.set(sums);
    restored.#rows[0] = whole(value.negatives, 'calibration.negatives');
    restored.#rows[1] = whole(value.positives, 'calibration.positives');
    const [negative, positive] = pair(value.ranges, 'ranges');
    restored.#ranges = [ScoreRange.from(negative, window), ScoreRange.from(positive, window)];
    restored.#restoreWindow(value);
    restored.#position = whole(value.position, 'calibration.position', 0, Math.max(0, restored.#scores.length - 1));
    if (Math.min(...restored.#rows) >= leastPerClass) restored.#calibration = restored.#calibrationOfFit();
    return restored;
  }

  #restoreWindow({ scores, labels, importance }: Readonly<Record<string, unknown>>): void {
    const rows = this.#rows[0]! + this.#rows[1]!;
    const size = Math.min(rows, this.#window);
    this.#scores = checkDoubles(scores, 'calibration.scores', size).slice();
    this.#importance = checkDoubles(importance, 'calibration.importance', size).slice();
    for (const h of this.#importance) number(h, 'calibration.importance', Number.MIN_VALUE, largestImportance);
    check(labels instanceof Uint8Array && labels.length === size, 'calibration.labels', `${size} numbers`, labels);
    this.#labels = (labels as Uint8Array).slice();
    for (const label of this.#labels) this.#within[whole(label, 'calibration.labels', 0, 1)]!++;
    for (const k of [0, 1])
      check(
        this.#within[k]! <= this.#rows[k]!,
        'calibration.labels',
        `at most ${this.#rows[k]} of ${k}`,
        this.#within[k],
      );
  }
}

const stateMembers = [
  ...['fit', 'range', 'position', 'sums', 'negatives', 'positives', 'ranges'],
  ...['scores', 'labels', 'importance'],
];

function pair(value: unknown, name: string): readonly unknown[] {
  const both = list(value, `calibration.${name}`, 2);
  check(both.length === 2, `calibration.${name}`, 'two', value);
  return both;
}
