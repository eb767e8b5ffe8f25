import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { ExampleStore } from '../../src/data/store.ts';
import type { Candidate, FoldContext } from '../../src/evaluate/candidate.ts';
import { FoldedExamples } from '../../src/evaluate/folded-examples.ts';
import {
  learningBatch,
  learningCurveOf,
  learningSizes,
  validationCurveOf,
  validationPasses,
} from '../../src/evaluate/run-curves.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { Random } from '../../src/random.ts';
import { completeRuleOptions } from '../../src/rules/registry.ts';
import { learningCurve, learningCurveWith, validationCurve, validationCurveWith } from '../../src/select/curves.ts';
import { ClassWeighing } from '../../src/train/class-weights.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';

/** Eighths, so that all sums are exact; one label in eight is wrong. */
function noisy(rows: number, seed = 1): Example[] {
  const random = new Random(seed);
  return Array.from({ length: rows }, () => {
    const x = Array.from({ length: 4 }, () => (random.below(33) - 16) / 8);
    const side = x[0]! - x[1]! + x[2]! / 2 > 0;
    return { x, y: side === random.below(8) > 0 ? 1 : -1 };
  });
}

/** The perceptron as the lectures have it. */
function perceptron(learned: readonly Example[], passes: number): (x: readonly number[]) => number {
  const w = [0, 0, 0, 0];
  let b = 0;
  const score = (x: readonly number[]) => b + x.reduce((sum, value, j) => sum + w[j]! * value, 0);
  for (let pass = 0; pass < passes; pass++)
    for (const { x, y } of learned)
      if (y * score(x) <= 0) {
        x.forEach((value, j) => {
          w[j]! += y * value;
        });
        b += y;
      }
  return score;
}

/** Score 0 is of the negative class. */
function shareRight(score: (x: readonly number[]) => number, judged: readonly Example[]): number {
  return judged.filter(({ x, y }) => (score(x) > 0 ? 1 : -1) === y).length / judged.length;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
function deviation(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));
}

const encoding = () => {
  throw new Error('asked for by trees only');
};

const candidate: Candidate = {
  rule: 'perceptron',
  options: completeRuleOptions('perceptron', {}),
  multiclass: 'one-vs-rest',
};

function dealtOf(kernels: Kernels, data: readonly Example[], folds: number): [FoldContext, FoldedExamples] {
  const store = new ExampleStore(kernels);
  store.append(dense(data));
  const batch = learningBatch(Math.floor((data.length * (folds - 1)) / folds), 2, folds);
  return [
    { kernels, classes: 2, weighing: new ClassWeighing(null), encoding, async breathe() {} },
    new FoldedExamples(kernels, store, { folds, repeat: 0, seed: 3, batch }),
  ];
}

/** The examples that batches hold, read back one by one. */
function read(
  batches: Iterable<{ rows: number; dimension: number; labels: Float64Array }>,
  data: readonly Example[],
): Example[] {
  const found: Example[] = [];
  for (const batch of batches as Iterable<never>) {
    const { rows, labels, values, dimension } = batch as {
      rows: number;
      labels: Float64Array;
      values: Float64Array;
      dimension: number;
    };
    for (let i = 0; i < rows; i++)
      found.push({ x: Array.from(values.subarray(i * dimension, (i + 1) * dimension)), y: labels[i] as -1 | 1 });
  }
  expect(found.length).toBeLessThanOrEqual(data.length);
  return found;
}

