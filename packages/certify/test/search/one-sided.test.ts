import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { certify } from '../../src/certify.ts';
import { extended, peel } from '../../src/search/one-sided.ts';
import { examplesOf, labelled } from '../support/examples.ts';

/** Sparse rows of small whole numbers, so that features of one sign are common. */
const sparse = labelled(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -2, max: 2 })), 10);

const all = (rows: number) => Array.from({ length: rows }, (_, i) => i);

test('what a feature of one sign decides is in no contradiction, and the rest is separable if and only if all are', async () => {
  const seen = { peeled: 0, inseparable: 0 };
  await forAllAsync(500, sparse, async ({ rows, labels }) => {
    const examples = await examplesOf(rows, labels);
    const { core, decided } = peel(examples, all(rows.length));
    const { verdict, contradictions } = await certify(examples, { classes: ['-1', '1'] });
    if (decided.length > 0) seen.peeled++;
    for (const row of contradictions.flatMap((each) => each.rows)) expect(core).toContain(row - 1);
    if (core.length === 0) {
      expect(verdict).toBe('separable');
      return;
    }
    const rest = await examplesOf(
      core.map((i) => rows[i]!),
      core.map((i) => labels[i]!),
    );
    expect((await certify(rest, { classes: ['-1', '1'] })).verdict).toBe(verdict);
    if (verdict === 'not-separable') seen.inseparable++;
  });
  expect(Math.min(seen.peeled, seen.inseparable)).toBeGreaterThan(1);
});

test('every example is in the core, or decided once, by a feature that has one sign in all that are left', async () => {
  await forAllAsync(500, sparse, async ({ rows, labels }) => {
    const examples = await examplesOf(rows, labels);
    const { core, decided } = peel(examples, all(rows.length));
    const left = new Set(all(rows.length));
    for (const { feature, sign, examples: gone } of decided) {
      const holders = [...left].filter((i) => rows[i]![feature] !== 0);
      expect([...gone].sort((a, b) => a - b)).toEqual(holders);
      for (const i of holders) expect(Math.sign(labels[i]! * rows[i]![feature]!)).toBe(sign);
      for (const i of gone) left.delete(i);
    }
    if (core.length > 0) expect(core).toEqual([...left]);
    else expect(new Set([...left].map((i) => labels[i])).size).toBeLessThan(2);
  });
});

test('where no core is left, weights of the features that decided separate all', async () => {
  let extendedOnes = 0;
  await forAllAsync(500, sparse, async ({ rows, labels }) => {
    const examples = await examplesOf(rows, labels);
    const { core, decided } = peel(examples, all(rows.length));
    fc.pre(core.length === 0 && decided.length > 0);
    const gone = new Set(decided.flatMap((each) => each.examples));
    const left = all(rows.length).find((i) => !gone.has(i));
    const bias = left === undefined ? 0 : labels[left]!;
    const { w } = extended(examples, decided, { w: new Float64Array(examples.dimension), bias });
    rows.forEach((row, i) => {
      const score = row.reduce((sum, x, j) => sum + w[j]! * x, bias);
      expect(labels[i]! * score).toBeGreaterThan(0.99);
    });
    extendedOnes++;
  });
  expect(extendedOnes).toBeGreaterThan(4);
});
