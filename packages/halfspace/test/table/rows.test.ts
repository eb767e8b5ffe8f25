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
import { rowsSource } from '../../src/table/rows.ts';
import { decodeModel, train } from '../support/linear.ts';

const penguins: Row[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../node_modules/vega-datasets/data/penguins.json'), 'utf8'),
);

describe('plain objects', () => {
  test('train, are predicted one by one from the model alone, and score as in batches', async () => {
    const source = rowsSource(penguins, { label: 'Species', positive: 'Gentoo' });
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
    const again = rowsSource(penguins, { label: 'Species', encoding: read.features });
    expect(await evaluate(read, again)).toMatchObject({ accuracy: 1, examples: 344 });
  });

  test('are refused with the fault', async () => {
    expect(() => rowsSource([], { label: 'y' })).toThrow('expected rows; got none');
    expect(() => rowsSource([{ a: 1 }], { label: 'y' })).toThrow('expected a column "y"; got a');
    const long = 'a'.repeat(1e5);
    expect(() => rowsSource([{ [long]: 1 }], { label: 'y' })).toThrow(/: expected a column "y"; got a{59}…$/);
    const quantity = 'Body Mass (g)';
    const weighed = penguins
      .filter((row) => row[quantity] !== null)
      .map((row) => ({ ...row, [quantity]: Number(row[quantity]) / 1000 }));
    expect(() => rowsSource(weighed, { label: quantity })).toThrow(
      /expected at most 10 classes of numbers, or one named as positive \(--positive CLASS\); got \d+: "2\.7" \(1\)/,
    );
    expect(() =>
      rowsSource(
        [
          { a: Number.NaN, y: 'p' },
          { a: 1, y: 'q' },
        ],
        { label: 'y' },
      ),
    ).toThrow(/finite number/);
    expect(() => rowsSource([{ a: 1, y: 'p' }, { a: 2, y: 'q' }, { a: 3 }], { label: 'y' })).toThrow(
      'rows, row 3, column "y": expected a label; got none',
    );
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
    (kind, name, value) => {
      const good = { number: 1, boolean: true, date: '2024-02-29', category: 'a', text: 'a b' }[kind];
      const rows = [
        { x: good, y: 'p' },
        { x: null, y: 'q' },
        { x: value, y: 'p' },
      ];
      const place = 'rows, row 3, column "x": expected ';
      const message = new RegExp(`^${place}.*; got ${name}$`);
      const features = { columns: { x: { kind } } };
      expect(() => rowsSource(rows, { label: 'y', features })).toThrow(message);
      expect(() => rowsSource(rows.slice(2), { label: 'x' })).toThrow(/^rows, row 1, column "x": expected .*; got/);
    },
  );

  test('report such a value also with a given encoding', async () => {
    const rows = [1, 2, 3].map((x) => ({ x, k: `k${x}`, y: x > 1 ? 'p' : 'q' }));
    const { model } = await train(rowsSource(rows, { label: 'y' }));
    if (model.features.kind !== 'table') throw new Error('expected a table');
    for (const field of ['x', 'k', 'y'])
      for (const value of [Number.NaN, Number.NEGATIVE_INFINITY]) {
        const source = rowsSource([rows[0]!, { ...rows[1]!, [field]: value }], {
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
    const { model, report } = await train(rowsSource(rows, { label: 'y' }));
    expect(report.train?.accuracy).toBe(1);
    expect(new Predictor(model).predict({ constructor: null })).toMatch(/true|false/);
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
    expect(predictor.predict([0, 1])).toBe('1');
    expect(predictor.predict([0, 0, 1])).toBe('0');
    expect(predictor.score({ indices: [4294967295], values: [1] })).toBeGreaterThan(predictor.score([]));
    expect(() => predictor.predict([Number.NaN])).toThrow('expected a finite number; got NaN');
  });

  test('accepts named features by name, and ignores unknown ones', async () => {
    const { model } = await train(text('1 |a x:1\n-1 |a y:1\n', 'vw'), { kernels });
    const predictor = new Predictor(model);
    expect(predictor.predict({ 'a^x': 1, 'a^z': 9 })).toBe('1');
    expect(predictor.predict({ 'a^y': 1 })).toBe('-1');
  });
});
