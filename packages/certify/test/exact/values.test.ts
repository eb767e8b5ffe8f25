import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalParts, type ExactBatch, unitOf, valueIn } from '../../src/exact/values.ts';
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
  fc.assert(
    fc.property(row, (batch) => {
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
    }),
    { numRuns: 3000 },
  );
});

test('canonical rows have these numbers, each written in one way', () => {
  fc.assert(
    fc.property(row, (batch) => {
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
    }),
    { numRuns: 1000 },
  );
});
