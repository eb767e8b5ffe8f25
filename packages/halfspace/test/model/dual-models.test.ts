import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { decodeModel } from '../../src/model/decode.ts';
import type { DualModel } from '../../src/model/dual/model.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluateWith } from '../../src/model/judge.ts';
import { createScorer } from '../../src/model/kinds.ts';
import { isDual } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { decimal, dense, example, examplesOf, fourApart, sparse, xor } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';
import { dualOf, indexed, dual as shapes } from '../support/models.ts';
import { openedRows } from '../support/tables.ts';

const kernels = wasm();

const rules: fc.Arbitrary<RunOptions> = fc.constantFrom<RunOptions>(
  { rule: 'voted' },
  { rule: 'kernel' },
  { rule: 'kernel', kernel: 'rbf', gamma: 0.5, aggregate: 'voted' },
  { rule: 'kernel', degree: 3, coef0: 1, aggregate: 'last', budget: 4, bias: 'none' },
  { rule: 'voted', scaling: 'max-norm', bias: 'absorbed' },
);

const trained = async (source: Parameters<typeof trainOnce>[0], options: RunOptions) => {
  const { model, report } = await trainOnce(source, { kernels, passes: 4, ...options });
  if (model.kind !== 'dual') throw new TypeError(`expected a model in dual form; got ${model.kind}`);
  return { model, report };
};

describe('training by a rule in dual form', () => {
  it('gives a model that survives its file and is right as often as the report says', async () => {
    await forAllAsync(40, examplesOf(decimal), rules, async (data, options) => {
      const source = arraySource(sparse(data));
      const { model, report } = await trained(source, options);
      const back = decodeModel(encodeModel(model)) as DualModel;
      expect(encodeModel(back)).toBe(encodeModel(model));
      for (const one of [model, back])
        expect(await evaluateWith(kernels, one, source)).toMatchObject({
          errors: report.train!.errors,
          confusion: report.train!.confusion,
        });
      expect(model.functions[0]!.rows.length).toBe(options.budget ? Math.min(4, report.updates) : report.updates);
      expect(report.train!.margin).toBeNull();
    });
  });

  it('gives the same file by WebAssembly and by the reference, from the same seed', async () => {
    await forAllAsync(
      30,
      examplesOf(decimal),
      rules,
      fc.constantFrom('cyclic' as const, 'shuffled' as const),
      fc.nat(),
      async (data, options, order, seed) => {
        const files = [wasm(), reference()].map(async (on) => {
          const { model } = await trainOnce(arraySource(dense(data)), {
            ...options,
            order,
            seed,
            passes: 3,
            kernels: on,
          });
          return encodeModel(model);
        });
        expect(await files[0]).toBe(await files[1]);
      },
    );
  });

  it('chooses the rows that a budget drops by the seed of the run', async () => {
    const data = Array.from({ length: 40 }, (_, i) => example(i % 3 === 0 ? 1 : -1, (i * 7) % 11, (i * 5) % 13));
    const files = [1, 2, 1].map(async (seed) => {
      const { model } = await trained(arraySource(dense(data)), { rule: 'kernel', aggregate: 'last', budget: 3, seed });
      return encodeModel({ ...model, training: { ...model.training, seed: 0 } });
    });
    const [one, two, again] = await Promise.all(files);
    expect(again).toBe(one);
    expect(two).not.toBe(one);
  });

  it('ends separated if the kernel separates, also by votes and means, and reports if it does not', async () => {
    for (const aggregate of ['last', 'averaged', 'voted'] as const) {
      const { report } = await trained(arraySource(dense(xor)), { rule: 'kernel', aggregate, passes: 100 });
      expect(report).toMatchObject({ stop: 'separated', train: { errors: 0, separated: true } });
    }
    const apart = await trained(arraySource(dense(fourApart)), { rule: 'voted', passes: 100 });
    expect(apart.report).toMatchObject({ stop: 'separated', train: { errors: 0 } });
    const never = await trained(arraySource(dense(xor)), { rule: 'voted' });
    expect(never.report).toMatchObject({ stop: 'budget', train: { separated: false } });
  });

  it('refuses data whose weights or scores overflow', async () => {
    const batch = dense([example(1, 1e308), example(-1, -1e308)]);
    const huge = arraySource({ ...batch, importance: Float64Array.of(3, 3) });
    for (const options of [{ rule: 'voted' }, { rule: 'kernel' }] as const)
      await expect(trainOnce(huge, { ...options, kernels })).rejects.toThrow(
        expect.objectContaining({ code: 'weights-overflow' }),
      );
  });

  it('makes ten passes by default', async () => {
    const { report } = await trainOnce(arraySource(dense(xor)), { rule: 'voted', kernels });
    expect(report.passes).toBe(10);
  });

  it('refuses options of weights: another start, length 1, the multiclass update', async () => {
    const refused = (options: RunOptions, message: string) =>
      expect(trainOnce(arraySource(dense(xor)), { rule: 'voted', kernels, ...options })).rejects.toThrow(message);
    await refused({ start: 'random' }, 'start must be zero for the rule voted; got random');
    await refused({ returns: 'unit' }, 'returns must be weights for the rule voted; got unit');
    await refused({ degree: 3 }, 'degree is for the rule kernel; got the rule voted');
  });
});

