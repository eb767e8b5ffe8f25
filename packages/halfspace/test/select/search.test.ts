import { describe, expect, it } from 'vitest';
import { denseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { FoldedExamples } from '../../src/evaluate/folded-examples.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { Random } from '../../src/random.ts';
import { completeRuleOptions, hasPasses, rules } from '../../src/rules/registry.ts';
import { type CompareOptions, compareRulesWith } from '../../src/select/compare-rules.ts';
import { candidatesFor, fewestMany, grid, gridForMany, judgedPasses } from '../../src/select/grid.ts';
import { withAll } from '../../src/select/read-all.ts';
import { trainWith } from '../../src/select/train.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { reference, wasm } from '../support/kernels.ts';

const kernels = wasm();

/** Points of classes whose means lie `apart` from each other, with noise of length about 1. */
function clouds(rows: number, { classes = 2, apart = 2, features = 5, seed = 1 } = {}) {
  const random = new Random(seed);
  const noise = () => random.uniform() + random.uniform() + random.uniform() - 1.5;
  const labels = Array.from({ length: rows }, () => random.below(classes));
  const x = labels.map((k) => Array.from({ length: features }, (_, j) => noise() + (j === k ? apart : 0)));
  const y = labels.map((k) => (classes === 2 ? 2 * k - 1 : k));
  return arraySource(
    denseBatch(x, y, null, classes),
    Array.from({ length: classes }, (_, k) => (classes === 2 ? String(2 * k - 1) : `c${k}`)),
  );
}

describe('the grid', () => {
  it('has candidates with valid options, for few and many examples', () => {
    for (const { rule, options, cost } of [...grid, ...gridForMany]) {
      for (const examples of [1, 100, 1e9]) expect(() => completeRuleOptions(rule, options(examples))).not.toThrow();
      expect(cost).toBeGreaterThanOrEqual(1);
      expect(rules[rule]).toBeDefined();
    }
    expect([...judgedPasses].sort((a, b) => a - b)).toEqual(judgedPasses);
  });
});

describe('examples dealt out to folds', () => {
  it('are judged on in one fold and learned from in all others, for all examples or a sample', async () => {
    for (const classes of [2, 4])
      for (const examples of [undefined, 57]) {
        await withAll(clouds(203, { classes }), { seed: 1, kernels }, async ({ intake }) => {
          const folded = new FoldedExamples(kernels, intake.store, { folds: 4, repeat: 0, seed: 3, examples });
          const key = (batch: { values: ArrayLike<number>; dimension: number }, i: number) =>
            Array.from({ length: batch.dimension }, (_, j) => batch.values[i * batch.dimension + j]).join();
          const rowsOf = (batches: Iterable<unknown>) => {
            const found: string[] = [];
            for (const batch of batches as Iterable<Parameters<typeof key>[0] & { rows: number }>)
              for (let i = 0; i < batch.rows; i++) found.push(key(batch, i));
            return found;
          };
          const judged = [0, 1, 2, 3].map((fold) => rowsOf(folded.judgedOn(fold)));
          const all = judged.flat();
          expect(all).toHaveLength(examples ?? 203);
          expect(new Set(all).size).toBe(all.length);
          judged.forEach((own, fold) => {
            expect(own).toHaveLength(folded.rows(fold));
            expect(rowsOf(folded.learnedFrom(fold)).sort()).toEqual(all.filter((row) => !own.includes(row)).sort());
          });
          folded.free();
        });
      }
  });
});

describe('a choice for many classes', () => {
  const rows = 12 * fewestMany;
  const many = () => clouds(rows, { classes: fewestMany, features: 3 });

  it('tries few learners of all classes at once, on one fold', async () => {
    const { search, report } = await trainWith(kernels, many());
    const { tried, taken } = search!;
    expect(tried.map(({ multiclass }) => multiclass).sort()).toEqual([
      'joint',
      'joint',
      'joint',
      'kesler',
      'one-vs-rest',
    ]);
    for (const { folds, examples, accuracy, errors, passes } of tried) {
      expect({ folds, examples }).toEqual({ folds: 1, examples: rows });
      expect(errors).toBeCloseTo((1 - accuracy) * examples, 9);
      expect(passes).toBeLessThanOrEqual(12);
    }
    expect(report.passes).toBe(tried[taken]!.passes);
  });

  it('keeps to the strategy that is asked for, as with few classes', async () => {
    const few = clouds(30, { classes: 3, apart: 0.7 });
    const cases = [[many(), 'kesler'] as const, [few, 'kesler'] as const, [few, 'one-vs-rest'] as const];
    for (const [source, multiclass] of cases) {
      const { search } = await trainWith(kernels, source, { multiclass });
      expect(new Set(search!.tried.map((each) => each.multiclass))).toEqual(new Set([multiclass]));
    }
    expect(candidatesFor(fewestMany, 'one-vs-rest', true)).toHaveLength(4);
  });
});

describe('a choice', () => {
  it('is the same for the same data and seed, by every kernel, and so is the model', async () => {
    for (const classes of process.env.TEST_DEEP ? [2, 3] : [2]) {
      const [one, again, plain] = [
        await trainWith(kernels, clouds(30, { classes, apart: 0.7 })),
        await trainWith(wasm(), clouds(30, { classes, apart: 0.7 })),
        await trainWith(reference(), clouds(30, { classes, apart: 0.7 })),
      ];
      expect(again).toEqual(one);
      expect(encodeModel(plain.model)).toBe(encodeModel(one.model));
      expect(plain.search).toEqual(one.search);
    }
  });

  it('ranks all candidates, best first, and the model is that of train for the chosen one', async () => {
    const { search, model, report } = await trainWith(kernels, clouds(300, { apart: 0.5 }));
    const { tried, taken, why } = search!;
    expect(tried).toHaveLength(candidatesFor(2, undefined, true).length);
    expect(why).toBe(taken === 0 ? 'best' : 'simplest');
    for (let k = 1; k < tried.length; k++) expect(tried[k]!.accuracy).toBeLessThanOrEqual(tried[k - 1]!.accuracy);
    const { rule, passes } = tried[taken]!;
    expect(report).toMatchObject({ rule: rule.name, passes });
    const course = hasPasses(rule.name) ? ({ passes, order: 'shuffled-once' } as const) : {};
    const same = await trainWith(kernels, clouds(300, { apart: 0.5 }), { rule, ...course });
    expect(encodeModel(same.model)).toBe(encodeModel(model));
  });

  it('has logistic regression at its best penalty, unless passes or a state to go on from are asked for', async () => {
    for (const classes of [2, 3]) {
      const source = () => clouds(40, { classes, apart: 0.7 });
      const { search } = await trainWith(kernels, source());
      const [minimum, ...more] = search!.tried.filter(({ rule }) => rule.name === 'logistic');
      expect(more).toEqual([]);
      expect(minimum).toMatchObject({ passes: 1, rule: { alpha: expect.any(Number) } });
      for (const options of [{ passes: 3 }, { keepState: true }]) {
        const { search: others } = await trainWith(kernels, source(), options);
        expect(others!.tried.map(({ rule }) => rule.name)).not.toContain('logistic');
      }
    }
  });

  it('prefers the averaged perceptron if it separates the examples and is nearly the best', async () => {
    const { search, report } = await trainWith(kernels, clouds(200, { apart: 6 }));
    expect(search!.why).toBe('separates');
    expect(search!.tried[search!.taken]!.rule.name).toBe('averaged');
    expect(report).toMatchObject({ rule: 'averaged', stop: 'separated', train: { errors: 0 } });
  });

  it('finds the better options: a penalty for noise features, none otherwise', async () => {
    const { search } = await trainWith(kernels, clouds(120, { apart: 1, features: 60 }));
    const best = search!.tried[0]!;
    const averaged = search!.tried.find(({ rule }) => rule.name === 'averaged')!;
    expect(best.accuracy).toBeGreaterThan(averaged.accuracy);
  });

  it('is not made if the examples do not fit into memory: the averaged perceptron with early stopping is used', async () => {
    const source = clouds(3000, { apart: 0.8 });
    const spilled: Uint8Array[] = [];
    const spill = () => ({
      append: (bytes: Uint8Array) => spilled.push(bytes.slice()) - 1,
      read: (position: number, target: Uint8Array) => target.set(spilled[position]!.subarray(0, target.length)),
      close: () => {},
    });
    const batches = async function* () {
      for await (const batch of source.batches())
        for (let i = 0; i < batch.rows; i += 100)
          yield denseBatch(
            Array.from({ length: 100 }, (_, k) =>
              Array.from(batch.values.subarray((i + k) * batch.dimension, (i + k + 1) * batch.dimension)),
            ),
            Array.from(batch.labels.subarray(i, i + 100)),
          );
    };
    const { search, report } = await trainWith(
      kernels,
      { ...source, batches },
      { store: { memoryBudget: 1000, spill } },
    );
    expect(search).toEqual({ tried: [], untried: [], taken: -1, why: 'large', metric: 'accuracy' });
    expect(report).toMatchObject({ rule: 'averaged', stop: 'patience' });
    expect(report.best!.pass).toBeLessThanOrEqual(report.passes);
    expect(report.train!.accuracy).toBeGreaterThan(0.7);
  });

  it('respects the hold-out, counts the runs, and stops on request', async () => {
    const runs: [number, number][] = [];
    const { report } = await trainWith(kernels, clouds(200, { apart: 1 }), {
      holdout: 0.25,
      onProgress(progress) {
        if (progress.phase === 'search') runs.push([progress.done, progress.of]);
      },
    });
    expect(report.examples + report.holdout!.examples).toBe(200);
    expect(runs.at(-1)![0]).toBe(runs.at(-1)![1]);
    expect(runs.map(([done]) => done)).toEqual(runs.map((_, i) => i + 1));
    const signal = AbortSignal.abort();
    await expect(trainWith(kernels, clouds(200), { signal })).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('early stopping', () => {
  const data = () => clouds(600, { apart: 0.5, features: 30 });

  it('keeps the weights of the best pass, which equal a run of that many passes over the same rows', async () => {
    const watched = await trainOnce(data(), { kernels, rule: 'perceptron', patience: 4, passes: 60 });
    const { best, passes, stop } = watched.report;
    expect(stop).toBe('patience');
    expect(passes).toBe(Math.min(60, best!.pass + 4));
    const short = await trainOnce(data(), { kernels, rule: 'perceptron', patience: 100, passes: best!.pass });
    expect(short.report.best).toEqual(best);
    expect({ ...watched.model, training: null }).toEqual({ ...short.model, training: null });
  });

  it('is refused if the order leaves no rows to validate on', async () => {
    for (const order of ['shuffled', 'random'] as const)
      await expect(async () => trainOnce(data(), { kernels, patience: 2, order })).rejects.toThrow(
        /order must be cyclic, shuffled-once or auto with patience/,
      );
    await expect(async () => trainOnce(data(), { kernels, patience: 0 })).rejects.toThrow(
      /patience must be a whole number/,
    );
  });
});

describe('a comparison', () => {
  const candidates = ['averaged', { name: 'sgd', loss: 'hinge' }, 'perceptron'] as const;

  it('judges all on the same folds, ranks them, and tests differences for chance', async () => {
    const compared = await compareRulesWith(kernels, clouds(240, { apart: 0.6 }), { candidates, repeats: 2, folds: 4 });
    expect(compared).toMatchObject({ examples: 240, folds: 4, repeats: 2, untried: [] });
    expect(compared.compared).toHaveLength(3);
    compared.compared.forEach(({ accuracy, foldAccuracies, behind }, place) => {
      expect(foldAccuracies).toHaveLength(8);
      expect(accuracy).toBeCloseTo(foldAccuracies.reduce((a, b) => a + b) / 8, 12);
      expect(accuracy).toBeGreaterThan(compared.baseline);
      expect(behind === null).toBe(place === 0);
      if (behind === null) return;
      expect(behind.mean).toBeCloseTo(compared.compared[0]!.accuracy - accuracy, 12);
      expect(behind.pValue).toBeGreaterThanOrEqual(0);
    });
    expect(await compareRulesWith(kernels, clouds(240, { apart: 0.6 }), { candidates, repeats: 2, folds: 4 })).toEqual(
      compared,
    );
  });

  it('weights classes like importance, also for the pocket, which judges itself on all examples', async () => {
    const random = new Random(5);
    const x = Array.from({ length: 90 }, () => [random.uniform() - 0.5, random.uniform() - 0.5]);
    for (const classes of [2, 3]) {
      const labels = x.map(([a], i) => (i % 3 === 0 || a! > 0.2 ? 0 : (i % (classes - 1)) + 1));
      const y = labels.map((k) => (classes === 2 ? 2 * k - 1 : k));
      const names = ['a', 'b', 'c'].slice(0, classes);
      const source = (importance: number[] | null) => arraySource(denseBatch(x, y, importance, classes), names);
      const options = {
        candidates: ['pocket', 'averaged', 'tree'],
        repeats: 1,
        passes: 3,
      } as const;
      const valuesOf = async (importance: number[] | null, more: CompareOptions = {}) =>
        (await compareRulesWith(kernels, source(importance), { ...options, ...more })).compared.map(
          ({ rule, foldValues, behind }) => [rule, foldValues, behind],
        );
      const weighed = await valuesOf(null, { classWeights: { a: 5 } });
      expect(weighed).toEqual(await valuesOf(labels.map((k) => (k === 0 ? 5 : 1))));
      expect(weighed).not.toEqual(await valuesOf(null));
    }
  });

  it('separates a clearly worse rule from the best', async () => {
    const { compared } = await compareRulesWith(kernels, clouds(3000, { apart: 0.4, features: 60 }), {
      candidates: ['perceptron', { name: 'sgd', alpha: 0.01 }],
    });
    expect(compared[0]!.rule.name).toBe('sgd');
    expect(compared[1]!.behind!.pValue).toBeLessThan(0.01);
  });

  it('refuses invalid requests', async () => {
    await expect(compareRulesWith(kernels, clouds(40), { folds: 1 })).rejects.toThrow(
      'folds must be a whole number from 2',
    );
    await expect(compareRulesWith(kernels, clouds(6), { folds: 7 })).rejects.toThrow('number of examples, 6; got 7');
    const unknown = ['svm' as never];
    await expect(compareRulesWith(kernels, clouds(40), { candidates: unknown })).rejects.toThrow('rule must be one of');
    const wrong = [{ name: 'sgd', alpha: -1 }] as const;
    await expect(compareRulesWith(kernels, clouds(40), { candidates: wrong })).rejects.toThrow(
      'alpha must be in [0, ∞)',
    );
  });
});
