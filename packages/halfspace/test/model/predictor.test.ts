import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { isDeep } from '../../../../test/support/quick.ts';
import { denseBatch, sparseBatch } from '../../src/batch.ts';
import { HalfspaceError } from '../../src/errors.ts';
import type { FeatureEncoding } from '../../src/features/encoding.ts';
import type { Block } from '../../src/kernels/block.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { scorerOf } from '../../src/model/function-scorer.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import { ModelScorer } from '../../src/model/linear/scorer.ts';
import { isDual } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { Random } from '../../src/random.ts';
import type { Learner } from '../../src/rules/learner.ts';
import { completeRuleOptions, createLearner, type RuleName, rules } from '../../src/rules/registry.ts';
import { bits } from '../rules/conformance.ts';
import { decimal } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';
import { indexed, models, training } from '../support/models.ts';
import { lengths, numbers } from '../support/rows.ts';
import {
  denseSeveral,
  learnedByExample,
  seenOf,
  severalOf,
  severalUnderTest,
  sparseSeveral,
} from '../support/several.ts';

function modelOf(weights: readonly number[], rest: Partial<LinearModel> = {}): LinearModel {
  return {
    kind: 'linear',
    options: {},
    calibration: null,
    rule: 'averaged',
    as: null,
    classes: ['lo', 'hi'],
    tie: -1,
    bias: 0.1,
    biasConstant: 1,
    divisor: 1,
    weights: Float64Array.from(weights),
    features: indexed(weights.length),
    training,
    ...rest,
  };
}

const named = (names: readonly string[]): FeatureEncoding => ({ kind: 'named', names });

function batchScore(
  kernels: Kernels,
  model: LinearModel,
  batch: ReturnType<typeof denseBatch | typeof sparseBatch>,
): number {
  const scorer = new ModelScorer(kernels, model);
  const out = new Float64Array(1);
  scorer.scoreInto(batch, out);
  scorer.free();
  return out[0]!;
}

describe('a vector', () => {
  it.each([1, 3, 0.1])('scores like a batch of dense rows, to the bit, for any length; divisor %d', (divisor) => {
    const random = new Random(5);
    for (const length of lengths) {
      const model = modelOf(numbers(length, random), { divisor, biasConstant: 1 / divisor });
      const x = Float64Array.from(numbers(length, random));
      const score = new Predictor(model).score(x);
      expect(score).toBe(new Predictor(model).score([...x]));
      expect(score).toBe(new Predictor(model).scores(x)[0]);
      for (const kernels of [wasm(), reference()]) expect(score).toBe(batchScore(kernels, model, denseBatch([x], [1])));
    }
  });

  it('is refused if a number is not finite, even where the weight is 0', () => {
    const predictor = new Predictor(modelOf([0, 1, -1, 0, 0, 2, 0]));
    for (const value of [Number.NaN, Infinity, -Infinity])
      for (let j = 0; j < 7; j++) {
        const x = new Float64Array(7);
        x[j] = value;
        expect(() => predictor.score(x)).toThrow(
          expect.objectContaining({ code: 'number-invalid', where: { field: String(j) } }),
        );
      }
  });

  it('of finite numbers whose score overflows is refused, as is such a row', () => {
    const predictor = new Predictor(modelOf([1e308, 1e308]));
    const message = 'expected numbers whose score is within the range of doubles; got a score of';
    expect(() => predictor.score(Float64Array.of(10, 10))).toThrow(`${message} Infinity`);
    expect(() => predictor.score([10, 10])).toThrow(`${message} Infinity`);
    expect(() => predictor.predict([10, -10])).toThrow(`${message} NaN`);
    expect(() => predictor.scores([-10, 0])).toThrow(expect.objectContaining({ code: 'number-invalid' }));
  });
});

