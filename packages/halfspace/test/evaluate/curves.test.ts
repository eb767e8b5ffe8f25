import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { precisionRecallCurve, rocCurve, thinCurve } from '../../src/evaluate/curves.ts';
import { averagePrecision, rankScores, rocArea } from '../../src/model/ranking.ts';
import { ScoredRows } from '../../src/model/scored-rows.ts';
import { type Scored, scored, weightOf } from '../support/examples.ts';
import { largestDifference, referenceLabels, referenceScores, weightings } from '../support/reference.ts';

const rank = ({ scores, labels, importance }: Scored) => rankScores(scores, labels, importance);

/** The share of pairs of a positive and a negative example that are in order, ties half; weighed by both. */
function mannWhitney(data: Scored): number {
  const { scores, labels } = data;
  let ordered = 0;
  let pairs = 0;
  labels.forEach((yi, i) => {
    labels.forEach((yj, j) => {
      if (yi < 0 || yj > 0) return;
      const weight = weightOf(data, i) * weightOf(data, j);
      pairs += weight;
      ordered += weight * (scores[i]! > scores[j]! ? 1 : scores[i] === scores[j] ? 0.5 : 0);
    });
  });
  return ordered / pairs;
}

/** Weight of one class among the examples that score at least `threshold`. */
function above(data: Scored, threshold: number, sign: number): number {
  return data.labels.reduce(
    (sum, y, i) => sum + (y === sign && data.scores[i]! >= threshold ? weightOf(data, i) : 0),
    0,
  );
}

function trapezoids(x: Float64Array, y: Float64Array): number {
  let area = 0;
  for (let i = 1; i < x.length; i++) area += ((x[i]! - x[i - 1]!) * (y[i]! + y[i - 1]!)) / 2;
  return area;
}

describe('the area under the ROC curve', () => {
  it('is exactly the Mann–Whitney statistic divided by the number of pairs', () => {
    forAll(scored, (data) => {
      expect(rocArea(rank(data))).toBe(mannWhitney(data));
    });
  });

  it('equals the area under the points of the curve', () => {
    forAll(scored, (data) => {
      const { falsePositiveRates, truePositiveRates } = rocCurve(rank(data));
      expect(trapezoids(falsePositiveRates, truePositiveRates)).toBeCloseTo(rocArea(rank(data))!, 12);
    });
  });

  it('and the average precision do not change under a rising function of the scores', () => {
    forAll(scored, (data) => {
      const order = [...new Set(data.scores)].sort((a, b) => a - b);
      const raised = { ...data, scores: data.scores.map((s) => order.indexOf(s) ** 3 - 5) };
      expect(rocArea(rank(raised))).toBe(rocArea(rank(data)));
      expect(averagePrecision(rank(raised))).toBe(averagePrecision(rank(data)));
    });
  });

  it('becomes 1 minus itself if labels are swapped or scores negated', () => {
    forAll(scored, (data) => {
      const area = rocArea(rank(data))!;
      expect(rocArea(rank({ ...data, labels: data.labels.map((y) => -y) }))).toBeCloseTo(1 - area, 14);
      expect(rocArea(rank({ ...data, scores: data.scores.map((s) => -s) }))).toBeCloseTo(1 - area, 14);
    });
  });

  it('is one half for equal scores, and 1 for separated classes', () => {
    const labels = Float64Array.of(1, -1, 1, -1, -1);
    const equal = rankScores(Float64Array.of(0, -0, 0, 0, -0), labels);
    expect(equal.scores).toEqual(Float64Array.of(0));
    expect(rocArea(equal)).toBe(0.5);
    expect(averagePrecision(equal)).toBe(2 / 5);
    const apart = rankScores(Float64Array.of(Infinity, -1, 3, 2, -Infinity), labels);
    expect(rocArea(apart)).toBe(1);
    expect(averagePrecision(apart)).toBe(1);
  });

  it('is null for a single class, whose curves are refused', () => {
    for (const [y, name] of [
      [1, 'positive'],
      [-1, 'negative'],
    ] as const) {
      const ranking = rankScores(Float64Array.of(1, 2), Float64Array.of(y, y));
      expect(rocArea(ranking)).toBeNull();
      expect(averagePrecision(ranking)).toBeNull();
      const message = `expected examples of both classes; got only ${name} ones`;
      expect(() => rocCurve(ranking)).toThrow(message);
      expect(() => precisionRecallCurve(ranking)).toThrow(message);
    }
  });
});

