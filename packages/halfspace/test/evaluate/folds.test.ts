import { afterAll, describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { StoredBatch } from '../../src/batch.ts';
import { ExampleStore } from '../../src/data/store.ts';
import { FoldedExamples } from '../../src/evaluate/folded-examples.ts';
import { repeatedStratifiedFolds, stratifiedFolds } from '../../src/evaluate/folds.ts';
import { Random } from '../../src/random.ts';
import { dense, sparse } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';

/** Mixed labels with the given numbers of positive and negative examples, and a number of folds that they can fill. */
const dealt = fc
  .tuple(fc.integer({ min: 2, max: 7 }), fc.nat(30), fc.nat(30), fc.nat())
  .map(([folds, more, others, mix]) => {
    const labels = new Float64Array(2 * folds + more + others).fill(-1);
    const positives = folds + more;
    for (let i = 0; i < positives; i++) labels[i] = 1;
    const shift = mix % labels.length;
    return { folds, labels: Float64Array.from(labels, (_, i) => labels[(i + shift) % labels.length]!) };
  });
const seeds = fc.nat(2 ** 40);

function counts(numbers: Uint32Array, folds: number, counted: (i: number) => boolean): number[] {
  const found = new Array<number>(folds).fill(0);
  numbers.forEach((fold, i) => {
    if (counted(i)) found[fold]!++;
  });
  return found;
}

describe('stratified folds', () => {
  it('have every example once, and the share of each class and of all examples, rounded down or up', () => {
    forAll(dealt, seeds, ({ folds, labels }, seed) => {
      const numbers = stratifiedFolds(labels, folds, seed);
      expect(numbers.length).toBe(labels.length);
      for (const counted of [(i: number) => labels[i]! > 0, (i: number) => labels[i]! < 0, () => true]) {
        const found = counts(numbers, folds, counted);
        const total = labels.filter((_, i) => counted(i)).length;
        expect(found.reduce((a, b) => a + b, 0)).toBe(total);
        for (const size of found) expect([Math.floor(total / folds), Math.ceil(total / folds)]).toContain(size);
      }
    });
  });

  it('put every example into each fold equally often', () => {
    const labels = Float64Array.of(1, -1, 1, -1, -1, 1, 1, -1, -1);
    const runs = repeatedStratifiedFolds(labels, { folds: 3, repeats: 6000, seed: 2 });
    for (const row of [0, 1, 8]) {
      const found = [0, 0, 0];
      for (const numbers of runs) found[numbers[row]!]!++;
      // Positives are four: the first fold has two of them.
      const expected = labels[row]! > 0 ? [0.5, 0.25, 0.25] : [0.2, 0.4, 0.4];
      found.forEach((n, fold) => {
        expect(Math.abs(n / 6000 - expected[fold]!)).toBeLessThan(0.03);
      });
    }
  });

  it('are dealt anew in each repetition', () => {
    const labels = Float64Array.from({ length: 40 }, (_, i) => (i < 15 ? 1 : -1));
    const five = repeatedStratifiedFolds(labels, { folds: 4, repeats: 5, seed: 3 });
    expect(five[0]).toEqual(stratifiedFolds(labels, 4, 3));
    expect(repeatedStratifiedFolds(labels, { folds: 4, repeats: 2, seed: 3 })).toEqual(five.slice(0, 2));
    expect(new Set(five.map((numbers) => numbers.join())).size).toBe(5);
  });

  it('refuse options out of range, more folds than a class has examples, and invalid labels', () => {
    const labels = Float64Array.of(1, 1, 1, -1, -1);
    expect(() => stratifiedFolds(labels, 1)).toThrow('folds must be a whole number from 2; got 1');
    expect(() => stratifiedFolds(labels, 2.5)).toThrow('folds must be a whole number from 2; got 2.5');
    expect(() => stratifiedFolds(labels, 2, -1)).toThrow('seed must be a whole number from 0; got -1');
    expect(() => repeatedStratifiedFolds(labels, { folds: 2, repeats: 0 })).toThrow(
      'repeats must be a whole number from 1; got 0',
    );
    const rarer = 'folds must be at most the number of examples of the rarer class';
    expect(() => stratifiedFolds(labels, 3)).toThrow(`${rarer}, 2; got 3`);
    expect(() => stratifiedFolds(Float64Array.of(1, 1), 2)).toThrow(`${rarer}, 0; got 2`);
    expect(() => stratifiedFolds(Float64Array.of(1, Number.NaN), 2)).toThrow(
      'row 2: expected a label of -1 or 1; got NaN',
    );
    expect(() => stratifiedFolds(new Float64Array(0), 2)).toThrow('expected examples; got none');
  });
});

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
