import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostUpdates, rootAbove, rootBelow } from '../../src/exact/outward.ts';
import { partsOf } from '../../src/exact/whole.ts';

const size = fc.bigInt({ min: 0n, max: 10n ** 40n });
const huge = fc.tuple(size, fc.nat(600)).map(([a, k]) => a << BigInt(k));

test('roots are on their side of the exact root, and near each other', () => {
  fc.assert(
    fc.property(
      huge,
      huge.map((b) => b + 1n),
      (a, b) => {
        const below = rootBelow(`${a}/${b}`);
        const above = rootAbove(`${a}/${b}`);
        expect(squared(below, b) <= scaled(a)).toBe(true);
        expect(squared(above, b) >= scaled(a)).toBe(true);
        expect(above - below).toBeLessThanOrEqual(Math.max(above * 2 ** -49, Number.MIN_VALUE));
      },
    ),
    { numRuns: 500 },
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
