import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DenseBatch, denseBatch } from '../../src/batch.ts';
import { Random } from '../../src/random.ts';
import { objective } from '../../src/rules/objective.ts';
import { createLearner } from '../../src/rules/registry.ts';
import type { SgdOptions } from '../../src/rules/sgd-options.ts';
import { wasm } from '../support/kernels.ts';

// Third-party data are not part of the repository: where this folder is absent, these tests are skipped.
const folder = resolve(import.meta.dirname, '../../../../../shared/data');

/** Made by reference/sgd.py with scikit-learn. */
const reference = JSON.parse(readFileSync(join(import.meta.dirname, '../reference/sgd.json'), 'utf8')) as {
  readonly stepwise: readonly (Required<Pick<SgdOptions, 'loss' | 'schedule' | 'penalty' | 'rate'>> & {
    readonly weighted: boolean;
    readonly numbers: number[];
  })[];
  readonly least: readonly {
    readonly table: string;
    readonly loss: 'logistic' | 'hinge';
    readonly alpha: number;
    readonly value: number;
    readonly accuracy: number;
  }[];
};

/** A table without a header whose last column is the class; the larger label is the positive class. */
function table(name: string): { x: number[][]; y: number[] } {
  const rows = readFileSync(join(folder, `${name}.csv`), 'utf8')
    .split(/\s+/)
    .filter((line) => line !== '')
    .map((line) => line.split(','));
  const labels = rows.map((row) => row.at(-1)!);
  const positive = labels.reduce((a, b) => (a > b ? a : b));
  return {
    x: rows.map((row) => row.slice(0, -1).map(Number)),
    y: labels.map((label) => (label === positive ? 1 : -1)),
  };
}

function standardised(x: number[][]): number[][] {
  const columns = x[0]!.map((_, j) => {
    const mean = x.reduce((sum, row) => sum + row[j]!, 0) / x.length;
    const variance = x.reduce((sum, row) => sum + (row[j]! - mean) ** 2, 0) / x.length;
    return { mean, deviation: variance === 0 ? 1 : Math.sqrt(variance) };
  });
  return x.map((row) => row.map((value, j) => (value - columns[j]!.mean) / columns[j]!.deviation));
}

describe.skipIf(!existsSync(folder))('stochastic gradient descent on real tables', () => {
  const kernels = wasm();

  it.each(reference.stepwise)(
    'equals scikit-learn after two passes: $loss, $schedule, penalty $penalty',
    (expected) => {
      const { loss, schedule, penalty, rate, weighted, numbers } = expected;
      const { x, y } = table('banknote_authentication');
      const batch = denseBatch(x, y, weighted ? y.map((_, i) => ((i % 3) + 1) / 2) : null);
      const learner = createLearner(kernels, 'sgd', { loss, schedule, penalty, rate, answer: 'last' });
      for (let pass = 0; pass < 2; pass++) learner.learn(batch);
      const { weights, bias } = learner.parameters();
      const scale = Math.max(...numbers.map(Math.abs));
      // The steps are the same, and sums in another order. Of L2 we take its share after the step, they before.
      const near = penalty === 'none' ? 1e-9 : 2e-3;
      [...weights, bias].forEach((number, j) => {
        expect(Math.abs(number - numbers[j]!) / scale).toBeLessThan(near);
      });
      learner.free();
    },
  );

  it.each(reference.least)(
    'comes near the least objective and its accuracy without tuning: $table, $loss, α = $alpha',
    ({ table: name, loss, alpha, value, accuracy }) => {
      const { x, y } = table(name);
      const rows = standardised(x);
      const order = Uint32Array.from(y, (_, i) => i);
      new Random(3).shuffle(order);
      const batch: DenseBatch = denseBatch(
        Array.from(order, (i) => rows[i]!),
        Array.from(order, (i) => y[i]!),
      );
      const learner = createLearner(kernels, 'sgd', { loss, alpha });
      const scores = new Float64Array(batch.rows);
      // As many passes as a run over so few numbers has.
      for (let pass = 0; pass < 100; pass++) learner.learn(batch);
      learner.scoreInto(batch, scores);
      const reached = objective([{ batch, scores }], learner.parameters(), { loss, alpha, l1Ratio: 0 });
      expect(reached / value - 1).toBeGreaterThan(-1e-6);
      expect(reached / value - 1).toBeLessThan(0.04);
      const right = scores.reduce((count, score, i) => count + (score > 0 === batch.labels[i]! > 0 ? 1 : 0), 0);
      expect(Math.abs(right / batch.rows - accuracy)).toBeLessThan(0.006);
      learner.free();
    },
  );
});
