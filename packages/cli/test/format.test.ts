import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readable } from '../src/report/features.ts';
import { above, below, count, radiusAbove } from '../src/report/format.ts';

test('a count is grouped as the language formats it', () => {
  const numbers = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.nat(9999), fc.double());
  fc.assert(
    fc.property(numbers, (value) => {
      // A count is never −0, which the language writes with its sign.
      expect(count(value + 0)).toBe((value + 0).toLocaleString('en-US'));
    }),
  );
});

test('bounds are cut to their side, by less than one in the last digit', () => {
  const size = fc.double({ noNaN: true, min: Number.MIN_VALUE, max: 1e290 });
  const numbers = fc.oneof(
    fc.constant(0),
    size,
    size.map((value) => -value),
  );
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 12 }), (value, digits) => {
      const [low, high] = [exact(below(value, digits)), exact(above(value, digits))];
      const middle = exact(value.toExponential(100));
      expect(low <= middle && middle <= high).toBe(true);
      expect(Number(below(value, digits)) <= value && value <= Number(above(value, digits))).toBe(true);
      const digit = 10n ** BigInt(places - digits + 1 + Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
      expect(high - low).toBeLessThanOrEqual(digit);
    }),
    { numRuns: 500 },
  );
  expect([below(2 / 3, 4), above(2 / 3, 4), above(1.5, 4), below(-0.12345, 3)]).toEqual([
    '0.6666',
    '0.6667',
    '1.5',
    '-0.124',
  ]);
});

test('a radius is never printed below itself, and a few units in the last place above a short decimal look like that', () => {
  const lengths = fc.oneof(
    fc.double({ noNaN: true, min: Number.MIN_VALUE, max: 1e290 }),
    // Short decimals, and up to twenty units in the last place above them.
    fc
      .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: -6, max: 6 }), fc.nat(20))
      .map(([n, power, units]) => {
        const value = n * 10 ** power;
        return value * (1 + units * 2 ** -52);
      }),
  );
  fc.assert(
    fc.property(lengths, (radius) => {
      const printed = radiusAbove(radius);
      expect(exact(printed)).toBeGreaterThanOrEqual(exact(radius.toExponential(100)));
      const short = Number(radius.toPrecision(4));
      const isNear = Math.abs(radius - short) < 1e-13 * radius;
      expect(Number(printed) - radius).toBeLessThanOrEqual((isNear ? 1e-14 : 1.1e-3) * radius);
    }),
  );
  expect([1, 1 + 2 ** -52, 5 * (1 + 11 * 2 ** -53), 1 + 1e-9, 2 / 3].map(radiusAbove)).toEqual(
    '1 1.000000000000001 5.000000000000008 1.001 0.6667'.split(' '),
  );
});

const places = 800;

/** Returns a decimal number times 10^places. */
function exact(text: string): bigint {
  const [mantissa, exponent = '0'] = text.split('e') as [string, string?];
  const [whole, part = ''] = mantissa.split('.') as [string, string?];
  return BigInt(whole + part) * 10n ** BigInt(places + Number(exponent) - part.length);
}

test('a weight that is a rounding error is no feature of the strongest', () => {
  const [strong, noise] = [-2.5, 1.11e-16].map((weight) => ({ feature: 'x', weight }));
  expect(readable([strong!, noise!])).toEqual([strong]);
  expect(readable([noise!])).toEqual([noise]);
});
