import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { logLoss } from '../../src/evaluate/losses.ts';
import { fitPlatt } from '../../src/evaluate/platt.ts';
import { fitSoftmax } from '../../src/evaluate/softmax.ts';
import { type ClippedPlattCalibration, probabilityOf, type SoftmaxCalibration } from '../../src/model/calibration.ts';
import { classProbabilities } from '../../src/model/class-probabilities.ts';
import { OnlineCalibration } from '../../src/online/calibration/online-calibration.ts';
import { Random } from '../../src/random.ts';
import { leastOf } from '../support/margins.ts';

interface Row {
  readonly scores: number[];
  readonly actual: number;
  readonly importance?: number;
}

/** Sum of twelve uniform numbers less 6: nearly normal. */
const normal = (random: Random) => Array.from({ length: 12 }, () => random.uniform()).reduce((sum, u) => sum + u, -6);

/** Scores with means at −distance and +distance. */
function pairs(seed: number, rows: number, distance = 1, positives = 0.5): Row[] {
  const random = new Random(seed);
  return Array.from({ length: rows }, () => {
    const actual = random.uniform() < positives ? 1 : 0;
    return { scores: [normal(random) + (actual === 1 ? distance : -distance)], actual };
  });
}

/** Scores of K classes, that of the own class ahead in the mean. */
function several(seed: number, rows: number, classes: number, ahead = 2): Row[] {
  const random = new Random(seed);
  return Array.from({ length: rows }, () => {
    const actual = random.below(classes);
    return { scores: Array.from({ length: classes }, (_, k) => normal(random) + (k === actual ? ahead : 0)), actual };
  });
}

function learnAll(calibration: OnlineCalibration, rows: readonly Row[]): (number | null)[] {
  return rows.map(({ scores, actual, importance = 1 }) => calibration.learn(scores, actual, importance));
}

/** Mean of −ln p over the rows that had a probability. */
function lossOf(probabilities: readonly (number | null)[]): number {
  const given = Float64Array.from(probabilities.filter((p) => p !== null));
  return logLoss(given, new Float64Array(given.length).fill(1));
}

