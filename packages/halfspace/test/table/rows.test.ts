import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/data/in-memory.ts';
import { TextSource } from '../../src/data/text.ts';
import { libsvmFormat, vwFormat } from '../../src/data/text-format.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluate } from '../../src/model/judge.ts';
import { ModelScorer } from '../../src/model/linear/scorer.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { Row } from '../../src/table/object-table.ts';
import { rows } from '../../src/table/rows.ts';
import { modelOf } from '../sources/runs.ts';
import { decodeModel, train } from '../support/arithmetic.ts';
import { openedRows } from '../support/tables.ts';

const penguins: Row[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../node_modules/vega-datasets/data/penguins.json'), 'utf8'),
);

describe('plain objects', () => {
  test('train, are predicted one by one from the model alone, and score as in batches', async () => {
    const source = await openedRows(penguins, { label: 'Species', positive: 'Gentoo' });
    const { model, report } = await train(source);
    expect(report).toMatchObject({ stop: 'separated', train: { accuracy: 1 }, classes: ['not Gentoo', 'Gentoo'] });

    const read = decodeModel(encodeModel(model));
    const predictor = new Predictor(read);
    for (const row of penguins) expect(predictor.predict(row)).toBe(row.Species === 'Gentoo' ? 'Gentoo' : 'not Gentoo');

    const scorer = new ModelScorer(createKernels(), read);
    for await (const batch of source.batches()) {
      const scores = new Float64Array(batch.rows);
      scorer.scoreInto(batch, scores);
      expect(penguins.map((row) => predictor.score(row))).toEqual([...scores]);
    }
    if (read.features.kind !== 'table') throw new Error('expected a table');
    const again = await openedRows(penguins, { label: 'Species', encoding: read.features });
    expect(await evaluate(read, again)).toMatchObject({ accuracy: 1, examples: 344 });
  });

  test('are refused with the fault', async () => {
    await expect(openedRows([], { label: 'y' })).rejects.toThrow('expected rows; got none');
    await expect(openedRows([{ a: 1 }], { label: 'y' })).rejects.toThrow('expected a column "y"; got a');
    const long = 'a'.repeat(1e5);
    await expect(openedRows([{ [long]: 1 }], { label: 'y' })).rejects.toThrow(/: expected a column "y"; got a{59}…$/);
    const quantity = 'Body Mass (g)';
    const weighed = penguins
      .filter((row) => row[quantity] !== null)
      .map((row) => ({ ...row, [quantity]: Number(row[quantity]) / 1000 }));
    await expect(openedRows(weighed, { label: quantity })).rejects.toThrow(
      /expected at most 10 classes of numbers, or one named by positive \(--positive of the command\); got \d+: "2\.7" \(1\)/,
    );
    const notFinite = [
      { a: Number.NaN, y: 'p' },
      { a: 1, y: 'q' },
    ];
    await expect(openedRows(notFinite, { label: 'y' })).rejects.toThrow(/finite number/);
    await expect(openedRows([{ a: 1, y: 'p' }, { a: 2, y: 'q' }, { a: 3 }], { label: 'y' })).rejects.toThrow(
      'rows, row 3, column "y": expected a label; got none',
    );
  });

  test('may hold further words for missing values, numbers too', async () => {
    const listed = penguins.map(
      (row, i): Row => ({
        ...row,
        ...(i % 7 === 0 ? { 'Body Mass (g)': -999, Island: 'none' } : {}),
      }),
    );
    const absent = penguins.map(
      (row, i): Row => ({
        ...row,
        ...(i % 7 === 0 ? { 'Body Mass (g)': null, Island: null } : {}),
      }),
    );
    const model = await modelOf(rows(listed, { label: 'Species', missing: ['none', '-999'] }));
    const expected = await modelOf(rows(absent, { label: 'Species' }));
    expect(model.features).toEqual({ ...expected.features, missing: ['-999', 'none'] });
    const [one, other] = [new Predictor(model), new Predictor(expected)];
    for (let i = 0; i < listed.length; i++) expect(one.scores(listed[i]!)).toEqual(other.scores(absent[i]!));
  });

  const odd = [
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [new Date(Number.NaN), 'an invalid date'],
  ] as const;
  const kinds = ['number', 'boolean', 'date', 'category', 'text'] as const;
  test.each(kinds.flatMap((kind) => odd.map(([value, name]) => [kind, name, value] as const)))(
    'name the value that a column of kind %s cannot hold, and its row: %s',
    async (kind, name, value) => {
      const good = { number: 1, boolean: true, date: '2024-02-29', category: 'a', text: 'a b' }[kind];
      const rows = [
        { x: good, y: 'p' },
        { x: null, y: 'q' },
        { x: value, y: 'p' },
      ];
      const place = 'rows, row 3, column "x": expected ';
      const message = new RegExp(`^${place}.*; got ${name}$`);
      const features = { columns: { x: { kind } } };
      await expect(openedRows(rows, { label: 'y', features })).rejects.toThrow(message);
      await expect(openedRows(rows.slice(2), { label: 'x' })).rejects.toThrow(
        /^rows, row 1, column "x": expected .*; got/,
      );
    },
  );

  test('report such a value also with a given encoding', async () => {
    const rows = [1, 2, 3].map((x) => ({ x, k: `k${x}`, y: x > 1 ? 'p' : 'q' }));
    const { model } = await train(await openedRows(rows, { label: 'y' }));
    if (model.features.kind !== 'table') throw new Error('expected a table');
    for (const field of ['x', 'k', 'y'])
      for (const value of [Number.NaN, Number.NEGATIVE_INFINITY]) {
        const source = await openedRows([rows[0]!, { ...rows[1]!, [field]: value }], {
          label: 'y',
          encoding: model.features,
        });
        await expect(evaluate(model, source)).rejects.toThrow(
          `rows, row 2, column "${field}": expected a finite number; got ${value}`,
        );
      }
  });

  test('may have fields named like inherited members', async () => {
    const rows = [1, 2, 3, 4].map((x) => ({ constructor: x, toString: x > 2 ? 'a' : 'b', y: x > 2 }));
    const { model, report } = await train(await openedRows(rows, { label: 'y' }));
    expect(report.train?.accuracy).toBe(1);
    expect([true, false]).toContain(new Predictor(model).predict({ constructor: null }));
  });
});

