import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { fitIsotonic } from '../../src/evaluate/isotonic.ts';
import { fitPlatt } from '../../src/evaluate/platt.ts';
import { reliabilityCurve } from '../../src/evaluate/reliability.ts';
import { evenScore, type IsotonicCalibration, probabilityOf } from '../../src/model/calibration.ts';
import { Random } from '../../src/random.ts';
import { type Scored, scored, weightOf } from '../support/examples.ts';
import { leastOf } from '../support/margins.ts';
import { largestDifference, reference, referenceLabels, referenceScores, weightings } from '../support/reference.ts';

const platt = ({ scores, labels, importance }: Scored) => fitPlatt(scores, labels, importance);
const isotonic = ({ scores, labels, importance }: Scored) => fitIsotonic(scores, labels, importance);

function sum(data: Scored, value: (i: number) => number): number {
  return data.scores.reduce((total, _, i) => total + weightOf(data, i) * value(i), 0);
}

/** Scores as a calibration counts them. */
function countedBy(calibration: ReturnType<typeof fitPlatt>, scores: Float64Array): Float64Array {
  return calibration.kind === 'platt'
    ? scores
    : scores.map((s) => Math.min(Math.max(s, calibration.low), calibration.high));
}

/** Platt's objective: the sum of losses against his targets. */
function plattLoss(data: Scored, slope: number, intercept: number): number {
  const positives = sum(data, (i) => (data.labels[i]! > 0 ? 1 : 0));
  const negatives = sum(data, (i) => (data.labels[i]! < 0 ? 1 : 0));
  return sum(data, (i) => {
    const t = data.labels[i]! > 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
    const z = slope * data.scores[i]! + intercept;
    return Math.max(z, 0) - t * z + Math.log1p(Math.exp(-Math.abs(z)));
  });
}

/** Scores that separate the classes in part; a few are a thousand or a million times as large, of any class. */
const withOutliers: fc.Arbitrary<Scored> = fc
  .record({ seed: fc.nat(), rows: fc.integer({ min: 30, max: 80 }), outliers: fc.nat(4), power: fc.constantFrom(3, 6) })
  .map(({ seed, rows, outliers, power }) => {
    const random = new Random(seed);
    const labels = Float64Array.from({ length: rows }, (_, i) => (i < 2 ? 2 * i - 1 : random.uniform() < 0.4 ? 1 : -1));
    const scores = labels.map(
      (y, i) => (y * random.uniform() + 2 * random.uniform() - 1) * (i >= rows - outliers ? -y * 10 ** power : 1),
    );
    return { scores, labels, importance: null };
  });

/**
 * Isotonic regression by its min–max formula: at score k, the maximum over starts i ≤ k of the minimum over ends j ≥ k
 * of the mean of i … j (Robertson, Wright & Dykstra, "Order restricted statistical inference", 1988, section 1.4).
 */
function minMax(data: Scored): Map<number, number> {
  const distinct = [...new Set([...data.scores].filter((_, i) => weightOf(data, i) > 0))].sort((a, b) => a - b);
  const mean = (from: number, to: number) => {
    const inside = (i: number) => (data.scores[i]! >= from && data.scores[i]! <= to ? 1 : 0);
    return sum(data, (i) => (data.labels[i]! > 0 ? inside(i) : 0)) / sum(data, inside);
  };
  return new Map(
    distinct.map((score, k) => [
      score,
      Math.max(...distinct.slice(0, k + 1).map((from) => Math.min(...distinct.slice(k).map((to) => mean(from, to))))),
    ]),
  );
}

