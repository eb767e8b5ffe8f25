import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { denseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { HoldoutSplit } from '../../src/data/split.ts';
import { Random } from '../../src/random.ts';
import { trainWith } from '../../src/select/train.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { wasm } from '../support/kernels.ts';
import { spillDouble } from '../support/spill.ts';

const kernels = wasm();
const names = ['a', 'b', 'c', 'd'];

/** Rows with a class position each, in a source of batches of 7. Equal classes are not neighbours in x. */
function sourceOf(labels: readonly number[]) {
  const classes = names.slice(0, Math.max(...labels) + 1);
  const random = new Random(labels.length);
  const label = (k: number) => (classes.length > 2 ? k : 2 * k - 1);
  const batches = [];
  for (let from = 0; from < labels.length; from += 7) {
    const some = labels.slice(from, from + 7);
    batches.push(
      denseBatch(
        some.map((k) => [k + 2 * random.uniform(), random.uniform()]),
        some.map(label),
        null,
        classes.length,
      ),
    );
  }
  return { classes, source: arraySource(batches, classes as never) };
}

/** Classes of rows: every class has at least one row, in any order. */
const labelled = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.array(fc.nat(1000), { maxLength: 120 }), fc.nat(1000))
  .map(([classes, more, seed]) => {
    const labels = [...Array(classes).keys(), ...more.map((each) => each % classes)];
    new Random(seed).shuffle(labels as never);
    return labels;
  });
const numbersOf = (labels: readonly number[], rows: readonly number[]) =>
  names.map((_, k) => rows.filter((row) => labels[row] === k).length);

describe('early stopping', () => {
  it('holds out a tenth of every class, one row of two at least, and never all, in every order and store', async () => {
    await forAllAsync(
      120,
      labelled.filter(({ length }) => length > 4),
      fc.constantFrom('cyclic' as const, 'shuffled-once' as const, 'auto' as const),
      fc.option(fc.constantFrom(0.2, 0.5), { nil: undefined }),
      fc.nat(99),
      fc.constantFrom(undefined, 0, 500),
      async (labels, order, holdout, seed, memoryBudget) => {
        const { source } = sourceOf(labels);
        const split = holdout === undefined ? null : new HoldoutSplit(holdout, seed);
        const training = labels.flatMap((k, row) => (split?.next(k) ? [] : [row]));
        const counts = numbersOf(labels, training);
        fc.pre(counts.some((count) => count > 1));
        const learned: number[] = [];
        const options: RunOptions = { rule: 'sgd', order, patience: 1, passes: 1, seed, ...(holdout && { holdout }) };
        const store = memoryBudget === undefined ? {} : { store: { memoryBudget, spill: spillDouble().open } };
        await trainOnce(source, { ...options, ...store, kernels, onStep: ({ row }) => void learned.push(row) });
        const held = counts.map((count) => (count < 2 ? 0 : Math.max(1, Math.round(count / 10))));
        expect(numbersOf(labels, learned)).toEqual(counts.map((count, k) => count - held[k]!));
        expect(training).toEqual(expect.arrayContaining(learned));
        expect(new Set(learned).size).toBe(learned.length);
        if (order === 'cyclic') expect(learned).toEqual(learned.toSorted((one, other) => one - other));
      },
    );
  });

  it('holds out the same rows for the same seed in any order, and others for another one', async () => {
    const { source } = sourceOf(Array.from({ length: 60 }, (_, i) => i % 3));
    const learnedBy = async (options: RunOptions) => {
      const rows = new Set<number>();
      await trainOnce(source, {
        rule: 'sgd',
        patience: 1,
        passes: 1,
        kernels,
        ...options,
        onStep: ({ row }) => void rows.add(row),
      });
      return rows;
    };
    const cyclic = await learnedBy({ order: 'cyclic' });
    expect(await learnedBy({ order: 'shuffled-once' })).toEqual(cyclic);
    expect(await learnedBy({ order: 'cyclic', seed: 2 })).not.toEqual(cyclic);
  });

  it('is refused if every class has a single row', async () => {
    await expect(trainOnce(sourceOf([0, 1, 2]).source, { patience: 1, kernels })).rejects.toThrow(
      'patience must hold out a row of a class that has two or more; got a single row of each class: a (1), b (1), c (1): leave patience out, or give more rows',
    );
  });

  it('keeps a clean last pass among equals, whose mean is settled: it has all learned rows right', async () => {
    let clean = 0;
    await forAllAsync(60, fc.nat(999), fc.integer({ min: 3, max: 40 }), async (seed, rows) => {
      const random = new Random(seed);
      const labels = Array.from({ length: rows }, (_, i) => (i % 2 === 0 ? -1 : 1));
      const x = labels.map((y) => [y * (0.05 + random.uniform()), 3 * random.uniform()]);
      const learned = new Map<number, boolean>();
      const { report, model } = await trainOnce(arraySource(denseBatch(x, labels), ['-1', '1']), {
        ...{ rule: 'averaged', patience: 1000, seed, kernels },
        onStep: ({ row }) => void learned.set(row, true),
      });
      expect(report.stop).toBe('patience');
      if (report.best!.pass < report.passes || report.updatesPerPass.at(-1)! > 0) return;
      const { weights, bias } = model as unknown as { weights: Float64Array; bias: number };
      for (const row of learned.keys())
        expect(labels[row]! * (weights[0]! * x[row]![0]! + weights[1]! * x[row]![1]! + bias)).toBeGreaterThan(0);
      clean++;
    });
    expect(clean).toBeGreaterThan(3);
  });

  it('never reports an accuracy that is no number, and names the classes that it cannot judge', async () => {
    for (let rows = 3; rows < 30; rows++) {
      const labels = Array.from({ length: rows }, (_, i) => (i === 1 ? 1 : 0));
      const { report, notes } = await trainWith(kernels, sourceOf(labels).source, { rule: 'averaged', patience: 2 });
      expect(report.best!.accuracy).toBeGreaterThanOrEqual(0);
      expect(notes).toEqual([
        'early stopping holds out no row of the class b (1 row): the model learns it, and no pass is judged on it',
      ]);
    }
  });
});
