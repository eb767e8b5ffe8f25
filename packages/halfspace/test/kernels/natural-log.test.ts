import fc from 'fast-check';
import { expect, it } from 'vitest';
import { logOnePlus, naturalLog } from '../../src/kernels/natural-log.ts';

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