describe('the curves', () => {
  it('have the points of the definition, one for each distinct score with weight', () => {
    forAll(scored, (data) => {
      const roc = rocCurve(rank(data));
      const pr = precisionRecallCurve(rank(data));
      const weighing = [...data.scores].filter((_, i) => weightOf(data, i) > 0);
      const distinct = [...new Set(weighing.map((s) => s + 0))].sort((a, b) => b - a);
      expect([...roc.thresholds]).toEqual([Infinity, ...distinct]);
      expect([...pr.thresholds]).toEqual(distinct);
      expect([roc.falsePositiveRates[0], roc.truePositiveRates[0]]).toEqual([0, 0]);
      const [positives, negatives] = [above(data, -Infinity, 1), above(data, -Infinity, -1)];
      distinct.forEach((threshold, g) => {
        const [right, wrong] = [above(data, threshold, 1), above(data, threshold, -1)];
        expect(roc.truePositiveRates[g + 1]).toBe(right / positives);
        expect(roc.falsePositiveRates[g + 1]).toBe(wrong / negatives);
        expect(pr.recalls[g]).toBe(right / positives);
        expect(pr.precisions[g]).toBe(right / (right + wrong));
      });
    });
  });

  it('count a row of whole importance h as h rows', () => {
    const labels = Float64Array.of(1, -1, 1, -1);
    const scores = Float64Array.of(1, 2, 3, 1);
    const repeated = [0, 0, 1, 2, 2, 2, 3];
    const weighed = rankScores(scores, labels, Float64Array.of(2, 1, 3, 1));
    expect(weighed).toEqual(
      rankScores(
        Float64Array.from(repeated, (i) => scores[i]!),
        Float64Array.from(repeated, (i) => labels[i]!),
      ),
    );
  });

  it.each(weightings)('and their areas equal those of scikit-learn %s', (_, expected, importance) => {
    const ranking = rankScores(referenceScores, referenceLabels, importance);
    const roc = rocCurve(ranking);
    expect(largestDifference(roc.falsePositiveRates, expected.roc[0])).toBeLessThan(1e-12);
    expect(largestDifference(roc.truePositiveRates, expected.roc[1])).toBeLessThan(1e-12);
    expect([...roc.thresholds.subarray(1)]).toEqual(expected.roc[2].map((s) => s + 0));
    expect(rocArea(ranking)).toBeCloseTo(expected.rocArea, 12);
    const pr = precisionRecallCurve(ranking);
    expect(largestDifference(pr.precisions.slice().reverse(), expected.precisionRecall[0])).toBeLessThan(1e-12);
    expect(largestDifference(pr.recalls.slice().reverse(), expected.precisionRecall[1])).toBeLessThan(1e-12);
    expect(averagePrecision(ranking)).toBeCloseTo(expected.averagePrecision, 12);
  });

  it('refuse NaN scores, invalid labels, lists of different lengths, and no examples', () => {
    const two = Float64Array.of(1, -1);
    const refusals: [() => unknown, string, string][] = [
      [
        () => rankScores(Float64Array.of(1, Number.NaN), two),
        'number-invalid',
        'row 2: expected a score that is a number; got NaN',
      ],
      [() => rankScores(two, Float64Array.of(1, 0)), 'label-missing', 'row 2: expected a label of -1 or 1; got 0'],
      [() => rankScores(two, Float64Array.of(1)), 'label-missing', 'expected 2 labels, one per row; got 1'],
      [() => rankScores(two, two, Float64Array.of(1)), 'row-malformed', 'expected 2 importance weights; got 1'],
      [() => rankScores(two, two, two), 'number-invalid', 'row 2: expected an importance weight in [0, ∞); got -1'],
      [
        () => rankScores(two, two, Float64Array.of(0, 0)),
        'source-empty',
        'expected examples with an importance above 0; got none',
      ],
      [() => rankScores(new Float64Array(0), new Float64Array(0)), 'source-empty', 'expected examples; got none'],
    ];
    for (const [refused, code, message] of refusals) {
      expect(refused).toThrow(expect.objectContaining({ code, message }));
    }
  });
});

describe('a thinned curve', () => {
  it('has at most the given number of points, all from the curve, with both ends', () => {
    forAll(scored, fc.integer({ min: 2, max: 12 }), (data, points) => {
      for (const curve of [rocCurve(rank(data)), precisionRecallCurve(rank(data))]) {
        const thin = thinCurve(curve, points);
        expect(thin.thresholds.length).toBe(Math.min(thin.thresholds.length, points));
        const at = [...thin.thresholds].map((t) => curve.thresholds.indexOf(t));
        expect(at[0]).toBe(0);
        expect(at.at(-1)).toBe(curve.thresholds.length - 1);
        expect(new Set(at).size).toBe(at.length);
        const { thresholds, kind, ...rates } = curve;
        for (const [name, values] of Object.entries(rates))
          expect([...(thin as unknown as Record<string, Float64Array>)[name]!]).toEqual(at.map((i) => values[i]));
      }
    });
  });

  it('is spread along the curve, however the scores are distributed', () => {
    const n = 10_000;
    const labels = Float64Array.from({ length: n }, (_, i) => (i % 3 === 0 ? 1 : -1));
    const curve = rocCurve(
      rankScores(
        Float64Array.from({ length: n }, (_, i) => i),
        labels,
      ),
    );
    const thin = thinCurve(curve, 101);
    expect(thin.thresholds.length).toBe(101);
    for (let i = 1; i <= 100; i++)
      expect(thin.falsePositiveRates[i]! - thin.falsePositiveRates[i - 1]!).toBeCloseTo(0.01, 3);
  });

  it('refuses fewer than two points', () => {
    const curve = rocCurve(rankScores(Float64Array.of(1, 2), Float64Array.of(1, -1)));
    expect(() => thinCurve(curve, 1)).toThrow('points must be a whole number from 2; got 1');
  });
});

describe('scored rows', () => {
  it('are stored in order, in blocks of any size', () => {
    const rows = new ScoredRows();
    expect(rows.scores).toEqual(new Float64Array(0));
    const expected: number[] = [];
    for (const size of [1, 0, 1023, 5, 4000, 3]) {
      const scores = Float64Array.from({ length: size }, (_, i) => expected.length + i);
      rows.add(
        scores,
        scores.map((s) => (s % 2 === 0 ? 1 : -1)),
      );
      expected.push(...scores);
      scores.fill(Number.NaN); // the caller's again
    }
    expect([...rows.scores]).toEqual(expected);
    expect([...rows.labels]).toEqual(expected.map((s) => (s % 2 === 0 ? 1 : -1)));
  });
});
