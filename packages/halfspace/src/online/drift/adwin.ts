import { HalfspaceError, quote } from '../../errors.ts';
import { checkOptionNames } from '../../features/option-names.ts';
import { check, list, type Members, number, oneOf, whole } from '../../json.ts';
import { naturalLog } from '../../kernels/natural-log.ts';
import { checkDoubles } from '../../rules/learner-state.ts';
import { completeOptions, type GivenOptions, type OptionSpecs } from '../../rules/rule-options.ts';
import { type DriftDetector, type DriftDirection, directionOption } from './detector.ts';

/*
 * ADWIN: a window W of the latest values, as long as they may have one mean.
 *
 *   if for some split W = W₀·W₁ of the window |mean(W₀) − mean(W₁)| ≥ ε: alarm, and begin an empty window
 *   ε = √(2/m · σ² · ln(2/δ′)) + 2/(3m) · ln(2/δ′),   1/m = 1/n₀ + 1/n₁,   δ′ = δ / ln n
 *
 * n₀, n₁: numbers of values of both parts, the older first; n = n₀ + n₁; σ²: variance of the window. Source: Bifet &
 * Gavaldà, "Learning from time-changing data with adaptive windowing", 2007, figure 1 and equation 3.1; the window is
 * ADWIN2's exponential histogram (section 3.2): buckets of 2ⁱ values, at most M = 5 of each size; of six, the two
 * oldest become one of twice the size. Splits between buckets only are tested. So memory and the time of a test are
 * in O(M·log(n/M)).
 *
 * δ′ = δ/ln n is the practical choice of the authors; the bound of their theorem 3.1, that the probability of a false
 * alarm at any test is at most δ, is proved for δ/n.
 *
 * Differences: tests come at every 32nd value, not at every one. The source drops only the oldest bucket while a split
 * shows a change, and keeps the rest. What is left has values from before the change, too few to be told from the newer
 * ones, and the newer ones are those that looked extreme; so later tests find the same change again. Here the window
 * begins empty after a change, as in river's ADWIN: if the values after the test have one distribution, then a second
 * alarm is as improbable as an alarm in any stream without a change. The sum and the variance of the window are
 * computed from the buckets at each test, so rounding errors do not accumulate.
 */

/** M of the source. */
const mostPerSize = 5;
const slots = mostPerSize + 1;
/** Buckets of a state have at most 2⁴⁰ values, so that no stream overflows the larger sizes. */
const sizes = 48;
const largestExponent = 40;

/** 2ⁱ, the number of values in a bucket of each size. */
const valuesOf = new Float64Array(sizes);
for (let i = 0, values = 1; i < sizes; i++, values *= 2) valuesOf[i] = values;

const adwinOptions = {
  delta: {
    kind: 'number',
    from: 0,
    to: 1,
    open: 'both',
    default: 0.002,
    about: 'probability of a false alarm at a test',
  },
  checkEvery: {
    kind: 'number',
    whole: true,
    from: 1,
    to: 1_000_000,
    default: 32,
    about: 'number of values from test to test',
  },
  ...directionOption,
} as const satisfies OptionSpecs;

/** `delta` in (0, 1), default 0.002; `checkEvery` from 1, default 32; `direction`, default `rise`. */
export type AdwinOptions = GivenOptions<typeof adwinOptions>;

/** The state of {@link Adwin}. The lists have one entry for each bucket, the oldest first. */
export interface AdwinState {
  readonly name: 'adwin';
  readonly delta: number;
  readonly checkEvery: number;
  readonly direction: DriftDirection;
  /** Number of values since the last test. */
  readonly untested: number;
  /** Bucket k holds 2^exponents[k] values. */
  readonly exponents: readonly number[];
  readonly sums: Float64Array;
  /** Sums of the squared distances from the bucket's mean. */
  readonly squares: Float64Array;
}

/** ADWIN of Bifet & Gavaldà for values in [0, 1]; see the head of this file. One change gives one alarm. */
export class Adwin implements DriftDetector {
  readonly name = 'adwin';
  readonly #delta: number;
  readonly #checkEvery: number;
  readonly #direction: DriftDirection;
  #untested = 0;
  /** Number of buckets of each size. */
  readonly #counts = new Uint8Array(sizes);
  /** Bucket j of size 2ⁱ is at i · slots + j; bucket 0 is the oldest of its size. */
  readonly #sums = new Float64Array(sizes * slots);
  readonly #squares = new Float64Array(sizes * slots);

