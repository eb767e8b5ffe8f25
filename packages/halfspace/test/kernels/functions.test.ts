import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponential, power } from '../../src/kernels/exponential.ts';
import { logOnePlus, naturalLog } from '../../src/kernels/natural-log.ts';

/** Returns the number of doubles between two of the same sign. */
function unitsApart(a: number, b: number): number {
  const words = new BigInt64Array(Float64Array.of(a, b).buffer);
  return Math.abs(Number(words[0]! - words[1]!));
}

describe('e^x from sums and products', () => {
  it('is within 2 units in the last place of Math.exp', () => {
    fc.assert(
      fc.property(fc.double({ min: -708, max: 709, noNaN: true }), (x) => {
        expect(unitsApart(exponential(x), Math.exp(x))).toBeLessThanOrEqual(2);
      }),
      { numRuns: 20_000 },
    );
    for (let x = -700; x <= 700; x += 0.0173)
      expect(unitsApart(exponential(x), Math.exp(x)), `${x}`).toBeLessThanOrEqual(2);
  });

  it('is 1 at 0, tends to 0 and ∞, and returns NaN for NaN', () => {
    expect([0, -0, -708.3, -Infinity, 709.1, Infinity, Number.NaN].map(exponential)).toEqual([
      1,
      1,
      0,
      0,
      Infinity,
      Infinity,
      Number.NaN,
    ]);
  });
});

describe('t^p', () => {
  it('is within 3 units in the last place of Math.pow', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 40, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (lnT, p) => {
        const t = Math.max(1, Math.exp(lnT));
        expect(unitsApart(power(t, p), t ** p)).toBeLessThanOrEqual(3);
      }),
      { numRuns: 20_000 },
    );
    for (let t = 1; t < 5000; t++) expect(unitsApart(power(t, 0.5), Math.sqrt(t)), `${t}`).toBeLessThanOrEqual(3);
  });

  it('is exact for p = 0, and for p = ½ at 1 and powers of 4', () => {
    for (const t of [1, 2, 3.7, 1e9, 1e300]) expect(power(t, 0)).toBe(1);
    expect([1, 4, 16, 2 ** 40].map((t) => power(t, 0.5))).toEqual([1, 2, 4, 2 ** 20]);
  });
});

/** The distance from a number to the next. */
function ulp(x: number): number {
  return 2 ** (Math.max(-1022, Math.floor(Math.log2(Math.abs(x)))) - 52);
}

it('is within 2 ulp of Math.log', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.integer({ min: 2, max: 2 ** 31 - 1 }),
        fc.double({ min: 1 + 2 ** -40, max: 4, noNaN: true }),
        fc.double({ min: 1, max: 1e300, noNaN: true, minExcluded: true }),
      ),
      (x) => {
        expect(Math.abs(naturalLog(x) - Math.log(x))).toBeLessThanOrEqual(2 * ulp(Math.log(x)));
      },
    ),
    { numRuns: 5000 },
  );
});

it('is 0 at 1, ln 2 at 2, and rises', () => {
  expect(naturalLog(1)).toBe(0);
  expect(naturalLog(2)).toBe(Math.LN2);
  for (let n = 1; n < 3000; n++) expect(naturalLog(n + 1)).toBeGreaterThan(naturalLog(n));
});

it('is within 3 ulp of Math for numbers below 1, and of Math.log1p for small x', () => {
  fc.assert(
    fc.property(fc.double({ min: 5e-324, max: 1, noNaN: true, maxExcluded: true }), (x) => {
      for (const [own, other] of [
        [naturalLog(x), Math.log(x)],
        [logOnePlus(x), Math.log1p(x)],
        [logOnePlus(-x), Math.log1p(-x)],
      ] as const)
        expect(Math.abs(own - other)).toBeLessThanOrEqual(3 * ulp(other));
    }),
    { numRuns: 5000 },
  );
});

it('equals Math.log at the limits', () => {
  for (const x of [0, Infinity, -1, Number.NaN]) expect(naturalLog(x)).toBe(Math.log(x));
  for (const x of [0, -1, Infinity]) expect(logOnePlus(x)).toBe(Math.log1p(x));
});