describe('curves over runs', () => {
  const data = noisy(90);
  const folds = 3;

  it('over examples have the accuracies of perceptrons trained on the first examples of each fold', async () => {
    const [context, dealt] = dealtOf(wasm(), data, folds);
    const curve = await learningCurveOf(candidate, context, dealt, { passes: 4 });
    const sizes = learningSizes(60, 2);
    expect(curve.points).toHaveLength(sizes.length);
    curve.points.forEach(({ examples, learned, heldOut }, k) => {
      const runs = Array.from({ length: folds }, (_, fold) => {
        const all = read(dealt.learnedFrom(fold), data);
        // Batches are taken whole, until there are enough.
        let taken = 0;
        for (const batch of dealt.learnedFrom(fold)) if (taken < sizes[k]!) taken += batch.rows;
        const some = all.slice(0, taken);
        const score = perceptron(some, 4);
        return [some.length, shareRight(score, some), shareRight(score, read(dealt.judgedOn(fold), data))] as const;
      });
      expect(examples).toBe(mean(runs.map(([n]) => n)));
      expect(examples - sizes[k]!).toBeLessThan(sizes[0]! / 2);
      expect(learned.mean).toBe(mean(runs.map(([, share]) => share)));
      expect(heldOut.mean).toBe(mean(runs.map(([, , share]) => share)));
      expect(heldOut.deviation).toBeCloseTo(deviation(runs.map(([, , share]) => share)), 15);
    });
    expect(curve.points.at(-1)!.examples).toBe(60);
  });

  it('over passes have the accuracies of perceptrons after each pass', async () => {
    const [context, dealt] = dealtOf(wasm(), data, folds);
    const passes = [1, 2, 5, 7];
    const curve = await validationCurveOf(candidate, context, dealt, { passes });
    curve.points.forEach((point, k) => {
      expect(point.passes).toBe(passes[k]);
      const runs = Array.from({ length: folds }, (_, fold) => {
        const all = read(dealt.learnedFrom(fold), data);
        const score = perceptron(all, passes[k]!);
        return [shareRight(score, all), shareRight(score, read(dealt.judgedOn(fold), data))] as const;
      });
      expect(point.learned.mean).toBe(mean(runs.map(([share]) => share)));
      expect(point.heldOut.mean).toBe(mean(runs.map(([, share]) => share)));
    });
  });

  it('judge the weights after a clean pass, not those judged before it', async () => {
    // Separable, so that passes become clean between those that are judged.
    const apart = noisy(60, 5).map(({ x }) => ({ x, y: x[0]! - x[1]! + 1 / 16 > 0 ? (1 as const) : (-1 as const) }));
    const [context, dealt] = dealtOf(wasm(), apart, folds);
    const { points } = await validationCurveOf(candidate, context, dealt, { passes: [1, 500] });
    expect(points[0]!.learned.mean).toBeLessThan(1);
    expect(points[1]!.learned.mean).toBe(1);
  });

  it('are the same for the same seed and every kernel, and use the requested numbers of examples', async () => {
    const source = () => arraySource(dense(data));
    const options = { rule: 'averaged', passes: 6, folds, seed: 8, examples: 45 } as const;
    const one = await learningCurveWith(wasm(), source(), options);
    expect(await learningCurveWith(reference(), source(), options)).toEqual(one);
    expect(one).toMatchObject({ examples: 45, folds: 3, passes: 6 });
    const other = await validationCurveWith(wasm(), source(), options);
    expect(await validationCurveWith(reference(), source(), options)).toEqual(other);
    expect(other.points.map(({ passes }) => passes)).toEqual([1, 2, 3, 5, 6]);
    expect(await validationCurveWith(wasm(), source(), { ...options, seed: 9 })).not.toEqual(other);
  });

  it('grow geometrically, from few examples to all', () => {
    const sizes = learningSizes(10_240, 2);
    expect(sizes).toHaveLength(10);
    expect([sizes[0], sizes[9]]).toEqual([20, 10_240]);
    for (let k = 1; k < 10; k++) expect(sizes[k]! / sizes[k - 1]!).toBeCloseTo(2, 0);
    expect(learningSizes(12, 3)).toEqual([12]);
    expect(validationPasses(7)).toEqual([1, 2, 3, 5, 7, 8, 12, 20]);
    expect(validationPasses(100).at(-1)).toBe(100);
  });

  it('refuse what they cannot draw', async () => {
    const source = () => arraySource(dense(data.slice(0, 8)));
    await expect(learningCurve(source(), { folds: 1 })).rejects.toThrow('folds must be a whole number from 2; got 1');
    await expect(learningCurve(source(), { folds: 9 })).rejects.toThrow(
      'folds must be at most the number of examples, 8; got 9',
    );
    await expect(validationCurve(source(), { passes: 0 })).rejects.toThrow(
      'passes must be a whole number from 1; got 0',
    );
    await expect(validationCurve(source(), { rule: 'none' as never })).rejects.toThrow('rule must be one of averaged');
  });
});
