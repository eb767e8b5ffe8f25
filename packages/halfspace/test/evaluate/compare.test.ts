import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import {
  chiSquaredTail,
  correctedResampledTTest,
  incompleteBeta,
  logGamma,
  mcNemarTest,
  studentTwoSided,
} from '../../src/evaluate/compare.ts';
import { reference } from '../support/reference.ts';

/** Returns the relative difference of two numbers. */
const relative = (actual: number, expected: number) =>
  actual === expected ? 0 : Math.abs(actual - expected) / Math.abs(expected);

/** Twice P(X ≤ k) for n throws of a fair coin, at most 1, by whole numbers. */
function exactTwoSided(k: number, n: number): number {
  let ways = 0n;
  let choose = 1n;
  for (let i = 0; i <= k; i++) {
    ways += choose;
    choose = (choose * BigInt(n - i)) / BigInt(i + 1);
  }
  const scale = 10n ** 30n;
  return Math.min(1, Number((2n * ways * scale) / 2n ** BigInt(n)) / 1e30);
}

describe('the corrected resampled t-test', () => {
  const differences = Float64Array.from(reference.differences);

  it.each(reference.tTests)('has the values of SciPy ($testedPerLearned)', ({ testedPerLearned, t, pValue }) => {
    const test = correctedResampledTTest(differences, testedPerLearned);
    expect(relative(test.t, t)).toBeLessThan(1e-12);
    expect(relative(test.pValue, pValue)).toBeLessThan(1e-12);
    expect(test).toMatchObject({ degreesOfFreedom: 9 });
    expect(test.mean / test.standardError).toBeCloseTo(test.t, 12);
  });

  it('is less certain for larger test shares, and is symmetric', () => {
    const of = (ratio: number) => correctedResampledTTest(differences, ratio).pValue;
    expect(of(0.1)).toBeLessThan(of(0.2));
    const turned = correctedResampledTTest(
      differences.map((d) => -d),
      0.1,
    );
    expect(turned.pValue).toBe(of(0.1));
    expect(turned.t).toBe(-correctedResampledTTest(differences, 0.1).t);
  });

  it('is certain for equal differences, and finds nothing for zero differences', () => {
    const same = correctedResampledTTest(new Float64Array(3).fill(-0.1), 0.5);
    expect(same).toEqual({ mean: -0.1, standardError: 0, t: -Infinity, degreesOfFreedom: 2, pValue: 0 });
    expect(correctedResampledTTest(new Float64Array(3), 0.5)).toMatchObject({ t: 0, pValue: 1 });
  });

  it('refuses fewer than two differences, what is not finite, and a ratio out of range', () => {
    expect(() => correctedResampledTTest(Float64Array.of(1), 0.5)).toThrow('expected at least 2 differences; got 1');
    expect(() => correctedResampledTTest(Float64Array.of(1, Number.NaN), 0.5)).toThrow(
      'row 2: expected a finite difference; got NaN',
    );
    for (const ratio of [0, -1, Number.NaN, Infinity])
      expect(() => correctedResampledTTest(Float64Array.of(1, 2), ratio)).toThrow(
        `testedPerLearned must be in (0, ∞); got ${ratio}`,
      );
  });
});

describe("McNemar's test", () => {
  it.each(reference.mcNemar)('of $counts has the values of SciPy (exact: $exact)', ({ counts, exact, ...expected }) => {
    const test = mcNemarTest(...counts, { exactBelow: exact ? Infinity : 1 });
    expect(test.method).toBe(exact ? 'exact' : 'chi-squared');
    // Logarithms of large factorials cost digits.
    expect(relative(test.pValue, expected.pValue)).toBeLessThan(counts[0] > 10_000 ? 1e-8 : 1e-11);
    if (!exact) expect(test.chiSquared).toBeCloseTo(expected.chiSquared!, 12);
  });

  it('is exact for fewer than 25 examples', () => {
    for (let n = 0; n < 25; n++)
      for (let b = 0; b <= n; b++) {
        const test = mcNemarTest(b, n - b);
        expect(test).toMatchObject({ method: 'exact', chiSquared: null });
        expect(relative(test.pValue, exactTwoSided(Math.min(b, n - b), n))).toBeLessThan(1e-12);
      }
    expect(mcNemarTest(5, 20).method).toBe('chi-squared');
  });

  it('in its exact form equals integer arithmetic for more examples too, and is at most 1', () => {
    forAll(fc.nat(60), fc.nat(60), (b, c) => {
      const { pValue } = mcNemarTest(b, c, { exactBelow: Infinity });
      expect(relative(pValue, exactTwoSided(Math.min(b, c), b + c))).toBeLessThan(1e-10);
      expect(pValue).toBeLessThanOrEqual(1);
      expect(mcNemarTest(c, b)).toEqual(mcNemarTest(b, c));
    });
  });

  it('refuses values that are no counts', () => {
    expect(() => mcNemarTest(-1, 2)).toThrow('onlyFirst must be a whole number from 0; got -1');
    expect(() => mcNemarTest(1, 0.5)).toThrow('onlySecond must be a whole number from 0; got 0.5');
    expect(() => mcNemarTest(1, 2, { exactBelow: Number.NaN })).toThrow('exactBelow must be in [1, ∞]; got NaN');
  });
});

describe('the distributions under them', () => {
  it.each(reference.studentTwoSided)("Student's t: |T| ≥ %d with %d degrees of freedom", (t, freedom, expected) => {
    const p = studentTwoSided(t, freedom);
    // Far out with many degrees of freedom the tail is below the least double, or loses digits to large logarithms.
    expect(Math.abs(p - expected)).toBeLessThan(1e-300 + expected * (freedom > 1000 ? 1e-9 : 1e-11));
  });

  it("Student's t with one degree of freedom is Cauchy's distribution, near 0 and far away", () => {
    for (const t of [1e-9, 1e-4, 0.7, 3, 1e4, 1e9])
      expect(relative(studentTwoSided(t, 1), (2 / Math.PI) * Math.atan2(1, t))).toBeLessThan(1e-13);
  });

  it('ln Γ equals that of factorials', () => {
    let sum = 0;
    for (let n = 1; n < 170; n++) {
      sum += Math.log(n);
      expect(Math.abs(logGamma(n + 1) - sum)).toBeLessThan(1e-13 * Math.max(10, sum));
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
  });

  it('the incomplete beta function of whole numbers is a binomial tail, and is symmetric', () => {
    for (const x of [0, 0.01, 0.3, 0.5, 0.9, 1]) {
      // Iₓ(2, 3) = P(at least 2 of 4)
      expect(incompleteBeta(2, 3, x, 1 - x)).toBeCloseTo(1 - (1 - x) ** 4 - 4 * x * (1 - x) ** 3, 13);
      expect(incompleteBeta(3, 2, 1 - x, x)).toBeCloseTo(1 - incompleteBeta(2, 3, x, 1 - x), 13);
    }
  });

  it('the chi-squared tail falls from 1, without a step at the change of method', () => {
    expect(chiSquaredTail(0)).toBe(1);
    expect(chiSquaredTail(3 - 1e-12)).toBeCloseTo(chiSquaredTail(3 + 1e-12), 12);
    expect(chiSquaredTail(3.841_458_820_694_124)).toBeCloseTo(0.05, 13);
    expect(chiSquaredTail(1e5)).toBe(0);
  });
});
