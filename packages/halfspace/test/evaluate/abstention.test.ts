import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { abstentionCurve } from '../../src/evaluate/abstention.ts';
import { voteShare } from '../../src/model/dual/scorer.ts';
import { rankScores } from '../../src/model/ranking.ts';

const judged = fc
  .array(
    fc.record({
      score: fc.integer({ min: -8, max: 8 }).map((eighths) => eighths / 8),
      label: fc.constantFrom(-1, 1),
      importance: fc.constantFrom(0.5, 1, 2),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((rows) => ({
    rows,
    scores: Float64Array.from(rows, ({ score }) => score),
    labels: Float64Array.from(rows, ({ label }) => label),
    importance: Float64Array.from(rows, ({ importance }) => importance),
  }));

describe('the curve of abstention', () => {
  it('has at each share the number of answered rows and the errors among them', () => {
    forAll(judged, fc.constantFrom(-1, 1) as fc.Arbitrary<-1 | 1>, ({ rows, ...of }, tie) => {
      const curve = abstentionCurve(rankScores(of.scores, of.labels, of.importance), tie);
      const weigh = (some: typeof rows) => some.reduce((sum, { importance }) => sum + importance, 0);
      expect([...curve.shares]).toEqual([...new Set(rows.map(({ score }) => Math.abs(score)))].sort((a, b) => b - a));
      curve.shares.forEach((share, k) => {
        const answered = rows.filter(({ score }) => voteShare(Float64Array.of(score)) >= share);
        const wrong = answered.filter(({ score, label }) => (Math.sign(score) || tie) !== label);
        expect(curve.coverage[k]).toBe(weigh(answered) / weigh(rows));
        expect(curve.errors[k]).toBe(weigh(wrong) / weigh(rows));
      });
    });
  });

  it('never has fewer errors with more answers, and ends with all rows answered', () => {
    forAll(judged, ({ scores, labels }) => {
      const { coverage, errors } = abstentionCurve(rankScores(scores, labels));
      for (let k = 1; k < coverage.length; k++) {
        expect(coverage[k]).toBeGreaterThan(coverage[k - 1]!);
        expect(errors[k]).toBeGreaterThanOrEqual(errors[k - 1]!);
      }
      expect(coverage.at(-1)).toBe(1);
      expect(errors[0]).toBeLessThanOrEqual(coverage[0]!);
    });
  });
});

describe('the confidence of an answer', () => {
  it('is the lead of the winner: the absolute value of one score, or half the lead over the second score', () => {
    const scores = Float64Array.of(0, 0.4, -0.4, 1, -1, 0.25);
    expect([0, 1, 2, 3].map((at) => voteShare(scores, at))).toEqual([0, 0.4, 0.4, 1]);
    expect(voteShare(scores, 3, 3)).toBe((1 - 0.25) / 2);
    expect(voteShare(Float64Array.of(1, -1, -1), 0, 3)).toBe(1);
    expect(voteShare(Float64Array.of(0.5, -1, 0.5), 0, 3)).toBe(0);
  });

  it('is the same for one score as for two opposite scores', () => {
    forAll(fc.double({ min: -1, max: 1, noNaN: true }), (score) => {
      expect(voteShare(Float64Array.of(-score, score), 0, 2)).toBe(voteShare(Float64Array.of(score)));
    });
  });
});
