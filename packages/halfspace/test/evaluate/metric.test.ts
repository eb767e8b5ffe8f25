import { describe, expect, it, test } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { denseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { type MetricName, metricNames, metricOf } from '../../src/evaluate/metric.ts';
import { metricValue } from '../../src/evaluate/metric-value.ts';
import { fitPlatt } from '../../src/evaluate/platt.ts';
import { probabilityOf } from '../../src/model/calibration.ts';
import { Random } from '../../src/random.ts';
import { compareRulesWith } from '../../src/select/compare-rules.ts';
import { trainWith } from '../../src/select/train.ts';
import type { Goal } from '../../src/train/goal.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { wasm } from '../support/kernels.ts';

const kernels = wasm();
const costs = { falsePositive: 2, falseNegative: 7 };
const metricNamed = (name: MetricName) => metricOf({ metric: name, cost: name === 'cost' ? costs : undefined });

function confusionOf(own: readonly number[], given: readonly number[], classes: number): number[][] {
  const counts = Array.from({ length: classes }, () => new Array<number>(classes).fill(0));
  own.forEach((k, i) => {
    counts[k]![given[i]!]!++;
  });
  return counts;
}

/** Each metric by its definition, over rows. `own` and `given` are positions of classes. */
function naive(name: MetricName, own: readonly number[], given: readonly number[], scores: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const rows = own.map((_, i) => i);
  const classes = [...new Set([...own, ...given])];
  const f1 = (k: number) => {
    const right = rows.filter((i) => own[i] === k && given[i] === k).length;
    const all = rows.filter((i) => own[i] === k).length + rows.filter((i) => given[i] === k).length;
    return all === 0 ? 0 : (2 * right) / all;
  };
  const positives = rows.filter((i) => own[i] === 1);
  const negatives = rows.filter((i) => own[i] === 0);
  switch (name) {
    case 'accuracy':
      return mean(rows.map((i) => (own[i] === given[i] ? 1 : 0)));
    case 'balanced-accuracy':
      return mean(
        [...new Set(own)].map((k) => mean(rows.filter((i) => own[i] === k).map((i) => (given[i] === k ? 1 : 0)))),
      );
    case 'f1':
      return Math.max(...own, ...given) > 1 ? mean(classes.map(f1)) : f1(1);
    case 'cost':
      return mean(rows.map((i) => (own[i] === given[i] ? 0 : own[i] === 0 ? 2 : 7)));
    case 'roc-area':
      return mean(positives.flatMap((p) => negatives.map((n) => (Math.sign(scores[p]! - scores[n]!) + 1) / 2)));
    case 'average-precision':
      // The mean, over the positive rows, of the precision among the rows with at least their score.
      return mean(positives.map((p) => mean(rows.filter((i) => scores[i]! >= scores[p]!).map((i) => own[i]!))));
    case 'log-loss': {
      const fit = fitPlatt(
        Float64Array.from(scores),
        Float64Array.from(own, (k) => 2 * k - 1),
      );
      return mean(
        rows.map((i) => -Math.log(own[i] === 1 ? probabilityOf(fit, scores[i]!) : 1 - probabilityOf(fit, scores[i]!))),
      );
    }
  }
}

describe('the value of a metric', () => {
  test.each(metricNames)('%s of two classes agrees with its definition', (name) => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: -4, max: 4 })), {
      minLength: 2,
      maxLength: 30,
    });
    forAll(60, rows, (some) => {
      const own = [...some.map(([k]) => k), 0, 1];
      const scores = [...some.map(([, s]) => s), -1, 2];
      const given = scores.map((s) => (s > 0 ? 1 : 0));
      const scored = {
        outputs: 1,
        scores: Float64Array.from(scores),
        labels: Float64Array.from(own, (k) => 2 * k - 1),
      };
      const value = metricValue(metricNamed(name), confusionOf(own, given, 2), scored);
      expect(value).toBeCloseTo(naive(name, own, given, scores), 12);
    });
  });

  test.each(['accuracy', 'balanced-accuracy', 'f1'] as const)(
    '%s of more classes agrees with its definition',
    (name) => {
      const position = fc.integer({ min: 0, max: 3 });
      forAll(60, fc.array(fc.tuple(position, position), { minLength: 1, maxLength: 25 }), (some) => {
        const own = [...some.map(([k]) => k), 3];
        const given = [...some.map(([, k]) => k), 0];
        expect(metricValue(metricNamed(name), confusionOf(own, given, 4), null)).toBeCloseTo(
          naive(name, own, given, []),
          12,
        );
      });
    },
  );

  it('is refused for more classes than it has a meaning for, and undefined without a class', () => {
    for (const name of ['roc-area', 'average-precision', 'cost'] as const)
      expect(() => metricValue(metricNamed(name), confusionOf([0, 1, 2], [0, 1, 2], 3), null)).toThrow(
        `the metric ${name} is for two classes; got 3`,
      );
    const one = { outputs: 1, scores: Float64Array.of(1, 2), labels: Float64Array.of(1, 1) };
    expect(metricValue(metricNamed('roc-area'), confusionOf([1, 1], [1, 1], 2), one)).toBeNaN();
  });
});

