import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { TableEncoder } from '../../src/features/encode-table.ts';
import { TableFitter } from '../../src/features/fit-table.ts';
import type { TableEncoding } from '../../src/features/table-encoding.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { digestOf } from '../../src/model/digest.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { Model } from '../../src/model/model.ts';
import { EncodedColumns } from '../../src/model/tree/encoded-columns.ts';
import { growTree } from '../../src/model/tree/grow.ts';
import { calibrated, multiclass, signed } from '../support/models.ts';
import { changeAt } from '../support/tables.ts';

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../src/model/model.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, formats: {} }).compile(schema);

function tableEncoding(): TableEncoding {
  const fitter = new TableFitter([
    { name: '__proto__', kind: 'number' },
    { name: 'b', kind: 'category' },
    { name: 'c', kind: 'boolean' },
    { name: 'd', kind: 'date' },
  ]);
  const words = { codes: Uint8Array.of(0, 1, 2), words: ['constructor', 'y', null] };
  const columns = [Float64Array.of(1, 2, Number.NaN), words, Float64Array.of(0, 1, 1), Float64Array.of(1, 2, 9)];
  fitter.observe({ rows: 3, columns });
  return fitter.encoding({
    format: 'csv',
    header: true,
    scale: 'standard',
    label: { column: 'y', type: 'text', classes: ['no', 'yes'], positive: 'yes', negative: 'no' },
    leftOut: [{ name: 'e', reason: 'nested' }],
  });
}

function model(features: Model['features'], dimension: number): Model {
  return {
    kind: 'linear',
    options: { updateWhen: 'at-most-zero' },
    calibration: null,
    rule: 'averaged',
    as: null,
    classes: ['no', 'yes'],
    tie: -1,
    weights: Float64Array.from({ length: dimension }, (_, j) => (j % 3 === 0 ? 0 : j / 7)),
    bias: 0.5,
    biasConstant: 1,
    divisor: 1,
    features,
    training: {
      examples: 3,
      features: dimension,
      nonzeros: 9,
      passes: 2,
      updates: 1,
      order: 'cyclic',
      seed: 1,
      stop: 'separated',
      separated: true,
      progressiveAccuracy: 0.5,
      trainAccuracy: 1,
      holdoutAccuracy: null,
    },
  };
}

/** Texts by name and hashed, rare levels, intervals and a cross. */
function wideEncoding(): TableEncoding {
  const fitter = new TableFitter(
    [
      { name: 'm', kind: 'text' },
      { name: 'h', kind: 'text', options: { bits: 3, names: true, characters: [2, 3] } },
      { name: 'k', kind: 'text', options: { weighting: 'counts', bits: 2 } },
      { name: 'c', kind: 'category', options: { rare: 2 } },
      { name: 'n', kind: 'number', options: { bins: 2 } },
      { name: 't', kind: 'date', options: { parts: ['month', 'hour'] } },
    ],
    { crosses: [['c', 'n']] },
  );
  const words = (...all: (string | null)[]) => ({ codes: Uint8Array.from(all, (_, i) => i), words: all });
  const texts = words('a b', 'b c', null, 'a');
  const columns = [
    texts,
    texts,
    texts,
    words('u', 'u', 'v', 'w'),
    Float64Array.of(1, 2, 3, Number.NaN),
    Float64Array.of(0, 1, 2, 3),
  ];
  fitter.observe({ rows: 4, columns });
  const { kind: _kind, columns: _columns, ...rest } = tableEncoding();
  return fitter.encoding(rest);
}

/** Models of a table of three classes. */
function ofTable(): Model {
  const names = ['a', 'b', 'c'];
  const label = { column: 'y', type: 'text', classes: names, positive: null, negative: null } as const;
  const encoding: TableEncoding = { ...tableEncoding(), label };
  const { dimension } = new TableEncoder(encoding);
  const several = multiclass['several classes']!;
  const functions = several.functions.map((each, k) => ({ ...each, weights: new Float64Array(dimension).fill(k) }));
  return { ...several, classes: names, functions, features: encoding };
}

