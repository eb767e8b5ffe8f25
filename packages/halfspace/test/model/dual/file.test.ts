import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../../test/support/properties.ts';
import { decodeDuals, encodeDuals } from '../../../src/model/dual/file.ts';
import { type DualFunction, mostMistaken } from '../../../src/model/dual/function.ts';
import { DualScorer } from '../../../src/model/dual/scorer.ts';
import { encodeModel } from '../../../src/model/encode.ts';
import { scorerOf } from '../../../src/model/function-scorer.ts';
import type { KernelOptions } from '../../../src/rules/kernel-perceptron.ts';
import { createLearner } from '../../../src/rules/registry.ts';
import { decimal, dense, example, examplesOf } from '../../support/examples.ts';
import { wasm } from '../../support/kernels.ts';
import { dualOf, indexed } from '../../support/models.ts';

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../src/model/model.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, formats: {} }).compile(schema);
const kernels = wasm();

const options: fc.Arbitrary<KernelOptions | null> = fc.constantFrom<KernelOptions | null>(
  null,
  {},
  { kernel: 'linear', aggregate: 'voted' },
  { kernel: 'rbf', gamma: 0.5 },
  { degree: 3, coef0: 1, aggregate: 'last', budget: 3 },
);

/** Examples enough for lists that are written as base64. */
const learned = fc.tuple(examplesOf(decimal, { rows: 60, features: 30 }), options).map(([data, of]) => {
  const learner = of === null ? createLearner(kernels, 'voted') : createLearner(kernels, 'kernel', of);
  for (let pass = 0; pass < 3; pass++) learner.learn(dense(data));
  const dual = learner.dual();
  learner.free();
  return { data, dual };
});

const written = (dual: DualFunction) => JSON.parse(JSON.stringify(encodeDuals([dual])));
const fourApart = (aggregate: KernelOptions['aggregate'] = 'averaged'): DualFunction => {
  const learner = createLearner(kernels, 'kernel', { aggregate });
  learner.learn(dense([example(1, 2, 1), example(-1, -1, 0), example(1, 1, 3), example(-1, 0, -2)]));
  return learner.dual();
};

