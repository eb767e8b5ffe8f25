import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { isDeep } from '../../../../test/support/quick.ts';
import { HalfspaceError } from '../../src/errors.ts';
import type { FeatureEncoding } from '../../src/features/encoding.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import type { Model } from '../../src/model/model.ts';
import { decodeModel as decodeLinear } from '../support/arithmetic.ts';
import { decoded, indexed, models, shapes, signed, training } from '../support/models.ts';

describe('a model file', () => {
  it.each(shapes)('with %s survives, byte for byte', (_, model) => {
    const text = encodeModel(model);
    expect(decodeModel(text)).toEqual(model);
    expect(encodeModel(decodeModel(text))).toBe(text);
  });

  it('of any model survives, byte for byte', () => {
    // Sums of them are finite.
    const number = fc.double({ min: -1e300, max: 1e300, noNaN: true }).map((x) => x + 0);
    const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x + 0));
    const count = fc.nat(Number.MAX_SAFE_INTEGER);
    const weights = fc.oneof(
      fc.array(number, { maxLength: 20 }),
      fc.array(number, { minLength: 257, maxLength: 400 }),
      fc.array(fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: number }), {
        minLength: 257,
        maxLength: 400,
      }),
    );
    const any = fc
      .record({
        weights,
        rule: fc.string(),
        as: fc.option(fc.string()),
        classes: fc
          .uniqueArray(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 })
          .map(([negative, positive]): [string, string] => [negative!, positive!]),
        tie: fc.constantFrom(-1 as const, 1 as const),
        bias: number,
        biasConstant: fc.constantFrom(0, 1, 1 / 3),
        divisor: fc.double({ min: 1e-3, max: 1e300, noNaN: true }),
        firstIndex: fc.constantFrom(0 as const, 1 as const),
        named: fc.boolean(),
        training: fc.record({
          examples: count,
          features: count,
          nonzeros: count,
          passes: count,
          updates: count,
          order: fc.string(),
          seed: count,
          stop: fc.string(),
          separated: fc.option(fc.boolean()),
          progressiveAccuracy: share,
          trainAccuracy: share,
          holdoutAccuracy: share,
        }),
      })
      .map(({ weights, firstIndex, named, ...rest }): LinearModel => {
        const dimension = weights.length;
        const features: FeatureEncoding = named
          ? { kind: 'named', names: weights.map((_, j) => `f${j}`) }
          : { kind: 'indexed', dimension, firstIndex };
        return {
          kind: 'linear',
          options: { updateWhen: 'at-most-zero', C: 0.5, average: true },
          calibration: null,
          ...rest,
          weights: Float64Array.from(weights),
          features,
        };
      });
    forAll(any, (model) => {
      const text = encodeModel(model);
      expect(decodeModel(text)).toEqual(model);
      expect(encodeModel(decodeModel(text))).toBe(text);
    });
  });

  it('is JSON with one member per line, then a digest and a line feed', () => {
    const text = encodeModel(models['plain weights']);
    const lines = text.split('\n');
    expect(lines[0]).toBe('{');
    expect(lines.slice(-2)).toEqual(['}', '']);
    expect(lines.at(-3)).toMatch(/^ {2}"digest": "sha256:[0-9a-f]{64}"$/);
    expect(lines).toContain('  "weights": [0.1,-2,0,5e-324,1.7976931348623157e+308],');
    expect(lines.slice(1, -2).every((line) => /^ {2}"[a-zA-Z]+": .*/.test(line))).toBe(true);
  });

  it('needs a few bytes for a few nonzero weights among many', () => {
    const one = new Float64Array(1 << 20);
    one[12345] = 0.5;
    const model = { ...models['plain weights'], weights: one, features: indexed(1 << 20) };
    expect(encodeModel(model).length).toBeLessThan(1000);
    expect(decodeLinear(encodeModel(model)).weights).toEqual(one);
  });

  it('has no −0, because no score depends on it', () => {
    const model = { ...models['plain weights'], weights: Float64Array.of(-0, 0), bias: -0, features: indexed(2) };
    const again = decodeLinear(encodeModel(model));
    expect([...again.weights, again.bias]).toEqual([0, 0, 0]);
  });

  it('does not depend on the byte order of the machine', () => {
    const text = encodeModel({
      ...models['many weights'],
      weights: new Float64Array(300).fill(1),
      features: indexed(300),
    });
    const { weights } = JSON.parse(text) as { weights: { float64: string } };
    // 1 is 00 00 00 00 00 00 f0 3f in little-endian bytes.
    expect(atob(weights.float64).slice(0, 8)).toBe('\0\0\0\0\0\0\u00f0\u003f');
  });
});

