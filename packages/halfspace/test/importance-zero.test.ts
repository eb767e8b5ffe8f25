import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../test/support/properties.ts';
import { type Batch, denseBatch, sparseBatch } from '../src/batch.ts';
import { arraySource, bytesSource } from '../src/data/in-memory.ts';
import type { ExampleSource } from '../src/data/source.ts';
import { TextSource } from '../src/data/text.ts';
import { vwFormat } from '../src/data/text-format.ts';
import { HalfspaceError } from '../src/errors.ts';
import { forget, forgettable } from '../src/ledger/forget.ts';
import { parseClosing } from '../src/ledger/reader.ts';
import { replay } from '../src/ledger/replay.ts';
import { encodeModel } from '../src/model/encode.ts';
import { type BatchScores, evaluate, evaluateWith } from '../src/model/judge.ts';
import { choosePruning } from '../src/model/tree/choose-pruning.ts';
import { growTree } from '../src/model/tree/grow.ts';
import { type RuleName, rules } from '../src/rules/registry.ts';
import { compareRulesWith } from '../src/select/compare-rules.ts';
import { learningCurveWith } from '../src/select/curves.ts';
import { trainWith } from '../src/select/train.ts';
import type { Trained } from '../src/select/trained.ts';
import { findMaximumMargin } from '../src/train/find-margin.ts';
import type { RunOptions } from '../src/train/options.ts';
import { trainOnce } from '../src/train/train-once.ts';
import { wasm } from './support/kernels.ts';
import { recorded, runOptions } from './support/ledgers.ts';

const kernels = wasm();

interface Row {
  readonly x: readonly number[];
  /** Position of its class. */
  readonly y: number;
  readonly h: number;
}

/** The same examples with rows of importance 0 among them, and without. */
interface Woven {
  readonly classes: number;
  readonly all: readonly Row[];
  readonly cuts: readonly number[];
  readonly layout: 'dense' | 'sparse';
}

const dimension = 3;
const number = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom(0.25, -1.5, 1e3));
const features = fc.array(number, { minLength: dimension, maxLength: dimension });

function wovenOf(classes: number, { rows = 24, importance = [1, 1, 1, 0.5, 2, 3] } = {}): fc.Arbitrary<Woven> {
  const row = (h: fc.Arbitrary<number>) => fc.record({ x: features, y: fc.nat(classes - 1), h });
  return fc.record({
    classes: fc.constant(classes),
    // Of every class some, so that most options go; of importance 0 often more than others.
    all: fc
      .tuple(
        fc.array(row(fc.constantFrom(...importance)), { minLength: 2, maxLength: rows }),
        fc.array(row(fc.constant(0)), { minLength: 1, maxLength: rows }),
        fc.array(fc.nat(), { minLength: 2 * rows, maxLength: 2 * rows }),
      )
      .map(([some, none, keys]) => {
        const all = [...some.map((each, i) => ({ ...each, y: i < 2 * classes ? i % classes : each.y })), ...none];
        return all.map((each, i) => ({ each, key: keys[i] ?? i })).sort((a, b) => a.key - b.key).map(({ each }) => each);
      }),
    cuts: fc.array(fc.nat(2 * rows), { maxLength: 3 }).map((cuts) => cuts.sort((a, b) => a - b)),
    layout: fc.constantFrom('dense' as const, 'sparse' as const),
  }); // biome-ignore format: shorter
}

const counting = (rows: readonly Row[]) => rows.filter(({ h }) => h > 0);

function sourceOf({ classes, layout, cuts }: Woven, rows: readonly Row[]): ExampleSource {
  const names = Array.from({ length: classes }, (_, k) => `c${k}`);
  const make = (some: readonly Row[]): Batch => {
    const labels = some.map(({ y }) => (classes === 2 ? 2 * y - 1 : y));
    const importance = some.map(({ h }) => h);
    if (layout === 'dense') return denseBatch(some.map(({ x }) => x), labels, importance, classes); // biome-ignore format: one line
    const sparse = some.map(({ x }) => ({ indices: [0, 1, 2].filter((j) => x[j] !== 0), values: x.filter((v) => v !== 0) })); // biome-ignore format: one line
    return { ...sparseBatch(sparse, labels, importance, classes), dimension };
  };
  const ends = [...cuts.filter((cut) => cut < rows.length), rows.length];
  const batches = ends.map((end, k) => make(rows.slice(ends[k - 1] ?? 0, end))).filter((batch) => batch.rows > 0);
  return arraySource(batches, names);
}

