import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitLength, fraction, partsOf, quotient, rootOf } from '../../src/exact/whole.ts';

const double = fc.double({ noNaN: true, noDefaultInfinity: true });

test('a double is its mantissa times a power of two', () => {
  fc.assert(
    fc.property(double, (value) => {
      const { mantissa, exponent } = partsOf(value);
      expect(value === 0 || mantissa % 2n !== 0n).toBe(true);
      // In two steps, neither of which rounds, where the power itself is no double.
      const half = Math.trunc(exponent / 2);
      expect(Number(mantissa) * 2 ** half * 2 ** (exponent - half)).toBe(value + 0);
    }),
    { numRuns: 1000 },
  );
});

test('quotients come out to within two units in the last place', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 60n }),
      fc.bigInt({ min: 1n, max: 2n ** 60n }),
      fc.nat(500),
      (a, b, k) => {
        const exact = Number(a) / Number(b);
        expect(Math.abs(quotient(a << BigInt(k), b << BigInt(k)) - exact)).toBeLessThanOrEqual(exact * 2 ** -51);
      },
    ),
  );
});

test('roots of fractions of any size', () => {
  expect(rootOf('4/9')).toBe(2 / 3);
  expect(rootOf('0')).toBe(0);
  expect(rootOf('2')).toBe(Math.SQRT2);
  expect(rootOf(String(10n ** 600n)) / 1e300).toBeCloseTo(1, 14);
  expect(rootOf(`1/${10n ** 600n}`) / 1e-300).toBeCloseTo(1, 14);
});

test('fractions are in lowest terms', () => {
  expect(fraction(6n, 4n)).toBe('3/2');
  expect(fraction(6n, 3n)).toBe('2');
  expect(fraction(0n, 5n)).toBe('0');
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), (a) => {
      expect(bitLength(a)).toBe(a === 0n ? 0 : a.toString(2).length);
    }),
  );
});
