import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { denseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { HalfspaceError } from '../../src/errors.ts';
import * as small from '../../src/face/predict.ts';
import * as withText from '../../src/face/predict-text.ts';
import { dimensionOf } from '../../src/features/dimension.ts';
import type { FitColumn } from '../../src/features/fit-table.ts';
import type { TableEncoding } from '../../src/features/table-encoding.ts';
import * as root from '../../src/index.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { Model } from '../../src/model/model.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import { Random } from '../../src/random.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { calibrated, dual, models, multiclass, signed } from '../support/models.ts';
import { changeAt, fitted } from '../support/tables.ts';

/** The three entries that ask models. Each reads and asks all kinds of the one before, and more. */
const entries = { 'halfspace/predict': small, 'halfspace/predict/text': withText, halfspace: root } as const;
type Entry = keyof typeof entries;

const plain: readonly FitColumn[] = [
  { name: 'n', kind: 'number' },
  { name: 'cut', kind: 'number', options: { bins: 3 } },
  { name: 'yes', kind: 'boolean' },
  { name: 'day', kind: 'date', options: { parts: ['month', 'weekday', 'hour'] } },
  { name: 'late', kind: 'date', options: { bins: 2 } },
  { name: 'c', kind: 'category', options: { rare: 3 } },
  { name: 'd', kind: 'category' },
];
const textual: readonly FitColumn[] = [
  { name: 'words', kind: 'text', options: { words: [1, 2] } },
  { name: 'letters', kind: 'text', options: { characters: [2, 3], bits: 4, weighting: 'counts' } },
];
/** Columns whose cells are not written plainly, or have several values. */
const formed: readonly FitColumn[] = [
  { name: 'us', kind: 'date', form: 'mdy', options: { parts: ['month', 'hour'] } },
  { name: 'tags', kind: 'set', form: { separator: ';' }, options: { rare: 3 } },
  { name: 'euros', kind: 'number', form: { decimal: ',', group: '.', unit: '€' } },
];
const values: Record<string, readonly (string | null)[]> = {
  n: ['1', '-2.5', null, '3e2'],
  cut: ['0', '1', '2', '7', ''],
  yes: ['true', 'no', null],
  day: ['2024-02-29', '2023-12-01T13:00', '1999-07-06', null],
  late: ['2024-01-01', '2024-03-01', '2025-01-01T10:00:00.5+02:00'],
  c: ['a', 'b', 'b', 'c', null],
  d: ['u', '__proto__', 'é'],
  words: ['free prize now', 'see you', 'see me now', '日本 go', null],
  letters: ['abc', 'bcd', 'über'],
  us: ['1/13/2022', '2/3/22 13:00', null, '12-31-1999, 1:44 PM'],
  tags: ['a;b', 'b', 'b; c;', '["a", "c"]', 'd', null],
  euros: ['1.234,50 €', '5', '-0,5', null],
};

/** A table of all kinds of columns, as training encodes it. */
function tableOf(columns: readonly FitColumn[], scale: TableEncoding['scale']): TableEncoding {
  const random = new Random(3);
  const cells = columns.map(({ name }) =>
    Array.from({ length: 60 }, () => values[name]![random.below(values[name]!.length)]!),
  );
  return {
    ...fitted(columns, cells, {
      crosses: [
        ['c', 'cut'],
        ['d', 'late'],
      ],
    }),
    scale,
  };
}

function linearOf(features: Model['features'], classes: 2 | 3): Model {
  const random = new Random(7);
  const draw = () => Float64Array.from({ length: dimensionOf(features) }, () => random.uniform() * 2 - 1);
  const first = {
    ...models['plain weights'],
    features,
    calibration: calibrated['two classes, calibrated']!.calibration,
  };
  if (classes === 2) return labelled({ ...first, weights: draw() });
  const { bias: _, biasConstant: _c, divisor: _d, weights: _w, ...common } = first;
  const several = calibrated['several classes, calibrated']! as Extract<Model, { kind: 'multiclass' }>;
  const functions = several.functions.map((each) => ({ ...each, weights: draw() }));
  return labelled({
    ...several,
    ...common,
    kind: 'multiclass',
    classes: ['a', 'b', 'c'],
    calibration: several.calibration,
    functions,
  } as Model);
}

/** Gives a table the model's classes. */
function labelled(model: Model): Model {
  if (model.features.kind !== 'table') return model;
  const { classes } = model;
  const two =
    classes.length === 2 ? { positive: classes[1]!, negative: classes[0]! } : { positive: null, negative: null };
  return {
    ...model,
    features: { ...model.features, label: { column: 'y', type: 'text', classes: [...classes].sort(), ...two } },
  };
}

const { model: tree } = await trainOnce(arraySource(denseBatch([[1], [2], [3], [4]], [-1, -1, 1, 1])), {
  rule: 'tree',
});

/** Models that only some entries can ask, and the first entry that can. */
const tables: readonly (readonly [name: string, Model, Entry])[] = (['none', 'standard'] as const).flatMap((scale) =>
  ([2, 3] as const).flatMap((classes) => [
    [`a table, ${scale}, ${classes} classes`, linearOf(tableOf(plain, scale), classes), 'halfspace/predict'] as const,
    [
      `a table of text, ${scale}, ${classes} classes`,
      linearOf(tableOf([...plain, ...textual], scale), classes),
      'halfspace/predict/text',
    ] as const,
    ...formed.map(
      (column) =>
        [
          `a table of ${column.name}, ${scale}, ${classes} classes`,
          linearOf(tableOf([...plain, column], scale), classes),
          'halfspace/predict/text',
        ] as const,
    ),
  ]),
);
const all: readonly (readonly [name: string, Model, Entry])[] = [
  ...Object.entries({ ...models, ...multiclass, ...calibrated }).map(
    ([name, model]) =>
      [
        name,
        model,
        ['named', 'hashed'].includes(model.features.kind) ? 'halfspace/predict/text' : 'halfspace/predict',
      ] as const,
  ),
  ...tables,
  ...Object.entries(dual).map(([name, model]) => [name, model, 'halfspace'] as const),
  ['a tree', tree, 'halfspace'],
];
const names = Object.keys(entries) as Entry[];

/** Returns what a call gives, or its error; values of equal bits are equal. */
function outcome(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    const { code, message, where } = error;
    return { code, message, where };
  }
}