/** Returns the result, or the code of the refusal. */
async function outcome<T>(act: () => Promise<T>): Promise<T | string> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof HalfspaceError) return `${error.code}: ${error.message.replace(/row \d+/, 'row')}`;
    throw error;
  }
}

const seen = ({ model, report }: Pick<Trained, 'model' | 'report'>) => ({ file: encodeModel(model), report });

/** Asserts that rows of importance 0 change nothing of what comes of it. */
async function expectSame(woven: Woven, act: (source: () => ExampleSource) => Promise<unknown>): Promise<void> {
  // One after the other: runs side by side take kernels of their own.
  const outcomeOf = (rows: readonly Row[]) => outcome(() => act(() => sourceOf(woven, rows)));
  expect(await outcomeOf(woven.all)).toEqual(await outcomeOf(counting(woven.all)));
}

const runs: readonly RunOptions[] = [
  ...(Object.keys(rules) as RuleName[]).map((rule) => ({ rule })),
  { rule: 'perceptron', updateWhen: 'below-zero' },
  { rule: 'margin', margin: 2 },
  { rule: 'passive-aggressive', variant: 'pa-2' },
  { rule: 'arow', average: true },
  { rule: 'sgd', schedule: 'inverse-scaling', penalty: 'l1' },
  { rule: 'sgd', schedule: 'constant', loss: 'hinge', penalty: 'none' },
  { rule: 'kernel', kernel: 'rbf', aggregate: 'last', budget: 3 },
  { as: 'lecture-9' },
  { as: 'cs4780' },
  { as: 'foda' },
  { as: 'blog' },
  { as: 'slides' },
];

const choices: fc.Arbitrary<RunOptions> = fc.record(
  {
    order: fc.constantFrom('cyclic', 'shuffled', 'shuffled-once', 'random', 'auto'),
    start: fc.constantFrom('example', 'random'),
    bias: fc.constantFrom('absorbed', 'none'),
    scaling: fc.constantFrom('unit-ball', 'max-norm'),
    stop: fc.constantFrom({ quiet: 'pass' as const }, { quiet: 'covering' as const }, { quiet: 5 }),
    passes: fc.constantFrom(1, 2, 5, 30),
    patience: fc.constantFrom(1, 3),
    holdout: fc.constantFrom(0.2, 0.5),
    classWeights: fc.constantFrom('balanced', { c1: 3 }),
    multiclass: fc.constant('kesler'),
    marginGap: fc.constant(0.5),
    seed: fc.nat(99),
  } as { [K in keyof RunOptions]-?: fc.Arbitrary<NonNullable<RunOptions[K]>> },
  { requiredKeys: [] },
);