const table = tableEncoding();
const wide = wideEncoding();
const models: [string, Model][] = [
  ['indexed', model({ kind: 'indexed', dimension: 9, firstIndex: 1 }, 9)],
  ['indexed, many', model({ kind: 'indexed', dimension: 900, firstIndex: 0 }, 900)],
  [
    'indexed, far',
    model({ kind: 'indexed', dimension: 6, firstIndex: 1, far: { direct: 4, indices: [2 ** 32 - 1, 77] } }, 6),
  ],
  ['named', model({ kind: 'named', names: ['a', 'f^b'] }, 2)],
  ['hashed', model({ kind: 'hashed', bits: 3 }, 8)],
  ['table', model(table, new TableEncoder(table).dimension)],
  ['table of texts, intervals and crosses', model(wide, new TableEncoder(wide).dimension)],
  ...Object.entries(multiclass),
  ...Object.entries(calibrated),
  ['a table of several classes', ofTable()],
  [
    'with means',
    { ...ofTable(), means: new Float64Array(new TableEncoder(ofTable().features as TableEncoding).dimension) },
  ],
  [
    'many, with means',
    { ...model({ kind: 'indexed', dimension: 900, firstIndex: 0 }, 900), means: new Float64Array(900).fill(0.1) },
  ],
];

/** A tree over columns of each kind. */
const tree: Model = {
  kind: 'tree',
  rule: 'tree',
  options: { maxDepth: 3 },
  as: null,
  classes: ['no', 'yes'],
  tree: growTree(
    {
      rows: 5,
      columns: new EncodedColumns(table).columns,
      values: [
        Float64Array.of(1, 2, 1, Number.NaN, Number.NaN),
        Int32Array.of(0, 0, 1, 1, -1),
        Float64Array.of(0, 0, 1, 1, 1),
        Float64Array.of(1, 1, 1, 1, 1),
      ],
      classes: ['no', 'yes'],
      labels: Int32Array.of(0, 1, 1, 0, 1),
      importance: null,
    },
    { pruning: null },
  ),
  features: table,
  training: model(table, 0).training,
  calibration: null,
};
models.push(['tree', tree]);