describe('rows', () => {
  const random = new Random(6);
  const sparse = [...Array(40).keys(), 99, 100, 101, 102, 300].map((count) => ({
    indices: Array.from({ length: count }, (_, k) => 3 * k + random.below(3)),
    values: numbers(count, random),
  }));
  const weights = numbers(900, random);
  const names = weights.map((_, j) => `f^${j}`);

  it.each([1, 3])('by index and by name score like a batch of sparse rows, to the bit; divisor %d', (divisor) => {
    const model = modelOf(weights, { divisor });
    const byIndex = new Predictor(model);
    const byName = new Predictor({ ...model, features: named(names) });
    for (const row of sparse) {
      const score = batchScore(wasm(), model, sparseBatch([row], [1]));
      expect(byIndex.score(row)).toBe(score);
      expect(byName.score(Object.fromEntries(row.indices.map((j, k) => [names[j], row.values[k]])))).toBe(score);
    }
  });

  it('as lists of another length than the weights are refused by every question', () => {
    const predictor = new Predictor(modelOf([1, 2, 3]));
    for (const listOf of [
      (x: number[]) => x,
      (x: number[]) => Float64Array.from(x),
      (x: number[]) => Int8Array.from(x),
    ])
      for (const length of [0, 1, 2, 4, 5, 99]) {
        const row = listOf(Array(length).fill(1));
        for (const ask of ['predict', 'score', 'scores', 'explain'] as const)
          expect(() => predictor[ask](row)).toThrow(
            expect.objectContaining({
              code: 'row-malformed',
              message: `expected 3 numbers, one for each index from 0, or { indices, values } of some; got ${length}`,
            }),
          );
      }
    expect(predictor.score([1, 1, 1])).toBe(6.1);
    expect(predictor.score({ indices: [0], values: [1] })).toBe(1.1);
  });

  it('use the weights of far indices', () => {
    const predictor = new Predictor(models['far indices']);
    expect(predictor.score({ indices: [17, 1, 4294967295, 5], values: [1, 1, 1, 1] })).toBe(4 + 2 + 3 - 4.5);
    expect(() => predictor.score([...Array(17).fill(0), 1])).toThrow('expected 4294967296 numbers');
  });

  it('use own members only, not inherited ones', () => {
    const predictor = new Predictor(
      modelOf([1, 10, 100], { bias: 0, features: named(['a', '__proto__', 'toString']) }),
    );
    expect(predictor.score({})).toBe(0);
    expect(predictor.score(Object.create({ a: 1 }))).toBe(0);
    expect(predictor.score(Object.assign(Object.create({ a: 1 }), { b: 1 }))).toBe(0);
    expect(predictor.score(Object.assign(Object.create({ a: 1 }), { a: 2, toString: 3 }))).toBe(302);
    expect(predictor.score(Object.assign(Object.create(null), { a: 2 }))).toBe(2);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, k) => [`other${k}`, 1]));
    expect(predictor.score(Object.assign(Object.create({ a: 1 }), many, { toString: 3 }))).toBe(300);
    expect(predictor.score(JSON.parse('{"__proto__": 1}'))).toBe(10);
  });

  it('by name are refused for values that are no features, but only for known names', () => {
    const predictor = new Predictor(modelOf([1], { features: named(['a']) }));
    expect(predictor.score({ a: 1, b: 'text' })).toBe(1.1);
    expect(predictor.score({ a: '1', b: [2] })).toBe(1.1);
    expect(predictor.score({ a: null })).toBe(predictor.score({ a: 0 }));
    for (const value of [Number.NaN, Infinity, [1], new Date(), { b: [1] }])
      expect(() => predictor.score({ a: value })).toThrow(HalfspaceError);
  });
});

/** Options beside the defaults whose answers are computed in another way. */
const variants: Partial<Record<RuleName, readonly object[]>> = {
  arow: [{}, { average: true }],
  'passive-aggressive': [{}, { average: true }],
  sgd: ['constant', 'inverse-scaling', 'adaptive'].flatMap((schedule) =>
    ['none', 'l2', 'l1'].flatMap((penalty) => [
      { schedule, penalty, answer: 'mean' },
      { schedule, penalty, answer: 'last' },
    ]),
  ),
  kernel: [{}, { aggregate: 'last' }, { kernel: 'rbf', gamma: 0.5 }],
};

const single = learnedByExample.flatMap((rule) =>
  (variants[rule] ?? [{}]).map((given) => ({
    name: [rule, ...Object.values(given)].join(', '),
    create: (kernels: Kernels): Learner => createLearner(kernels, rule, completeRuleOptions(rule, given)),
    classes: 2,
  })),
);
const several = severalUnderTest.map(({ name, create }) => ({
  name,
  create: (kernels: Kernels): Learner => create(kernels),
  classes: 5,
}));

