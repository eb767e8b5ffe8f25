import { describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { mostUpdates, rootAbove, rootBelow } from '../../src/exact/outward.ts';
import { decimalParts, type ExactBatch, unitOf, valueIn } from '../../src/exact/values.ts';
import { bitLength, fraction, partsOf, quotient, rootOf } from '../../src/exact/whole.ts';
import { canonicalRows } from '../../src/rows.ts';

/** Doubles of every size, and decimals as people write them. */
const double = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.nat(25)).map(([m, k]) => Number(`${m}e-${k}`)),
    fc.tuple(fc.maxSafeInteger(), fc.integer({ min: -30, max: 30 })).map(([m, k]) => Number(`${m}e${k}`)),
  )
  .filter((value) => value !== 0);

/** One row, of features that are decimals, or doubles, as `decimal` says. */
function rowOf(values: readonly number[], decimal: readonly boolean[]): ExactBatch {
  return {
    kind: 'sparse',
    rows: 1,
    dimension: values.length,
    offsets: Uint32Array.of(0, values.length),
    indices: Uint32Array.from(values, (_, j) => j),
    values: Float64Array.from(values),
    labels: Float64Array.of(1),
    importance: null,
    decimal: Uint8Array.from(decimal, Number),
  };
}

const row = fc.array(fc.tuple(double, fc.boolean()), { minLength: 1, maxLength: 6 }).map((cells) =>
  rowOf(
    cells.map(([value]) => value),
    cells.map(([, decimal]) => decimal),
  ),
);

/** A rational number of a decimal text, such as 1.5e-7. */
function fractionOf(text: string): [bigint, bigint] {
  const [, digits, fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text)!;
  const places = fraction.length - Number(exponent);
  return [BigInt(digits! + fraction) * 10n ** BigInt(Math.max(0, -places)), 10n ** BigInt(Math.max(0, places))];
}

test('in its unit every number is whole, a decimal as its text says and a double as its bits say, and the unit is the least', () => {
  forAll(3000, row, (batch) => {
    const positions = [...batch.values.keys()];
    const unit = unitOf(batch, positions);
    expect(unit.one).toBe(10n ** BigInt(unit.tens) * 2n ** BigInt(unit.twos));
    const places = batch.values.map((value, j) => {
      const whole = valueIn(batch, j, unit);
      if (batch.decimal![j] === 1) {
        const [a, b] = fractionOf(String(value));
        expect(whole * b).toBe(a * unit.one);
        return decimalParts(value).places;
      }
      // Halved or doubled until it is whole, a double keeps its digits.
      let [mantissa, twos] = [value, 0];
      for (; !Number.isInteger(mantissa); twos++) mantissa *= 2;
      expect(whole << BigInt(twos)).toBe(BigInt(mantissa) * unit.one);
      return twos;
    });
    const most = (kind: number) => Math.max(0, ...places.filter((_, j) => batch.decimal![j] === kind));
    expect([unit.tens, unit.twos]).toEqual([most(1), most(0)]);
  });
});

test('canonical rows have these numbers, each written in one way', () => {
  forAll(1000, row, (batch) => {
    const text = new TextDecoder().decode(canonicalRows(batch));
    expect(text).toMatch(/^\+1( \d+:-?[1-9]\d*([ep]-[1-9]\d*)?)+\n$/);
    const unit = unitOf(batch, batch.values.keys());
    text
      .trimEnd()
      .split(' ')
      .slice(1)
      .forEach((cell, j) => {
        const [, index, digits, base, places = '0'] = /^(\d+):(-?\d+)(?:([ep])-(\d+))?$/.exec(cell)!;
        expect(Number(index)).toBe(j);
        const power = (base === 'p' ? 2n : 10n) ** BigInt(places);
        expect(BigInt(digits!) * unit.one).toBe(valueIn(batch, j, unit) * power);
        if (base !== undefined) expect(BigInt(digits!) % (base === 'p' ? 2n : 10n)).not.toBe(0n);
        expect(base).not.toBe(batch.decimal![j] === 1 ? 'p' : 'e');
      });
  });
});

describe('whole', () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true });

  test('a double is its mantissa times a power of two', () => {
    forAll(1000, double, (value) => {
      const { mantissa, exponent } = partsOf(value);
      expect(value === 0 || mantissa % 2n !== 0n).toBe(true);
      // In two steps, neither of which rounds, where the power itself is no double.
      const half = Math.trunc(exponent / 2);
      expect(Number(mantissa) * 2 ** half * 2 ** (exponent - half)).toBe(value + 0);
    });
  });

  test('quotients come out to within two units in the last place', () => {
    forAll(fc.bigInt({ min: 0n, max: 2n ** 60n }), fc.bigInt({ min: 1n, max: 2n ** 60n }), fc.nat(500), (a, b, k) => {
      const exact = Number(a) / Number(b);
      expect(Math.abs(quotient(a << BigInt(k), b << BigInt(k)) - exact)).toBeLessThanOrEqual(exact * 2 ** -51);
    });
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
    forAll(fc.bigInt({ min: 0n, max: 2n ** 200n }), (a) => {
      expect(bitLength(a)).toBe(a === 0n ? 0 : a.toString(2).length);
    });
  });
});

const size = fc.bigInt({ min: 0n, max: 10n ** 40n });
const huge = fc.tuple(size, fc.nat(600)).map(([a, k]) => a << BigInt(k));

test('roots are on their side of the exact root, and near each other', () => {
  forAll(
    500,
    huge,
    huge.map((b) => b + 1n),
    (a, b) => {
      const below = rootBelow(`${a}/${b}`);
      const above = rootAbove(`${a}/${b}`);
      expect(squared(below, b) <= scaled(a)).toBe(true);
      expect(squared(above, b) >= scaled(a)).toBe(true);
      expect(above - below).toBeLessThanOrEqual(Math.max(above * 2 ** -49, Number.MIN_VALUE));
    },
  );
});

test('a root that is a double stays as it is', () => {
  for (const root of [rootBelow, rootAbove]) expect(['0', '4/9', '9/4', '25'].map(root).slice(2)).toEqual([1.5, 5]);
  expect([rootBelow('0'), rootAbove('0')]).toEqual([0, 0]);
});

test('counts updates exactly', () => {
  const separator = { weights: ['1'], bias: '0', marginSquared: '1', absorbedMarginSquared: '3/7' };
  expect(mostUpdates({ separator, radiusSquared: '7/2' })).toBe(10n); // (7/2 + 1) / (3/7) = 10.5
  expect(mostUpdates({ separator: null, radiusSquared: '7/2' })).toBeNull();
});

const places = 2400n;

/** Returns root²·b·2^places, exactly. */
function squared(root: number, b: bigint): bigint {
  const { mantissa, exponent } = partsOf(root);
  return (mantissa ** 2n * b) << (places + BigInt(2 * exponent));
}

function scaled(a: bigint): bigint {
  return a << places;
}