describe('a dual function in a file', () => {
  it('survives, follows its schema, and keeps its scores, to the bit', () => {
    forAll(60, learned, ({ data, dual }) => {
      const file = written(dual);
      const model = dualOf([dual], indexed(data[0]!.x.length));
      expect(validate(JSON.parse(encodeModel(model))), JSON.stringify(validate.errors)).toBe(true);
      const back = decodeDuals(file, data[0]!.x.length)[0]!;
      expect(back).toEqual(dual.aggregate === 'last' ? { ...dual, survivals: new Float64Array(0) } : dual);
      const scores = [dual, back].map((one) => {
        const scorer = new DualScorer(kernels, one);
        const out = new Float64Array(data.length);
        scorer.scoreInto(dense(data), out);
        scorer.free();
        return out;
      });
      expect(scores[0]).toEqual(scores[1]);
    });
  });

  it.each<[string, (file: ReturnType<typeof written>) => void]>([
    ['"aggregate" to be last, averaged or voted', (file) => (file.aggregate = 'best')],
    ['"kernel" to be an object; got nothing', (file) => delete file.kernel],
    ['"kernel.kind" to be linear, polynomial or rbf', (file) => (file.kernel.kind = 'tanh')],
    ['"degree" to be a whole number in [1, 32]; got 0', (file) => (file.kernel.degree = 0)],
    ['"gamma" to be a number above 0; got 0', (file) => (file.kernel.gamma = 0)],
    ['"coef0" to be a number from 0; got -1', (file) => (file.kernel.coef0 = -1)],
    ['"divisor" to be a number above 0; got 0', (file) => (file.divisor = 0)],
    ['"biasConstant"', (file) => (file.biasConstant = '1')],
    ['"dimension" to be a whole number in [0, 2]', (file) => (file.functions[0].support.dimension = 3)],
    ['"indices" to be numbers below 2 that rise', (file) => (file.functions[0].support.indices[0] = 9)],
    ['"indices" to be numbers below 2 that rise', (file) => file.functions[0].support.indices.reverse()],
    ['"indices" to be', (file) => file.functions[0].support.values.pop()],
    ['"values" to be finite numbers', (file) => (file.functions[0].support.values[0] = null)],
    ['"offsets" to be numbers from 0', (file) => (file.functions[0].support.offsets[0] = 1)],
    ['"offsets" to be numbers that do not', (file) => file.functions[0].support.offsets.splice(1, 0, 1, 0)],
    ['"offsets" to be at least one number; got "none"', (file) => (file.functions[0].support.offsets = [])],
    ['"rows" to be numbers below', (file) => (file.functions[0].rows[0] = 99)],
    ['"coefficients" to be', (file) => file.functions[0].coefficients.pop()],
    ['one per vector', (file) => file.functions[0].survivals.pop()],
    ['one per vector', (file) => (file.functions[0].survivals = [])],
    ['"survivals" to be numbers from 0', (file) => (file.functions[0].survivals[0] = -1)],
    ['"coefficients" to be finite', (file) => (file.functions[0].coefficients = { float64: 'a?==' })],
    ['"coefficients"', (file) => (file.functions[0].coefficients = { float64: 'AAAA' })],
    ['"coefficients"', (file) => (file.functions[0].coefficients = { float64: 'AAAAAAAA8H8=' })],
    ['"rows" to be whole numbers', (file) => (file.functions[0].rows = { float64: '' })],
  ])('is refused: expected %s', (message, change) => {
    const file = written(fourApart());
    decodeDuals(file, 2);
    change(file);
    expect(() => decodeDuals(file, 2)).toThrow(message);
    expect(() => decodeDuals(file, 2)).toThrow(expect.objectContaining({ code: 'model-invalid' }));
  });

  it('is decoded, or refused with one error, after any change', () => {
    const paths = (value: unknown, at: readonly string[] = []): (readonly string[])[] =>
      typeof value === 'object' && value !== null
        ? [at, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...at, key]))]
        : [at];
    const file = written(fourApart('voted'));
    forAll(500, fc.constantFrom(...paths(file).slice(1)), fc.json(), (path, text) => {
      const changed = structuredClone(file);
      let parent = changed;
      for (const key of path.slice(0, -1)) parent = parent[key];
      parent[path.at(-1)!] = JSON.parse(text);
      try {
        const scorer = scorerOf(kernels, decodeDuals(changed, 2));
        scorer.scoreInto(dense([example(1, 1, 2)]), new Float64Array(scorer.outputs));
        scorer.free();
      } catch (error) {
        expect(error).toMatchObject({ code: 'model-invalid' });
      }
    });
  });
});

describe('the rows most often mistaken', () => {
  it('come with their counts, the first of equal ones first', () => {
    const learner = createLearner(kernels, 'kernel', { kernel: 'linear', aggregate: 'last' });
    const twin = [example(1, 3), example(-1, 3), example(1, -9)];
    for (let pass = 0; pass < 4; pass++) learner.learn(dense(twin));
    const dual = learner.dual();
    const counted = mostMistaken(dual);
    expect(counted.reduce((sum, { mistakes }) => sum + mistakes, 0)).toBe(dual.rows.length);
    for (const { row, mistakes, coefficient } of counted) {
      const own = [...dual.rows.keys()].filter((k) => dual.rows[k] === row);
      expect(mistakes).toBe(own.length);
      expect(coefficient).toBe(own.reduce((sum, k) => sum + dual.coefficients[k]!, 0));
    }
    for (let k = 1; k < counted.length; k++) expect(counted[k]!.mistakes).toBeLessThanOrEqual(counted[k - 1]!.mistakes);
    expect(mostMistaken(dual, 1)).toEqual(counted.slice(0, 1));
  });
});
