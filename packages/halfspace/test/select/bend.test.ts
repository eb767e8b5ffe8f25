import { describe, expect, it } from 'vitest';
import type { NumberColumn, TableEncoding } from '../../src/features/table-encoding.ts';
import { decodeModel, encodeModel, evaluate, Predictor, rows, type TrainOptions, train } from '../../src/index.ts';
import { Random } from '../../src/random.ts';

/** Rows of two numbers, one of them sometimes missing, and a category. */
function table(count: number, seed: number, label: (x: number, y: number, c: string) => boolean) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [random.uniform() * 10, random.uniform() * 10];
    const c = 'abc'[random.below(3)]!;
    return { x, y: i % 17 === 0 ? null : y, c, label: label(x, y, c) ? 'in' : 'out' };
  });
}

const band = (x: number) => x > 3 && x < 6;
const squares = (x: number, y: number) => x > 5 !== y > 5;

describe('bent numbers', () => {
  it('are chosen where a line does not do, and are read from rows as in training', async () => {
    const all = table(400, 1, band);
    const { model, search, report } = await train(rows(all, { label: 'label' }), { holdout: 0.25, means: true });
    expect(search.tried[search.taken]).toMatchObject({ shape: 'bent', rule: { name: 'logistic' } });
    expect(report.holdout!.accuracy).toBeGreaterThan(0.95);
    const [x] = (model.features as TableEncoding).columns as NumberColumn[];
    expect(x!.edges!.length).toBeGreaterThan(20);
    const fresh = table(300, 2, band);
    const judged = await evaluate(model, rows(fresh, { label: 'label' }));
    const predictor = new Predictor(decodeModel(encodeModel(model)));
    const errors = fresh.filter((row) => predictor.predict(row) !== row.label).length;
    expect(errors).toBe(judged.errors);
    expect(model).toMatchObject({ kind: 'linear' });
  });

  it('keep the words in place of numbers apart', async () => {
    const all = table(500, 7, band).map((row, i) => ({
      ...row,
      x: i % 5 === 0 ? 'free' : i % 5 === 1 ? 'N.A.' : i % 23 === 2 ? null : row.x,
      label: i % 5 > 1 ? row.label : i % 5 === 0 ? 'in' : 'out',
    }));
    const { model, search, report } = await train(rows(all, { label: 'label' }));
    expect(search.tried[search.taken]!.shape).toBe('bent');
    const predictor = new Predictor(model);
    expect(all.filter((row) => predictor.predict(row) !== row.label)).toHaveLength(report.train!.errors);
    expect(['free', 'N.A.'].map((x) => predictor.predict({ x }))).toEqual(['in', 'out']);
  });

  it('are crossed where columns matter together', async () => {
    const all = table(500, 3, squares);
    const { model, search, crossValidation } = await train(rows(all, { label: 'label' }), {
      folds: 5,
      calibrate: 'platt',
    });
    expect(search.tried[search.taken]!.shape).toBe('crossed');
    expect(crossValidation!.accuracy).toBeGreaterThan(0.85);
    const { crosses } = model.features as TableEncoding;
    expect(crosses![0]!.columns).toEqual(['x', 'y']);
    expect((await evaluate(model, rows(table(300, 4, squares), { label: 'label' }))).accuracy).toBeGreaterThan(0.85);
  });

  it('are crossed in the pairs that are asked for, and in no others', async () => {
    const given = () => rows(table(200, 3, squares), { label: 'label' });
    const pairsOf = async (pairs: TrainOptions['pairs'], rule: 'auto' | 'logistic' = 'logistic') => {
      const { model, search } = await train(given(), { rule, bend: 9, pairs });
      const { crosses = [] } = model.features as TableEncoding;
      return { shapes: search?.tried.map(({ shape }) => shape), pairs: crosses.map(({ columns }) => columns.join()) };
    };
    expect((await pairsOf([['c', 'x']])).pairs).toEqual(['x,c']);
    expect((await pairsOf(1)).pairs).toEqual(['x,y']);
    expect((await pairsOf('auto')).pairs).toEqual([]);
    expect((await pairsOf(0, 'auto')).shapes).not.toContain('crossed');
    expect(await pairsOf([['x', 'y']], 'auto')).toMatchObject({ pairs: ['x,y'] });
    await expect(pairsOf([['x', 'q']])).rejects.toThrow('got "q", which is no column of features');
    const { model } = await train(given(), { rule: 'logistic', pairs: 2 });
    expect((model.features as TableEncoding).crosses).toHaveLength(2);
    await expect(train(given(), { rule: 'averaged', pairs: 2 })).rejects.toThrow('the rules auto and logistic');
    await expect(train(given(), { pairs: 2, bend: 'none' })).rejects.toThrow('got bend none');
    await expect(pairsOf([['x', 'x']])).rejects.toThrow('pairs must be auto, none, a whole number in [0, 100]');
  });

  it('learn XOR with its pair, of numbers and of words, with a rule and without', async () => {
    const four = [0, 1, 2, 3].map((i) => ({ x: i >> 1, y: i & 1, label: i === 1 || i === 2 ? 'in' : 'out' }));
    const words = four.map(({ x, y, label }) => ({ x: `v${x}`, y: `v${y}`, label }));
    for (const all of [four, words])
      for (const rule of ['auto', 'logistic'] as const) {
        const { model, search } = await train(rows(all as readonly Record<string, unknown>[], { label: 'label' }), {
          rule,
          pairs: [['x', 'y']],
        });
        const predictor = new Predictor(decodeModel(encodeModel(model)));
        expect(all.map((row) => predictor.predict(row))).toEqual(all.map(({ label }) => label));
        if (rule === 'auto')
          expect(search).toMatchObject({ why: 'pairs', tried: { [search!.taken]: { shape: 'crossed' } } });
      }
  });

  it('stay straight where a line is as good, with the model of numbers that are not bent', async () => {
    const all = table(300, 5, (x, y) => x + y > 10);
    const given = () => rows(all, { label: 'label' });
    const { model, search } = await train(given());
    expect(search.tried.map(({ shape }) => shape)).toContain('bent');
    expect(search.tried[search.taken]!.shape).toBe('straight');
    const straight = await train(given(), { bend: 'none' });
    expect(new Set(straight.search.tried.map(({ shape }) => shape))).toEqual(new Set(['straight']));
    expect(encodeModel(model)).toBe(encodeModel(straight.model));
  });

  it('are learned by the rule logistic where they are asked for', async () => {
    const given = () => rows(table(300, 6, band), { label: 'label' });
    const { model, report } = await train(given(), { rule: 'logistic', bend: 9 });
    const [x, y] = (model.features as TableEncoding).columns as NumberColumn[];
    expect([x!.edges!.length, y!.edges!.length]).toEqual([9, 9]);
    expect(report.train!.accuracy).toBeGreaterThan(0.8);
    await expect(train(given(), { rule: 'averaged', bend: 9 })).rejects.toMatchObject({
      code: 'option-invalid',
      message: 'bend is for the rules auto and logistic; got another',
    });
    await expect(train(given(), { bend: 0 })).rejects.toMatchObject({
      message: 'bend must be auto, none or a whole number of edges in [1, 999]; got 0',
    });
  });

  it('has weights of neighbours that differ little', async () => {
    const { model } = await train(rows(table(2000, 7, band), { label: 'label' }), {
      rule: { name: 'logistic', alpha: 0.01 },
      bend: 40,
    });
    if (model.kind !== 'linear') throw new TypeError('expected two classes');
    const [x] = (model.features as TableEncoding).columns as NumberColumn[];
    const weights = [...model.weights.subarray(0, x!.edges!.length + 1)];
    const steps = weights.slice(1).map((weight, k) => Math.abs(weight - weights[k]!));
    expect(Math.max(...steps)).toBeLessThan((Math.max(...weights) - Math.min(...weights)) / 3);
    expect(weights[0]! + weights.at(-1)!).toBeCloseTo(0, 9);
  });
});
