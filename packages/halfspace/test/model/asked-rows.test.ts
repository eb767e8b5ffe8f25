import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { denseBatch, sparseBatch } from '../../src/batch.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { dimensionOf } from '../../src/features/dimension.ts';
import { encodeRow } from '../../src/features/encode-table.ts';
import { flatFields } from '../../src/features/record.ts';
import type { TableEncoding } from '../../src/features/table-encoding.ts';
import { createScorer } from '../../src/model/kinds.ts';
import type { Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import { wasm } from '../support/kernels.ts';
import { calibrated, dual, models, multiclass } from '../support/models.ts';
import { severalUnderTest } from '../support/several.ts';

const all: Readonly<Record<string, Model>> = { ...models, ...multiclass, ...dual, ...calibrated };
const asked = Object.entries(all).filter(([, { features }]) => features.kind !== 'hashed');
const numbered = asked.filter(([, { features }]) => features.kind === 'indexed');

/** Whatever a program without types may hand over. */
const anything = fc.oneof(
  fc.anything({ withTypedArray: true, withBigInt: true, withSparseArray: true, withNullPrototype: true }),
  fc.record({ indices: fc.anything(), values: fc.anything() }),
  fc.record({
    indices: fc.array(fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, 1, 2, -1, 2 ** 53))),
    values: fc.array(fc.oneof(fc.double(), fc.constantFrom(1, 2, '3'))),
  }),
  fc.array(fc.oneof(fc.double(), fc.constantFrom(1, 2, '3', null))),
  fc.dictionary(fc.constantFrom('x', 'a^b', ' ', 'colour "é"', 'kind', 'toString'), fc.anything()),
);

describe('a row of any value', () => {
  it.each(asked)('gets finite scores from the model %s, or is refused by a HalfspaceError', (_, model) => {
    const predictor = new Predictor(model);
    forAll(300, anything, (row) => {
      const questions = [
        () => [predictor.labels.indexOf(predictor.predict(row as RawRow))],
        () => [...predictor.scores(row as RawRow)],
        () => [predictor.score(row as RawRow)],
        () => predictor.probabilities(row as RawRow),
        () => [predictor.labels.indexOf(predictor.predict(row as RawRow, 'probability'))],
        () => [predictor.explain(row as RawRow).score],
      ];
      for (const ask of questions) {
        try {
          for (const number of ask()) expect(Number.isFinite(number)).toBe(true);
        } catch (error) {
          if (!(error instanceof HalfspaceError)) throw error;
        }
      }
    });
  });
});

describe('a sparse row', () => {
  it.each(numbered)('of the model %s has pairs of indices and finite values, with indices from 0', (_, model) => {
    const predictor = new Predictor(model);
    const refused: readonly [RawRow, string, string][] = [
      [{ indices: [0], values: [Number.NaN] }, 'number-invalid', 'column "0": expected a finite number; got NaN'],
      [
        { indices: [0, 1], values: [1] },
        'row-malformed',
        'expected as many values as indices; got 1 values and 2 indices',
      ],
      [{ indices: [-1], values: [1] }, 'index-invalid', 'expected a feature index, a whole number from 0; got -1'],
      [{ indices: [0.5], values: [1] }, 'index-invalid', 'expected a feature index, a whole number from 0; got 0.5'],
      [
        { indices: [1e300], values: [1] },
        'index-invalid',
        'expected a feature index, a whole number from 0; got 1e+300',
      ],
      [null as never, 'row-malformed', 'expected numbers, or indices and values; got null'],
      ['12' as never, 'row-malformed', 'expected numbers, or indices and values; got "12"'],
      [{ x: 1 }, 'row-malformed', 'expected numbers, or indices and values; got {"x":1}'],
    ];
    for (const [row, code, message] of refused)
      expect(() => predictor.scores(row)).toThrow(expect.objectContaining({ code, message }));
  });

  it.each(numbered.filter(([, { features }]) => features.kind === 'indexed' && features.far === undefined))(
    'of the model %s may have an index more than once, whose values add up, as in a batch',
    (_, model) => {
      const predictor = new Predictor(model);
      const scorer = createScorer(wasm(), model);
      const out = new Float64Array(scorer.outputs);
      const pairs = fc.array(
        fc.tuple(fc.nat(Math.max(0, dimensionOf(model.features) - 1)), fc.double({ min: -3, max: 3, noNaN: true })),
        { maxLength: 12 },
      );
      forAll(pairs, (given) => {
        const row = { indices: given.map(([j]) => j), values: given.map(([, x]) => x) };
        scorer.scoreInto(sparseBatch([row], [1]), out);
        if (out.every(Number.isFinite)) expect(predictor.scores(row)).toEqual(out);
        else expect(() => predictor.scores(row)).toThrow('range of doubles');
      });
      scorer.free();
    },
  );

  it('of a model with far indices never gets the weight of another feature', () => {
    const predictor = new Predictor(models['far indices']);
    // Weight 2 belongs to index 4294967295: no feature is called 2 or 3.
    expect(predictor.score({ indices: [2, 3], values: [1, 1] })).toBe(-4.5);
  });
});