/** Returns the scores of the learner's functions. */
function scoresOfFunctions(kernels: Kernels, learner: Learner, batch: ReturnType<typeof sparseBatch>): Float64Array {
  const functions = learner.functions().map((each) => (isDual(each) ? each : { ...each, biasConstant: 1, divisor: 1 }));
  const scores = new Float64Array(functions.length * batch.rows);
  if (functions.length === 0) return scores;
  const scorer = scorerOf(kernels, functions);
  scorer.scoreInto(batch, scores);
  scorer.free();
  return scores;
}

/** An index that no example has, and one far behind it. */
const row = fc.uniqueArray(fc.oneof(fc.nat(20), fc.constantFrom(999, 100_000)), { maxLength: 6 });

describe.each([...single, ...several])('a learner by $name', ({ create, classes }) => {
  it('can be queried at any time without a change of its bits', () => {
    const asks = fc.array(fc.array(row, { maxLength: 4 }), { minLength: 1, maxLength: 30 });
    forAll(
      isDeep ? 12 : 4,
      severalOf(decimal),
      asks,
      fc.constantFrom(denseSeveral, sparseSeveral),
      ({ data }, asked, layout) => {
        for (const kernels of [wasm(), reference()]) {
          const [one, other] = [create(kernels), create(kernels)];
          for (let t = 0; t < 2 * data.length; t++) {
            const example = data[t % data.length]!;
            const shown = layout([example]);
            const batch = classes > 2 ? shown : { ...shown, labels: Float64Array.of(example.y % 2 === 0 ? -1 : 1) };
            const rows = (asked[t % asked.length] ?? []).map((indices) => ({
              indices,
              values: indices.map((j) => 1 / (j + 3)),
            }));
            const question = sparseBatch(
              rows,
              rows.map(() => 1),
            );
            const scores = new Float64Array(rows.length * one.outputs);
            one.scoreInto(question, scores);
            expect(bits(scores)).toEqual(bits(scoresOfFunctions(kernels, one, question)));
            one.learn(batch);
            other.learn(batch);
          }
          expect(seenOf(one)).toEqual(seenOf(other));
          expect(one.state()).toEqual(other.state());
          one.free();
          other.free();
        }
      },
    );
  });
});

/** Kernels whose doubles count how often they are looked at from outside the kernels. */
function counting(): { kernels: Kernels; looks: () => number } {
  let looks = 0;
  const kernels = reference();
  const counted: Kernels = Object.create(kernels);
  counted.float64 = (length, clear) => {
    const block = kernels.float64(length, clear);
    return new Proxy(block, {
      get: (_, name) => {
        if (name !== 'array') {
          const member = Reflect.get(block, name) as unknown;
          return typeof member === 'function' ? member.bind(block) : member;
        }
        return new Proxy(block.array, {
          get: (array, at) => {
            if (typeof at === 'string' && /^\d+$/.test(at)) looks++;
            else if (at === 'slice' || at === 'subarray') looks += array.length;
            const member = Reflect.get(array, at) as unknown;
            return typeof member === 'function' ? member.bind(array) : member;
          },
          set: (array, at, value) => Reflect.set(array, at, value),
        });
      },
    }) as Block<Float64Array>;
  };
  return { kernels: counted, looks: () => looks };
}

describe.each(single.filter(({ name }) => !(rules[name.split(',')[0] as RuleName] as { dual?: true }).dual))(
  'an answer by $name',
  ({ create }) => {
    it('needs time for the nonzeros of the row, not for the size of the model', () => {
      const { kernels, looks } = counting();
      const learner = create(kernels);
      const features = 300;
      const all = Array.from({ length: features }, (_, j) => j);
      learner.learn(sparseBatch([{ indices: all, values: all.map((j) => 1 / (1 + j)) }], [1]));
      const question = sparseBatch([{ indices: [1, 70, 299, 50_000], values: [1, 2, 3, 4] }], [1]);
      let spent = 0;
      const out = new Float64Array(1);
      for (let t = 0; t < 50; t++) {
        learner.learn(sparseBatch([{ indices: [t], values: [t] }], [t % 2 === 0 ? 1 : -1]));
        const before = looks();
        learner.scoreInto(question, out);
        spent += looks() - before;
      }
      // A few numbers for each of the four features, and the scalars.
      expect(spent / 50).toBeLessThan(60);
    });
  },
);
