import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundText, roundedTo } from '../../src/picture/rounding.ts';
import { compare, Fraction } from '../tours/exact/fraction.ts';

/** The exact value of a double between 10⁻⁴ and 10⁶. */
const exact = (value: number) => Fraction.of(value.toFixed(100));
const sizes = fc.double({ noNaN: true, min: 1e-3, max: 1e5 });

it('a bound is rounded to its side, by less than one in the last digit', () => {
  fc.assert(
    fc.property(sizes, fc.boolean(), fc.integer({ min: 1, max: 12 }), (size, below0, digits) => {
      const value = below0 ? -size : size;
      const [down, up] = (['down', 'up'] as const).map((side) => Fraction.of(plain(roundedTo(value, digits, side))));
      const unit = Fraction.of(plain(10 ** (Math.floor(Math.log10(size)) - digits + 2)));
      const alike = Fraction.of(plain(1e-12)).times(exact(size));
      expect(compare(down!, exact(value).plus(alike))).toBeLessThanOrEqual(0);
      expect(compare(up!, exact(value).minus(alike))).toBeGreaterThanOrEqual(0);
      expect(compare(up!.minus(down!), unit)).toBeLessThanOrEqual(0);
      // A decimal on the wrong side is one that the rounding of doubles alone tells from the value.
      for (const near of [down!, up!]) {
        const wrong = near === down ? compare(near, exact(value)) > 0 : compare(near, exact(value)) < 0;
        if (wrong) expect(compare(down!, up!)).toBe(0);
      }
    }),
    { numRuns: 1000 },
  );
});

it('a decimal, and what doubles make of it, is itself', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: -3, max: 3 }),
      fc.integer({ min: -30, max: 30 }),
      (n, power, units) => {
        const decimal = Number(`${n}e${power}`);
        for (const side of ['up', 'down'] as const)
          expect(roundedTo(decimal * (1 + units * 2 ** -52), 4, side)).toBe(decimal);
      },
    ),
  );
  expect([boundText(0.7999999999999958, 4, 'down'), boundText(1 + 2 ** -52, 4, 'up')]).toEqual(['0.8', '1']);
  expect([boundText(2 / 3, 4, 'down'), boundText(2 / 3, 4, 'up'), boundText(-2 / 3, 4, 'up')]).toEqual([
    '0.6666',
    '0.6667',
    '−0.6666',
  ]);
  expect([boundText(0.99996, 4, 'down'), boundText(0.99994, 4, 'up'), boundText(0, 4, 'up')]).toEqual([
    '0.9999',
    '1.000',
    '0',
  ]);
});

/** Writes a number without an exponent. */
const plain = (value: number) => value.toFixed(20).replace(/0+$/, '').replace(/\.$/, '');