describe('online calibration of two classes', () => {
  it('is null until 20 rows of each class have come', () => {
    const calibration = new OnlineCalibration();
    const rows = pairs(1, 400, 1, 0.1);
    const seen = [0, 0];
    for (const { scores, actual } of rows) {
      const answer = calibration.learn(scores, actual, 1);
      expect(answer === null).toBe(Math.min(...seen) < 20);
      seen[actual]!++;
      expect(calibration.calibration === null).toBe(Math.min(...seen) < 20);
    }
  });

  it('gives a row the probability of the calibration before it, to the bit', () => {
    forAll(20, fc.nat(), fc.constantFrom(0.5, 0.1), (seed, positives) => {
      const calibration = new OnlineCalibration({ window: 100 });
      for (const { scores, actual } of pairs(seed, 500, 1, positives)) {
        const before = calibration.calibration;
        const answer = calibration.learn(scores, actual, 1);
        expect(answer).toBe(before && classProbabilities([before], scores, 0, 1)[actual]!);
      }
    });
  });

  it.each([
    ['apart', 2, 0.5],
    ['overlapping', 0.5, 0.5],
    ['rare', 1, 0.05],
    ['the wrong way around', -1, 0.5],
    ['separated', 8, 0.5],
  ])('has nearly the log loss of a fit to all rows, whose scores it did not know: classes %s', (_, distance, share) => {
    for (let seed = 0; seed < 5; seed++) {
      const rows = pairs(seed, 6000, distance, share);
      const given = learnAll(new OnlineCalibration(), rows);
      const from = given.findIndex((p) => p !== null);
      const scores = Float64Array.from(rows, (row) => row.scores[0]!);
      const labels = Float64Array.from(rows, ({ actual }) => 2 * actual - 1);
      const whole = fitPlatt(scores, labels);
      // A slope below 0 is 0 here: then the best fit is the share of the class.
      const best = rows.map(({ actual }, i) => {
        const p = distance < 0 ? share : probabilityOf(whole, scores[i]!);
        return actual === 1 ? p : 1 - p;
      });
      expect(lossOf(given) - lossOf(best.slice(from))).toBeLessThan(0.01);
    }
  });

  it('finds the minimum of its objective over the window', () => {
    // The same 200 rows come again and again, so the window always holds the same rows.
    const rows = pairs(3, 200, 1);
    const calibration = new OnlineCalibration({ window: 200 });
    for (let k = 0; k < 100; k++) learnAll(calibration, rows);
    const { slope, intercept, low, high } = calibration.calibration as ClippedPlattCalibration;
    const counts = [0, 1].map((k) => rows.filter(({ actual }) => actual === k).length);
    const loss = (a: number, b: number) =>
      rows.reduce((sum, { scores, actual }) => {
        const z = a * Math.min(Math.max(scores[0]!, low), high) + b;
        const t = actual === 1 ? (counts[1]! + 1) / (counts[1]! + 2) : 1 / (counts[0]! + 2);
        return sum + Math.log(1 + Math.exp(z)) - t * z;
      }, 0);
    const least = leastOf((a) => leastOf((b) => loss(a, b), -5, 5).value, 0, 10).value;
    // The range forgets, so the minimum moves a little from sweep to sweep.
    expect(loss(slope, intercept) - least).toBeLessThan(1e-4 * rows.length);
  });

  it('has the same probabilities if all scores are doubled, to the bit', () => {
    forAll(20, fc.nat(), fc.integer({ min: -200, max: 200 }), (seed, exponent) => {
      const rows = pairs(seed, 300);
      const scaled = rows.map((row) => ({ ...row, scores: row.scores.map((s) => s * 2 ** exponent) }));
      expect(learnAll(new OnlineCalibration(), scaled)).toEqual(learnAll(new OnlineCalibration(), rows));
    });
  });

  it('is hardly changed by a few scores that are a thousand times as large', () => {
    const rows = pairs(4, 4000);
    const random = new Random(9);
    const plain = new OnlineCalibration();
    const spoilt = new OnlineCalibration();
    const [clean, some]: [(number | null)[], (number | null)[]] = [[], []];
    for (const row of rows) {
      if (random.uniform() < 0.01) spoilt.learn([random.uniform() < 0.5 ? 1000 : -1000], random.below(2), 1);
      clean.push(plain.learn(row.scores, row.actual, 1));
      some.push(spoilt.learn(row.scores, row.actual, 1));
    }
    expect(lossOf(some) - lossOf(clean)).toBeLessThan(0.02);
  });

  it('follows scores that grow, and a change of what they mean', () => {
    const growing = pairs(5, 8000).map((row, i) => ({ ...row, scores: [row.scores[0]! * (1 + i)] }));
    const still = lossOf(learnAll(new OnlineCalibration(), pairs(5, 8000)));
    expect(lossOf(learnAll(new OnlineCalibration(), growing)) - still).toBeLessThan(0.02);
    const calibration = new OnlineCalibration({ window: 500 });
    learnAll(calibration, pairs(6, 3000, 3));
    const after = learnAll(calibration, pairs(7, 4000, 0.2));
    expect(lossOf(after.slice(2000))).toBeLessThan(0.7);
    expect(lossOf(after.slice(0, 200))).toBeGreaterThan(0.9);
  });

  it('works with equal scores, huge scores and tiny ones', () => {
    for (const size of [0, 1e308, 1e-308, 5e-324]) {
      const random = new Random(2);
      const calibration = new OnlineCalibration({ window: 100 });
      for (let i = 0; i < 1000; i++) {
        const p = calibration.learn([random.uniform() < 0.5 ? size : -size], random.below(2), i % 7 === 0 ? 1e200 : 1);
        expect(p === null || (p >= 0 && p <= 1)).toBe(true);
      }
      const { calibration: last } = calibration;
      expect(Object.values(last!).every((each) => typeof each === 'string' || Number.isFinite(each))).toBe(true);
    }
  });
});

