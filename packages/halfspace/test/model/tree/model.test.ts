import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../../test/support/properties.ts';
import { type Batch, denseBatch, sparseBatch } from '../../../src/batch.ts';
import { arraySource } from '../../../src/data/in-memory.ts';
import type { ExampleSource } from '../../../src/data/source.ts';
import { decodeModel } from '../../../src/model/decode.ts';
import { encodeModel } from '../../../src/model/encode.ts';
import { evaluateWith } from '../../../src/model/judge.ts';
import { createScorer } from '../../../src/model/kinds.ts';
import { Predictor } from '../../../src/model/predictor.ts';
import { classify } from '../../../src/model/tree/classify.ts';
import type { TreeModel } from '../../../src/model/tree/model.ts';
import { compareRulesWith } from '../../../src/select/compare-rules.ts';
import type { Row } from '../../../src/table/object-table.ts';
import type { RunOptions } from '../../../src/train/options.ts';
import { trainOnce } from '../../../src/train/train-once.ts';
import { wasm } from '../../support/kernels.ts';
import { openedRows } from '../../support/tables.ts';

const kernels = wasm();

async function treeOf(source: ExampleSource, options: RunOptions = {}) {
  const { model, report } = await trainOnce(source, { rule: 'tree', kernels, ...options });
  return { model: model as TreeModel, report };
}

const cars: Row[] = [
  { cyl: '4', disp: 97, year: '1970-01-01', diesel: false, mpg: 'good' },
  { cyl: '4', disp: 140, year: '1971-01-01', diesel: false, mpg: 'good' },
  { cyl: '6', disp: 200, year: '1972-01-01', diesel: false, mpg: 'bad' },
  { cyl: '6', disp: 232, year: '1979-01-01', diesel: true, mpg: 'good' },
  { cyl: '8', disp: null, year: '1979-01-01', diesel: false, mpg: 'bad' },
  { cyl: '8', disp: 350, year: '1980-01-01', diesel: true, mpg: 'bad' },
  { cyl: null, disp: 350, year: '1981-01-01', diesel: true, mpg: 'good' },
  { cyl: 'V', disp: null, year: '1981-01-01', diesel: true, mpg: 'bad' },
].map((row) => ({ ...row, cyl: row.cyl === null ? null : `${row.cyl} cylinders` }));

const rowValues = fc.record({
  cyl: fc.constantFrom(...cars.map(({ cyl }) => cyl), 'never seen'),
  disp: fc.constantFrom(...cars.map(({ disp }) => disp), 1e6, -5),
  year: fc.constantFrom(...cars.map(({ year }) => year), '2024-02-29'),
  diesel: fc.constantFrom(true, false, null),
});