interface Penguin {
  readonly species: 'Adelie' | 'Gentoo';
  readonly mass: number | null;
  readonly island?: string;
}

const typed: Penguin[] = Array.from({ length: 40 }, (_, i) => ({
  species: i % 3 === 0 ? 'Gentoo' : 'Adelie',
  mass: i % 7 === 0 ? null : i % 3 === 0 ? 5000 + i : 3500 - i,
  island: ['Biscoe', 'Dream', 'Torgersen'][i % 3]!,
}));

describe('rows', () => {
  test('give one model as a list, as any iterable, and as they arrive', async () => {
    const expected = encodeModel(await modelOf(rows(typed, { label: 'species' })));
    async function* later() {
      for (const row of typed) yield row;
    }
    const again = { [Symbol.iterator]: () => typed[Symbol.iterator](), [Symbol.asyncIterator]: later };
    for (const source of [rows(new Set(typed), { label: 'species' }), rows(again, { label: 'species' })])
      for (let k = 0; k < 2; k++) expect(encodeModel(await modelOf(source))).toBe(expected);
    for (const once of [rows(later(), { label: 'species' }), rows(typed.values(), { label: 'species' })]) {
      expect(encodeModel(await modelOf(once))).toBe(expected);
      await expect(modelOf(once)).rejects.toThrow('rows: expected rows that can be read again; got an iterator');
    }
    expect(encodeModel(await modelOf(rowsSourceOf({ label: 'species' })))).toBe(expected);
  });

  const rowsSourceOf = (options: { readonly label: string }) => ({
    name: 'rows',
    open: () => openedRows(typed as unknown as Row[], options),
  });

  test('are labelled by a function, which leaves the objects as they are', async () => {
    const before = structuredClone(typed);
    const label = ({ mass }: Penguin) => (mass ?? 0) > 4000;
    const model = await modelOf(rows(typed, { label }));
    expect(typed).toEqual(before);
    expect(model).toMatchObject({ classes: ['false', 'true'], features: { label: { column: 'label' } } });
    const written = typed.map((row) => ({ ...row, label: label(row) }));
    expect(encodeModel(await modelOf(rows(written, { label: 'label' })))).toBe(encodeModel(model));
    expect((await evaluate(model, rows(typed.slice(5), { label }))).examples).toBe(35);
    const named = await modelOf(rows(typed, { label: 'species' }));
    expect((await evaluate(named, rows(typed, { label: ({ species }) => species }))).accuracy).toBe(
      named.training.trainAccuracy,
    );
    const taken = rows(
      [
        { label: 1, x: 1 },
        { label: 2, x: 2 },
      ],
      { label: ({ x }) => x },
    );
    expect((await modelOf(taken)).features).toMatchObject({ label: { column: 'label_2' } });
  });

  test('are fitted without the rows that are held out', async () => {
    const run = { kernels: createKernels(), holdout: { fraction: 0.5, seed: 3 } };
    const part = await rows(typed, { label: 'species' }).open(run);
    const whole = await rows(typed, { label: 'species' }).open({ kernels: run.kernels });
    expect(part.encoding()).not.toEqual(whole.encoding());
  });

  test('note a guessed label, and fields that a model knows and they lack', async () => {
    const run = { kernels: createKernels() };
    const guessed = await rows([
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ]).open(run);
    expect(guessed.notes).toEqual([
      'the last column, b, is taken for the label; label names another (--label of the command)',
    ]);
    const { features: encoding } = await modelOf(rows(typed, { label: 'species' }));
    const lacking = await rows([{ species: 'Gentoo', mass: 1 }]).open({ ...run, encoding });
    expect(lacking.notes).toEqual(['rows has no column island: its values count as missing']);
    await expect(rows([{ species: 'Gentoo' }]).open({ ...run, encoding })).rejects.toMatchObject({
      code: 'column-unknown',
    });
  });

  test('are refused with the row, and what is no row at once', async () => {
    const open = (list: unknown, options?: object) => rows(list as never, options).open({ kernels: createKernels() });
    await expect(open([])).rejects.toThrow('rows: expected rows; got none');
    await expect(open([{ a: 1 }, 5], { label: 'a' })).rejects.toThrow(
      'rows, row 2: expected an object of fields by name; got 5',
    );
    await expect(open([{ a: 1 }, null], { label: 'a', name: 'mine' })).rejects.toThrow(
      'mine, row 2: expected an object',
    );
    await expect(open([{ a: 1 }, {}, { a: 2 }], { label: ({ a }: { a: unknown }) => a })).rejects.toThrow(
      'rows, row 2, column "label": expected a label; got none',
    );
    for (const list of [undefined, null, 5, {}])
      expect(() => rows(list as never)).toThrow('expected an iterable of objects; got');
    expect(() => rows([], { lable: 'y' } as never)).toThrow('expected options that rows has');
  });

  test('are typed: a field that they lack, or a wrong function, does not compile', () => {
    rows(typed, { label: 'species', features: { columns: { mass: { bins: 4 } }, crosses: [['island', 'mass']] } });
    rows(typed, { label: ({ island }) => island });
    rows(typed.values(), { positive: 'Gentoo', label: 'species', scale: 'none' });
    // @ts-expect-error no field of this name
    rows(typed, { label: 'spezies' });
    // @ts-expect-error no field of this name
    rows(typed, { label: ({ spezies }) => spezies });
    // @ts-expect-error no class
    rows(typed, { label: ({ island }) => [island] });
    // @ts-expect-error no field of this name
    rows(typed, { label: 'species', features: { columns: { weight: { kind: 'drop' } } } });
    // @ts-expect-error no field of this name
    rows(typed, { label: 'species', features: { crosses: [['island', 'weight']] } });
    // @ts-expect-error no option of this name
    expect(() => rows(typed, { labels: 'species' })).toThrow('did you mean "label"?');
    // @ts-expect-error no objects
    rows([1, 2], {});
    // @ts-expect-error no rows
    expect(() => rows(5)).toThrow();
  });
});

