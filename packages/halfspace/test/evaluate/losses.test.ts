import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { brierScore, logLoss, zeroOneLoss } from '../../src/evaluate/losses.ts';
import { reference, referenceLabels, weightings } from '../support/reference.ts';

const losses = { logLoss, brierScore, zeroOneLoss };
const probabilities = Float64Array.from(reference.probabilities);
const one = Float64Array.of(1);

describe('losses of probabilities', () => {
  it.each(weightings)('equal those of scikit-learn %s', (_, expected, importance) => {
    for (const [name, loss] of Object.entries(losses))
      expect(loss(probabilities, referenceLabels, importance), name).toBeCloseTo(
        expected[name as keyof typeof losses],
        12,
      );
  });

  it('are the same for swapped labels and 1 − p, except at p = ½', () => {
    forAll(fc.array(fc.tuple(fc.nat(16), fc.boolean()), { minLength: 1 }), (rows) => {
      const p = Float64Array.from(rows, ([k]) => (k + 0.25) / 17); // never ½
      const y = Float64Array.from(rows, ([, positive]) => (positive ? 1 : -1));
      for (const loss of Object.values(losses))
        expect(loss(p, y)).toBeCloseTo(
          loss(
            p.map((each) => 1 - each),
            y.map((each) => -each),
          ),
          12,
        );
    });
  });

  it('are 0 for a certain and correct probability, and bounded for a certain and wrong one', () => {
    for (const loss of [brierScore, zeroOneLoss]) {
      expect(loss(one, one)).toBe(0);
      expect(loss(Float64Array.of(0), one)).toBe(1);
    }
    expect(logLoss(one, one)).toBeCloseTo(0, 15);
    expect(logLoss(Float64Array.of(0), one)).toBe(52 * Math.LN2);
    expect(logLoss(one, Float64Array.of(-1))).toBe(52 * Math.LN2);
  });

  it('count probability ½ as the positive class', () => {
    expect(zeroOneLoss(Float64Array.of(0.5, 0.5, 0.5), Float64Array.of(1, 1, -1))).toBe(1 / 3);
  });

  it('refuse values that are no probabilities, and no examples', () => {
    for (const loss of Object.values(losses)) {
      for (const bad of [Number.NaN, -0.1, 1.5])
        expect(() => loss(Float64Array.of(0.5, bad), Float64Array.of(1, -1))).toThrow(
          `row 2: expected a probability in [0, 1]; got ${bad}`,
        );
      expect(() => loss(new Float64Array(0), new Float64Array(0))).toThrow('expected examples; got none');
    }
  });
});
