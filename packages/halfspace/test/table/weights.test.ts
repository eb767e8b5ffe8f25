import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import {
  arrays,
  csv,
  encodeModel,
  evaluate,
  type LinearModel,
  ndjson,
  Predictor,
  rows,
  type Source,
  type TrainOptions,
  train,
} from '../../src/index.ts';

interface Row {
  readonly x: number;
  readonly c: string;
  readonly w: number;
  readonly y: string;
}

const row = fc.record({
  x: fc.integer({ min: -20, max: 20 }),
  c: fc.constantFrom('a', 'b', 'c', 'NA'),
  w: fc.constantFrom(0, 0, 1, 2, 0.5),
  y: fc.constantFrom('no', 'yes', 'rare'),
});
const options = { weight: 'w', label: 'y', positive: 'yes' } as const;
const sources: readonly (readonly [string, (given: readonly Row[]) => Source])[] = [
  ['csv', (given) => csv(`x,c,w,y\n${given.map(({ x, c, w, y }) => `${x},${c},${w},${y}\n`).join('')}`, options)],
  ['ndjson', (given) => ndjson(given.map((each) => `${JSON.stringify(each)}\n`).join(''), options)],
  ['rows', (given) => rows(given, options)],
];
/** Rows of which both classes have a weight. */
const certain: readonly Row[] = [
  { x: 3, c: 'a', w: 1, y: 'yes' },
  { x: -2, c: 'b', w: 2, y: 'no' },
  { x: 5, c: 'b', w: 1, y: 'yes' },
];

describe.each(sources)('weights of rows in %s', (_, sourceOf) => {
  it('make a row of weight 0 absent: in the encoding, the classes, the held-out rows, the model and the evaluation', async () => {
    await forAllAsync(
      60,
      fc.array(row, { maxLength: 30 }),
      fc.constantFrom(0.25, undefined),
      async (given, holdout) => {
        const all = [...given, ...certain, ...certain, ...certain, ...certain];
        const present = all.filter(({ w }) => w !== 0);
        const run: TrainOptions = { rule: { name: 'perceptron' }, passes: 3, holdout, seed: 4 };
        const [one, other] = [await train(sourceOf(all), run), await train(sourceOf(present), run)];
        expect(encodeModel(one.model)).toBe(encodeModel(other.model));
        expect(one.report).toEqual(other.report);
        const { notes: _, ...judged } = await evaluate(one.model, sourceOf(all));
        const { notes: __, ...same } = await evaluate(one.model, sourceOf(present));
        expect(judged).toMatchObject({ examples: same.examples, confusion: same.confusion });
      },
    );
  });

  it('are recorded in the model, which then does not need the column, and reads it in an evaluation', async () => {
    const { model, notes } = await train(sourceOf(certain), { rule: { name: 'perceptron' }, passes: 3 });
    expect(model.features).toMatchObject({ leftOut: [{ name: 'w', reason: 'weight' }] });
    expect(notes.join()).toContain('w (weight)');
    const without = certain.map(({ w: _, ...rest }) => rest);
    expect(await evaluate(model, rows(without))).toMatchObject({ examples: 3, notes: [] });
    const zero = { ...certain[0]!, w: 0 };
    expect(await evaluate(model, rows([...certain, zero]))).toMatchObject({ examples: 3, notes: [] });
    expect(await evaluate(model, csv('x,c,w,y\n1,a,,yes\n2,b,0,no\n'))).toMatchObject({ examples: 1 });
    const predictor = new Predictor(model);
    expect(predictor.score({ x: 3, c: 'a' })).toBe(predictor.score({ x: 3, c: 'a', w: 7 }));
  });

  it('must be finite numbers from 0, else the error names the row', async () => {
    for (const w of [-1, 'much', '', null, Number.NaN]) {
      const bad = [...certain, { ...certain[0]!, w: w as never }];
      await expect(train(sourceOf(bad))).rejects.toMatchObject({
        code: 'number-invalid',
        message: expect.stringMatching(/row 4, column "w": expected a weight, a finite number from 0; got /),
      });
    }
  });
});

it('weights are the importance of arrays', async () => {
  await forAllAsync(40, fc.array(row, { maxLength: 40 }), async (given) => {
    const all = [...given, ...certain].map((each) => ({ ...each, y: each.y === 'yes' ? 'yes' : 'no' }));
    const run: TrainOptions = { rule: { name: 'arow', r: 1 }, passes: 3, order: 'cyclic' };
    const text = `x,w,y\n${all.map(({ x, w, y }) => `${x},${w},${y}\n`).join('')}`;
    const importance = all.map(({ w }) => w);
    const features = { columns: { x: { kind: 'number' } } } as const;
    const table = await train(csv(text, { label: 'y', weight: 'w', scale: 'none', features }), run);
    const matrix = await train(
      arrays(
        all.map(({ x }) => [x]),
        all.map(({ y }) => y),
        { importance },
      ),
      run,
    );
    const weightsOf = ({ weights, bias }: LinearModel) => [...weights, bias];
    expect(weightsOf(table.model as LinearModel)).toEqual(weightsOf(matrix.model as LinearModel));
  });
});

it('a row with a bad weight is skipped like any bad row', async () => {
  const rejected: string[] = [];
  const text = 'x,w,y\n1,1,a\n2,-3,b\n3,1,b\n4,0,\n';
  const { report } = await train(
    csv(text, { label: 'y', weight: 'w', onReject: ({ error, text }) => rejected.push(`${error.message} | ${text}`) }),
  );
  expect(report.examples).toBe(2);
  expect(rejected).toEqual(['text, row 2, column "w": expected a weight, a finite number from 0; got "-3" | 2,-3,b']);
});

it('the column of weights must exist and differ from the label', async () => {
  await expect(train(csv('x,w,y\n1,1,a\n2,1,b\n', { weight: 'v' }))).rejects.toMatchObject({ code: 'column-unknown' });
  await expect(train(csv('x,w,y\n1,1,a\n2,1,b\n', { label: 'y', weight: 'y' }))).rejects.toThrow(
    'another column of weights than the label',
  );
  expect(() => csv('x', { weight: 3 as never })).toThrow('weight must be the name of a column; got 3');
});