describe('a damaged model file', () => {
  it.each(shapes)('with %s is refused wherever it is cut', (_, model) => {
    const text = encodeModel(model);
    // Without its last line feed it is still whole.
    expect(decodeModel(text.slice(0, -1))).toEqual(model);
    const step = Math.max(1, Math.floor(text.length / (isDeep ? 700 : 70)));
    for (let end = 0; end < text.length - 1; end += step)
      expect(decoded(text.slice(0, end)), `cut at ${end}`).toBeInstanceOf(HalfspaceError);
  });

  it('is refused after any real change', () => {
    let refused = 0;
    forAll(
      1500,
      fc.constantFrom(...shapes),
      fc.array(fc.record({ at: fc.nat(), kind: fc.nat(2), letter: fc.string({ minLength: 1, maxLength: 1 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
      ([, model], edits) => {
        const whole = encodeModel(model);
        let text = whole;
        for (const { at, kind, letter } of edits) {
          const place = at % text.length;
          text = text.slice(0, place) + (kind === 1 ? '' : letter) + text.slice(place + (kind === 2 ? 0 : 1));
        }
        const result = decoded(text);
        // A blank between two members, say, changes nothing.
        if (result instanceof HalfspaceError) refused++;
        else expect(encodeModel(result)).toBe(whole);
      },
    );
    expect(refused).toBeGreaterThan(100);
  });

  it('is refused for any text', () => {
    forAll(500, fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (text) => {
      expect(decoded(text)).toBeInstanceOf(HalfspaceError);
    });
  });

  it.each([
    ['', 'expected a model file (JSON); got other text'],
    ['1 1:0.5 2:3\n', 'expected a model file (JSON); got other text'],
    ['{"format": "halfspace-model", "vers', 'expected a whole model file; got one that is cut short'],
    ['null', 'expected a model file ("format": "halfspace-model"); got other JSON'],
    ['[1, 2]', 'expected a model file ("format": "halfspace-model"); got other JSON'],
    ['{"format": "onnx"}', 'expected a model file ("format": "halfspace-model"); got "format": "onnx"'],
    [
      '{"format": "halfspace-model", "version": 2}',
      'expected the file as it was written; got one that was edited or damaged (its digest does not fit)',
    ],
  ])('%j is refused by name', (text, message) => {
    expect(() => decodeModel(text)).toThrow(expect.objectContaining({ code: 'model-invalid', message }));
  });

  it.each([undefined, '1', 0, 1, 3])('of version %j is refused with what to do', (version) => {
    const text = JSON.stringify({ format: 'halfspace-model', version });
    const message = `got version ${version === undefined ? 'nothing' : JSON.stringify(version)}: use the halfspace that wrote it, or let this one write it again`;
    expect(() => decodeModel(text)).toThrow(`expected a model file of version 2; ${message}`);
  });

  it('is refused with its name, if it has one', () => {
    expect(() => decodeModel('{}', 'spam.json')).toThrow(
      expect.objectContaining({
        message:
          'spam.json: expected a model file ("format": "halfspace-model"); got other JSON: encodeModel writes such files',
        where: { source: 'spam.json' },
      }),
    );
  });
});

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

  it.each<[string, Model, (body: Record<string, unknown>) => unknown]>([
    ['"rule" to be text; got 1', plain, (b) => ({ ...b, rule: 1 })],
    ['"classes" to be two names or more; got ["a"]', plain, (b) => ({ ...b, classes: ['a'] })],
    ['"tie" to be -1 or 1; got 0', plain, (b) => ({ ...b, tie: 0 })],
    ['"weights" to be 5 weights, one per feature; got 2', plain, (b) => ({ ...b, weights: [1, 2] })],
    ['"weights" to be finite numbers; got "others"', plain, (b) => ({ ...b, weights: [1, 2, 3, 4, null] })],
    [
      '"weights.float64" to be base64 of doubles; got "other text"',
      many,
      (b) => ({ ...b, weights: { ...weightsOf(b), float64: 'AAAA' } }),
    ],
    [
      '"weights" to be finite numbers; got "others"',
      many,
      (b) => ({ ...b, weights: { ...weightsOf(b), float64: btoa('\0\0\0\0\0\0\u00f0\u007f'.repeat(300)) } }),
    ],
    [
      '"weights.positions" to be 8 positions; got 1',
      few,
      (b) => ({ ...b, weights: { ...weightsOf(b), positions: 'AAAAAA==' } }),
    ],
    [
      '"weights.positions" to be rising positions below 5000; got 1',
      few,
      (b) => ({ ...b, weights: { ...weightsOf(b), positions: btoa('\x01\0\0\0'.repeat(8)) } }),
    ],
    [
      '"features.kind" to be indexed, named, hashed or table; got "images"',
      plain,
      (b) => ({ ...b, features: { kind: 'images' } }),
    ],
    [
      '"features.dimension" to be a whole number in [0, 268435456]; got 2147483648',
      plain,
      (b) => ({ ...b, features: { ...featuresOf(b), dimension: 2 ** 31 } }),
    ],
    [
      '"features.far.indices" to be each index once; got "repeats"',
      far,
      (b) => ({ ...b, features: { ...featuresOf(b), far: { direct: 2, indices: [17, 17] } } }),
    ],
    [
      '"features.names" to be each name once; got "repeats"',
      named,
      (b) => ({ ...b, features: { kind: 'named', names: ['a', 'b', 'a'] } }),
    ],
    [
      '"features.bits" to be a whole number in [1, 28]; got 40',
      models.hashes,
      (b) => ({ ...b, features: { kind: 'hashed', bits: 40 } }),
    ],
    [
      '"training.trainAccuracy" to be a number in [0, 1]; got 2',
      plain,
      (b) => ({ ...b, training: { ...training, trainAccuracy: 2 } }),
    ],
  ])('is refused: expected %s', (message, model, change) => {
    const refused = expect.objectContaining({ code: 'model-invalid', message: `expected ${message}` });
    expect(() => decodeModel(signed(model, change))).toThrow(refused);
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
