import { expect, test } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import type { Contradiction } from '../../src/certificate.ts';
import { certify } from '../../src/certify.ts';
import { signedColumns } from '../../src/exact/contradiction.ts';
import { decideExactly } from '../../src/exact/linear-programme.ts';
import { wholePrices } from '../../src/search/packing.ts';
import { checkFor, endless, examplesOf, type Labelled, labelled } from '../support/examples.ts';

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

/** The fewest rows without which a line separates the others: all subsets are tried. */
async function fewest({ rows, labels }: Labelled): Promise<number> {
  const examples = await examplesOf(rows, labels);
  let least = rows.length;
  for (let set = 0; set < 2 ** rows.length; set++) {
    const kept = rows.map((_, i) => i).filter((i) => ((set >> i) & 1) === 0);
    if (rows.length - kept.length >= least) continue;
    const columns = signedColumns(examples, kept).columns.map((column) =>
      Array.from({ length: examples.dimension + 1 }, (_, j) => column.get(j) ?? 0n),
    );
    if (kept.length === 0 || (await decideExactly(columns, endless))!.separator !== null)
      least = rows.length - kept.length;
  }
  return least;
}

test('of few rows, the line found has the fewest errors, which all subsets show', { timeout: 120_000 }, async () => {
  await forAllAsync(25, labelled(fc.integer({ min: 0, max: 3 }), 8), async (data) => {
    const examples = await examplesOf(data.rows, data.labels);
    const certificate = await certify(examples, { classes: ['-1', '1'], errors: true });
    expect(await checkFor(certificate, examples)).toMatchObject({ holds: true });
    const { errors } = certificate;
    if (errors === null) return;
    const least = await fewest(data);
    expect(errors.atLeast).toBeLessThanOrEqual(least);
    expect(errors.atMost).toBe(least);
  });
});
