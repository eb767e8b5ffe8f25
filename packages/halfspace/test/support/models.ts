import { HalfspaceError } from '../../src/errors.ts';
import { dimensionOf } from '../../src/features/dimension.ts';
import type { FeatureEncoding } from '../../src/features/encoding.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { digestOf } from '../../src/model/digest.ts';
import type { DualFunction } from '../../src/model/dual/function.ts';
import type { DualModel } from '../../src/model/dual/model.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import type { Model } from '../../src/model/model.ts';
import type { MulticlassModel } from '../../src/model/multiclass/model.ts';

export const training: Model['training'] = {
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

function modelOf(weights: readonly number[], features: FeatureEncoding): LinearModel {
  return {
    kind: 'linear',
    options: { updateWhen: 'at-most-zero' },
    calibration: null,
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

function severalOf(
  classes: readonly string[],
  weights: readonly (readonly number[])[],
  features: FeatureEncoding,
): MulticlassModel {
  return {
    kind: 'multiclass',
    strategy: 'one-vs-rest',
    rule: 'averaged',
    options: { updateWhen: 'at-most-zero' },
    as: null,
    classes,
    functions: weights.map((each, k) => ({
      weights: Float64Array.from(each),
      bias: k - 0.5,
      biasConstant: 1,
      divisor: 2,
    })),
    calibration: null,
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

export const indexed = (dimension: number): FeatureEncoding => ({ kind: 'indexed', dimension, firstIndex: 1 });

/** Models of every file form: plain numbers, base64, base64 with positions; and of each kind of features. */
export const models = {
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

/** Models of several classes, weights of each shape, and calibrations. */
export const multiclass: Record<string, MulticlassModel> = {
  'several classes': severalOf(
    ['a', 'b', 'c'],
    [
      [0.5, 1],
      [-1, 0],
      [0, 0.25],
    ],
    indexed(2),
  ),
  'several classes, many weights': severalOf(
    ['a', 'b', 'c', 'd'],
    [1, 2, 3, 0].map((k) => Array.from({ length: 400 }, (_, j) => (j % 3 === k ? k / (j + 1) : 0))),
    indexed(400),
  ),
};

/** The same with what makes probabilities of their scores. */
export const calibrated: Record<string, Model> = {
  'two classes, calibrated': {
    ...models['plain weights'],
    calibration: [{ kind: 'platt', slope: 1.5, intercept: -0.25 }],
  },
  'two classes, calibrated on clipped scores': {
    ...models['plain weights'],
    calibration: [{ kind: 'clipped-platt', slope: 1.5, intercept: -0.25, low: -2, high: 0.1 }],
  },
  'several classes, calibrated': {
    ...multiclass['several classes']!,
    calibration: [{ kind: 'softmax', slope: 2, reach: 0.75 }],
  },
  'several classes, calibrated by leads': {
    ...multiclass['several classes']!,
    calibration: [{ kind: 'isotonic-leads', leads: [-2, 0, 0.5], probabilities: [0, 0.5, 1] }],
  },
};

const { bias: _bias, divisor: _divisor, weights: _weights, ...common } = models['plain weights'];

/** A model of functions in dual form, trained on nothing. */
export function dualOf(
  functions: readonly DualFunction[],
  features: FeatureEncoding,
  classes = ['lo', 'hi'],
): DualModel {
  const { biasConstant: _, ...rest } = common;
  return { ...rest, kind: 'dual', rule: 'kernel', classes, features, functions };
}

const mistakes = (k: number, count: number): DualFunction => ({
  kernel: { kind: 'polynomial', degree: 2, gamma: 0.5, coef0: 1 },
  aggregate: 'averaged',
  biasConstant: 1,
  divisor: 2,
  support: {
    dimension: 5,
    offsets: Uint32Array.from({ length: count + 1 }, (_, row) => 2 * row),
    indices: Uint32Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? k : 4)),
    values: Float64Array.from({ length: 2 * count }, (_, at) => (at + 1) / 7),
  },
  rows: Uint32Array.from({ length: 2 * count }, (_, at) => at % count),
  coefficients: Float64Array.from({ length: 2 * count }, (_, at) => (at % 3 === 0 ? -1 : 0.5)),
  survivals: Float64Array.from({ length: 2 * count + 1 }, (_, at) => at),
});

/** Models in dual form: few and many mistakes, two and three classes, the last vector alone, no vector. */
export const dual: Record<string, DualModel> = {
  'few mistakes': dualOf([mistakes(0, 3)], indexed(5)),
  'many mistakes': dualOf([mistakes(1, 200)], indexed(5)),
  'mistakes of several classes': dualOf([mistakes(0, 2), mistakes(1, 4), mistakes(2, 1)], indexed(5), ['a', 'b', 'c']),
  'the last vector of mistakes': dualOf(
    [{ ...mistakes(0, 3), kernel: { kind: 'rbf', gamma: 2 }, aggregate: 'last', survivals: new Float64Array(0) }],
    indexed(5),
  ),
};

export const shapes: [string, Model][] = Object.entries({
  ...models,
  ...multiclass,
  ...dual,
  ...calibrated,
  'with means': { ...models['plain weights'], means: Float64Array.of(1, 0, -0.5, 0.1, 4.9e-324) },
  'many weights, with means': {
    ...models['many weights'],
    means: Float64Array.from({ length: 300 }, (_, j) => 1 / (j + 2)),
  },
});

/** The file of a model whose members were changed by somebody who knows how to sign it. */
export function signed(model: Model, change: (body: Record<string, unknown>) => unknown): string {
  const { digest: _, ...body } = JSON.parse(encodeModel(model)) as Record<string, unknown>;
  const changed = (change(body) ?? body) as Record<string, unknown>;
  return JSON.stringify({ ...changed, digest: digestOf(changed) });
}

/** Returns the decoded model, or its error. */
export function decoded(text: string): Model | HalfspaceError {
  try {
    return decodeModel(text);
  } catch (error) {
    if (error instanceof HalfspaceError && error.code === 'model-invalid') return error;
    throw error;
  }
}
