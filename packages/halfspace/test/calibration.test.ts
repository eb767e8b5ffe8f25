import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitIsotonic } from '../src/evaluate/isotonic.ts';
import { fitPlatt } from '../src/evaluate/platt.ts';
import { reliabilityCurve } from '../src/evaluate/reliability.ts';
import { type IsotonicCalibration, probabilityOf } from '../src/model/calibration.ts';
import { largestDifference, reference, referenceLabels, referenceScores, weightings } from './support/reference.ts';
import { type Scored, scored, weightOf } from './support/scored.ts';

const platt = ({ scores, labels, importance }: Scored) => fitPlatt(scores, labels, importance);
const isotonic = ({ scores, labels, importance }: Scored) => fitIsotonic(scores, labels, importance);

function sum(data: Scored, value: (i: number) => number): number {
  return data.scores.reduce((total, _, i) => total + weightOf(data, i) * value(i), 0);
}

/** The derivatives of Platt's objective in slope and intercept, over the weight and the size of scores: 0 at the minimum. */
function plattGradient(data: Scored, slope: number, intercept: number): number {
  const positives = sum(data, (i) => (data.labels[i]! > 0 ? 1 : 0));
  const negatives = sum(data, (i) => (data.labels[i]! < 0 ? 1 : 0));
  const slack = (i: number) => {
    const target = data.labels[i]! > 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
    return probabilityOf({ kind: 'platt', slope, intercept }, data.scores[i]!) - target;
  };
  const size = Math.max(1, ...data.scores.map(Math.abs));
  return (
    Math.max(Math.abs(sum(data, slack)), Math.abs(sum(data, (i) => slack(i) * (data.scores[i]! / size)))) /
    (positives + negatives)
  );
}