describe('a record', () => {
  const ask = (model: Model) => (row: unknown) => () => new Predictor(model).predict(row as RawRow);
  const table = ask(models['a table']);
  const names = ask(models.names);
  /** Tests if features of a bag may come from a field of this name. */
  const isPrefix = (field: string, features: readonly string[]) =>
    features.some((name) => name.startsWith(`${field}=`) || name.startsWith(`${field}^`));
  const strange = fc.dictionary(fc.string(), fc.anything());

  it.each([
    ['a table', models['a table']],
    ['names', models.names],
    ['a table, encoded', null],
  ])('is answered as if its unknown fields were absent, which are listed: %s', (_, model) => {
    const { features } = model ?? models['a table'];
    const known =
      features.kind === 'named' ? features.names : (features as TableEncoding).columns.map(({ name }) => name);
    const ignored =
      features.kind === 'table' ? [features.label!.column, ...features.leftOut.map(({ name }) => name)] : [];
    const fields = fc.record(Object.fromEntries(known.map((name) => [name, fc.constant(1)])), { requiredKeys: [] });
    forAll(fields, strange, (given, others) => {
      const rest = Object.entries(others).filter(([name]) => !known.includes(name));
      const row = Object.fromEntries([...rest, ...Object.entries(given)]);
      if (model === null) {
        expect(encodeRow(features as never, row)).toEqual(encodeRow(features as never, given));
        return;
      }
      const predictor = new Predictor(model);
      const isKnown = (name: string) => ignored.includes(name) || (features.kind === 'named' && isPrefix(name, known));
      // The fields of structures are fields of a table.
      const flat = features.kind === 'table' ? Object.entries(flatFields(Object.fromEntries(rest))) : rest;
      const unknown = flat.filter(([name, value]) => value !== undefined && !isKnown(name));
      const listed = Object.keys(Object.fromEntries(unknown));
      expect(predictor.scores(row)).toEqual(predictor.scores(given));
      expect(predictor.predict(row)).toBe(predictor.predict(given));
      expect(predictor.unknownFields(row).sort()).toEqual(listed.sort());
      expect(predictor.explain(row)).toEqual({ ...predictor.explain(given), unknown: predictor.unknownFields(row) });
    });
  });

  it('as a bag has unknown fields, but fields of unknown texts are known', () => {
    const names = ['tone=red', 'to^anna', 'links'];
    const bag = new Predictor({
      ...models.names,
      features: { kind: 'named', names },
      weights: Float64Array.of(1, 2, 4),
    });
    const row = {
      tone: 'blue',
      to: { anna: 1, bob: 1 },
      links: 0,
      'tone=red': 0,
      tune: 'red',
      link: 3,
      none: undefined,
    };
    expect(bag.unknownFields(row)).toEqual(['tune', 'link']);
    expect(bag.score(row)).toBe(bag.score({ 'to^anna': 1 }));
  });

  it('without any known field is answered like a row without values', () => {
    const predictor = new Predictor(models['a table']);
    for (const row of [{}, { y: 1, Colour: 'red' }, { kind: 'hi', id: 7 }])
      expect(predictor.scores(row)).toEqual(predictor.scores({ x: null, 'colour "é"': null }));
    expect(predictor.unknownFields({ kind: 'hi', y: 1, Colour: 'red', gone: undefined })).toEqual(['y', 'Colour']);
    expect(new Predictor(models.names).score({ b: 1 })).toBe(new Predictor(models.names).score({}));
  });

  it('may lack fields and have others, and fields may be missing values', () => {
    for (const row of [{ x: 1 }, { x: 1, y: 2 }, { x: null }, { x: undefined, y: {} }, { 'colour "é"': 'grey' }])
      expect(table(row)).not.toThrow();
    for (const row of [{ 'a^b': 1 }, { ' ': 0, b: 'text' }, {}]) expect(names(row)).not.toThrow();
  });

  it('must be an object of fields', () => {
    const others = [
      new Map([['x', 1]]),
      new Set(),
      new Date(0),
      Promise.resolve({ x: 1 }),
      new ArrayBuffer(8),
      () => 1,
    ];
    for (const row of [null, undefined, 1, 'x', [1, 2], Float64Array.of(1), true, ...others])
      for (const refused of [
        table(row),
        names(row),
        () => encodeRow(models['a table'].features as never, row as never),
      ])
        expect(refused).toThrow(expect.objectContaining({ code: 'row-malformed' }));
  });
});

describe('the argument of a learner', () => {
  const one = sparseBatch([{ indices: [0], values: [1] }], [1]);

  it.each(severalUnderTest)('by $name must be a batch and examples of it', ({ create }) => {
    const learner = create(wasm());
    for (const batch of [null, undefined, 1, 'x', [], {}, { kind: 'sparse' }] as never[]) {
      expect(() => learner.learn(batch)).toThrow(expect.objectContaining({ code: 'row-malformed' }));
      expect(() => learner.learn(batch, 0, 1)).toThrow(expect.objectContaining({ code: 'row-malformed' }));
      expect(() => learner.scoreInto(batch, new Float64Array(9))).toThrow(
        expect.objectContaining({ code: 'row-malformed' }),
      );
    }
    for (const [from, to] of [
      [-1, 1],
      [0, 2],
      [0.5, 1],
      [1, 0],
      [Number.NaN, 1],
    ] as const)
      expect(() => learner.learn(one, from, to)).toThrow(expect.objectContaining({ code: 'option-invalid' }));
    learner.learn({ ...one, labels: Float64Array.of(1) });
    expect(() => learner.scoreInto(one, new Float64Array(0))).toThrow('with room for');
    expect(() => learner.scoreInto(one, null as never)).toThrow('with room for');
  });

  it('must be lists', () => {
    for (const row of [null, undefined, 1, {}, { indices: [1] }, { indices: [1], values: null }] as never[])
      expect(() => sparseBatch([row], [1])).toThrow(expect.objectContaining({ code: 'row-malformed' }));
    for (const row of [null, undefined, 1, 'ab'] as never[])
      expect(() => denseBatch([row], [1])).toThrow(expect.objectContaining({ code: 'row-malformed' }));
  });
});