  /** @throws HalfspaceError `option-invalid`. */
  constructor(options: AdwinOptions = {}) {
    checkOptionNames(options, Object.keys(adwinOptions), 'ADWIN');
    const complete = completeOptions(adwinOptions, options);
    this.#delta = complete.delta as number;
    this.#checkEvery = complete.checkEvery as number;
    this.#direction = complete.direction as DriftDirection;
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(value: Members): Adwin {
    const delta = number(value.delta, 'delta', Number.MIN_VALUE, 1 - Number.EPSILON / 2);
    const checkEvery = whole(value.checkEvery, 'checkEvery', 1, adwinOptions.checkEvery.to);
    const direction = oneOf(value.direction, 'direction', directionOption.direction.values);
    const adwin = new Adwin({ delta, checkEvery, direction });
    adwin.#untested = whole(value.untested, 'untested', 0, checkEvery - 1);
    const exponents = list(value.exponents, 'exponents', (largestExponent + 1) * mostPerSize);
    const sums = checkDoubles(value.sums, 'sums', exponents.length);
    const squares = checkDoubles(value.squares, 'squares', exponents.length);
    let before = largestExponent;
    exponents.forEach((each, k) => {
      const i = whole(each, 'exponents', 0, before);
      check(adwin.#counts[i]! < mostPerSize, 'exponents', `at most ${mostPerSize} of each`, i);
      number(sums[k], 'sums', 0, valuesOf[i]!);
      // Values in [0, 1] have a variance of at most ¼.
      number(squares[k], 'squares', 0, valuesOf[i]!);
      adwin.#push(i, sums[k]!, squares[k]!);
      before = i;
    });
    return adwin;
  }

  /** @param value in [0, 1]. */
  update(value: number): boolean {
    if (!(value >= 0 && value <= 1))
      throw new HalfspaceError('number-invalid', `expected a value in [0, 1] for ADWIN; got ${quote(value)}`);
    this.#push(0, value + 0, 0);
    for (let i = 0; this.#counts[i] === slots; i++) this.#mergeOldest(i);
    if (++this.#untested < this.#checkEvery) return false;
    this.#untested = 0;
    const { rise, fall } = this.#changes();
    // A change in the other direction begins a new window, too: its values would hide the changes behind it.
    if (rise || fall) this.#counts.fill(0);
    return (rise && this.#direction !== 'fall') || (fall && this.#direction !== 'rise');
  }

  /** Number of values in the window; it begins empty after a change. */
  get width(): number {
    let width = 0;
    for (let i = 0; i < sizes; i++) width += this.#counts[i]! * valuesOf[i]!;
    return width;
  }

  /** Mean of the values in the window; NaN if it is empty. */
  get mean(): number {
    return this.#total() / this.width;
  }

  /** Number of buckets that hold the window, at most 5·log₂ of its width. */
  get buckets(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  state(): AdwinState {
    const exponents: number[] = [];
    const places: number[] = [];
    for (let i = sizes - 1; i >= 0; i--)
      for (let j = 0; j < this.#counts[i]!; j++) {
        exponents.push(i);
        places.push(i * slots + j);
      }
    return {
      name: this.name,
      delta: this.#delta,
      checkEvery: this.#checkEvery,
      direction: this.#direction,
      untested: this.#untested,
      exponents,
      sums: Float64Array.from(places, (at) => this.#sums[at]!),
      squares: Float64Array.from(places, (at) => this.#squares[at]!),
    };
  }

  /** Appends a bucket of 2ⁱ values. */
  #push(i: number, sum: number, squares: number): void {
    const at = i * slots + this.#counts[i]!++;
    this.#sums[at] = sum;
    this.#squares[at] = squares;
  }

  /** Joins the two oldest buckets of 2ⁱ values. */
  #mergeOldest(i: number): void {
    const at = i * slots;
    const sums = this.#sums;
    const squares = this.#squares;
    const n = valuesOf[i]!;
    // Chan, Golub & LeVeque, "Algorithms for computing the sample variance", 1983, equation 1.5b.
    const distance = (sums[at + 1]! - sums[at]!) / n;
    const joined = squares[at]! + squares[at + 1]! + (distance * distance * n) / 2;
    this.#push(i + 1, sums[at]! + sums[at + 1]!, joined);
    const end = at + this.#counts[i]!;
    sums.copyWithin(at, at + 2, end);
    squares.copyWithin(at, at + 2, end);
    this.#counts[i]! -= 2;
  }

  #oldestSize(): number {
    let i = sizes - 1;
    while (this.#counts[i] === 0) i--;
    return i;
  }

  #total(): number {
    let total = 0;
    for (let i = sizes - 1; i >= 0; i--) for (let j = 0; j < this.#counts[i]!; j++) total += this.#sums[i * slots + j]!;
    return total;
  }

  /** Sum of the squared distances of the window's values from its mean. */
  #squaredDistances(): number {
    let [n, sum, all] = [0, 0, 0];
    for (let i = this.#oldestSize(); i >= 0; i--) {
      const size = valuesOf[i]!;
      for (let j = 0; j < this.#counts[i]!; j++) {
        const at = i * slots + j;
        const distance = n === 0 ? 0 : sum / n - this.#sums[at]! / size;
        all += this.#squares[at]! + (distance * distance * n * size) / (n + size);
        n += size;
        sum += this.#sums[at]!;
      }
    }
    return all;
  }

  /** Tests all splits. Returns the directions in which the mean changed at some of them. */
  #changes(): { readonly rise: boolean; readonly fall: boolean } {
    let [rise, fall] = [false, false];
    const width = this.width;
    if (width < 2) return { rise, fall };
    const logarithm = naturalLog((2 * naturalLog(width)) / this.#delta); // ln(2/δ′)
    const spread = (2 * this.#squaredDistances() * logarithm) / width;
    const range = (2 / 3) * logarithm;
    const total = this.#total();
    let [n0, sum0] = [0, 0];
    for (let i = this.#oldestSize(); i >= 0; i--) {
      for (let j = 0; j < this.#counts[i]!; j++) {
        n0 += valuesOf[i]!;
        sum0 += this.#sums[i * slots + j]!;
        const n1 = width - n0;
        if (n1 === 0) break;
        const change = (total - sum0) / n1 - sum0 / n0;
        const oneByM = 1 / n0 + 1 / n1;
        if (Math.abs(change) < Math.sqrt(spread * oneByM) + range * oneByM) continue;
        if (change > 0) rise = true;
        else fall = true;
      }
    }
    return { rise, fall };
  }
}