/**
 * Isotonic regression by its min–max formula: at the k-th score, the largest over starts i ≤ k of the least over ends j ≥ k of the mean
 * from i to j (Robertson, Wright & Dykstra, "Order restricted statistical inference", 1988, section 1.4).
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
  it.each(weightings)('is that of scikit-learn %s', (_, expected, importance) => {
    const { slope, intercept } = fitPlatt(referenceScores, referenceLabels, importance);
    // Its L-BFGS ends at a gradient of 1e-6.
    expect(slope).toBeCloseTo(expected.platt.slope, 5);
    expect(intercept).toBeCloseTo(expected.platt.intercept, 5);
  });

  it('ends where the objective is least, for separated classes too', () => {
    fc.assert(
      fc.property(scored, (data) => {
        const { slope, intercept } = platt(data);
        expect(plattGradient(data, slope, intercept)).toBeLessThan(1e-8);
      }),
    );
  });

  it('has a slope above 0 just where the positive examples score higher in the mean', () => {
    fc.assert(
      fc.property(scored, (data) => {
        const share = (sign: number, value: (i: number) => number) =>
          sum(data, (i) => (data.labels[i] === sign ? value(i) : 0)) /
          sum(data, (i) => (data.labels[i] === sign ? 1 : 0));
        const ahead = share(1, (i) => data.scores[i]!) - share(-1, (i) => data.scores[i]!);
        fc.pre(Math.abs(ahead) > 1e-3);
        expect(Math.sign(platt(data).slope)).toBe(Math.sign(ahead));
      }),
    );
  });

  it('gives the same probabilities whatever the unit and the zero of the scores', () => {
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

  it('of equal scores is level, at the log odds of the targets', () => {
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

describe('isotonic regression', () => {
  it('is that of the min–max formula at every score', () => {
    fc.assert(
      fc.property(scored, (data) => {
        const fitted = isotonic(data);
        for (const [score, expected] of minMax(data)) expect(probabilityOf(fitted, score)).toBeCloseTo(expected, 12);
      }),
    );
  });

  it('does not fall, keeps the mean, and has no score twice', () => {
    fc.assert(
      fc.property(scored, fc.array(fc.double({ min: -200, max: 200, noNaN: true })), (data, places) => {
        const fitted = isotonic(data);
        fitted.scores.forEach((s, i) => {
          if (i > 0) expect(s).toBeGreaterThan(fitted.scores[i - 1]!);
        });
        const found = [...places, ...fitted.scores].sort((a, b) => a - b).map((s) => probabilityOf(fitted, s));
        found.forEach((p, i) => {
          expect(p).toBeGreaterThanOrEqual(i === 0 ? 0 : found[i - 1]!);
          expect(p).toBeLessThanOrEqual(1);
        });
        const positives = sum(data, (i) => (data.labels[i]! > 0 ? 1 : 0));
        expect(sum(data, (i) => probabilityOf(fitted, data.scores[i]!))).toBeCloseTo(positives, 10);
      }),
    );
  });

  it.each(weightings)('is that of scikit-learn %s, between scores and beyond them', (_, expected, importance) => {
    const fitted = fitIsotonic(referenceScores, referenceLabels, importance);
    expect(
      largestDifference(
        reference.at.map((s) => probabilityOf(fitted, s)),
        expected.isotonic,
      ),
    ).toBeLessThan(1e-12);
  });

  it('of equal scores is level, and of separated classes 0 and 1', () => {
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

  it('goes straight between points that lie as far apart as doubles can, and as near', () => {
    const wide: IsotonicCalibration = { kind: 'isotonic', scores: [-1.7e308, 1.7e308], probabilities: [0.25, 0.75] };
    expect([-Infinity, 0, 1.7e308, Infinity].map((s) => probabilityOf(wide, s))).toEqual([0.25, 0.5, 0.75, 0.75]);
    const near: IsotonicCalibration = { kind: 'isotonic', scores: [0, 5e-324], probabilities: [0.25, 0.75] };
    expect([0, 5e-324].map((s) => probabilityOf(near, s))).toEqual([0.25, 0.75]);
  });
});

describe('a calibration', () => {
  it('survives JSON to the bit', () => {
    for (const fit of [fitPlatt, fitIsotonic]) {
      const fitted = fit(referenceScores, referenceLabels);
      expect(JSON.parse(JSON.stringify(fitted))).toEqual(fitted);
    }
  });

  it('refuses one class only, scores that are not finite, and NaN to be made a probability', () => {
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

  it('is that of scikit-learn where bins are of equal count', () => {
    const curve = reliabilityCurve(probabilities, referenceLabels);
    expect(largestDifference(curve.meanProbabilities, reference.reliability.means)).toBeLessThan(1e-12);
    expect(largestDifference(curve.positiveShares, reference.reliability.shares)).toBeLessThan(1e-12);
    expect([...curve.weights]).toEqual(new Array(10).fill(6));
    const gaps = reference.reliability.means.map((mean, k) => Math.abs(mean - reference.reliability.shares[k]!));
    expect(curve.expectedCalibrationError).toBeCloseTo(gaps.reduce((a, b) => a + b, 0) / 10, 12);
  });

  it('has bins that differ by one example at most, where all probabilities differ', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 30 }), (n, bins) => {
        const p = Float64Array.from({ length: n }, (_, i) => i / n);
        const { weights } = reliabilityCurve(
          p,
          p.map(() => 1),
          { bins },
        );
        expect(weights.reduce((a, b) => a + b, 0)).toBe(n);
        expect(weights.length).toBe(Math.min(n, bins));
        expect(Math.max(...weights) - Math.min(...weights)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('does not depend on the order of rows, equal probabilities or not', () => {
    const p = Float64Array.of(0.2, 0.2, 0.2, 0.9, 0.2, 0.5);
    const y = Float64Array.of(1, -1, -1, 1, -1, 1);
    const curve = reliabilityCurve(p, y, { bins: 3 });
    expect(reliabilityCurve(p.slice().reverse(), y.slice().reverse(), { bins: 3 })).toEqual(curve);
    expect([...curve.weights]).toEqual([4, 2]);
  });

  it('finds no error where shares are as said', () => {
    const p = Float64Array.of(0.25, 0.25, 0.25, 0.25, 1);
    const curve = reliabilityCurve(p, Float64Array.of(1, -1, -1, -1, 1), { bins: 2 });
    expect(curve.expectedCalibrationError).toBe(0);
    expect(curve.positiveShares).toEqual(Float64Array.of(0.25, 1));
  });

  it('refuses scores that are no probabilities, and no bins', () => {
    const y = Float64Array.of(1);
    expect(() => reliabilityCurve(Float64Array.of(1.5), y)).toThrow('row 1: expected a probability in [0, 1]; got 1.5');
    expect(() => reliabilityCurve(y, y, { bins: 0 })).toThrow('bins must be a whole number from 1; got 0');
  });
});