describe('a tree as a model', () => {
  it('is read back as it was written, byte for byte', async () => {
    const { model } = await treeOf(await openedRows(cars, { label: 'mpg' }));
    const text = encodeModel(model);
    const read = decodeModel(text) as TreeModel;
    expect(read).toEqual(model);
    expect(encodeModel(read)).toBe(text);
    expect(read.tree.columns.map(({ name }) => name)).toEqual(['cyl', 'disp', 'year', 'diesel']);
  });

  it('that was changed is refused, with the member', async () => {
    const { model } = await treeOf(await openedRows(cars, { label: 'mpg' }));
    const changed = { ...model, tree: { ...model.tree, nodes: model.tree.nodes.slice(0, -1) } };
    expect(() => decodeModel(encodeModel(changed))).toThrow('to be a tree in preorder');
  });

  it('gives rows the same class one at a time, in batches and as fields', async () => {
    const { model } = await treeOf(await openedRows(cars, { label: 'mpg', scale: 'none' }));
    const predictor = new Predictor(model);
    const encoding = model.features;
    if (encoding.kind !== 'table') throw new TypeError('expected a table');
    await forAllAsync(fc.array(rowValues, { minLength: 1, maxLength: 20 }), async (rows) => {
      const labelled = rows.map((row) => ({ ...row, mpg: 'good' }));
      const scorer = createScorer(kernels, model);
      for await (const batch of (await openedRows(labelled, { label: 'mpg', encoding })).batches()) {
        const scores = new Float64Array(batch.rows);
        scorer.scoreInto(batch, scores);
        rows.forEach((row, i) => {
          expect(predictor.score(row)).toBe(scores[i]);
          const given = predictor.predict(row);
          expect(given).toBe(model.classes[scores[i]! > 0 ? 1 : 0]);
          // `diesel` was never missing in training, so no feature tells that it is.
          if (row.diesel !== null) expect(classify(model.tree, row).class).toBe(given);
        });
      }
    });
  });

  it('asks the same questions of scaled numbers as of unscaled ones', async () => {
    const plain = await treeOf(await openedRows(cars, { label: 'mpg', scale: 'none' }));
    const scaled = await treeOf(await openedRows(cars, { label: 'mpg', scale: 'standard' }));
    const rounded = ({ model }: typeof plain) =>
      JSON.parse(JSON.stringify(model.tree.nodes), (key, value) => (key === 'threshold' ? value.toFixed(6) : value));
    expect(rounded(scaled)).toEqual(rounded(plain));
  });

  it('is judged on training, held-out and other data like evaluate', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => ({ x: i % 17, z: (i * 7) % 5, y: i % 17 > 8 ? 'yes' : 'no' }));
    const source = () => openedRows(rows, { label: 'y' });
    const { model, report } = await treeOf(await source(), { holdout: 0.2, validation: await source() });
    expect(report).toMatchObject({ rule: 'tree', stop: 'grown', passes: 1, updates: 0, progressive: null });
    expect(report.train).toMatchObject({ errors: 0, separated: true, margin: null, radius: null });
    expect(report.holdout!.examples + report.examples).toBe(300);
    expect(report.validation).toEqual(await evaluateWith(kernels, model, await source()));
    expect(model.tree.nodes[0]!.split).toMatchObject({ kind: 'number', column: 0 });
  });

  it('distinguishes many classes, and scores each by its share in the leaf', async () => {
    const rows = ['a', 'b', 'c', 'c'].map((y, i) => ({ x: i, y }));
    const { model } = await treeOf(await openedRows(rows, { label: 'y' }), { maxDepth: 1 });
    const predictor = new Predictor(model);
    expect(model.classes).toEqual(['a', 'b', 'c']);
    expect([...predictor.scores({ x: 0 })]).toEqual([0.5, 0.5, 0]);
    expect(predictor.predict({ x: 0 })).toBe('a');
    expect(predictor.predict({ x: 9 })).toBe('c');
    expect(() => predictor.score({ x: 0 })).toThrow(
      'expected a model of two classes, which have one score; got one of 3',
    );
  });

  it('applies class weights', async () => {
    const rows = Array.from({ length: 10 }, (_, i) => ({ x: 0, z: i % 3, y: i < 2 ? 'rare' : 'usual' }));
    const leaf = { maxDepth: 0 };
    const plain = await treeOf(await openedRows(rows, { label: 'y', positive: 'rare' }), leaf);
    const weighed = await treeOf(await openedRows(rows, { label: 'y', positive: 'rare' }), {
      ...leaf,
      classWeights: { rare: 8 },
    });
    expect(plain.model.tree.nodes[0]!.counts).toEqual([8, 2]);
    expect(weighed.model.tree.nodes[0]!.counts).toEqual([8, 16]);
    expect(weighed.report.train!.errors).toBe(8);
  });
});