describe('rows of importance 0, anywhere in the data, have no effect', () => {
  it.each(runs)('on the model and report of %j, for any order, start, stop, scaling and hold-out', async (rule) => {
    await forAllAsync(
      60, fc.constantFrom(2, 2, 3).chain((k) => wovenOf(k)), choices, async (woven, options) => {
        const run = { ...(rule.rule === 'tree' ? { holdout: options.holdout, seed: options.seed } : options), ...rule };
        await expectSame(woven, async (source) => seen(await trainOnce(source(), { ...run, kernels, validation: source() })));
      });
  }); // biome-ignore format: shorter

  it('on evaluation, comparison, choice, calibration and curves', async () => {
    const large = fc.constantFrom(2, 3).chain((k) => wovenOf(k, { rows: 40 }));
    await forAllAsync(15, large, async (woven) => {
      const candidates = ['averaged', 'pocket', 'tree'] as const;
      await expectSame(woven, (source) => compareRulesWith(kernels, source(), { candidates, folds: 2, repeats: 1 }));
      await expectSame(woven, (source) => learningCurveWith(kernels, source(), { folds: 2 }));
      await expectSame(woven, async (source) => {
        const { calibration, curves, scores, ...rest } = await trainWith(kernels, source(), { rule: 'averaged', calibrate: 'isotonic', curves: true, validation: source() }); // biome-ignore format: one line
        return { calibration, curves, scores, ...seen(rest) };
      });
      if (woven.classes === 2) await expectSame(woven, (source) => findMaximumMargin(source(), { gap: 0.5, kernels }));
    });
  });

  it('on the choice of a rule', async () => {
    await forAllAsync(3, wovenOf(2), (woven) =>
      expectSame(woven, async (source) => {
        const { search, ...rest } = await trainWith(kernels, source(), { holdout: 0.2 });
        return { search, ...seen(rest) };
      }),
    );
  });

  it('on the scores passed to a callback', async () => {
    await forAllAsync(wovenOf(2), async (woven) => {
      const { model } = await trainOnce(sourceOf(woven, counting(woven.all)), { kernels });
      await expectSame(woven, async (source) => {
        const told: number[][] = [];
        const onScores = ({ scores, labels }: BatchScores) => void told.push([...scores], [...labels]);
        const judgement = await evaluateWith(kernels, model, source(), { onScores });
        return [judgement, told.flat().sort()];
      });
    });
  });
});

describe('with rows of importance 0, other rows keep their row numbers', () => {
  it('in steps and ledgers, also in replay and forgetting', async () => {
    await forAllAsync(150, wovenOf(2), runOptions, fc.nat(), async (woven, options, pick) => {
      const few = counting(woven.all);
      const numbers = woven.all.flatMap(({ h }, i) => (h > 0 ? [i] : []));
      const run = (rows: readonly Row[]) => outcome(() => recorded(sourceOf(woven, rows), { ...options, kernels }));
      const [one, other] = [await run(woven.all), await run(few)];
      if (typeof one === 'string' || typeof other === 'string') {
        expect(one).toEqual(other);
        return;
      }
      const { updates } = one.ledger;
      expect([...updates.rows.slice(0, updates.count)]).toEqual(
        Array.from(other.ledger.updates.rows.slice(0, updates.count), (row) => numbers[row]),
      );
      expect(one.ledger.closing!.rows).toBe(woven.all.length);
      const source = () => sourceOf(woven, woven.all);
      expect(seen(await replay(one.ledger, source(), { kernels }))).toEqual(seen(one));

      const row = pick % woven.all.length;
      const place = numbers.indexOf(row);
      const forgotten = await outcome(async () => seen(await forget(one.ledger, source(), row, { kernels })));
      if (place === -1) {
        expect(forgettable(one.ledger, row)).toEqual({ steps: [], unchanged: true, why: 'no-update' });
        expect(forgotten).toEqual(seen(other));
      } else {
        expect(forgettable(one.ledger, row).why).toBe(forgettable(other.ledger, place).why);
        expect(forgotten).toEqual(
          await outcome(async () => seen(await forget(other.ledger, sourceOf(woven, few), place, { kernels }))),
        );
      }
    });
  });

  it('when step by step', async () => {
    await forAllAsync(wovenOf(2), fc.constantFrom(undefined, 0.3), async (woven, holdout) => {
      const stepsOf = (rows: readonly Row[]) =>
        outcome(async () => {
          const steps: number[] = [];
          await trainOnce(sourceOf(woven, rows), {
            kernels,
            holdout,
            passes: 2,
            onStep: ({ row }) => steps.push(row),
          });
          return steps;
        });
      const [one, other] = [await stepsOf(woven.all), await stepsOf(counting(woven.all))];
      const numbers = woven.all.flatMap(({ h }, i) => (h > 0 ? [i] : []));
      expect(one).toEqual(typeof other === 'string' ? other : other.map((row) => numbers[row]));
    });
  });

  it('in the error for a missing label', async () => {
    const labels = Float64Array.of(1, Number.NaN, -1, Number.NaN, 1);
    const batch = { ...denseBatch([[1], [2], [3], [4], [5]], [1, 1, -1, 1, 1], [1, 0, 1, 1, 1]), labels };
    await expect(trainOnce(arraySource(batch), { kernels })).rejects.toThrow('row 4: expected a label; got none');
    const { model } = await trainOnce(arraySource(denseBatch([[1], [2]], [1, -1])), { kernels });
    await expect(evaluate(model, arraySource(batch))).rejects.toThrow('row 4: expected a label; got none');
  });
});

