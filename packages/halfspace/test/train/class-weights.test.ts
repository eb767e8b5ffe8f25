import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { denseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { ExampleStore } from '../../src/data/store.ts';
import { ClassWeighing } from '../../src/train/class-weights.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { decimal } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { importanceOf, type Several, severalOf, sparseSeveral } from '../support/several.ts';
import { libsvmSource, smallBuffers, textOf } from '../support/text.ts';

const kernels = wasm();

/** Two classes or more, each with an example, and what examples weigh. */
const weighted = severalOf(decimal, { rows: 20 })
  .map(({ data, classes }): Several => {
    const one = Array.from({ length: classes }, (_, y) => ({ x: data[0]!.x.map((value) => value + y), y }));
    return { data: [...data, ...one], classes };
  })
  .chain((several) =>
    fc.record({
      several: fc.constant(several),
      // Rows of importance 0 are no examples, so the last ones, one of each class, weigh something.
      importance: fc.option(
        importanceOf(fc.constantFrom(0, 0.5, 1, 3), several).map((all) =>
          all.map((h, i) => (i < all.length - several.classes ? h : Math.max(h, 0.5))),
        ),
      ),
      options: fc
        .record({
          multiclass: fc.constantFrom('one-vs-rest' as const, 'kesler' as const),
          rule: fc.constantFrom(
            'averaged' as const,
            'perceptron' as const,
            'passive-aggressive' as const,
            'pocket' as const,
          ),
          order: fc.constantFrom('cyclic' as const, 'shuffled' as const, 'random' as const),
          passes: fc.integer({ min: 1, max: 4 }),
        })
        .map((options) => (options.rule === 'pocket' ? { ...options, multiclass: 'one-vs-rest' as const } : options)),
    }),
  );

const sourceOf = ({ data, classes }: Several, importance: readonly number[] | null) => {
  const batch = sparseSeveral(data, importance);
  const names = Array.from({ length: classes }, (_, k) => `c${k}`);
  if (classes > 2) return arraySource(batch, names);
  return arraySource({ ...batch, labels: batch.labels.map((k) => (k === 0 ? -1 : 1)) }, names);
};

/** A run without the weights, on rows that weigh as much themselves. */
async function explicit(
  several: Several,
  importance: readonly number[] | null,
  weights: number[],
  options: RunOptions,
) {
  const own = several.data.map(({ y }, i) => weights[y]! * (importance?.[i] ?? 1));
  // Weighed rows are stored before they are learned from, and so are these.
  return trainOnce(sourceOf(several, own), { kernels, ...options });
}

describe('weights of classes', () => {
  it('by name multiply the importance of their examples; missing classes have weight 1', async () => {
    await forAllAsync(
      80,
      weighted,
      fc.array(fc.constantFrom(0.25, 2, 3, 0.1), { minLength: 4, maxLength: 4 }),
      async ({ several, importance, options }, numbers) => {
        const classWeights = Object.fromEntries(numbers.slice(0, several.classes - 1).map((w, k) => [`c${k}`, w]));
        const weights = Array.from({ length: several.classes }, (_, k) => classWeights[`c${k}`] ?? 1);
        const { model, report } = await trainOnce(sourceOf(several, importance), {
          kernels,
          ...options,
          classWeights,
        });
        const expected = await explicit(several, importance, weights, options);
        expect(model).toEqual(expected.model);
        expect(report).toEqual(expected.report);
      },
    );
  });

  it('that are balanced give every class the same total weight: n / (K · nₖ)', async () => {
    await forAllAsync(80, weighted, async ({ several, importance, options }) => {
      const { data, classes } = several;
      const examples = data.filter((_, i) => importance?.[i] !== 0);
      const counts = Array.from({ length: classes }, (_, k) => examples.filter(({ y }) => y === k).length);
      const weights = counts.map((count) => examples.length / (classes * count));
      const run = await trainOnce(sourceOf(several, importance), { kernels, ...options, classWeights: 'balanced' });
      expect(run).toEqual(await explicit(several, importance, weights, options));
    });
  });

  it('give the run of explicitly weighted examples: with updates in the bracket only if all products are 1', async () => {
    const data = [2, -1, 3, -2].map((x, i) => ({ x: [x, 1], y: i % 2 === 0 ? 1 : 0 }));
    const halves = [0.5, 1, 0.5, 1];
    const options: RunOptions = { rule: 'averaged', passes: 4 };
    const several: Several = { data, classes: 2 };
    const once = await trainOnce(sourceOf(several, halves), { kernels, ...options, classWeights: { c1: 2 } });
    expect(once.report.bracket!.updates).not.toBeNull();
    expect(once).toEqual(await explicit(several, halves, [1, 2], options));
    const twice = await trainOnce(sourceOf(several, null), { kernels, ...options, classWeights: { c1: 2 } });
    expect(twice.report.bracket!.updates).toBeNull();
    expect(twice).toEqual(await explicit(several, null, [1, 2], options));
  });

  it('of text are those of the labels, for two or three classes, and the rest has its name in the model', async () => {
    const data = [4, 2, 4, 4, 2, 4].map((y, i) => ({ x: [i, y * i, 1], y }));
    const three = [...data, { x: [9, 9, 9], y: 7 }];
    const modelOf = async (rows: typeof data, options: RunOptions) =>
      (await trainOnce(libsvmSource(kernels, textOf(rows), smallBuffers), { kernels, passes: 3, ...options })).model;
    // Each line as often as it weighs is not the same run; importance 2 is, which Vowpal Wabbit text could say.
    for (const rows of [data, three]) {
      const even = await modelOf(rows, {});
      expect(await modelOf(rows, { classWeights: { 2: 1 } })).toEqual(even);
      expect(await modelOf(rows, { classWeights: { 2: 5 } })).not.toEqual(even);
    }
    const apart = await modelOf(three, { positive: '7', classWeights: { 'not 7': 0.5 } });
    expect(apart.classes).toEqual(['not 7', '7']);
    expect(apart).not.toEqual(await modelOf(three, { positive: '7' }));
  });

  it('count only the learned examples, and evaluation counts each example once', async () => {
    const several: Several = {
      data: Array.from({ length: 60 }, (_, i) => ({
        x: [i % 7, (i * i) % 11],
        y: i % 5 === 0 ? 0 : i % 3 === 0 ? 1 : 2,
      })),
      classes: 3,
    };
    const { report } = await trainOnce(sourceOf(several, null), {
      kernels,
      classWeights: 'balanced',
      holdout: 0.3,
      passes: 2,
    });
    expect(report.classExamples.reduce((sum, n) => sum + n, 0)).toBe(report.examples);
    expect(report.train!.examples).toBe(report.examples);
    expect(report.train!.confusion.map((row) => row.reduce((sum, n) => sum + n, 0))).toEqual(report.classExamples);
  });

  it('of an unknown class are refused, with the classes', async () => {
    const several: Several = { data: [0, 1, 2].map((y) => ({ x: [y], y })), classes: 3 };
    await expect(trainOnce(sourceOf(several, null), { kernels, classWeights: { c1: 2, c3: 2 } })).rejects.toMatchObject(
      {
        code: 'option-invalid',
        message: 'classWeights must be of the classes c0, c1, c2; got "c3"',
      },
    );
  });

  it('work for classes named like members of every object', async () => {
    const batch = sparseSeveral([0, 1, 2, 1].map((y) => ({ x: [y, 1], y })));
    const names = ['toString', 'constructor', '__proto__'];
    const run = (options: RunOptions) => trainOnce(arraySource(batch, names), { kernels, passes: 3, ...options });
    const even = await run({});
    expect(await run({ classWeights: {} })).toEqual(even);
    const own = JSON.parse('{"__proto__": 4}') as Record<string, number>;
    expect((await run({ classWeights: own })).model).not.toEqual(even.model);
  });
});

describe('a weighted batch', () => {
  it('has the arrays of its batch, also after memory has grown', () => {
    const growing = wasm();
    const store = new ExampleStore(growing);
    store.append(denseBatch([[1], [2], [3]], [1, -1, 1]));
    const weighing = new ClassWeighing([1, 3]);
    const [one, [another]] = [weighing.weigh(store.load(0)), [...weighing.weighEach(store.batches())]];
    growing.float64(2 ** 22);
    for (const batch of [one, another!]) {
      expect([...batch.labels.subarray(0, 3)]).toEqual([1, -1, 1]);
      expect([...batch.importance!.subarray(0, 3)]).toEqual([3, 1, 3]);
    }
  });

  it('does not change while others are weighted', () => {
    const weighing = new ClassWeighing([1, 3]);
    const weighed = weighing.weigh(denseBatch([[1], [2]], [1, -1]));
    for (const _ of weighing.weighEach([denseBatch([[1], [2]], [-1, 1]), denseBatch([[1]], [-1])]));
    expect([...weighed.importance!]).toEqual([3, 1]);
  });
});