describe('Platt scaling', () => {
  it.each(weightings)('equals that of scikit-learn %s', (_, expected, importance) => {
    const { slope, intercept } = fitPlatt(referenceScores, referenceLabels, importance);
    // Its L-BFGS ends at a gradient of 1e-6.
    expect(slope).toBeCloseTo(expected.platt.slope, 5);
    expect(intercept).toBeCloseTo(expected.platt.intercept, 5);
  });

  it('reaches the objective of another optimiser, with and without outliers', () => {
    forAll(25, fc.oneof(scored, withOutliers), (data) => {
      const fitted = platt(data);
      const counted = { ...data, scores: countedBy(fitted, data.scores) };
      const own = plattLoss(counted, fitted.slope, fitted.intercept);
      // Golden sections in golden sections, in units of the largest score, around the fit.
      const size = Math.max(1e-300, ...counted.scores.map(Math.abs));
      const reach = 10 * (1 + Math.abs(fitted.slope * size));
      const least = leastOf(
        (a) => leastOf((b) => plattLoss(counted, a / size, b), fitted.intercept - 10, fitted.intercept + 10).value,
        fitted.slope * size - reach,
        fitted.slope * size + reach,
      );
      expect(own).toBeLessThanOrEqual(least.value * (1 + 1e-9) + 1e-9);
    });
  });

  it('is not flattened by outliers of the wrong class', () => {
    forAll(50, fc.nat(), fc.constantFrom(20, 1e3, 1e6), (seed, size) => {
      const random = new Random(seed);
      const labels = Float64Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 1 : -1));
      const scores = labels.map((y) => y + 3 * random.uniform() - 1.5);
      const outlying = scores.map((s, i) => (i < 8 ? -labels[i]! * size : s));
      const [clean, robust] = [fitPlatt(scores, labels), fitPlatt(outlying, labels)];
      expect(robust.kind).toBe('clipped-platt');
      expect(robust.slope).toBeGreaterThan(0.3 * clean.slope);
      scores.forEach((s, i) => {
        if (i >= 8) expect(Math.abs(probabilityOf(robust, s) - probabilityOf(clean, s))).toBeLessThan(0.2);
      });
    });
  });

  it('does not depend on the order of rows or the unit of scores, to the bit', () => {
    forAll(withOutliers, fc.integer({ min: -30, max: 30 }), (data, power) => {
      const fitted = fitPlatt(data.scores, data.labels);
      expect(fitPlatt(data.scores.slice().reverse(), data.labels.slice().reverse())).toEqual(fitted);
      const moved = fitPlatt(
        data.scores.map((s) => s * 2 ** power),
        data.labels,
      );
      expect(moved.slope * 2 ** power).toBe(fitted.slope);
      expect(moved.intercept).toBe(fitted.intercept);
    });
  });

  it('gives the same probabilities for scaled and shifted scores', () => {
    const fitted = fitPlatt(referenceScores, referenceLabels);
    for (const [unit, zero] of [
      [1e-200, 0],
      [1e150, 0],
      [1e3, 1e5],
    ] as const) {
      const moved = referenceScores.map((s) => unit * s + zero);
      const other = fitPlatt(moved, referenceLabels);
      moved.forEach((s, i) => {
        expect(probabilityOf(other, s)).toBeCloseTo(probabilityOf(fitted, referenceScores[i]!), 9);
      });
    }
  });

  it('is constant for equal scores, at the log odds of the targets', () => {
    const labels = Float64Array.of(1, 1, 1, -1);
    const target = (3 * (4 / 5) + 1 / 3) / 4;
    for (const score of [0, 0.1, -7e300]) {
      const fitted = fitPlatt(new Float64Array(4).fill(score), labels);
      expect(fitted.slope).toBe(0);
      expect(probabilityOf(fitted, score)).toBeCloseTo(target, 12);
      expect(probabilityOf(fitted, Infinity)).toBeCloseTo(target, 12);
    }
  });
});

describe('the score of probability ½', () => {
  it('separates scores by their most probable class', () => {
    forAll(
      fc.oneof(scored, withOutliers),
      fc.constantFrom(platt, isotonic),
      fc.array(fc.double({ min: -200, max: 200, noNaN: true })),
      (data, fit, places) => {
        const calibration = fit(data);
        const even = evenScore(calibration);
        const all = [-Infinity, ...places, ...data.scores, Infinity].map((s) => [s, probabilityOf(calibration, s)]);
        if (even === null) {
          expect(all.some(([, p]) => p! > 0.5 + 1e-9) && all.some(([, p]) => p! < 0.5 - 1e-9)).toBe(false);
          return;
        }
        expect(probabilityOf(calibration, even.score)).toBeCloseTo(0.5, 6);
        for (const [s, p] of all)
          if (Math.abs(p! - 0.5) > 1e-6) expect(p! > 0.5).toBe(s! > even.score === even.above > 0);
      },
    );
  });

  it('is that of the sigmoid, and does not exist if one class is always more probable', () => {
    expect(evenScore({ kind: 'platt', slope: 2, intercept: -0.62 })).toEqual({ score: 0.31, above: 1 });
    expect(evenScore({ kind: 'platt', slope: -2, intercept: 1 })).toEqual({ score: 0.5, above: -1 });
    expect(evenScore({ kind: 'platt', slope: 0, intercept: 1 })).toBe(null);
    expect(evenScore({ kind: 'clipped-platt', slope: 1, intercept: -5, low: -1, high: 2 })).toBe(null);
    expect(evenScore({ kind: 'isotonic', scores: [-1, 3], probabilities: [0.25, 0.75] })).toEqual({
      score: 1,
      above: 1,
    });
    expect(evenScore({ kind: 'isotonic', scores: [-1, 3], probabilities: [0, 0.4] })).toBe(null);
  });
});