const flowers = Array.from({ length: 60 }, (_, i) => ({
  width: ((i * 37) % 29) / 10,
  length: ((i * 17) % 31) / 10,
  colour: i % 5 === 0 ? null : ['red', 'blue', 'white'][i % 3],
  kind: i % 2 === 0 ? 'rose' : 'lily',
}));

describe('a model in dual form', () => {
  it('scores single rows with the bits of batches: tables', async () => {
    const source = await openedRows(flowers, { label: 'kind' });
    for (const options of [{ rule: 'voted' }, { rule: 'kernel', kernel: 'rbf' }] as const) {
      const { model } = await trained(source, options);
      const predictor = new Predictor(model);
      let at = 0;
      const again = await openedRows(flowers, { label: 'kind', encoding: model.features });
      for await (const batch of again.batches()) {
        const scores = new Float64Array(batch.rows);
        createScorer(kernels, model).scoreInto(batch, scores);
        for (const score of scores) {
          expect(predictor.score(flowers[at]!)).toBe(score);
          expect(predictor.predict(flowers[at++]!)).toBe(model.classes[score > 0 ? 1 : 0]);
        }
      }
      expect(at).toBe(60);
    }
  });

  it.each(Object.entries(shapes))('scores single rows with the bits of batches: %s', (_, model) => {
    const x = [0.5, -1, 0, 2, 0.25];
    const scorer = createScorer(kernels, model);
    const expected = new Float64Array(scorer.outputs);
    scorer.scoreInto(dense([{ x, y: 1 }]), expected);
    const predictor = new Predictor(model);
    expect(predictor.scores(x)).toEqual(expected);
    expect(predictor.scores({ indices: [4, 0, 1, 3, 900], values: [0.25, 0.5, -1, 2, 5] })).toEqual(expected);
    const named = new Predictor({ ...model, features: { kind: 'named', names: ['a', 'b', 'c', 'd', 'e'] } });
    expect(named.scores({ e: 0.25, a: 0.5, b: -1, d: 2, unheard: 9 })).toEqual(expected);
  });

  it('refuses invalid rows', () => {
    const model = dualOf([shapes['few mistakes']!.functions[0]!], indexed(5));
    const predictor = new Predictor(model);
    expect(() => predictor.score([1, Number.NaN, 0, 0, 0])).toThrow('expected a finite number; got NaN');
    expect(() => predictor.score({})).toThrow('expected numbers, or indices and values; got {}');
    expect(() => new Predictor(shapes['mistakes of several classes']!).score([1, 0, 0, 0, 0])).toThrow(
      'expected a model of two classes',
    );
    expect(() => new Predictor({ ...model, features: { kind: 'hashed', bits: 3 } })).toThrow('got one of hashed text');
    expect(isDual(model.functions[0]!)).toBe(true);
  });
});