describe('a predictor', () => {
  const kernels = createKernels();
  const text = (data: string, format: 'libsvm' | 'vw') =>
    new TextSource({
      name: 'data',
      open: () => [bytesSource(data)],
      format: format === 'libsvm' ? libsvmFormat(kernels) : vwFormat(kernels),
      kernels,
    });

  test('accepts indexed features as lists or as indices and values', async () => {
    const { model } = await train(text('1 1:1 4294967295:2\n0 2:1\n', 'libsvm'), { kernels });
    const predictor = new Predictor(model);
    expect(predictor.predict({ indices: [1], values: [1] })).toBe('1');
    expect(predictor.predict({ indices: [2], values: [1] })).toBe('0');
    const zeros = predictor.score({ indices: [], values: [] });
    expect(predictor.score({ indices: [4294967295], values: [1] })).toBeGreaterThan(zeros);
    const near = new Predictor((await train(text('1 1:1\n0 2:1\n', 'libsvm'), { kernels })).model);
    expect(near.predict([0, 1, 0])).toBe('1');
    expect(() => near.predict([0, Number.NaN, 0])).toThrow('expected a finite number; got NaN');
  });

  test('accepts named features by name, and ignores unknown ones', async () => {
    const { model } = await train(text('1 |a x:1\n-1 |a y:1\n', 'vw'), { kernels });
    const predictor = new Predictor(model);
    expect(predictor.predict({ 'a^x': 1, 'a^z': 9 })).toBe('1');
    expect(predictor.predict({ 'a^y': 1 })).toBe('-1');
  });
});
