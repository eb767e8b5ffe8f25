import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nonzero, strongest } from '../../src/model/linear/strongest.ts';

const weightLists = fc.array(fc.oneof(fc.constantFrom(0, -0, 1, -1, 2), fc.double({ noNaN: true })), { maxLength: 60 });

test('the strongest weights are the first of all, sorted by size and then by position', () => {
  fc.assert(
    fc.property(weightLists, fc.nat(70), fc.boolean(), (list, top, isSparse) => {
      const weights = Float64Array.from(list);
      const placed = list.map((weight, j) => ({ weight, feature: `f${j}` })).filter(({ weight }) => weight !== 0);
      const sparse = {
        length: list.length,
        positions: Uint32Array.from(placed, ({ feature }) => Number(feature.slice(1))),
        values: Float64Array.from(placed, ({ weight }) => weight),
      };
      const linear = isSparse ? { weights, sparse } : { weights };
      const names = list.map((_, j) => `f${j}`);
      const naive = [...placed].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, top);
      expect(strongest({ kind: 'named', names }, linear, top)).toEqual(naive);
      expect(nonzero(linear)).toBe(placed.length);
    }),
  );
});