const field = fc.oneof(
  fc.constantFrom(...Object.values(values).flat(), undefined, ' NA ', 'never', '1e999', '2024-02-30'),
  fc.double(),
  fc.integer({ min: -3, max: 9 }),
  fc.boolean(),
  fc.date(),
  fc.constantFrom([], {}, 3n, ['a'], ['b', null, 3, 'b'], [[1]]),
);
const numberedRow = fc.oneof(
  fc.array(fc.double({ min: -9, max: 9 }), { maxLength: 8 }),
  fc.float64Array({ minLength: 5, maxLength: 5 }),
  fc.record({ indices: fc.array(fc.nat(20), { maxLength: 4 }), values: fc.array(fc.double(), { maxLength: 4 }) }),
);
const namedRow = fc.dictionary(
  fc.constantFrom('a^b', ' ', 'né\n"^\u2028', 'x', 'colour "é"', ...Object.keys(values), 'constructor'),
  field,
);
const row = fc.oneof({ weight: 4, arbitrary: namedRow }, { weight: 2, arbitrary: numberedRow }, fc.anything());

describe.each(names)('the import %s', (entry) => {
  const { decodeModel, Predictor, HalfspaceError: OwnError } = entries[entry];
  const answered = all.filter(([, , first]) => names.indexOf(first) <= names.indexOf(entry));
  const leftOut = all.filter(([, , first]) => names.indexOf(first) > names.indexOf(entry));

  it.each(answered)('reads %s as halfspace does', (_, model) => {
    expect(decodeModel(encodeModel(model))).toEqual(root.decodeModel(encodeModel(model)));
  });

  it.each(answered)('gives rows the same answers of %s, or the same errors, as halfspace', (_, model) => {
    const read = decodeModel(encodeModel(model));
    if (model.features.kind === 'hashed') {
      expect(outcome(() => new Predictor(read))).toEqual(outcome(() => new root.Predictor(read)));
      return;
    }
    const [own, full] = [new Predictor(read), new root.Predictor(read)];
    forAll(200, row, (given) => {
      for (const ask of ['predict', 'score', 'scores', 'probabilities'] as const)
        expect(outcome(() => own[ask](given as RawRow))).toEqual(outcome(() => full[ask](given as RawRow)));
    });
  });

  it.each(leftOut)('refuses %s, and names the import that takes it', (_, model, first) => {
    const refused = expect.objectContaining({ code: 'option-invalid', message: expect.stringContaining(`"${first}"`) });
    expect(() => decodeModel(encodeModel(model))).toThrow(refused);
    expect(() => new Predictor(model)).toThrow(refused);
    expect(() => decodeModel(encodeModel(model))).toThrow(OwnError);
  });

  it('refuses changed files with the errors of halfspace', () => {
    const numbers = fc.constantFrom(0, -1, 0.5, 2 ** 31, 1e308, 5e-324);
    const others = fc.constantFrom(null, '', 'x', [], {}, [[0]], { float64: 'AAAA' }, true);
    const harm = fc.oneof(numbers, others);
    let refusals = 0;
    forAll(
      1500,
      fc.constantFrom(...answered),
      fc.array(fc.nat(60), { maxLength: 5 }),
      harm,
      ([, model], path, value) => {
        const text = signed(model, (body) => changeAt(body, path, value, ['digest', 'format']));
        const expected = outcome(() => root.decodeModel(text, 'a file'));
        const got = outcome(() => decodeModel(text, 'a file')) as { code?: string };
        // The change may have made it a model of a kind that this entry leaves out.
        if (got.code === 'option-invalid' && entry !== 'halfspace') return;
        expect(got).toEqual(expected);
        if (got.code !== undefined) refusals++;
      },
    );
    expect(refusals).toBeGreaterThan(40);
  });

  it('refuses text that is no model with the errors of halfspace', () => {
    const whole = encodeModel(models['plain weights']);
    for (const text of ['', '{}', 'x', '[1]', whole.slice(0, -3), whole.replace('0.1', '0.2')]) {
      const got = outcome(() => decodeModel(text, 'a file'));
      expect(got).toEqual(outcome(() => root.decodeModel(text, 'a file')));
      expect(got).toMatchObject({ code: 'model-invalid', where: { source: 'a file' } });
    }
  });

  it('refuses values that are no text and no model', () => {
    const model = models['plain weights'];
    for (const value of [model, null, undefined, 1])
      expect(outcome(() => decodeModel(value as never))).toMatchObject({
        code: 'model-invalid',
        message: expect.stringMatching(
          /^expected (the text of a model file, its bytes or its parsed JSON|a model file)/,
        ),
      });
    const json = JSON.parse(encodeModel(model));
    const notModels = [encodeModel(model), json, { model }, { kind: 'toString' }, null, undefined];
    for (const value of notModels) {
      expect(outcome(() => encodeModel(value as never))).toMatchObject({ code: 'option-invalid' });
      expect(outcome(() => new Predictor(value as never))).toMatchObject({
        code: 'option-invalid',
        message: expect.stringContaining('expected a model, such as decodeModel(text); got '),
      });
    }
  });
});
