import { describe, expect, it } from 'vitest';
import { sparseBatch } from '../../src/batch.ts';
import { featureNamer } from '../../src/features/names.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { createScorer } from '../../src/model/kinds.ts';
import { eachWeight, weightCount } from '../../src/model/linear/sparse-weights.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { wasm } from '../support/kernels.ts';
import { dual, models, multiclass, signed } from '../support/models.ts';

const most = 2 ** 28;
const bytes = (numbers: Float64Array | Uint32Array) => Buffer.from(numbers.buffer).toString('base64');
/** Weights 1 and −2 at positions 3 and 2²⁸ − 2 of 2²⁸. */
const two = {
  length: most,
  float64: bytes(Float64Array.of(1, -2)),
  positions: bytes(Uint32Array.of(3, most - 2)),
};
const claimed = (model: Parameters<typeof signed>[0], features: object, weights: unknown) =>
  signed(model, (body) => ({ ...body, features, weights, bias: 0 }));
const indexed = { kind: 'indexed', dimension: most, firstIndex: 1 };

/** Returns the bytes of typed arrays that a call allocates. */
function bytesOf<T>(act: () => T): [result: T, bytes: number] {
  const before = process.memoryUsage();
  const result = act();
  const after = process.memoryUsage();
  return [result, after.arrayBuffers + after.external - before.arrayBuffers - before.external];
}

describe('a small file of a model with very many features', () => {
  it.each<[string, string]>([
    ['numbered', claimed(models['plain weights'], indexed, two)],
    ['hashed', claimed(models.hashes, { kind: 'hashed', bits: 28 }, two)],
  ])('%s takes memory for the weights that are there', (kind, text) => {
    const [scores, taken] = bytesOf(() => {
      const model = decodeModel(text);
      if (model.kind !== 'linear') throw new Error('expected a linear model');
      expect(weightCount(model)).toBe(most);
      const found: number[][] = [];
      eachWeight(model, (weight, j) => found.push([j, weight]));
      expect(found).toEqual([
        [3, 1],
        [most - 2, -2],
      ]);
      expect(JSON.parse(encodeModel(model))).toEqual(JSON.parse(text));
      const row = { indices: [1, 3, most - 2], values: [9, 5, 0.5] };
      if (kind === 'numbered') expect(new Predictor(model).score(row)).toBe(4);
      const scorer = createScorer(wasm(), model);
      const out = new Float64Array(3);
      scorer.scoreInto(sparseBatch([row, { indices: [], values: [] }, row], [1, 1, 1]), out);
      scorer.free();
      return out;
    });
    expect([...scores]).toEqual([4, 0, 4]);
    expect(taken).toBeLessThan(2 ** 24);
  });

  it('with many classes needs no more', () => {
    const classes = Array.from({ length: 128 }, (_, k) => `c${String(k).padStart(3, '0')}`);
    const weights = classes.map(() => ({ ...two, length: 2 ** 22, positions: bytes(Uint32Array.of(3, 7)) }));
    const text = signed(multiclass['several classes']!, (body) => ({
      ...body,
      classes,
      biases: classes.map(() => 0),
      weights,
      features: { ...indexed, dimension: 2 ** 22 },
    }));
    const [scores, taken] = bytesOf(() => new Predictor(decodeModel(text)).scores({ indices: [3, 7], values: [4, 1] }));
    expect(scores).toEqual(new Float64Array(128).fill(1));
    expect(taken).toBeLessThan(2 ** 24);
  });

  it('in dual form needs no more', () => {
    const far = signed(dual['few mistakes']!, (body) => {
      const functions = body.functions as { support: { dimension: number; indices: number[] } }[];
      for (const { support } of functions) {
        support.dimension = most;
        support.indices = support.indices.map((j) => (j === 4 ? most - 1 : j));
      }
      return { ...body, features: indexed };
    });
    const [score, taken] = bytesOf(() =>
      new Predictor(decodeModel(far)).score({ indices: [0, 2, most - 1], values: [1, 2, 3] }),
    );
    expect(score).toBe(new Predictor(dual['few mistakes']!).score({ indices: [0, 2, 4], values: [1, 2, 3] }));
    expect(taken).toBeLessThan(2 ** 24);
  });

  it('makes only the requested names of features', () => {
    const name = featureNamer({ kind: 'hashed', bits: 28 });
    expect(name(most - 1)).toBe(`#${most - 1}`);
  });
});
