import { afterAll, describe, expect, it } from 'vitest';
import type { StoredBatch } from '../../src/batch.ts';
import { ExampleStore } from '../../src/data/store.ts';
import { FoldedExamples } from '../../src/evaluate/folded-examples.ts';
import { Random } from '../../src/random.ts';
import { dense, sparse } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';

const kernels = wasm();
const random = new Random(5);
const data = Array.from({ length: 103 }, (_, i) => ({
  x: Array.from({ length: 5 }, () => (random.below(3) === 0 ? 0 : random.below(1000) / 100)),
  y: i % 3 === 0 ? (1 as const) : (-1 as const),
}));
const stores = [dense(data), sparse(data)].map((batch) => {
  const store = new ExampleStore(kernels, { compact: true });
  store.append(batch);
  return store;
});
afterAll(() => {
  for (const store of stores) store.free();
});

/** The rows of batches, each with its label and its scores by two functions, which tell rows apart. */
function rowsOf(batches: Iterable<StoredBatch>): { rows: number[][]; batches: number } {
  const weights = [kernels.float64(5), kernels.float64(5)];
  weights[0]!.array.set([1, 7, 0.3, 11, 0.01]);
  weights[1]!.array.set([0.5, 0.2, 13, 3, 17]);
  const rows: number[][] = [];
  let count = 0;
  for (const batch of batches) {
    const scores = weights.map((w) => {
      const out = new Float64Array(batch.rows);
      kernels.scoreInto(batch, w, 0, 1, out);
      return out;
    });
    for (let i = 0; i < batch.rows; i++) rows.push([batch.labels[i]!, ...scores.map((out) => out[i]!)]);
    count++;
  }
  for (const w of weights) w.free();
  return { rows, batches: count };
}

describe('folded examples', () => {
  it.each(stores)('give few training examples in one batch, in the order of many batches', (store) => {
    const options = { folds: 4, repeat: 1, seed: 7 };
    const together = new FoldedExamples(kernels, store, options);
    const apart = new FoldedExamples(kernels, store, { ...options, batch: 1024 });
    for (const fold of [0, 1, 2, 3, 1]) {
      const found = rowsOf(together.learnedFrom(fold));
      const expected = rowsOf(apart.learnedFrom(fold));
      expect(found.rows).toEqual(expected.rows);
      expect([found.batches, expected.batches]).toEqual([1, 3]);
    }
    together.free();
    apart.free();
  });
});
