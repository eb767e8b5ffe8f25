import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { vw } from '../../src/data/text-sources.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluate } from '../../src/model/judge.ts';
import type { Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { ndjson } from '../../src/table/ndjson.ts';
import { bags, rows } from '../../src/table/rows.ts';
import { modelOf } from '../sources/runs.ts';

const names = Array.from({ length: 400 }, (_, j) => `w${j}`);
const bag = fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 9 }), {
  minKeys: 1,
  maxKeys: 8,
  noNullPrototype: true,
});
const labelled = fc.array(fc.tuple(bag, fc.boolean()), { minLength: 120, maxLength: 150 });

const textOf = (list: readonly object[]) => list.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Text has labels of no type. */
const partsOf = ({ labelType: _, ...model }: Model) => model;

describe('bags of features', () => {
  test('give the model of the same Vowpal Wabbit text, as a list and as they arrive', async () => {
    await forAllAsync(20, labelled, async (all) => {
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
    });
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
        /^rows is read as bags of features: a row has 3\.0 of \d+ names or more, and an absent one is 0 \(features: \{\}, in the command --column or --features, reads columns/,
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

/** Rows with few of many names, and labels of some type. */
const evident = fc
  .tuple(labelled, fc.constantFrom<[unknown, unknown]>(['ham', 'spam'], [0, 1], [false, true], ['1', 2]))
  .map(([all, classes]): Readonly<Record<string, unknown>>[] => [
    ...all.map(([each, isGood]) => ({ ...each, label: classes[Number(isGood)] })),
    ...names.slice(0, 200).map((name, i) => ({ [name]: true, label: classes[i % 2] })),
  ]);

describe('NDJSON', () => {
  test('gives the model of its objects as bags by the same evidence, of text and of pieces of it', async () => {
    await forAllAsync(15, evident, fc.integer({ min: 1, max: 5000 }), async (list, size) => {
      const text = textOf(list);
      const pieces = function* () {
        for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
      };
      const expected = encodeModel(await modelOf(bags(list)));
      for (const source of [rows(list), ndjson(text), ndjson(new Blob([...pieces()]).stream())])
        expect(encodeModel(await modelOf(source))).toBe(expected);
      const label = (row: object) => 'w0' in row;
      const others = list.map(({ label: _, ...row }) => row);
      const derived = encodeModel(await modelOf(bags(others, { label })));
      expect(encodeModel(await modelOf(ndjson(textOf(others), { label })))).toBe(derived);
    });
  });

  test('is read as bags with a note, and as a table with the options of one', async () => {
    const text = textOf(names.map((name, i) => ({ [name]: 1, n: i % 7, label: i % 2 })));
    const open = (options = {}) => ndjson(text, options).open({ kernels: createKernels() });
    const source = await open();
    expect(source.encoding().kind).toBe('named');
    expect(source.notes).toEqual([
      expect.stringContaining('text is read as bags of features: a row has 2.0 of 401 names'),
    ]);
    for (const options of [
      { features: {} },
      { missing: ['-'] },
      { weight: 'n' },
      { joinLabels: true },
      { scale: 'standard' },
      { positive: '>= 1' },
    ])
      expect((await open(options)).encoding().kind).toBe('table');
  });

  test('of any size and of names without end takes one pass for a model, and knows what it does not know', async () => {
    const model = await modelOf(ndjson(textOf(names.map((name, i) => ({ [name]: 1, label: i % 2 ? 'odd' : 'even' })))));
    let readings = 0;
    const once = new ReadableStream<Uint8Array>({
      start(controller) {
        readings++;
        for (let i = 0; i < 5000; i++)
          controller.enqueue(
            Buffer.from(`{"w${i % 400}":1,"new${i}":2,"label":"${['even', 'odd', 'none'][i % 3]}"}\n`),
          );
        controller.close();
      },
    });
    expect(await evaluate(model, ndjson(once))).toMatchObject({
      examples: 5000,
      unknown: { values: 10_000, unknown: 5000 },
      unknownClasses: ['none'],
    });
    expect(readings).toBe(1);
    await expect(evaluate(model, ndjson('{"w1":1,"label":"odd"}\n', { weight: 'w1' }))).rejects.toThrow(
      'weight names a column of a table; got "w1" for a model of bags of features',
    );
  });

  test('skips bad rows as if they were absent', async () => {
    const good = textOf(names.map((name, i) => ({ [name]: 1, label: i % 2 ? 'odd' : 'even' })));
    const bad = '{"new":NaN,"label":"odd"} {"new":1} {"new":[1],"label":"odd"} new {"new":1e999,"label":1}'.split(' ');
    const seen: string[] = [];
    const onReject = ({ error, text }: { error: Error; text: string }) => seen.push(text, error.message);
    const lines = good.trimEnd().split('\n');
    // The first rows are evidence, and a list in them shows a table.
    const mixed = [...lines, ...lines, ...lines, ...bad, ''].join('\n');
    const model = await modelOf(ndjson(mixed, { onReject }));
    expect(encodeModel(model)).toBe(encodeModel(await modelOf(ndjson(good.repeat(3)))));
    expect(seen.filter((_, i) => i % 2 === 0)).toEqual(bad);
    expect(seen.filter((_, i) => i % 2 === 1)).toEqual([
      'text:1201, column "new": expected a finite number; got NaN',
      'text, row 1202: expected a label; got none',
      expect.stringMatching('^text, row 1203, column "new": expected a number, a boolean or text'),
      'text:1204: expected JSON; got "new"',
      'text, row 1205, column "new": expected a finite number; got Infinity',
    ]);
    await expect(modelOf(ndjson(mixed))).rejects.toThrow('text:1201, column "new": expected a finite number; got NaN');
  });
});
