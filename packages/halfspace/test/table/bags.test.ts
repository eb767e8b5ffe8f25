import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vw } from '../../src/data/text-sources.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluate } from '../../src/model/judge.ts';
import type { Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { bags, rows } from '../../src/table/rows.ts';
import { modelOf } from '../sources/runs.ts';

const names = Array.from({ length: 400 }, (_, j) => `w${j}`);
const bag = fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 9 }), {
  minKeys: 1,
  maxKeys: 8,
  noNullPrototype: true,
});
const labelled = fc.array(fc.tuple(bag, fc.boolean()), { minLength: 120, maxLength: 150 });

/** Text has labels of no type. */
const partsOf = ({ labelType: _, ...model }: Model) => model;

describe('bags of features', () => {
  test('give the model of the same Vowpal Wabbit text, as a list and as they arrive', async () => {
    await fc.assert(
      fc.asyncProperty(labelled, async (all) => {
        const list: Record<string, number>[] = all.map(([each, isGood]) => ({ ...each, y: isGood ? 1 : -1 }));
        list.push({ w0: 1, y: 1 }, { w0: 1, y: -1 });
        const text = list.map(
          ({ y, ...each }) =>
            `${y} | ${Object.entries(each)
              .map(([name, value]) => `${name}:${value}`)
              .join(' ')}\n`,
        );
        const expected = partsOf(await modelOf(vw(text.join(''))));
        for (const source of [bags(list), bags(list.values()), bags(list, { label: 'y', positive: 1 })])
          expect(partsOf(await modelOf(source))).toEqual(expected);
        const separate = list.map(({ y, ...each }) => [each, y] as const);
        const labelOf = new Map(separate);
        expect(partsOf(await modelOf(bags([...labelOf.keys()], { label: (row) => labelOf.get(row)! })))).toEqual(
          expected,
        );
      }),
      { numRuns: 20 },
    );
  });

  test('hold numbers, truths, texts and namespaces; a predictor reads the same, and ignores what it does not know', async () => {
    const list = [
      {
        age: '41',
        city: 'Oslo',
        big: 7n,
        seen: true,
        never: false,
        none: null,
        words: { free: 2, from: 'x' },
        label: 'spam',
      },
      { age: 0, city: 'Lima', label: 'ham' },
      { size: { toJSON: () => '1.5' }, label: 'ham' },
    ];
    const model = await modelOf(bags(list));
    expect(model.features).toEqual({
      kind: 'named',
      names: ['age', 'city=Oslo', 'big', 'seen', 'words^free', 'words^from=x', 'city=Lima', 'size'],
    });
    const predictor = new Predictor(model);
    for (const { label, ...row } of list)
      expect(predictor.predict({ ...row, other: [new Date()], more: 'text' })).toBe(label);
    expect(predictor.scores(list[0]!)).toEqual(
      predictor.scores({ age: 41, 'city=Oslo': 1, big: 7, seen: 1, 'words^free': 2, 'words^from=x': 1 }),
    );
    const twice = await bags([
      { a: 'b', 'a=b': 2, label: 1 },
      { c: 1, label: 2 },
    ]).open({ kernels: createKernels() });
    for await (const { values } of twice.batches()) expect([...values.slice(0, 2)]).toEqual([3, 1]);
    expect((await evaluate(model, bags(list))).accuracy).toBe(1);
    expect(await evaluate(model, rows([...list, { strange: 1, label: 'ham' }]))).toMatchObject({
      examples: 4,
      unknown: { unknown: 1, different: 1 },
    });
  });

  test('are refused with the row and the name', async () => {
    const open = (list: object[], options = {}) => bags(list, options).open({ kernels: createKernels() });
    const two = [
      { a: 1, label: 'x' },
      { b: 1, label: 'y' },
    ];
    await expect(open([])).rejects.toThrow('bags: expected rows; got none');
    await expect(open([...two, { a: Number.NaN, label: 'x' }])).rejects.toThrow(
      'bags, row 3, column "a": expected a finite number; got NaN',
    );
    await expect(open([...two, { a: [1], label: 'x' }])).rejects.toThrow(
      'bags, row 3, column "a": expected a number, a boolean or text',
    );
    await expect(open([...two, { a: { b: { c: 1 } }, label: 'x' }])).rejects.toThrow('column "a^b": expected a number');
    await expect(open([...two, { a: 1 }])).rejects.toThrow('bags, row 3: expected a label; got none');
    await expect(open([{ a: 1 }, ...two])).rejects.toThrow(
      'expected a field label, class, target or y in the first row, or the option label; got a',
    );
    expect(() => bags(two, { lable: 'y' } as object)).toThrow('expected options that bags has');
  });
});

describe('rows', () => {
  const sparse = Array.from({ length: 60 }, (_, i) => ({
    [`w${(i * 7) % 211}`]: 1,
    [`w${(i * 31) % 211}`]: 2,
    [`v${i}`]: 1,
    label: i % 2 === 0 ? 'even' : 'odd',
  }));

  test('that have few of many names each are read as bags, with a note and a way back', async () => {
    const model = await modelOf(rows(sparse));
    expect(encodeModel(model)).toBe(encodeModel(await modelOf(bags(sparse))));
    const source = await rows(sparse).open({ kernels: createKernels() });
    expect(source.notes).toEqual([
      expect.stringMatching(
        /^rows is read as bags of features: a row has 3\.0 of \d+ names or more, and an absent one is 0 \(features: \{\} reads columns/,
      ),
    ]);
    expect((await modelOf(rows(sparse, { features: {} }))).features.kind).toBe('table');
    expect((await evaluate(model, rows(sparse))).examples).toBe(60);
  });

  test('with text, with most of their names, or with few names stay tables', async () => {
    const kindOf = async (list: object[]) => (await modelOf(rows(list))).features.kind;
    expect(await kindOf(sparse.map((row, i) => ({ ...row, note: i % 2 ? 'a' : 'b' })))).toBe('table');
    const all = Object.fromEntries(names.map((name, j) => [name, j]));
    expect(await kindOf(sparse.slice(0, 12).map(({ label }, i) => ({ ...all, w1: i, label })))).toBe('table');
    expect(await kindOf(sparse.map(({ label }, i) => ({ [`w${i % 50}`]: 1, label })))).toBe('table');
  });
});
