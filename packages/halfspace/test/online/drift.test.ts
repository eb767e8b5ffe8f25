import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { Adwin, type AdwinOptions } from '../../src/online/drift/adwin.ts';
import type { DriftDetector } from '../../src/online/drift/detector.ts';
import { createDetector, type DriftOption, restoreDetector } from '../../src/online/drift/detectors.ts';
import { PageHinkley } from '../../src/online/drift/page-hinkley.ts';
import { Random } from '../../src/random.ts';

/** Zeros and ones with these probabilities of 1, one after another. */
function bernoulli(seed: number, ...parts: [rows: number, probability: number][]): number[] {
  const random = new Random(seed);
  return parts.flatMap(([rows, p]) => Array.from({ length: rows }, () => (random.uniform() < p ? 1 : 0)));
}

/** Positions of the alarms. */
const alarmsOf = (detector: DriftDetector, values: readonly number[]): number[] =>
  values.flatMap((value, i) => (detector.update(value) ? [i] : []));

/** ADWIN2 with all values kept: every mean and the variance are computed from the values. A change empties the window. */
class NaiveAdwin {
  window: number[] = [];
  /** Numbers of values of the buckets, the oldest first. */
  buckets: number[] = [];
  #rows = 0;
  readonly delta: number;
  readonly checkEvery: number;

  constructor({ delta = 0.002, checkEvery = 32 }: AdwinOptions) {
    this.delta = delta;
    this.checkEvery = checkEvery;
  }

  /** Returns the signs of the changes that were found. */
  update(value: number): number[] {
    this.window.push(value);
    this.buckets.push(1);
    for (let size = 1; this.buckets.filter((each) => each === size).length > 5; size *= 2)
      this.buckets.splice(this.buckets.indexOf(size), 2, 2 * size);
    if (++this.#rows % this.checkEvery !== 0) return [];
    const signs = this.#changes();
    if (signs.length > 0) [this.window, this.buckets] = [[], []];
    return signs;
  }

  #changes(): number[] {
    const signs: number[] = [];
    const n = this.window.length;
    const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
    const centre = mean(this.window);
    const variance = mean(this.window.map((each) => (each - centre) ** 2));
    const logarithm = Math.log((2 * Math.log(n)) / this.delta);
    let n0 = 0;
    for (const size of this.buckets.slice(0, -1)) {
      n0 += size;
      const m = 1 / (1 / n0 + 1 / (n - n0));
      const cut = Math.sqrt((2 / m) * variance * logarithm) + (2 / (3 * m)) * logarithm;
      const change = mean(this.window.slice(n0)) - mean(this.window.slice(0, n0));
      if (Math.abs(change) >= cut) signs.push(Math.sign(change));
    }
    return signs;
  }
}

const part = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom(0, 0.05, 0.3, 0.5, 0.9, 1));

