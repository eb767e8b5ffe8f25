import { describe, expect, it } from 'vitest';
import { denseBatch, sparseBatch } from '../../src/batch.ts';
import { HalfspaceError } from '../../src/errors.ts';
import type { FeatureEncoding } from '../../src/features/encoding.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import { ModelScorer } from '../../src/model/linear/scorer.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { Random } from '../../src/random.ts';
import { reference, wasm } from '../support/kernels.ts';
import { indexed, models, training } from '../support/models.ts';
import { lengths, numbers } from '../support/rows.ts';

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