describe('the rows of importance 0 that a ledger names', () => {
  it('are read back, and refused unless they are rising row numbers', async () => {
    const batch = denseBatch([[1], [2], [3], [4], [5]], [1, 1, -1, 1, -1], [1, 0, 1, 0, 1]);
    const { closing } = (await recorded(arraySource(batch), { kernels })).ledger;
    expect(closing).toMatchObject({ rows: 5, leftOut: [1, 3] });
    const parse = (leftOut: unknown) => parseClosing(new TextEncoder().encode(JSON.stringify({ ...closing, leftOut })));
    expect(parse([1, 3]).leftOut).toEqual([1, 3]);
    for (const wrong of [[3, 1], [1, 1], [5], [-1], ['1'], 3, null])
      expect(() => parse(wrong)).toThrow('expected "leftOut" to be');
  });
});

describe('Vowpal Wabbit text', () => {
  const source = (text: string) =>
    new TextSource({ name: 'data', open: () => [bytesSource(text)], format: vwFormat(kernels), kernels });

  it('takes no class from a line of importance 0', async () => {
    const { model, report } = await trainOnce(source('1 |a x:1\n2 0 |a x:-1\n0 |a y:1\n1 0 |a y:1\n'), { kernels });
    expect(report).toMatchObject({ classes: ['0', '1'], classExamples: [1, 1], examples: 2, stop: 'separated' });
    expect(model.kind).toBe('linear');
  });

  it('with only such lines has no examples', async () => {
    const lines = () => source('1 0 |a x:1\n0 0 |a y:1\n');
    await expect(trainOnce(lines(), { kernels })).rejects.toThrow(
      'data: expected examples of importance above 0; got none',
    );
    const { model } = await trainOnce(arraySource(denseBatch([[1], [2]], [1, -1])), { kernels });
    const none = arraySource(denseBatch([[1], [2]], [1, -1], [0, 0]));
    await expect(evaluate(model, none)).rejects.toThrow('examples: expected examples of importance above 0; got none');
  });
});

describe('a tree grown from a table', () => {
  it('is that of the rows of importance above 0, with the same thresholds and pruning', () => {
    forAll(wovenOf(3, { rows: 60 }), fc.constantFrom(2, 4, 255), ({ all }, bins) => {
      const tableOf = (rows: readonly Row[]) => ({
        rows: rows.length,
        columns: [0, 1, 2].map((j) => ({ kind: 'number' as const, name: `x${j}` })),
        values: [0, 1, 2].map((j) => Float64Array.from(rows, ({ x }) => x[j]!)),
        classes: ['a', 'b', 'c'],
        labels: Int32Array.from(rows, ({ y }) => y),
        importance: Float64Array.from(rows, ({ h }) => h),
      });
      const [one, other] = [tableOf(all), tableOf(counting(all))];
      expect(growTree(one, { bins })).toEqual(growTree(other, { bins }));
      expect(choosePruning(one, { bins, folds: 2 })).toEqual(choosePruning(other, { bins, folds: 2 }));
    });
  });

  it('counts a row of whole importance h as h rows, if every value has its bin', async () => {
    await forAllAsync(wovenOf(3, { importance: [1, 2, 3] }), async ({ all }) => {
      const copies = all.flatMap((row) => Array.from({ length: row.h }, () => ({ ...row, h: 1 })));
      const woven = { classes: 3, cuts: [], layout: 'dense' as const, all };
      const treeOf = (rows: readonly Row[]) =>
        outcome(async () => {
          const { model } = await trainOnce(sourceOf(woven, rows), { rule: 'tree', kernels });
          return model.kind === 'tree' ? model.tree : null;
        });
      expect(await treeOf(all)).toEqual(await treeOf(copies));
    });
  });
});
