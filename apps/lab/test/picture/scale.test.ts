import { scaleLinear, scaleLog } from 'd3-scale';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { boundText, roundedTo } from '../../src/picture/rounding.ts';
import { linearScale, logScale, readTick } from '../../src/picture/scale.ts';
import { compare, Fraction } from '../tours/exact/fraction.ts';

/** The exact value of a double between 10⁻⁴ and 10⁶. */
const exact = (value: number) => Fraction.of(value.toFixed(100));
const sizes = fc.double({ noNaN: true, min: 1e-3, max: 1e5 });

it('a bound is rounded to its side, by less than one in the last digit', () => {
  forAll(1000, sizes, fc.boolean(), fc.integer({ min: 1, max: 12 }), (size, below0, digits) => {
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
  });
});

it('a decimal, and what doubles make of it, is itself', () => {
  forAll(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: -3, max: 3 }),
    fc.integer({ min: -30, max: 30 }),
    (n, power, units) => {
      const decimal = Number(`${n}e${power}`);
      for (const side of ['up', 'down'] as const)
        expect(roundedTo(decimal * (1 + units * 2 ** -52), 4, side)).toBe(decimal);
    },
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

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('scales', () => {
  it('are those of d3-scale, but for rounding', () => {
    forAll(number, number, number, fc.nat(3000), (from, to, value, pixel) => {
      fc.pre(Math.abs(from - to) > 1e-9);
      const [ours, theirs] = [linearScale([from, to], [17, 803]), scaleLinear([from, to], [17, 803])];
      // Rounding is in proportion to the numbers that go into a difference.
      const size = Math.max(Math.abs(from), Math.abs(to), Math.abs(value));
      const perPixel = Math.abs(to - from) / 786;
      expect(Math.abs(ours(value) - theirs(value)) * perPixel).toBeLessThan(1e-12 * (size + 1e4 * perPixel));
      expect(Math.abs(ours.invert(pixel) - theirs.invert(pixel))).toBeLessThan(1e-12 * (size + 1e4 * perPixel));
      expect(ours.domain()).toEqual(theirs.domain());
    });
  });

  it('are those of d3-scale where they are logarithmic, too', () => {
    const positive = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
    forAll(positive, positive, positive, (from, to, value) => {
      fc.pre(Math.abs(Math.log(from / to)) > 1e-3);
      const [ours, theirs] = [logScale([from, to], [0, 600]), scaleLog([from, to], [0, 600])];
      expect(Math.abs(ours(value) - theirs(value))).toBeLessThan(1e-6 * Math.max(1, Math.abs(theirs(value))));
      expect(ours.invert(250) / theirs.invert(250)).toBeCloseTo(1, 6);
    });
  });

  it('write their ticks as d3-scale does, but years without a comma', () => {
    forAll(
      fc.integer({ min: -5000, max: 5000 }),
      fc.integer({ min: 1, max: 9000 }),
      fc.integer({ min: -3, max: 3 }),
      (from, length, power) => {
        const domain = [from * 10 ** power, (from + length) * 10 ** power] as const;
        const theirs = scaleLinear(domain, [0, 1]);
        const [ours, format] = [readTick(domain, 6), theirs.tickFormat(6)];
        const large = Math.max(...domain.map(Math.abs));
        fc.pre(large < 1e5);
        const read = (tick: number) => (large < 1e4 ? format(tick).replaceAll(',', '') : format(tick));
        for (const tick of theirs.ticks(6)) expect(ours(tick)).toBe(read(tick));
      },
    );
  });

  it('write large ticks short', () => {
    const read = readTick([0, 250_000], 5);
    expect([0, 50_000, 250_000].map(read)).toEqual(['0', '50k', '250k']);
    expect(readTick([-3e6, 0], 5)(-2.5e6)).toBe('−2.5M');
    expect(readTick([1998, 2004], 5)(2001)).toBe('2001');
    expect(readTick([0, 20_000], 5)(15_000)).toBe('15,000');
  });
});