describe('ADWIN', () => {
  it('finds what a window of all values finds, and keeps as many', () => {
    forAll(
      60,
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.record({
        delta: fc.constantFrom(0.002, 0.05, 0.5),
        checkEvery: fc.constantFrom(1, 7, 32),
        direction: fc.constantFrom('rise', 'fall', 'both'),
      }),
      fc.boolean(),
      (parts, seed, options, isReal) => {
        const adwin = new Adwin(options as AdwinOptions);
        const naive = new NaiveAdwin(options as AdwinOptions);
        const random = new Random(seed);
        bernoulli(seed, ...parts).forEach((bit, i) => {
          const value = isReal ? (bit + random.uniform()) / 2 : bit;
          const signs = naive.update(value);
          const watched = signs.some(
            (sign) => options.direction === 'both' || (options.direction === 'rise') === sign > 0,
          );
          expect([i, adwin.update(value), adwin.width, adwin.buckets]).toEqual([
            i,
            watched,
            naive.window.length,
            naive.buckets.length,
          ]);
        });
        const { window } = naive;
        expect(adwin.mean).toBeCloseTo(window.reduce((sum, each) => sum + each, 0) / window.length, 12);
      },
    );
  });

  it('gives no alarm on equal values', () => {
    forAll(20, fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 5000 }), (value, rows) => {
      const adwin = new Adwin({ direction: 'both', checkEvery: 1 });
      expect(alarmsOf(adwin, Array(rows).fill(value))).toEqual([]);
      expect(adwin.width).toBe(rows);
    });
  });

  it('gives an alarm within 160 rows after the mean rises by 0.5 behind 1,000 rows, and then forgets the old rows', () => {
    for (let seed = 0; seed < 40; seed++) {
      const adwin = new Adwin();
      const alarms = alarmsOf(adwin, bernoulli(seed, [1000, 0.2], [1000, 0.7]));
      expect(alarms.filter((at) => at < 1000)).toEqual([]);
      expect(alarms[0]).toBeLessThan(1160);
      expect(adwin.width).toBeLessThan(1300);
      expect(Math.abs(adwin.mean - 0.7)).toBeLessThan(0.1);
    }
  });

  it('gives one alarm for one change, two for two, few for a slow one, and with the direction of the change only', () => {
    const shares = fc.constantFrom([0.1, 0.4, 0.8], [0.05, 0.5, 0.1], [0.7, 0.4, 0.1], [0.02, 0.12, 0.4]);
    const rows = fc.integer({ min: 1000, max: 4000 });
    let [streams, more] = [0, 0];
    const counts = (values: readonly number[], directions: readonly ('rise' | 'fall' | 'both')[]) =>
      directions.map((direction) => alarmsOf(new Adwin({ direction }), values).length);
    forAll(200, fc.nat(), shares, rows, rows, rows, (seed, [p, q, r], ...[n, m, k]) => {
      const one = bernoulli(seed, [n, p!], [m, q!]);
      const two = [...one, ...bernoulli(seed + 1, [k, r!])];
      const rises = [p! < q!, q! < r!].filter((each) => each).length;
      for (const [values, changes, up] of [[one, 1, p! < q! ? 1 : 0] as const, [two, 2, rises] as const]) {
        streams++;
        const found = counts(values, ['both', 'rise', 'fall']);
        // A false alarm has a small share of all streams.
        if (`${found}` !== `${[changes, up, changes - up]}`) more++;
      }
      const slow = Array.from({ length: 40 }, (_, i): [number, number] => [n / 40, p! + ((q! - p!) * i) / 40]);
      const [both] = counts(bernoulli(seed, [n, p!], ...slow, [m, q!]), ['both']);
      expect(both).toBeGreaterThan(0);
      expect(both).toBeLessThan(5);
    });
    expect(more / streams).toBeLessThan(0.02);
  });

  it('finds a fall only if it is asked to, and empties its window all the same', () => {
    const values = bernoulli(7, [1000, 0.7], [1000, 0.2]);
    const [rise, fall] = [new Adwin({ direction: 'rise' }), new Adwin({ direction: 'fall' })];
    expect(alarmsOf(rise, values)).toEqual([]);
    expect(alarmsOf(fall, values)).not.toEqual([]);
    expect(rise.width).toBe(fall.width);
  });

  it.each([0.002, 0.05, 0.3])('raises a false alarm at less than the share %d of the tests', (delta) => {
    let [tests, alarms] = [0, 0];
    for (let seed = 0; seed < 60; seed++)
      for (const p of [0.05, 0.5]) {
        const values = bernoulli(seed, [3000, p]);
        alarms += alarmsOf(new Adwin({ delta, direction: 'both' }), values).length;
        tests += Math.floor(values.length / 32);
      }
    expect(alarms / tests).toBeLessThan(delta);
  });

  it('keeps buckets in the order of the logarithm of its window', () => {
    const adwin = new Adwin();
    const random = new Random(3);
    for (let n = 1; n <= 200_000; n++) {
      adwin.update(random.uniform());
      if ((n & (n - 1)) === 0) expect(adwin.buckets).toBeLessThanOrEqual(5 * (1 + Math.log2(1 + adwin.width / 4)));
    }
    expect(adwin.width).toBeGreaterThan(100_000);
  });

  it('finds a change of the mean as small as 0.02 in a long stream', () => {
    expect(alarmsOf(new Adwin(), bernoulli(5, [50_000, 0.1], [50_000, 0.12]))).not.toEqual([]);
  });

  it.each([Number.NaN, -0.001, 1.001, Infinity])('refuses the value %d and changes nothing', (value) => {
    const adwin = new Adwin();
    adwin.update(0.5);
    const before = adwin.state();
    expect(() => adwin.update(value)).toThrow(/expected a value in \[0, 1\] for ADWIN; got/);
    expect(adwin.state()).toEqual(before);
  });
});

