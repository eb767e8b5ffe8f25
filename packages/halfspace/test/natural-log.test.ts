import fc from 'fast-check';
import { expect, it } from 'vitest';
import { naturalLog } from '../src/features/natural-log.ts';

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
