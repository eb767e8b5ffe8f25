import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import {
  csv,
  decodeModel,
  encodeModel,
  evaluate,
  type Model,
  ndjson,
  Predictor,
  rows,
  type Source,
  train,
} from '../../src/index.ts';
import type { TableSourceOptions } from '../../src/table/source-options.ts';

type Missing = TableSourceOptions['missing'];
interface Row {
  readonly x: number;
  readonly c: string;
  readonly d: string;
  readonly y: string;
}

/** Words of which all but `a` and `b` are usually missing; none begins with another. */
const usual = ['NA', 'N/A', '?', 'null', 'NULL'];
const cell = fc.constantFrom('', 'a', 'b', ...usual);
const row = fc.record({ x: fc.integer({ min: -9, max: 9 }), c: cell, d: cell, y: fc.constantFrom('no', 'yes', 'NA') });
/** Levels and classes that are always there, so that columns stay the same. */
const certain: readonly Row[] = ['a', 'b', 'NA', 'a', 'b', 'NA'].map((c, i) => ({
  x: i,
  c,
  d: c,
  y: ['no', 'yes', 'NA'][i % 3]!,
}));
const kinds = { columns: { c: { kind: 'category', rare: 1 }, d: { kind: 'category', rare: 1 } } } as const;

const sources: readonly (readonly [string, (given: readonly Row[], missing?: Missing) => Source])[] = [
  [
    'csv',
    (given, missing) =>
      csv(`x,c,d,y\n${given.map(({ x, c, d, y }) => `${x},${c},${d},${y}\n`).join('')}`, {
        label: 'y',
        features: kinds,
        missing,
      }),
  ],
  [
    'ndjson',
    (given, missing) =>
      ndjson(given.map((each) => `${JSON.stringify(each)}\n`).join(''), { label: 'y', features: kinds, missing }),
  ],
  ['rows', (given, missing) => rows(given, { label: 'y', features: kinds, missing })],
];
const modelOf = async (source: Source): Promise<Model> =>
  (await train(source, { rule: 'perceptron', passes: 3 })).model;

describe.each(sources)('words such as NA in %s', (_, sourceOf) => {
  it('are values with missing: none, like any other word; of one column too', async () => {
    // The same words with a letter behind them are no usual words, and have the same order.
    const other = (word: string) => (word === '' ? '' : `${word}_`);
    await forAllAsync(25, fc.array(row, { maxLength: 20 }), async (given) => {
      const all = [...certain, ...given];
      const renamed = all.map((each) => ({ ...each, c: other(each.c), d: other(each.d), y: other(each.y) }));
      const kept = await modelOf(sourceOf(all, 'none'));
      const plain = await modelOf(sourceOf(renamed));
      const onlyC = all.map((each, i) => ({ ...each, c: renamed[i]!.c, y: renamed[i]!.y }));
      const keptC = await modelOf(sourceOf(all, { c: 'none', y: 'none' }));
      const plainC = await modelOf(sourceOf(onlyC));
      for (const [one, two, rowsOfTwo] of [
        [kept, plain, renamed],
        [keptC, plainC, onlyC],
      ] as const) {
        expect(one.classes.map(other)).toEqual(two.classes);
        expect(one.training).toEqual(two.training);
        const same = decodeModel(encodeModel(one));
        const [a, b] = [new Predictor(same), new Predictor(two)];
        for (const [i, each] of all.entries()) expect(a.scores({ ...each })).toEqual(b.scores({ ...rowsOfTwo[i]! }));
        const { accuracy, confusion, unknown } = await evaluate(two, sourceOf(rowsOfTwo));
        expect(await evaluate(same, sourceOf(all))).toMatchObject({ accuracy, confusion, unknown });
      }
    });
  });

  it('are recorded in the encoding, with further words', async () => {
    expect((await modelOf(sourceOf(certain, 'none'))).features).toMatchObject({ notMissing: true });
    const { features } = await modelOf(sourceOf(certain, { y: 'none', c: 'none' }));
    expect(features).toMatchObject({ notMissing: ['c', 'y'] });
    expect((await modelOf(sourceOf(certain.filter(({ y }) => y !== 'NA')))).features).not.toHaveProperty('notMissing');
  });
});

it('a column of numbers with the word NA is one of words, unless NA is missing', async () => {
  const text = `x,y\n${Array.from({ length: 40 }, (_, i) => `${i % 4 === 0 ? 'NA' : i % 3},${i % 2}\n`).join('')}`;
  expect((await modelOf(csv(text))).features).toMatchObject({ columns: [{ kind: 'number' }] });
  expect((await modelOf(csv(text, { missing: 'none' }))).features).toMatchObject({
    columns: [{ kind: 'category', levels: ['0', '1', '2', 'NA'] }],
  });
});

it('a label made by a function is read like a column', async () => {
  const given = [1, 2, 3, 4].map((x) => ({ x }));
  const label = ({ x }: { readonly x: number }) => (x > 2 ? 'NA' : 'DE');
  expect((await modelOf(rows(given, { label, missing: 'none' }))).classes).toEqual(['DE', 'NA']);
  const text = 'x\n1\n2\n3\n4\n';
  const ofText = (each: Readonly<Record<string, string>>) => label({ x: Number(each.x) });
  expect((await modelOf(csv(text, { header: true, label: ofText, missing: 'none' }))).classes).toEqual(['DE', 'NA']);
});

it('missing refuses what is neither words nor columns', async () => {
  for (const missing of ['all', { c: 'some' }, [''], 3])
    expect(() => csv('x', { missing: missing as never })).toThrow(
      'missing must be a list of words, none, or an object with none for some columns',
    );
  await expect(modelOf(csv('x,y\n1,a\n2,b\n', { missing: { z: 'none' } }))).rejects.toMatchObject({
    code: 'column-unknown',
  });
});

it('a label that counts as missing is refused with the word and the option that keeps it', async () => {
  const trained = (text: string) => train(csv(text, { label: 'y' }), { rule: 'perceptron' });
  await expect(trained('x,y\n1,NA\n2,ZA\n3,DE\n')).rejects.toThrow(
    '"NA" counts as missing: missing: \'none\' makes a class of it',
  );
  await expect(trained('x,y\n1,\n2,ZA\n3,DE\n')).rejects.not.toThrow('counts as missing');
});