describe('online calibration of several classes', () => {
  it('is null until 50 rows have come', () => {
    const calibration = new OnlineCalibration();
    const answers = learnAll(calibration, several(1, 51, 4));
    expect(answers.map((p) => p === null)).toEqual([...Array(50).fill(true), false]);
  });

  it.each([3, 10])('has nearly the log loss of a fit to all rows: %d classes', (classes) => {
    for (let seed = 0; seed < 3; seed++) {
      const rows = several(seed, 4000, classes);
      const given = learnAll(new OnlineCalibration(), rows);
      const scores = Float64Array.from(rows.flatMap((row) => row.scores));
      const whole = fitSoftmax({ outputs: classes, scores, labels: Float64Array.from(rows, ({ actual }) => actual) });
      const best = rows.slice(50).map((row) => classProbabilities([whole], row.scores, 0, classes)[row.actual]!);
      expect(lossOf(given) - lossOf(best)).toBeLessThan(0.05);
    }
  });

  it('gives a row the probability of the calibration before it, to the bit', () => {
    const calibration = new OnlineCalibration({ window: 100 });
    for (const { scores, actual } of several(2, 400, 5)) {
      const before = calibration.calibration;
      const answer = calibration.learn(scores, actual, 1);
      expect(answer).toBe(before && classProbabilities([before], scores, 0, 5)[actual]!);
    }
  });

  it('keeps its fit when a class joins, and learns on', () => {
    const calibration = new OnlineCalibration();
    learnAll(calibration, several(1, 500, 3));
    const before = calibration.calibration as SoftmaxCalibration;
    calibration.learn([0, 0.5, 1, 3], 3, 1);
    expect(calibration.calibration).toEqual(before);
    learnAll(calibration, several(2, 1000, 4, 0.3));
    expect((calibration.calibration as SoftmaxCalibration).slope).toBeLessThan(before.slope);
  });

  it('starts anew when two classes become three', () => {
    const calibration = new OnlineCalibration();
    learnAll(calibration, pairs(1, 200));
    expect(calibration.calibration).toMatchObject({ kind: 'clipped-platt' });
    calibration.learn([1, 2, 3], 0, 1);
    expect(calibration.calibration).toBeNull();
    learnAll(calibration, several(1, 49, 3));
    expect(calibration.calibration).toMatchObject({ kind: 'softmax' });
  });

  it('works with fewer classes than before, as an edited state may have', () => {
    const calibration = new OnlineCalibration();
    learnAll(calibration, several(1, 100, 5));
    const restored = OnlineCalibration.from(calibration.state());
    for (const p of learnAll(restored, several(2, 100, 3))) expect(p! >= 0 && p! <= 1).toBe(true);
  });

  it('works with a thousand classes, and with scores that are equal, huge or tiny', () => {
    const calibration = new OnlineCalibration();
    const random = new Random(3);
    const scores = new Float64Array(1000);
    for (let i = 0; i < 300; i++)
      calibration.learn(
        scores.map(() => random.uniform()),
        random.below(1000),
        1,
      );
    expect(calibration.calibration).not.toBeNull();
    for (const size of [0, 1e308, 5e-324]) {
      const extreme = new OnlineCalibration({ window: 100 });
      for (let i = 0; i < 400; i++) {
        const p = extreme.learn([size, -size, random.uniform() < 0.5 ? size : 0], random.below(3), 1);
        expect(p === null || (p >= 0 && p <= 1)).toBe(true);
      }
    }
  });
});

it('refuses a window outside its range and unknown options', () => {
  expect(() => new OnlineCalibration({ window: 99 })).toThrow(/window must be a whole number in \[100, 100000\]/);
  expect(() => new OnlineCalibration({ size: 3 } as object)).toThrow(
    /expected options that the online calibration has/,
  );
});
