import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LinearModel } from '../../src/model/linear/model.ts';
import type { Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import { dual, indexed, models, multiclass } from '../support/models.ts';
import { fitted } from '../support/tables.ts';

const table = fitted(
  [
    { name: 'n', kind: 'number' },
    { name: 'c', kind: 'category' },
    { name: 'd', kind: 'category' },
    { name: 'said', kind: 'text' },
  ],
  [
    ['1', '2', '', '5'],
    ['a', 'b', 'a', 'b'],
    ['u', 'v', 'v', 'u'],
    ['free prize', 'see you', 'see me', 'free'],
  ],
  { crosses: [['c', 'd']] },
);
const weights = (length: number) => Float64Array.from({ length }, (_, j) => ((j * 7) % 5) - 1.75);
const plain = models['plain weights'];
const ofTable: LinearModel = { ...plain, features: table, weights: weights(40), bias: 0.5, divisor: 2 };
const ofNumbers: LinearModel = { ...plain, weights: weights(5) };

const tableRow = fc.record(
  {
    n: fc.constantFrom(1, 2.5, null, '7'),
    c: fc.constantFrom('a', 'b', 'never'),
    d: fc.constantFrom('u', 'v', null),
    said: fc.constantFrom('free prize', 'see', '', null),
  },
  { requiredKeys: ['c'] },
);
const numberRow = fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { maxLength: 7 });

describe('an explanation', () => {
  it.each<[string, Model, fc.Arbitrary<RawRow>]>([
    ['numbers', ofNumbers, numberRow],
    ['a table', ofTable, tableRow],
    ['several classes', multiclass['several classes']!, numberRow],
  ])('adds up to the score of the class, for a model of %s', (_, model, rows) => {
    const predictor = new Predictor(model);
    fc.assert(
      fc.property(rows, fc.constantFrom(undefined, ...model.classes), (row, of) => {
        const told = predictor.explain(row, of);
        const two = model.classes.length === 2;
        expect(told.class).toBe(of ?? (two ? model.classes[1] : predictor.predict(row)));
        const k = model.classes.indexOf(told.class);
        const score = two ? (k === 1 ? 1 : -1) * predictor.score(row) + 0 : predictor.scores(row)[k]!;
        expect(told.score).toBe(score);
        const sum = told.fields.reduce((total, { contribution }) => total + contribution, told.bias);
        expect(Math.abs(sum - told.score)).toBeLessThan(1e-12 * (1 + told.fields.length) * 100);
        for (const { contribution, features } of told.fields) {
          expect(features.length).toBeGreaterThan(0);
          expect(features.reduce((total, each) => total + each.contribution, 0)).toBeCloseTo(contribution, 12);
        }
        const sizes = told.fields.map(({ contribution }) => Math.abs(contribution));
        expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      }),
    );
  });

  it('tells by how much the score changes where a field changes, by the name of the field', () => {
    const predictor = new Predictor(ofTable);
    const [one, other] = [
      { n: 1, c: 'a', said: 'free' },
      { n: 4, c: 'a', said: 'free' },
    ].map((row) => predictor.explain(row));
    const of = (told: typeof one, name: string) => told!.fields.find(({ field }) => field === name)!.contribution;
    expect(of(other, 'n') - of(one, 'n')).toBeCloseTo(other!.score - one!.score, 12);
    expect(of(other, 'said')).toBe(of(one, 'said'));
  });

  it('has the fields of a table with their features; crossed columns are one field', () => {
    const { fields } = new Predictor(ofTable).explain({ n: 1, c: 'a', d: 'u', said: 'see me' });
    expect(fields.map(({ field }) => field).sort()).toEqual(['c', 'c × d', 'd', 'n', 'said']);
    expect(fields.find(({ field }) => field === 'c')!.features.map(({ feature }) => feature)).toEqual(['c=a']);
    const said = fields.find(({ field }) => field === 'said')!.features;
    expect(said.map(({ feature }) => feature).sort()).toEqual(['said:me', 'said:see']);
  });

  it('names numbered features by index and named features by name, and leaves out zeros and unknown features', () => {
    const { fields } = new Predictor({ ...plain, features: indexed(5), weights: weights(5), divisor: 2 }).explain({
      indices: [4, 1, 9, 2],
      values: [1, 2, 3, 0],
    });
    expect(fields).toEqual(
      [
        { field: '1', contribution: 0.25, features: [{ feature: '1', value: 2, contribution: 0.25 }] },
        { field: '4', contribution: 0.625, features: [{ feature: '4', value: 1, contribution: 0.625 }] },
      ].sort((a, b) => b.contribution - a.contribution),
    );
    const named = new Predictor(models.names).explain({ ' ': 2, 'a^b': 1 });
    expect(named.fields.map(({ field, contribution }) => [field, contribution])).toEqual([
      [' ', 4],
      ['a^b', 1],
    ]);
  });

  it('is refused for models whose score is no sum over fields, and for classes that the model does not have', () => {
    expect(() => new Predictor(dual['few mistakes']!).explain([1, 2])).toThrow(
      'expected a linear model, whose score is a sum over fields; got a dual model',
    );
    expect(() => new Predictor(plain).explain([1], 'other')).toThrow(
      expect.objectContaining({ code: 'option-invalid', message: 'expected one of the classes lo, hi; got "other"' }),
    );
    expect(() => new Predictor(plain).explain([Number.NaN])).toThrow('expected a finite number; got NaN');
  });
});
