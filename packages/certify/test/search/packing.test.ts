import { expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { Contradiction } from '../../src/certificate.ts';
import { wholePrices } from '../../src/search/packing.ts';

const contradiction = (rows: number[]): Contradiction => ({
  rows,
  weights: rows.map(() => '1'),
  total: String(rows.length),
});

test('three contradictions of two rows each, in a circle, cost a half each: two errors', () => {
  const circle = [
    [1, 2],
    [2, 3],
    [1, 3],
  ].map(contradiction);
  const packing = wholePrices(circle, [0.5 - 1e-9, 0.5 + 1e-9, 0.5]);
  expect(packing).toMatchObject({ atLeast: 2, prices: [1n, 1n, 1n], unit: 2n });
});

test('prices that add up to more than 1 in a row are never used, and those of 0 are left out', () => {
  const prices = fc.array(fc.double({ min: 0, max: 1.5, noNaN: true }), { minLength: 1, maxLength: 6 });
  forAll(prices, fc.array(fc.uniqueArray(fc.nat(4), { minLength: 1 }), { minLength: 6, maxLength: 6 }), (p, rows) => {
    const packing = wholePrices(
      p.map((_, k) => contradiction(rows[k]!.map((row) => row + 1))),
      p,
    );
    if (packing === null) return;
    const sums = new Map<number, bigint>();
    packing.contradictions.forEach((each, k) => {
      expect(packing.prices[k]).toBeGreaterThan(0n);
      for (const row of each.rows) sums.set(row, (sums.get(row) ?? 0n) + packing.prices[k]!);
    });
    for (const sum of sums.values()) expect(sum).toBeLessThanOrEqual(packing.unit);
    const sum = packing.prices.reduce((a, b) => a + b, 0n);
    expect(BigInt(packing.atLeast - 1) * packing.unit).toBeLessThan(sum);
    expect(sum).toBeLessThanOrEqual(BigInt(packing.atLeast) * packing.unit);
  });
});
