import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySource } from '../src/data/in-memory.ts';
import { HalfspaceError } from '../src/errors.ts';
import type { FeatureEncoding } from '../src/features/encoding.ts';
import { decodeModel, dimensionOf } from '../src/model/decode.ts';
import { digestOf, encodeModel } from '../src/model/encode.ts';
import type { Model } from '../src/model/model.ts';
import { train } from '../src/train/train.ts';
import { dense, example } from './support/examples.ts';
import { wasm } from './support/kernels.ts';

const training: Model['training'] = {
  examples: 4,
  features: 2,
  nonzeros: 8,
  passes: 3,
  updates: 5,
  order: 'cyclic',
  seed: 1,
  stop: 'separated',
  separated: true,
  progressiveAccuracy: 0.25,
  trainAccuracy: 1,
  holdoutAccuracy: null,
};

function modelOf(weights: readonly number[], features: FeatureEncoding): Model {
  return {
    rule: 'averaged',
    as: null,
    classes: ['lo', 'hi'],
    tie: -1,
    bias: -4.5,
    biasConstant: 1,
    divisor: 1,
    weights: Float64Array.from(weights),
    features,
    training,
  };
}

const table: FeatureEncoding = {
  kind: 'table',
  format: 'csv',
  header: true,
  scale: 'standard',
  label: { column: 'kind', type: 'text', classes: ['hi', 'lo'], positive: 'hi', negative: 'lo' },
  columns: [
    { kind: 'number', name: 'x', mean: 1.5, deviation: 2, missing: { count: 0, fill: 1.5, indicator: false } },
    { kind: 'category', name: 'colour "é"', levels: ['blue', 'red'], missing: { count: 1, indicator: true } },
  ],
  leftOut: [{ name: 'id', reason: 'all-different' }],
};

const indexed = (dimension: number): FeatureEncoding => ({ kind: 'indexed', dimension, firstIndex: 1 });

/** One of each shape that a file can have: plain numbers, base64, and base64 with positions; and each kind of features. */
const models = {
  'plain weights': modelOf([0.1, -2, 0, 4.9e-324, 1.7976931348623157e308], indexed(5)),
  'no weights': modelOf([], indexed(0)),
  'many weights': modelOf(
    Array.from({ length: 300 }, (_, j) => 1 / (j + 1)),
    indexed(300),
  ),
  'few weights among many': modelOf(
    Array.from({ length: 5000 }, (_, j) => (j % 700 === 3 ? -j / 7 : 0)),
    indexed(5000),
  ),
  'only zeros': modelOf(Array(1000).fill(0), indexed(1000)),
  names: modelOf([1, 2, 3], { kind: 'named', names: ['a^b', ' ', 'né\n"^\u2028'] }),
  hashes: modelOf([0, 0, 1, 0], { kind: 'hashed', bits: 2 }),
  'far indices': modelOf([1, 2, 3, 4], {
    kind: 'indexed',
    dimension: 4,
    firstIndex: 0,
    far: { direct: 2, indices: [4294967295, 17] },
  }),
  'a table': modelOf(
    Array.from({ length: dimensionOf(table) }, (_, j) => j + 0.5),
    table,
  ),
};

const shapes = Object.entries(models);

/** The file of a model whose members were changed by somebody who knows how to sign it. */
function signed(model: Model, change: (body: Record<string, unknown>) => unknown): string {
  const { digest: _, ...body } = JSON.parse(encodeModel(model)) as Record<string, unknown>;
  const changed = (change(body) ?? body) as Record<string, unknown>;
  return JSON.stringify({ ...changed, digest: digestOf(changed) });
}

/** What decoding gives: a model, or the one error that it may give. */
function decoded(text: string): Model | HalfspaceError {
  try {
    return decodeModel(text);
  } catch (error) {
    if (error instanceof HalfspaceError && error.code === 'model-invalid') return error;
    throw error;
  }
}

