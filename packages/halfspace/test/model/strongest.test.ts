import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nonzero, strongest } from '../../src/model/linear/strongest.ts';
import { sha256 } from '../../src/model/sha256.ts';
import { Random } from '../../src/random.ts';

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

const random = new Random(256);

function randomBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

describe('sha256', () => {
  it('equals that of node:crypto for every length around its blocks, and for large ones', () => {
    for (const length of [...Array(201).keys(), 1000, 4095, 4096, 65_537, 1_000_003]) {
      const bytes = randomBytes(length);
      expect(sha256(bytes), `${length} bytes`).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('reads a view at its offset', () => {
    const bytes = randomBytes(100);
    expect(sha256(bytes.subarray(17, 90))).toBe(sha256(bytes.slice(17, 90)));
  });

  it('does not change its input', () => {
    const bytes = randomBytes(64);
    const before = bytes.slice();
    sha256(bytes);
    expect(bytes).toEqual(before);
  });
});