/** Rows of two classes, of which the positive one is rare and hard to tell apart. */
function rare(rows: number) {
  const random = new Random(5);
  const y = Array.from({ length: rows }, () => (random.below(8) === 0 ? 1 : -1));
  const x = y.map((label) => Array.from({ length: 4 }, (_, j) => random.uniform() + (j === 0 ? label * 0.2 : 0)));
  return () => arraySource(denseBatch(x, y), ['-1', '1']);
}

describe('a choice by a metric', () => {
  const source = rare(240);
  const better = (name: MetricName, values: readonly number[]) =>
    [...values].sort((a, b) => (name === 'log-loss' || name === 'cost' ? a - b : b - a));

  test.each(['balanced-accuracy', 'f1', 'roc-area', 'cost'] as const)(
    'train tries rules in the order of %s',
    async (metric) => {
      const cost = metric === 'cost' ? costs : undefined;
      const { search } = await trainWith(kernels, source(), { metric, cost });
      const [first] = search!.tried;
      // Those that were left out early are behind.
      const values = search!.tried.filter(({ folds }) => folds === first!.folds).map(({ value }) => value);
      expect(search).toMatchObject({ metric, taken: 0, why: 'best' });
      expect(values).toEqual(better(metric, values));
      expect(new Set(values).size).toBeGreaterThan(1);
    },
  );

  it('orders compared rules, whose cost 1 and 1 is the share of errors', async () => {
    const options = { candidates: ['perceptron', 'averaged', 'sgd', 'arow'], repeats: 1, passes: 3 } as const;
    const byCost = await compareRulesWith(kernels, source(), {
      ...options,
      cost: { falsePositive: 1, falseNegative: 1 },
    });
    const byAccuracy = await compareRulesWith(kernels, source(), options);
    expect(byAccuracy.compared.map(({ foldValues }) => foldValues)).toEqual(
      byAccuracy.compared.map(({ foldAccuracies }) => foldAccuracies),
    );
    for (const { foldValues, foldAccuracies } of byCost.compared)
      foldValues.forEach((value, k) => {
        expect(value).toBeCloseTo(1 - foldAccuracies[k]!, 12);
      });
    for (const metric of ['f1', 'log-loss', 'average-precision'] as const) {
      const { compared } = await compareRulesWith(kernels, source(), { ...options, metric });
      const values = compared.map(({ value }) => value);
      expect(values).toEqual(better(metric, values));
    }
  });

  it('follows balanced accuracy for balanced class weights, and says so', async () => {
    const balanced = { classWeights: 'balanced', rule: 'auto' } as const;
    const implied = await trainWith(kernels, source(), balanced);
    expect(implied.search!.metric).toBe('balanced-accuracy');
    expect(implied.notes.join()).toContain('balanced class weights: the choice follows balanced accuracy');
    const named = await trainWith(kernels, source(), { ...balanced, metric: 'accuracy' });
    expect(named.search!.metric).toBe('accuracy');
    expect(named.notes).toEqual([]);
  });

  it('refuses options that decide nothing or do not fit', async () => {
    const train = (options: object) => trainWith(kernels, source(), options);
    await expect(train({ metric: 'f2' })).rejects.toThrow('metric must be one of accuracy, balanced-accuracy');
    await expect(train({ metric: 'cost' })).rejects.toThrow('metric cost needs cost');
    await expect(train({ metric: 'f1', cost: costs })).rejects.toThrow(
      'cost is for the metric cost; got the metric f1',
    );
    await expect(train({ cost: { falsePositive: -1, falseNegative: 1 } })).rejects.toThrow(
      'cost.falsePositive must be in [0, ∞)',
    );
    await expect(train({ cost: { falsePositive: 0, falseNegative: 0 } })).rejects.toThrow(
      'cost must have a number above 0',
    );
    await expect(train({ rule: 'averaged', metric: 'f1' })).rejects.toThrow(
      "metric is for rule 'auto', patience or threshold",
    );
  });
});

describe('early stopping by a goal', () => {
  it('keeps the first pass with the smallest loss before patience ends', async () => {
    const source = rare(100);
    await forAllAsync(
      25,
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 1, max: 3 }),
      async (losses, patience) => {
        let asked = 0;
        const goal: Goal = { keeper: () => null, loss: () => losses[asked++]! };
        const { report } = await trainOnce(source(), {
          kernels,
          goal,
          patience,
          passes: losses.length,
          order: 'cyclic',
        });
        let best = 0;
        let pass = 0;
        while (pass < losses.length && pass - best <= patience) {
          if (losses[pass]! < losses[best]!) best = pass;
          if (pass - best >= patience) break;
          pass++;
        }
        expect(report.best!.pass).toBe(best + 1);
        expect(asked).toBe(Math.min(losses.length, best + patience + 1));
      },
    );
  });

  it('accepts the metric of train', async () => {
    const run = { rule: 'averaged', patience: 2, passes: 10 } as const;
    const { report } = await trainWith(kernels, rare(300)(), { ...run, metric: 'average-precision' });
    expect(report.stop).toBe('patience');
    const lonely = arraySource(
      denseBatch(
        Array.from({ length: 40 }, (_, i) => [i]),
        Array.from({ length: 40 }, (_, i) => (i === 3 ? 1 : -1)),
      ),
      ['-1', '1'],
    );
    await expect(trainWith(kernels, lonely, { ...run, order: 'cyclic', metric: 'roc-area' })).rejects.toThrow(
      'expected rows of every class in the tenth that patience holds out, for the metric roc-area',
    );
  });
});
