import { describe, expect, it } from 'vitest';
import { HalfspaceError } from '../../src/errors.ts';
import { decodeModel } from '../../src/model/decode.ts';
import type { Model } from '../../src/model/model.ts';
import { decoded, models, signed, training } from '../support/models.ts';

describe('a changed file with a valid digest', () => {
  const plain = models['plain weights'];
  const many = models['many weights'];
  const few = models['few weights among many'];
  const far = models['far indices'];
  const named = models.names;
  const weightsOf = (body: Record<string, unknown>) => body.weights as Record<string, unknown>;
  const featuresOf = (body: Record<string, unknown>) => body.features as Record<string, unknown>;

  it('is a model if it is valid', () => {
    expect(decodeModel(signed(plain, (body) => ({ ...body, bias: 2 })))).toEqual({ ...plain, bias: 2 });
  });

  it.each<[string, Model, (body: Record<string, unknown>) => unknown, string]>([
    ['no rule', plain, (b) => ({ ...b, rule: 1 }), 'expected "rule" to be text; got 1'],
    ['one class', plain, (b) => ({ ...b, classes: ['a'] }), 'expected "classes" to be two names or more; got ["a"]'],
    ['a tie of 0', plain, (b) => ({ ...b, tie: 0 }), 'expected "tie" to be -1 or 1; got 0'],
    [
      'too few weights',
      plain,
      (b) => ({ ...b, weights: [1, 2] }),
      'expected "weights" to be 5 weights, one per feature; got 2',
    ],
    [
      'weights that are no numbers',
      plain,
      (b) => ({ ...b, weights: [1, 2, 3, 4, null] }),
      'expected "weights" to be finite numbers; got "others"',
    ],
    [
      'base64 of half a weight',
      many,
      (b) => ({ ...b, weights: { ...weightsOf(b), float64: 'AAAA' } }),
      'expected "weights.float64" to be base64 of doubles; got "other text"',
    ],
    [
      'an infinite weight',
      many,
      (b) => ({ ...b, weights: { ...weightsOf(b), float64: btoa('\0\0\0\0\0\0\u00f0\u007f'.repeat(300)) } }),
      'expected "weights" to be finite numbers; got "others"',
    ],
    [
      'fewer positions than weights',
      few,
      (b) => ({ ...b, weights: { ...weightsOf(b), positions: 'AAAAAA==' } }),
      'expected "weights.positions" to be 8 positions; got 1',
    ],
    [
      'positions that do not rise',
      few,
      (b) => ({ ...b, weights: { ...weightsOf(b), positions: btoa('\x01\0\0\0'.repeat(8)) } }),
      'expected "weights.positions" to be rising positions below 5000; got 1',
    ],
    [
      'features of another kind',
      plain,
      (b) => ({ ...b, features: { kind: 'images' } }),
      'expected "features.kind" to be indexed, named, hashed or table; got "images"',
    ],
    [
      'more features than memory has',
      plain,
      (b) => ({ ...b, features: { ...featuresOf(b), dimension: 2 ** 31 } }),
      'expected "features.dimension" to be a whole number in [0, 268435456]; got 2147483648',
    ],
    [
      'a far index given twice',
      far,
      (b) => ({ ...b, features: { ...featuresOf(b), far: { direct: 2, indices: [17, 17] } } }),
      'expected "features.far.indices" to be each index once; got "repeats"',
    ],
    [
      'a name given twice',
      named,
      (b) => ({ ...b, features: { kind: 'named', names: ['a', 'b', 'a'] } }),
      'expected "features.names" to be each name once; got "repeats"',
    ],
    [
      'hashes of 40 bits',
      models.hashes,
      (b) => ({ ...b, features: { kind: 'hashed', bits: 40 } }),
      'expected "features.bits" to be a whole number in [1, 28]; got 40',
    ],
    [
      'an accuracy of 2',
      plain,
      (b) => ({ ...b, training: { ...training, trainAccuracy: 2 } }),
      'expected "training.trainAccuracy" to be a number in [0, 1]; got 2',
    ],
  ])('with %s is refused', (_, model, change, message) => {
    const text = signed(model, change);
    expect(() => decodeModel(text)).toThrow(expect.objectContaining({ code: 'model-invalid', message }));
  });

  it('is refused before memory is allocated for a size that it only claims', () => {
    const text = signed(few, (body) => ({
      ...body,
      weights: { length: 2 ** 28, float64: '', positions: '' },
    }));
    const before = process.memoryUsage().arrayBuffers;
    expect(decoded(text)).toBeInstanceOf(HalfspaceError);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 28);
  });

  it('is refused if nested too deeply', () => {
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const text = `{"format": "halfspace-model", "version": 2, "rule": ${nested}, "digest": ""}`;
    expect(decoded(text)).toBeInstanceOf(HalfspaceError);
  });
});
