import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponential, power } from '../../src/kernels/exponential.ts';

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
