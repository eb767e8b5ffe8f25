import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { dimensionOf } from '../../src/features/dimension.ts';
import { featureNamer } from '../../src/features/names.ts';
import type { Explanation } from '../../src/model/explain-row.ts';
import { exactSum } from '../../src/model/explainer.ts';
import { featureReaders } from '../../src/model/feature-readers.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { FeatureList, type RawRow, rawFeatures } from '../../src/model/raw-features.ts';
import { exact } from '../support/arithmetic.ts';
import { dual, indexed, models, multiclass } from '../support/models.ts';
import { fitted } from '../support/tables.ts';

const table = fitted(
  [
    { name: 'n', kind: 'number' },
    { name: 'c', kind: 'category' },
    { name: 'd', kind: 'category' },
    { name: 'said', kind: 'text' },
    { name: 'on', kind: 'date' },
    { name: 'ok', kind: 'boolean' },
  ],
  [
    ['1', '2', '', '5'],
    ['a', 'b', 'a', 'b'],
    ['u', 'v', 'v', 'u'],
    ['free prize', 'see you', 'see me', 'free'],
    ['2024-01-01', '2024-02-01', '2024-03-01', '2024-02-29'],
    ['yes', 'no', 'yes', 'yes'],
  ],
  { crosses: [['c', 'd']] },
);
const weights = (length: number) => Float64Array.from({ length }, (_, j) => ((j * 7) % 5) - 1.75);
const plain = models['plain weights'];
const width = dimensionOf(table);
const ofTable: LinearModel = { ...plain, features: table, weights: weights(width), bias: 0.5, divisor: 2 };
const ofNumbers: LinearModel = { ...plain, weights: weights(5) };
const several = multiclass['several classes']!;

const tableRow: fc.Arbitrary<RawRow> = fc.record(
  {
    n: fc.constantFrom(1, 2.5, null, '7', 0, 1e-7),
    c: fc.constantFrom('a', 'b', 'never'),
    d: fc.constantFrom('u', 'v', null),
    said: fc.constantFrom('free prize', 'see', '', null),
    on: fc.constantFrom('2024-02-29', '2024-02-03T10:20:30Z', null),
    ok: fc.constantFrom(true, false, null),
  },
  { requiredKeys: ['c'] },
);
const digit = fc.double({ min: -9, max: 9, noNaN: true });
const lists = (length: number) => fc.array(digit, { minLength: length, maxLength: length });
/** Lists, and indices and values of which some are unknown. */
const numberRow = (length: number): fc.Arbitrary<RawRow> =>
  fc.oneof(
    lists(length),
    fc.uniqueArray(fc.nat(7)).chain((indices) => lists(indices.length).map((values) => ({ indices, values }))),
  );
const number = fc.oneof(
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  fc.constantFrom(0, -0, 1, 0.1, 1e-300, 1e9, -1e9, 5e-324),
);

/** The same model with other weights and means; for no means null. */
function changed(model: LinearModel | typeof several, random: readonly number[], means: readonly number[] | null) {
  const length = dimensionOf(model.features);
  const of = (from: readonly number[], k: number) =>
    Float64Array.from({ length }, (_, j) => from[(j * 3 + k) % from.length]!);
  const common = { ...model, ...(means === null ? {} : { means: of(means, 1) }) };
  if (common.kind === 'linear') return { ...common, weights: of(random, 0), bias: random[0]! };
  return { ...common, functions: common.functions.map((each, k) => ({ ...each, weights: of(random, k) })) };
}

/** Σ of the parts without rounding, in 2⁻¹⁰⁷⁴. */
const exactly = (parts: readonly number[]) => parts.reduce((sum, part) => sum + exact(part), 0n);
const parts = ({ meanScore, terms, others, rounding }: Explanation) => [
  meanScore,
  ...terms.map(({ contribution }) => contribution),
  others,
  rounding,
];
const size = (value: bigint) => (value < 0n ? -value : value);