describe('the Page–Hinkley test', () => {
  it('computes the sums of its definition', () => {
    forAll(
      60,
      fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 200, size: 'max' }),
      fc.record({
        delta: fc.constantFrom(0, 0.005, 0.1),
        threshold: fc.constantFrom(1, 8, 50),
        burnIn: fc.constantFrom(1, 30),
        alpha: fc.constantFrom(1, 0.9999, 0.9),
        direction: fc.constantFrom<('rise' | 'fall' | 'both')[]>('rise', 'fall', 'both'),
      }),
      (values, options) => {
        const { delta, threshold, burnIn, alpha, direction } = options;
        const detector = new PageHinkley(options);
        let some: number[] = [];
        values.forEach((value) => {
          some.push(value);
          const deviations = some.map(
            (x, i) => x - some.slice(0, i + 1).reduce((sum, each) => sum + each, 0) / (i + 1),
          );
          const cumulate = (offset: number) => {
            let sum = 0;
            return deviations.map((each) => (sum = alpha * sum + each + offset));
          };
          const [up, down] = [cumulate(-delta), cumulate(delta)];
          const rose = direction !== 'fall' && up.at(-1)! - Math.min(...up) > threshold;
          const fell = direction !== 'rise' && Math.max(...down) - down.at(-1)! > threshold;
          const expected = some.length >= burnIn && (rose || fell);
          expect(detector.update(value)).toBe(expected);
          if (expected) some = [];
        });
      },
    );
  });

  it('gives no alarm on equal values, and none in the burn-in', () => {
    expect(alarmsOf(new PageHinkley({ direction: 'both' }), Array(20_000).fill(0.3))).toEqual([]);
    const values = [...Array(10).fill(0), ...Array(90).fill(100)];
    expect(alarmsOf(new PageHinkley({ threshold: 1 }), values)[0]).toBe(29);
  });

  it('gives an alarm after a rise of the mean by 0.5, in time for its threshold', () => {
    for (let seed = 0; seed < 40; seed++) {
      const alarms = alarmsOf(new PageHinkley(), bernoulli(seed, [1000, 0.2], [600, 0.7]));
      expect(alarms.length).toBeGreaterThan(0);
      // 50 of cumulated deviations of at most 0.5 on average take 100 rows; a random walk may have done some before.
      expect(alarms[0]).toBeGreaterThan(1000);
      expect(alarms[0]).toBeLessThan(1200);
    }
  });

  it('refuses values that are not finite or too large, and changes nothing', () => {
    const detector = new PageHinkley();
    detector.update(3);
    const before = detector.state();
    for (const value of [Number.NaN, Infinity, -1e201]) expect(() => detector.update(value)).toThrow(HalfspaceError);
    expect(detector.state()).toEqual(before);
  });

  it('works with the largest values', () => {
    const detector = new PageHinkley({ direction: 'both' });
    for (let i = 0; i < 100; i++) detector.update(i % 2 === 0 ? 1e200 : -1e200);
    expect(
      Object.values(detector.state())
        .filter((each) => typeof each === 'number')
        .every(Number.isFinite),
    ).toBe(true);
  });
});

it('refuses states of ADWIN whose buckets cannot be', () => {
  const state = { name: 'adwin', delta: 0.1, checkEvery: 32, direction: 'rise', untested: 0 };
  const of = (exponents: number[], sums: number[], squares: number[]) => () =>
    restoreDetector({ ...state, exponents, sums: Float64Array.from(sums), squares: Float64Array.from(squares) });
  expect(of([1, 0], [2, 0], [0, 0])).not.toThrow();
  expect(of([0, 1], [0, 2], [0, 0])).toThrow(/exponents/);
  expect(of([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0])).toThrow(/exponents/);
  expect(of([41], [1], [0])).toThrow(/exponents/);
  expect(of([1], [2.1], [0])).toThrow(/sums/);
  expect(of([1], [1], [-1])).toThrow(/squares/);
  expect(of([1], [1, 1], [0])).toThrow(/sums/);
});

it('names the options of a detector and refuses others', () => {
  const refused = (option: unknown, message: RegExp) =>
    expect(() => createDetector(option as DriftOption)).toThrow(message);
  refused('ddm', /drift must be one of adwin, page-hinkley; got "ddm"/);
  refused({ delta: 0.1 }, /drift must be one of adwin, page-hinkley/);
  refused({ name: 'adwin', threshold: 3 }, /expected options that ADWIN has \(delta, checkEvery, direction\)/);
  refused({ name: 'adwin', delta: 0 }, /delta must be in \(0, 1\)/);
  refused({ name: 'page-hinkley', alpha: 1.5 }, /alpha must be in \(0, 1\]/);
});
