import { describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { denseBatch } from '../../src/batch.ts';
import { arrays } from '../../src/data/arrays.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { libsvm } from '../../src/data/text-sources.ts';
import { poisson, quantile } from '../../src/evaluate/bootstrap.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import type { MulticlassModel } from '../../src/model/multiclass/model.ts';
import { Random } from '../../src/random.ts';
import { train } from '../../src/select/train.ts';
import { weightIntervals } from '../../src/select/weight-intervals.ts';
import { rows } from '../../src/table/rows.ts';

/** Examples of two or three classes; the first feature decides, the last one is noise. */
function examples(count: number, classes: readonly string[], seed = 3) {
  const r = new Random(seed);
  const x = Array.from({ length: count }, () => Array.from({ length: 3 }, () => r.below(2001) / 1000 - 1));
  const y = x.map(([a, b]) => {
    const score = (a! + b! / 4 + r.below(400) / 1000 - 0.2 + 1.45) / 2.9;
    return classes[Math.max(0, Math.min(classes.length - 1, Math.floor(score * classes.length)))]!;
  });
  return { x, y, importance: x.map(() => r.below(3)) };
}

/** The intervals by a run of `train` for each sample. */
async function naively(
  model: LinearModel | MulticlassModel,
  { x, y, importance }: ReturnType<typeof examples>,
  { runs, seed, confidence, options }: { runs: number; seed: number; confidence: number; options: object },
) {
  const seeds = new Random(seed);
  const made: (LinearModel | MulticlassModel)[] = [];
  while (made.length < runs) {
    const random = new Random(seeds.bits(), 80);
    const drawn = importance.flatMap((own, i) =>
      own === 0 ? [] : new Array<number>(poisson(random.uniform())).fill(i),
    );
    if (new Set(drawn.map((i) => y[i])).size < model.classes.length) continue;
    const sample = arrays(
      drawn.map((i) => x[i]!),
      drawn.map((i) => y[i]!),
      { importance: drawn.map((i) => importance[i]!) },
    );
    made.push((await train(sample, options)).model as LinearModel | MulticlassModel);
  }
  const functions = (each: LinearModel | MulticlassModel) => (each.kind === 'linear' ? [each] : each.functions);
  return functions(model).map((linear, k) => {
    const interval = (of: (each: typeof linear) => number) => {
      const values = Float64Array.from(made, (each) => of(functions(each)[k]! as typeof linear)).sort();
      const ends = [(1 - confidence) / 2, 1 - (1 - confidence) / 2].map((share) => quantile(values, share) + 0);
      const same = values.filter((value) => Math.sign(value) === Math.sign(of(linear))).length / runs;
      return { weight: of(linear), low: ends[0], high: ends[1], sameSign: same };
    };
    const order = [0, 1, 2].sort((a, b) => Math.abs(linear.weights[b]!) - Math.abs(linear.weights[a]!));
    return {
      class: model.classes[model.kind === 'linear' ? 1 : k],
      bias: interval(({ bias }) => bias),
      weights: order.map((j) => ({ feature: String(j), ...interval(({ weights }) => weights[j]!) })),
    };
  });
}

describe('intervals of weights', () => {
  test.each([
    ['two classes', ['no', 'yes'], 80, { rule: 'averaged', passes: 3, order: 'shuffled-once', seed: 5 }],
    ['few rows', ['no', 'yes'], 14, { rule: 'perceptron', passes: 2, order: 'cyclic' }],
    ['three classes', ['a', 'b', 'c'], 60, { rule: { name: 'passive-aggressive' }, passes: 1, order: 'cyclic' }],
    ['a rule with options', ['no', 'yes'], 50, { rule: { name: 'sgd', alpha: 0.01 }, passes: 4, order: 'shuffled' }],
  ] as const)('are the percentiles of runs of train on samples: %s', async (_, classes, count, options) => {
    const data = examples(count, classes);
    const source = () => arrays(data.x, data.y, { importance: data.importance });
    const { model } = await train(source(), options as object);
    const asked = { runs: 7, seed: 11, confidence: 0.8 };
    const told = await weightIntervals(model, source(), { ...asked, passes: options.passes });
    expect(told).toMatchObject({ ...asked, examples: data.importance.filter((each) => each > 0).length });
    const naive = await naively(model as LinearModel, data, { ...asked, options });
    expect(told.functions).toEqual(naive);
  });

  test('are the same for the same data in other batches, and know which weights are sure', async () => {
    const { x, y } = examples(400, ['no', 'yes']);
    const objects = x.map(([a, b, c], i) => ({ a, b, c, y: y[i]! }));
    const source = (given: readonly object[]) => rows(given as typeof objects, { label: 'y' });
    const { model } = await train(source(objects), { rule: 'averaged', passes: 5 });
    const done: number[] = [];
    const options = { runs: 40, onProgress: (at: { done: number }) => done.push(at.done) };
    const one = await weightIntervals(model, source(objects), options);
    expect(done).toEqual(Array.from({ length: 40 }, (_, k) => k + 1));
    const text = objects.map((row) => JSON.stringify(row)).join('\n');
    const { ndjson } = await import('../../src/table/ndjson.ts');
    const other = await weightIntervals(model, ndjson(new Blob([text]), { label: 'y' }), { runs: 40 });
    expect(other).toEqual(one);
    const [sure, , noise] = ['a', 'b', 'c'].map((name) => one.functions[0]!.weights.find((w) => w.feature === name)!);
    expect(sure!.low).toBeGreaterThan(0);
    expect(sure!.sameSign).toBe(1);
    expect(noise!.low < 0 && noise!.high > 0).toBe(true);
  });

  test('show the strongest weights only, of labels that are numbers too', async () => {
    const text = Array.from({ length: 60 }, (_, i) => `${i % 3} ${1 + (i % 3)}:1 ${5 + (i % 4)}:0.5`).join('\n');
    const { model } = await train(libsvm(`${text}\n`), { rule: 'averaged', passes: 2 });
    const told = await weightIntervals(model, libsvm(`${text}\n`), { runs: 3, most: 2 });
    expect(told.functions.map((each) => [each.class, each.weights.length])).toEqual([
      ['0', 2],
      ['1', 2],
      ['2', 2],
    ]);
  });

  test('are refused for other models and options', async () => {
    const { x, y } = examples(30, ['no', 'yes']);
    const source = () => arrays(x, y);
    const of = async (options: object, given: object = {}) => {
      const { model } = await train(source(), options);
      return weightIntervals(model, source(), given);
    };
    await expect(of({ rule: 'tree' })).rejects.toThrow('expected a model with weights; got one of the rule tree');
    await expect(of({ rule: 'voted' })).rejects.toThrow('expected a model with weights');
    await expect(of({ as: 'cs4780' })).rejects.toThrow('expected a model of unscaled examples');
    for (const [options, message] of [
      [{ runs: 1 }, 'runs must be a whole number from 2; got 1'],
      [{ confidence: 1 }, 'confidence must be in (0, 1); got 1'],
      [{ samples: 3 }, 'samples'],
    ] as const)
      await expect(of({ rule: 'averaged' }, options)).rejects.toThrow(message);
    const { model } = await train(source(), { rule: 'averaged' });
    await expect(weightIntervals({ ...model, rule: 'liblinear' }, source())).rejects.toThrow('with a rule to train by');
    const batch = denseBatch(
      x,
      y.map((each) => (each === 'yes' ? 1 : -1)),
    );
    const others = weightIntervals(model, arraySource(batch, ['a', 'b']));
    await expect(others).rejects.toThrow('expected the classes of the model, no, yes; got a, b');
    const wide = denseBatch(
      [
        [1, 2, 3, 4],
        [0, 1, 0, 1],
      ],
      [1, -1],
    );
    const wider = weightIntervals(model, arraySource(wide, ['no', 'yes']));
    await expect(wider).rejects.toThrow('expected at most 3 features, as the model has; got 4');
    const aborted = AbortSignal.abort();
    await expect(weightIntervals(model, source(), { signal: aborted })).rejects.toMatchObject({ code: 'interrupted' });
  });
});

test('a Poisson number has the shares e⁻¹ / k!', () => {
  const n = 100_000;
  const counts = new Array<number>(20).fill(0);
  for (let i = 0; i < n; i++) counts[poisson((i + 0.5) / n)]!++;
  let share = Math.exp(-1);
  for (let k = 0; k < 8; k++) {
    expect(Math.abs(counts[k]! / n - share)).toBeLessThan(2 / n);
    share /= k + 1;
  }
  expect(poisson(0)).toBe(0);
  expect(poisson(1 - 2 ** -53)).toBeLessThanOrEqual(19);
});

test('a quantile has that share of the values below it', () => {
  expect(quantile([1, 2, 4], 0.5)).toBe(2);
  expect(quantile([1, 2, 4, 8], 0.25)).toBe(1.75);
  forAll(fc.array(fc.integer(), { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
    const sorted = Float64Array.from(all).sort();
    const value = quantile(sorted, share);
    expect(value).toBeGreaterThanOrEqual(sorted[0]!);
    expect(value).toBeLessThanOrEqual(sorted.at(-1)!);
    const at = share * (sorted.length - 1);
    expect(sorted.filter((each) => each < value).length).toBeLessThanOrEqual(Math.ceil(at + 1e-9));
    expect(sorted.filter((each) => each <= value).length).toBeGreaterThanOrEqual(Math.floor(at + 1 - 1e-9));
  });
});