describe('a tree of numbered features', () => {
  const data = [
    [[0, 5], 1],
    [[0, 0], -1],
    [[3, 5], 1],
    [[3, 0], -1],
  ] as const;
  const labels = data.map(([, y]) => y);
  const dense = denseBatch(data.map(([x]) => x), labels); // biome-ignore format: one line
  const sparse = sparseBatch(
    data.map(([x]) => ({ indices: [0, 1].filter((j) => x[j] !== 0), values: x.filter((value) => value !== 0) })),
    labels,
  );

  it('is the same for dense and sparse rows; absent features are 0', async () => {
    const [one, two] = await Promise.all(([dense, sparse] as Batch[]).map((batch) => treeOf(arraySource(batch))));
    expect(one!.model.tree).toEqual(two!.model.tree);
    expect(one!.model.tree.nodes[0]!.split).toMatchObject({ column: 1, threshold: 2.5 });
    const predictor = new Predictor(two!.model);
    for (const [x, y] of data) {
      expect(predictor.score(x)).toBe(y);
      expect(predictor.score({ indices: [1, 4_000_000_000], values: [x[1], 1] })).toBe(y);
    }
  });

  it('is refused for more than some thousand features', async () => {
    const wide = sparseBatch([{ indices: [5000], values: [1] }, { indices: [0], values: [1] }], [1, -1]); // biome-ignore format: one line
    await expect(treeOf(arraySource(wide))).rejects.toThrow(
      'expected at most 4096 columns for a tree, which looks at them one by one; got 5001',
    );
  });

  it.each<[string, RunOptions]>([
    ['passes', { passes: 2 }],
    ['order', { order: 'random' }],
    ['stop', { stop: { quiet: 'pass' } }],
    ['patience', { patience: 3 }],
    ['multiclass', { multiclass: 'kesler' }],
  ])('takes no option that says how a linear function is learned: %s', async (name, options) => {
    await expect(treeOf(arraySource(dense), options)).rejects.toThrow(`${name} is not for the rule tree; got`);
  });

  it.each<RunOptions>([
    { passes: 'auto' },
    { order: 'auto' },
    { order: 'cyclic' },
    { stop: { passes: 'auto', cleanPass: true, quiet: null } },
    { bias: 'separate', start: 'zero', tie: -1, scaling: 'none', returns: 'weights', multiclass: 'one-vs-rest' },
  ])('takes such an option where its value is the default: %j', async (options) => {
    const { model } = await treeOf(arraySource(dense));
    expect((await treeOf(arraySource(dense), options)).model).toEqual(model);
  });

  it('accepts its own options, within their ranges', async () => {
    await expect(treeOf(arraySource(dense), { criterion: 'entropy' as never })).rejects.toThrow(
      'criterion must be one of gini, information-gain, gain-ratio; got "entropy"',
    );
    await expect(treeOf(arraySource(dense), { maxDepth: -1 })).rejects.toThrow('maxDepth must be a whole number from 0; got -1'); // biome-ignore format: one line
    const { model } = await treeOf(arraySource(dense), { minLeaf: 3 });
    expect(model.tree.nodes).toHaveLength(1);
    expect(model.options).toEqual({ criterion: 'gini', maxDepth: 6, minLeaf: 3, pruning: 0, multiway: 8 });
  });
});

describe('rows without columns', () => {
  const labels = [-1, 1, 1, -1, 1, 1, 1, -1, 1];
  const sources: [string, () => ExampleSource][] = [
    ['dense', () => arraySource(denseBatch(labels.map(() => []), labels))],
    ['sparse', () => arraySource(sparseBatch(labels.map(() => ({ indices: [], values: [] })), labels))],
  ]; // biome-ignore format: one line each

  it.each(sources)('give a tree of one leaf, as they give a line with only a bias: %s', async (_, source) => {
    const { model, report } = await treeOf(source());
    expect(model.tree.nodes).toEqual([{ counts: [3, 6], split: null }]);
    expect(report.train).toMatchObject({ errors: 3 });
    const read = decodeModel(encodeModel(model)) as TreeModel;
    expect(new Predictor(read).predict({ indices: [], values: [] })).toBe(model.classes[1]);
    expect(await evaluateWith(kernels, read, source())).toMatchObject({ examples: 9, errors: 3 });
    const line = await trainOnce(source(), { rule: 'averaged', kernels });
    expect(line.report.examples).toBe(9);
    const { compared } = await compareRulesWith(kernels, source(), {
      candidates: ['tree'],
      folds: 3,
      repeats: 1,
    });
    expect(compared[0]!.accuracy).toBeCloseTo(2 / 3);
  });
});

describe('a tree beside linear rules, on the same folds', () => {
  /** A band, which no hyperplane tells. */
  const rows = Array.from({ length: 200 }, (_, i) => {
    const [a, b] = [(i * 37) % 101, (i * 61) % 103];
    return { a, b, y: a > 25 && a < 75 ? 'inside' : 'outside' };
  });

  it('is judged on rows that it did not learn from', async () => {
    const { compared } = await compareRulesWith(kernels, await openedRows(rows, { label: 'y' }), {
      candidates: ['averaged', { name: 'tree', maxDepth: 3 }],
      folds: 4,
      repeats: 2,
    });
    const [first, second] = compared;
    expect([first, second].map((each) => [each!.rule.name, each!.passes])).toEqual([
      ['tree', 1],
      ['averaged', 10],
    ]);
    expect(first!.rule).toMatchObject({ maxDepth: 3, criterion: 'gini' });
    expect(first!.foldAccuracies).toHaveLength(8);
    expect(first!.accuracy).toBeGreaterThan(0.9);
    expect(second!.accuracy).toBeLessThan(0.7);
  });
});
