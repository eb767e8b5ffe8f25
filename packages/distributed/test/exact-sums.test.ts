import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactSums, roundedSum } from '../src/exact-sums.ts';

/** Doubles of all sizes, and close to half a unit in the last place of others. */
const doubles = fc.oneof(
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -120, max: 60 })).map(([a, e]) => a * 2 ** e),
);

/** Returns the exact sum of doubles in units of 2^-1074. */
function units(values: readonly number[]): bigint {
  return values.reduce((sum, value) => {
    const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
    const exponent = Number((bits >> 52n) & 2047n);
    const fraction = (bits & (2n ** 52n - 1n)) | (exponent === 0 ? 0n : 2n ** 52n);
    const size = fraction << BigInt(Math.max(0, exponent - 1));
    return value < 0 ? sum - size : sum + size;
  }, 0n);
}

test('a rounded sum is the double nearest to the exact one', () => {
  fc.assert(
    fc.property(fc.array(doubles, { maxLength: 8 }), (values) => {
      const rounded = roundedSum(values);
      const distance = (value: number) => {
        const off = units([value]) - units(values);
        return off < 0n ? -off : off;
      };
      const ulp = 2 ** Math.max(-1074, Math.floor(Math.log2(Math.abs(rounded) || 2 ** -1074)) - 53);
      for (const other of [rounded + 2 * ulp, rounded - 2 * ulp, rounded + ulp, rounded - ulp])
        expect(distance(rounded) <= distance(other)).toBe(true);
    }),
  );
});

test('sums of sums hold the exact sum, whatever was added to what', () => {
  fc.assert(
    fc.property(fc.array(fc.array(doubles, { maxLength: 6 }), { minLength: 1, maxLength: 5 }), (groups) => {
      const whole = new ExactSums(1);
      for (const group of groups) {
        const part = new ExactSums(2);
        for (const value of group) part.add(0, value);
        whole.addAll(part);
      }
      expect(units(whole.terms(0))).toBe(units(groups.flat()));
    }),
  );
});