describe('a model file', () => {
  it.each(shapes)('with %s is read as it was written, and written again byte for byte', (_, model) => {
    const text = encodeModel(model);
    expect(decodeModel(text)).toEqual(model);
    expect(encodeModel(decodeModel(text))).toBe(text);
  });

  it('of any model is read as it was written, and written again byte for byte', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
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
        classes: fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
        tie: fc.constantFrom(-1 as const, 1 as const),
        bias: number,
        biasConstant: fc.constantFrom(0, 1, 1 / 3),
        divisor: fc.double({ min: 5e-324, max: 1e308, noNaN: true }),
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
      .map(({ weights, firstIndex, named, ...rest }): Model => {
        const dimension = weights.length;
        const features: FeatureEncoding = named
          ? { kind: 'named', names: weights.map((_, j) => `f${j}`) }
          : { kind: 'indexed', dimension, firstIndex };
        return { ...rest, weights: Float64Array.from(weights), features };
      });
    fc.assert(
      fc.property(any, (model) => {
        const text = encodeModel(model);
        expect(decodeModel(text)).toEqual(model);
        expect(encodeModel(decodeModel(text))).toBe(text);
      }),
    );
  });

  it('of a trained model is that model, with its bits', async () => {
    const data = [example(-1, 3, 0.1), example(-1, 4, 0.7), example(1, 6, 0.3), example(1, 7, 0.2)];
    for (const as of [undefined, 'cs4780', 'foda', 'lecture-9'] as const) {
      const { model } = await train(arraySource(dense(data)), { kernels: wasm(), as });
      expect(decodeModel(encodeModel(model))).toEqual(model);
    }
  });

  it('is JSON with one member a line, ended by a digest and a line feed', () => {
    const text = encodeModel(models['plain weights']);
    const lines = text.split('\n');
    expect(lines[0]).toBe('{');
    expect(lines.slice(-2)).toEqual(['}', '']);
    expect(lines.at(-3)).toMatch(/^ {2}"digest": "sha256:[0-9a-f]{64}"$/);
    expect(lines).toContain('  "weights": [0.1,-2,0,5e-324,1.7976931348623157e+308],');
    expect(lines.slice(1, -2).every((line) => /^ {2}"[a-zA-Z]+": .*/.test(line))).toBe(true);
  });

  it('takes a few bytes for a few weights, however many there are', () => {
    const one = new Float64Array(1 << 20);
    one[12345] = 0.5;
    const model = { ...models['plain weights'], weights: one, features: indexed(1 << 20) };
    expect(encodeModel(model).length).toBeLessThan(1000);
    expect(decodeModel(encodeModel(model)).weights).toEqual(one);
  });

  it('has no −0: no score depends on it', () => {
    const model = { ...models['plain weights'], weights: Float64Array.of(-0, 0), bias: -0, features: indexed(2) };
    const again = decodeModel(encodeModel(model));
    expect([...again.weights, again.bias]).toEqual([0, 0, 0]);
  });

  it('keeps its weights when it is written and read on a machine of either byte order', () => {
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

describe('a file that is not as it was written', () => {
  it.each(shapes)('with %s is refused wherever it is cut', (_, model) => {
    const text = encodeModel(model);
    // Without its last line feed it is still whole.
    expect(decodeModel(text.slice(0, -1))).toEqual(model);
    const step = Math.max(1, Math.floor(text.length / 700));
    for (let end = 0; end < text.length - 1; end += step)
      expect(decoded(text.slice(0, end)), `cut at ${end}`).toBeInstanceOf(HalfspaceError);
  });

  it('is refused whatever was changed, unless nothing was', () => {
    let refused = 0;
    fc.assert(
      fc.property(
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
      ),
      { numRuns: 1500 },
    );
    expect(refused).toBeGreaterThan(1000);
  });

  it('is refused when its text is anything', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (text) => {
        expect(decoded(text)).toBeInstanceOf(HalfspaceError);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['', 'expected a model file (JSON); got other text'],
    ['1 1:0.5 2:3\n', 'expected a model file (JSON); got other text'],
    ['{"format": "halfspace-model", "vers', 'expected a whole model file; got one that is cut short'],
    ['null', 'expected a model file ("format": "halfspace-model"); got other JSON'],
    ['[1, 2]', 'expected a model file ("format": "halfspace-model"); got other JSON'],
    ['{"format": "onnx"}', 'expected a model file ("format": "halfspace-model"); got other JSON'],
    ['{"format": "halfspace-model"}', 'expected "version" to be 1; got undefined'],
    ['{"format": "halfspace-model", "version": "1"}', 'expected "version" to be 1; got "1"'],
    ['{"format": "halfspace-model", "version": 0}', 'expected "version" to be 1; got 0'],
    [
      '{"format": "halfspace-model", "version": 2}',
      'expected a model of version 1 or older; got version 2: a newer halfspace wrote it',
    ],
    [
      '{"format": "halfspace-model", "version": 1}',
      'expected the file as it was written; got one that was edited or damaged (its digest does not fit)',
    ],
  ])('%j is refused by name', (text, message) => {
    expect(() => decodeModel(text)).toThrow(expect.objectContaining({ code: 'model-invalid', message }));
  });

  it('is refused with its name, where it has one', () => {
    expect(() => decodeModel('{}', 'spam.json')).toThrow(
      expect.objectContaining({
        message: 'spam.json: expected a model file ("format": "halfspace-model"); got other JSON',
        where: { source: 'spam.json' },
      }),
    );
  });

  it('edited by hand is refused, even where the edit makes sense', () => {
    const text = encodeModel(models['plain weights']);
    expect(() => decodeModel(text.replace('"bias": -4.5', '"bias": -4.25'))).toThrow(/edited or damaged/);
  });
});

describe('a file that was signed again', () => {
  const plain = models['plain weights'];
  const many = models['many weights'];
  const few = models['few weights among many'];
  const far = models['far indices'];
  const named = models.names;
  const weightsOf = (body: Record<string, unknown>) => body.weights as Record<string, unknown>;
  const featuresOf = (body: Record<string, unknown>) => body.features as Record<string, unknown>;

  it('is a model where it could be one', () => {
    expect(decodeModel(signed(plain, (body) => ({ ...body, bias: 2 })))).toEqual({ ...plain, bias: 2 });
  });

  it.each<[string, Model, (body: Record<string, unknown>) => unknown, string]>([
    ['no rule', plain, (b) => ({ ...b, rule: 1 }), 'expected "rule" to be text; got 1'],
    ['a strange lecture', plain, (b) => ({ ...b, as: 7 }), 'expected "as" to be a name or null; got 7'],
    ['one class', plain, (b) => ({ ...b, classes: ['a'] }), 'expected "classes" to be two names; got ["a"]'],
    [
      'classes that are no names',
      plain,
      (b) => ({ ...b, classes: [1, 2] }),
      'expected "classes" to be two names; got [1,2]',
    ],
    ['a tie of 0', plain, (b) => ({ ...b, tie: 0 }), 'expected "tie" to be -1 or 1; got 0'],
    ['no bias', plain, (b) => ({ ...b, bias: null }), 'expected "bias" to be a finite number; got null'],
    [
      'a negative constant',
      plain,
      (b) => ({ ...b, biasConstant: -1 }),
      'expected "biasConstant" to be a number from 0; got -1',
    ],
    ['a divisor of 0', plain, (b) => ({ ...b, divisor: 0 }), 'expected "divisor" to be a number from 5e-324; got 0'],
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
    ['no weights', plain, (b) => ({ ...b, weights: 5 }), 'expected "weights" to be numbers or an object; got 5'],
    [
      'base64 of fewer weights',
      many,
      (b) => ({ ...b, weights: { ...weightsOf(b), float64: 'AAAAAAAA8D8=' } }),
      'expected "weights.float64" to be 300 numbers; got 1',
    ],
    [
      'base64 of half a weight',
      many,
      (b) => ({ ...b, weights: { ...weightsOf(b), float64: 'AAAA' } }),
      'expected "weights.float64" to be whole doubles; got "3 bytes"',
    ],
    [
      'other text than base64',
      many,
      (b) => ({ ...b, weights: { ...weightsOf(b), float64: '*' } }),
      'expected "weights.float64" to be base64; got "other text"',
    ],
    [
      'an infinite weight',
      many,
      (b) => ({ ...b, weights: { ...weightsOf(b), float64: btoa('\0\0\0\0\0\0\u00f0\u007f'.repeat(300)) } }),
      'expected "weights" to be finite numbers; got "others"',
    ],
    [
      'more weights than features',
      many,
      (b) => ({ ...b, features: { ...featuresOf(b), dimension: 299 } }),
      'expected "weights" to be 299 weights, one per feature; got 300',
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
      'a position without a weight',
      few,
      (b) => ({ ...b, weights: { ...weightsOf(b), float64: 'AAAAAAAA8D8=', positions: '/////w==' } }),
      'expected "weights.positions" to be rising positions below 5000; got 4294967295',
    ],
    ['no features', plain, (b) => ({ ...b, features: null }), 'expected "features" to be an object; got null'],
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
      'expected "dimension" to be a whole number in [0, 268435456]; got 2147483648',
    ],
    [
      'a first index of 2',
      plain,
      (b) => ({ ...b, features: { ...featuresOf(b), firstIndex: 2 } }),
      'expected "firstIndex" to be 0 or 1; got 2',
    ],
    [
      'a far index that is near',
      far,
      (b) => ({ ...b, features: { ...featuresOf(b), far: { direct: 2, indices: [1, 17] } } }),
      'expected "far.indices" to be whole numbers in [2, 4294967295]; got [1,17]',
    ],
    [
      'a far index given twice',
      far,
      (b) => ({ ...b, features: { ...featuresOf(b), far: { direct: 2, indices: [17, 17] } } }),
      'expected "far.indices" to be each index once; got "repeats"',
    ],
    [
      'a name given twice',
      named,
      (b) => ({ ...b, features: { kind: 'named', names: ['a', 'b', 'a'] } }),
      'expected "names" to be each name once; got "repeats"',
    ],
    [
      'hashes of 40 bits',
      models.hashes,
      (b) => ({ ...b, features: { kind: 'hashed', bits: 40 } }),
      'expected "bits" to be a whole number in [0, 28]; got 40',
    ],
    [
      'hashes of no bits',
      models.hashes,
      (b) => ({ ...b, features: { kind: 'hashed', bits: 0 } }),
      'expected "bits" to be in [1, 28]; got 0',
    ],
    [
      'an accuracy of 2',
      plain,
      (b) => ({ ...b, training: { ...training, trainAccuracy: 2 } }),
      'expected "training.trainAccuracy" to be null or in [0, 1]; got 2',
    ],
    [
      'half a pass',
      plain,
      (b) => ({ ...b, training: { ...training, passes: 0.5 } }),
      'expected "passes" to be a whole number in [0, 9007199254740991]; got 0.5',
    ],
    ['no training', plain, (b) => ({ ...b, training: [] }), 'expected "training" to be an object; got []'],
  ])('with %s is refused', (_, model, change, message) => {
    const text = signed(model, change);
    expect(() => decodeModel(text)).toThrow(expect.objectContaining({ code: 'model-invalid', message }));
  });

  it('is refused, whatever is put in the place of any member, or is a whole model', () => {
    const small = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(-1, 0, 1, 2, 300, 5000, 2 ** 32, 1e308, 'indexed', 'table', '', [], {}, null, true),
      fc.constant({ toString: 1, valueOf: 1, toJSON: 1 }),
      fc.constant(JSON.parse('{"__proto__": {"kind": "named", "names": []}}') as unknown),
    );
    let models = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.constantFrom(...shapes), fc.array(fc.nat(), { maxLength: 5 }), small, ([, model], path, value) => {
        const text = signed(model, (body) => {
          let place: Record<string, unknown> = body;
          for (const step of path) {
            const keys = Object.keys(place).filter((key) => !['format', 'version'].includes(key));
            if (keys.length === 0) break;
            const key = keys[step % keys.length]!;
            const next = place[key];
            if (typeof next !== 'object' || next === null || step % 3 === 0) {
              place[key] = value;
              break;
            }
            place = next as Record<string, unknown>;
          }
        });
        const result = decoded(text);
        if (result instanceof HalfspaceError) {
          refused++;
          return;
        }
        models++;
        expect(result.weights.every(Number.isFinite)).toBe(true);
        expect(result.weights).toHaveLength(dimensionOf(result.features));
        expect(decodeModel(encodeModel(result))).toEqual(result);
      }),
      { numRuns: 2000 },
    );
    expect(refused).toBeGreaterThan(500);
    expect(models).toBeGreaterThan(100);
  });

  it('is refused before memory is asked for that it only claims to fill', () => {
    const text = signed(few, (body) => ({
      ...body,
      weights: { length: 2 ** 28, float64: '', positions: '' },
    }));
    const before = process.memoryUsage().arrayBuffers;
    expect(decoded(text)).toBeInstanceOf(HalfspaceError);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 28);
  });

  it('is refused when it is nested deeper than anything can be written', () => {
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const text = `{"format": "halfspace-model", "version": 1, "rule": ${nested}, "digest": ""}`;
    expect(decoded(text)).toBeInstanceOf(HalfspaceError);
  });
});