describe('an explanation', () => {
  it.each<[string, LinearModel | typeof several, fc.Arbitrary<RawRow>]>([
    ['numbers', ofNumbers, numberRow(5)],
    ['a table', ofTable, tableRow],
    ['several classes', several, numberRow(dimensionOf(several.features))],
  ])('adds up to the score of the class exactly, for any model of %s', (_, model, rows) => {
    forAll(
      150,
      rows,
      fc.array(number, { minLength: 7, maxLength: 11 }),
      fc.option(fc.array(number, { minLength: 5, maxLength: 5 })),
      fc.constantFrom(undefined, ...model.classes),
      fc.constantFrom(undefined, 0, 1, 2, 4),
      (row, random, means, of, most) => {
        const predictor = new Predictor(changed(model, random, means));
        const told = predictor.explain(row, { class: of, most });
        const two = model.classes.length === 2;
        expect(told.class).toBe(of ?? (two ? model.classes[1] : predictor.predict(row)));
        const k = model.classes.indexOf(told.class);
        expect(told.score).toBe(two ? (k === 1 ? 1 : -1) * predictor.score(row) + 0 : predictor.scores(row)[k]!);
        expect(told.isMean).toBe(means !== null);

        const missed = size(exact(told.score) - exactly(parts(told)));
        expect(missed << 53n <= size(exact(told.rounding))).toBe(true);
        if (Math.abs(told.score) >= 4 * Math.abs(told.rounding)) expect(exactSum(parts(told)) + 0).toBe(told.score);
        const all = predictor.explain(row, { class: of });
        const sizes = all.terms.map(({ contribution }) => Math.abs(contribution));
        // No sum has more than 200 parts, and no feature of these rows is above 9.
        const largest = 1 + Math.max(...random.map(Math.abs)) * Math.max(9, ...(means ?? []).map(Math.abs));
        expect(Math.abs(told.rounding)).toBeLessThanOrEqual(2 ** -53 * 200 * 200 * largest);

        expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
        expect(sizes.every((each) => each > 0)).toBe(true);
        expect(all.others).toBe(0);
        expect(all.otherTerms).toBe(0);
        if (most === undefined) return;
        expect(told.terms).toEqual(all.terms.slice(0, most));
        expect(told.otherTerms).toBe(all.terms.length - told.terms.length);
      },
    );
  });

  it('is w·(x − mean) of every feature, summed up by column', () => {
    const nameOf = featureNamer(table);
    const groups = new Map<string, string>(
      ['n', 'c', 'd', 'on', 'ok'].map((name) => [name, name]).concat([['c × d', 'c × d']]) as [string, string][],
    );
    forAll(100, tableRow, fc.array(number, { minLength: 9, maxLength: 9 }), (row, means) => {
      const model = changed(ofTable, [3, -1, 0.5, 2, 0, -4, 1.25], means) as LinearModel;
      const list = new FeatureList();
      rawFeatures(table, featureReaders)(row, list);
      const x = new Float64Array(width);
      for (let k = 0; k < list.count; k++) x[list.indices[k]!] = list.values[k]!;
      const expected = new Map<string, number>();
      x.forEach((value, j) => {
        const name = nameOf(j);
        const own = name.includes(' × ') ? 'c × d' : name.startsWith('said') ? name : name.split(/[= ]/)[0]!;
        expect(groups.has(own) || own.startsWith('said')).toBe(true);
        const part = model.weights[j]! * ((value - model.means![j]!) / model.divisor);
        expected.set(own, (expected.get(own) ?? 0) + part);
      });
      const { terms } = new Predictor(model).explain(row);
      const found = new Map(terms.map(({ term, contribution }) => [term, contribution]));
      for (const [name, part] of expected)
        expect(Math.abs((found.get(name) ?? 0) - part), name).toBeLessThanOrEqual(
          1e-12 * Math.max(1, ...means.map(Math.abs)) * 100,
        );
    });
  });

  it('tells each value as the row has it', () => {
    const row = { n: 1.1, c: 'never', d: 'u', said: 'see me', on: '2024-02-03T10:20:30Z', ok: false };
    const values = (given: RawRow) =>
      Object.fromEntries(new Predictor(ofTable).explain(given).terms.map(({ term, value }) => [term, value]));
    expect(values(row)).toMatchObject({ n: 1.1, d: 'u', on: '2024-02-03T10:20:30Z', ok: false });
    expect(values({ ...row, on: '2024-02-29', n: null, c: 'b' })).toMatchObject({
      n: null,
      c: 'b',
      'c × d': 'c=b × d=u',
      on: '2024-02-29',
    });
  });

  it('compares with 0 what has no known mean, and says so', () => {
    const { isMean, meanScore, terms } = new Predictor(ofTable).explain({ c: 'a', d: 'u' });
    expect(isMean).toBe(false);
    // The mean of the boolean is part of the encoding.
    const at = Array.from({ length: width }, (_, j) => featureNamer(table)(j)).indexOf('ok');
    expect(meanScore).toBeCloseTo(0.5 * plain.biasConstant + (ofTable.weights[at]! * 0.75) / 2, 12);
    expect(terms.find(({ term }) => term === 'c')!.contribution).toBeCloseTo(
      (ofTable.weights[Array.from({ length: width }, (_, j) => featureNamer(table)(j)).indexOf('c=a')]! * 1) / 2,
      12,
    );
    const numbers = fitted([{ name: 'n', kind: 'number' }], [['1', '3']]);
    const only = new Predictor({ ...plain, features: numbers, weights: Float64Array.of(2), bias: 0.25 });
    expect(only.explain({ n: 3 })).toEqual({
      class: 'hi',
      score: 2.25,
      meanScore: 0.25,
      isMean: true,
      terms: [{ term: 'n', value: 3, contribution: 2 }],
      others: 0,
      otherTerms: 0,
      rounding: 0,
      unknown: [],
    });
  });

  it('has features that a row lacks among the strongest, by their mean', () => {
    const model = { ...plain, features: indexed(4), weights: Float64Array.of(0, 1, -2, 3), bias: 1 };
    const { terms } = new Predictor({ ...model, means: Float64Array.of(9, 2, 2, 0) }).explain(
      { indices: [1], values: [1] },
      { most: 2 },
    );
    expect(terms).toEqual([
      { term: '2', value: 0, contribution: 4 },
      { term: '1', value: 1, contribution: -1 },
    ]);
  });

  it('names numbered features by index and named features by name, and leaves out zeros and unknown features', () => {
    const { terms, unknown } = new Predictor({ ...ofNumbers, divisor: 2 }).explain({
      indices: [4, 1, 9, 2],
      values: [1, 2, 3, 0],
    });
    expect(unknown).toEqual(['9']);
    expect(terms).toEqual([
      { term: '4', value: 1, contribution: 0.625 },
      { term: '1', value: 2, contribution: 0.25 },
    ]);
    const named = new Predictor(models.names).explain({ ' ': 2, 'a^b': 1 });
    expect(named.terms.map(({ term, contribution }) => [term, contribution])).toEqual([
      [' ', 4],
      ['a^b', 1],
    ]);
  });

  it('is refused for models whose score is no sum, for options that do not fit, and beyond doubles', () => {
    expect(() => new Predictor(dual['few mistakes']!).explain([1, 2])).toThrow(
      'expected a linear model, whose score is a sum over fields; got a dual model',
    );
    const one = { indices: [0], values: [1] };
    const refused = (options: object, message: string) =>
      expect(() => new Predictor(plain).explain(one, options)).toThrow(
        expect.objectContaining({ code: 'option-invalid', message }),
      );
    refused({ class: 'other' }, 'expected one of the classes lo, hi; got "other"');
    refused({ most: 1.5 }, 'most must be a whole number from 0; got 1.5');
    expect(() => new Predictor(plain).explain(one, { terms: 3 } as object)).toThrow('terms');
    expect(() => new Predictor(plain).explain({ indices: [0], values: [Number.NaN] })).toThrow(
      'expected a finite number; got NaN',
    );
    const far = { ...plain, means: Float64Array.of(0, 0, 0, 0, -9) };
    expect(() => new Predictor(far).explain(one)).toThrow('within the range of doubles');
  });
});