describe('the published schema', () => {
  test.each(models)('accepts written models: %s', (_, written) => {
    const text = encodeModel(written);
    expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
    expect(encodeModel(decodeModel(text))).toBe(text);
  });

  const [, plain] = models[0]!;
  const several = multiclass['several classes']!;
  const level = { kind: 'platt', slope: 1, intercept: 0 };
  type Body = Record<string, unknown>;
  const first = (body: Body, name: string, count: number) => ({ ...body, [name]: (body[name] as []).slice(0, count) });

  test.each<[string, Model, (body: Body) => unknown]>([
    ['"biases" to be 3 finite numbers; got [-0.5,0.5]', several, (b) => first(b, 'biases', 2)],
    ['"weights" to be those of 3 classes; got ', several, (b) => first(b, 'weights', 2)],
    ['"classes" to be three names or more; got ["a","b"]', several, (b) => first(b, 'classes', 2)],
    ['"classes" to be two names; got ["a","b","c"]', plain, (b) => ({ ...b, classes: ['a', 'b', 'c'] })],
    ['"classes" to be each name once', several, (b) => ({ ...b, classes: ['a', 'b', 'a'] })],
    ['"classes" to be each name once', plain, (b) => ({ ...b, classes: ['a', 'a'] })],
    ['"strategy" to be one-vs-rest, kesler or joint', several, (b) => ({ ...b, strategy: 'one-vs-one' })],
    ['"kind" to be linear, multiclass, dual or tree; got "forest"', several, (b) => ({ ...b, kind: 'forest' })],
    ['"options.C" to be a number, ', plain, (b) => ({ ...b, options: { C: [1] } })],
    ['"calibration" to be null or a list of one', plain, (b) => ({ ...b, calibration: [level, level] })],
    ['"calibration.kind" to be softmax or isotonic-leads', several, (b) => ({ ...b, calibration: [level] })],
    [
      '"calibration.kind" to be platt, clipped-platt or isotonic; got "beta"',
      plain,
      (b) => ({ ...b, calibration: [{ ...level, kind: 'beta' }] }),
    ],
    [
      '"calibration.kind" to be platt, clipped-platt or isotonic; got "softmax"',
      plain,
      (b) => ({ ...b, calibration: [{ kind: 'softmax', slope: 1, reach: null }] }),
    ],
    [
      '"calibration.slope" to be a number from 0; got -1',
      several,
      (b) => ({ ...b, calibration: [{ kind: 'softmax', slope: -1, reach: null }] }),
    ],
    [
      '"calibration.reach" to be a number above 0; got 0',
      several,
      (b) => ({ ...b, calibration: [{ kind: 'softmax', slope: 1, reach: 0 }] }),
    ],
    [
      '"calibration.probabilities" to be in [0, 1]; got [0,1.5]',
      plain,
      (b) => ({ ...b, calibration: [{ kind: 'isotonic', scores: [0, 1], probabilities: [0, 1.5] }] }),
    ],
  ])('does not take what decodeModel refuses: expected %s', (message, written, change) => {
    const text = signed(written, change);
    expect(validate(JSON.parse(text))).toBe(false);
    expect(() => decodeModel(text)).toThrow(message);
  });

  // What a schema cannot say decodeModel still refuses.
  test.each<[string, Model, (body: Body) => unknown]>([
    ['"biases" to be 3 finite numbers', several, (b) => ({ ...b, biases: [1, 2, 3, 4] })],
    [
      'those of 3 classes',
      several,
      (b) => ({
        ...b,
        weights: [
          [1, 2],
          [1, 2],
          [1, 2],
          [1, 2],
        ],
      }),
    ],
    ['"weights" to be 2 weights', several, (b) => ({ ...b, weights: [[1, 2], [1], [1, 2]] })],
    [
      '"weights" to be 536870912 at most, of all classes together; got 805306368',
      several,
      (b) => ({
        ...b,
        features: { kind: 'hashed', bits: 28 },
        weights: [0, 1, 2].map(() => ({ length: 2 ** 28, float64: '', positions: '' })),
      }),
    ],
    [
      '"calibration.scores" to be numbers, rising; got [1,0]',
      plain,
      (b) => ({ ...b, calibration: [{ kind: 'isotonic', scores: [1, 0], probabilities: [0, 1] }] }),
    ],
    [
      '"calibration.low" to be below 1; got 2',
      plain,
      (b) => ({ ...b, calibration: [{ kind: 'clipped-platt', slope: 1, intercept: 0, low: 2, high: 1 }] }),
    ],
    [
      '"calibration.leads" to be numbers, rising; got [1,0]',
      several,
      (b) => ({ ...b, calibration: [{ kind: 'isotonic-leads', leads: [1, 0], probabilities: [0, 1] }] }),
    ],
    [
      '"calibration.probabilities" to be numbers that do not fall; got [1,0]',
      plain,
      (b) => ({ ...b, calibration: [{ kind: 'isotonic', scores: [0, 1], probabilities: [1, 0] }] }),
    ],
    [
      '"classes" to be those of the column y: a, b, c; got ["a","b","d"]',
      ofTable(),
      (b) => ({ ...b, classes: ['a', 'b', 'd'] }),
    ],
    [
      '"classes" to be those of the column y: not a, a; got ["a","b","c"]',
      ofTable(),
      (b) => ({
        ...b,
        features: {
          ...(b.features as object),
          label: { ...table.label, classes: ['a', 'b', 'c'], positive: 'a', negative: null },
        },
      }),
    ],
  ])('takes what decodeModel refuses: expected %s', (message, written, change) => {
    const text = signed(written, change);
    expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
    expect(() => decodeModel(text)).toThrow(message);
  });

  test.each(models)('accepts nothing that decodeModel refuses, for changed members: %s', (_, written) => {
    const paths = fc.array(fc.nat(20), { maxLength: 6 });
    const replacement = fc.oneof(
      fc.constantFrom(null, true, '', -1, 2, 1e300, 'x'),
      fc.object({ maxDepth: 1 }),
      fc.constantFrom('tf-idf', [1, 2], 'hashed', ['a', 'b']),
    );
    forAll(500, paths, replacement, (path, value) => {
      const changed = JSON.parse(encodeModel(written));
      changeAt(changed, path, value);
      const { digest: _digest, ...body } = changed;
      const text = JSON.stringify({ ...body, digest: digestOf(body) });
      let decoded = true;
      try {
        decodeModel(text);
      } catch {
        decoded = false;
      }
      if (decoded) expect(validate(JSON.parse(text)), text).toBe(true);
    });
  });
});