describe('isotonic regression', () => {
  it('equals the min–max formula at every score', () => {
    forAll(scored, (data) => {
      const fitted = isotonic(data);
      for (const [score, expected] of minMax(data)) expect(probabilityOf(fitted, score)).toBeCloseTo(expected, 12);
    });
  });

  it.each(weightings)('equals that of scikit-learn %s, between scores and beyond them', (_, expected, importance) => {
    const fitted = fitIsotonic(referenceScores, referenceLabels, importance);
    expect(
      largestDifference(
        reference.at.map((s) => probabilityOf(fitted, s)),
        expected.isotonic,
      ),
    ).toBeLessThan(1e-12);
  });

  it('is constant for equal scores, and 0 and 1 for separated classes', () => {
    expect(fitIsotonic(Float64Array.of(2, 2, 2, 2), Float64Array.of(1, 1, 1, -1))).toEqual({
      kind: 'isotonic',
      scores: [2],
      probabilities: [0.75],
    });
    expect(fitIsotonic(Float64Array.of(4, 2, 1, 3), Float64Array.of(1, -1, -1, 1))).toEqual({
      kind: 'isotonic',
      scores: [1, 2, 3, 4],
      probabilities: [0, 0, 1, 1],
    });
  });

  it('interpolates linearly between points at any distance of doubles', () => {
    const wide: IsotonicCalibration = { kind: 'isotonic', scores: [-1.7e308, 1.7e308], probabilities: [0.25, 0.75] };
    expect([-Infinity, 0, 1.7e308, Infinity].map((s) => probabilityOf(wide, s))).toEqual([0.25, 0.5, 0.75, 0.75]);
    const near: IsotonicCalibration = { kind: 'isotonic', scores: [0, 5e-324], probabilities: [0.25, 0.75] };
    expect([0, 5e-324].map((s) => probabilityOf(near, s))).toEqual([0.25, 0.75]);
  });
});

describe('a calibration', () => {
  it('refuses a single class, scores that are not finite, and NaN as a score', () => {
    for (const fit of [fitPlatt, fitIsotonic]) {
      expect(() => fit(Float64Array.of(1, 2), Float64Array.of(1, 1))).toThrow(
        'expected examples of both classes; got only positive ones',
      );
      // A class whose examples have importance 0 is as good as absent.
      expect(() => fit(Float64Array.of(1, 2), Float64Array.of(1, -1), Float64Array.of(0, 1))).toThrow(
        'expected examples of both classes; got only negative ones',
      );
      expect(() => fit(Float64Array.of(1, Infinity), Float64Array.of(1, -1))).toThrow(
        'row 2: expected a finite score; got Infinity',
      );
      expect(() => fit(Float64Array.of(Number.NaN, 1), Float64Array.of(1, -1))).toThrow(
        /row 1: expected a .*score.*; got NaN/,
      );
      expect(() => fit(new Float64Array(0), new Float64Array(0))).toThrow('expected examples; got none');
      expect(() => probabilityOf(fit(referenceScores, referenceLabels), Number.NaN)).toThrow(
        'expected a score that is a number; got NaN',
      );
    }
  });
});

describe('a reliability curve', () => {
  const probabilities = Float64Array.from(reference.reliability.probabilities);

  it('equals that of scikit-learn with bins of equal count', () => {
    const curve = reliabilityCurve(probabilities, referenceLabels);
    expect(largestDifference(curve.meanProbabilities, reference.reliability.means)).toBeLessThan(1e-12);
    expect(largestDifference(curve.positiveShares, reference.reliability.shares)).toBeLessThan(1e-12);
    expect([...curve.weights]).toEqual(new Array(10).fill(6));
    const gaps = reference.reliability.means.map((mean, k) => Math.abs(mean - reference.reliability.shares[k]!));
    expect(curve.expectedCalibrationError).toBeCloseTo(gaps.reduce((a, b) => a + b, 0) / 10, 12);
  });

  it('has bins whose counts differ by at most one if all probabilities differ', () => {
    forAll(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 30 }), (n, bins) => {
      const p = Float64Array.from({ length: n }, (_, i) => i / n);
      const { weights } = reliabilityCurve(
        p,
        p.map(() => 1),
        { bins },
      );
      expect(weights.reduce((a, b) => a + b, 0)).toBe(n);
      expect(weights.length).toBe(Math.min(n, bins));
      expect(Math.max(...weights) - Math.min(...weights)).toBeLessThanOrEqual(1);
    });
  });

  it('does not depend on the order of rows, equal probabilities or not', () => {
    const p = Float64Array.of(0.2, 0.2, 0.2, 0.9, 0.2, 0.5);
    const y = Float64Array.of(1, -1, -1, 1, -1, 1);
    const curve = reliabilityCurve(p, y, { bins: 3 });
    expect(reliabilityCurve(p.slice().reverse(), y.slice().reverse(), { bins: 3 })).toEqual(curve);
    expect([...curve.weights]).toEqual([4, 2]);
  });

  it('refuses values that are no probabilities, and zero bins', () => {
    const y = Float64Array.of(1);
    expect(() => reliabilityCurve(Float64Array.of(1.5), y)).toThrow('row 1: expected a probability in [0, 1]; got 1.5');
    expect(() => reliabilityCurve(y, y, { bins: 0 })).toThrow('bins must be a whole number from 1; got 0');
  });
});
