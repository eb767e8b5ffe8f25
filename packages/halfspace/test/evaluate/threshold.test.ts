import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { denseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { type MetricName, metricOf } from '../../src/evaluate/metric.ts';
import { metricValue } from '../../src/evaluate/metric-value.ts';
import { bestThreshold } from '../../src/evaluate/threshold.ts';
import { evaluateWith } from '../../src/model/judge.ts';
import { Random } from '../../src/random.ts';
import { trainWith } from '../../src/select/train.ts';
import { wasm } from '../support/kernels.ts';

const kernels = wasm();
const names = ['accuracy', 'balanced-accuracy', 'f1', 'cost'] as const;
const metricNamed = (name: MetricName) =>
  metricOf({ metric: name, cost: name === 'cost' ? { falsePositive: 1, falseNegative: 4 } : undefined });

describe('the best threshold', () => {
  it('is as good as the best of all thresholds, and no farther from 0 than it must be', () => {
    const rows = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: -5, max: 5 })), { minLength: 1, maxLength: 20 });
    forAll(150, rows, fc.constantFrom(...names), (some, name) => {
      const labels = Float64Array.from([...some.map(([own]) => (own ? 1 : -1)), 1, -1]);
      const scores = Float64Array.from([...some.map(([, score]) => score), 1, -1]);
      const metric = metricNamed(name);
      const value = (threshold: number) => {
        const confusion = [
          [0, 0],
          [0, 0],
        ];
        scores.forEach((score, i) => {
          confusion[labels[i]! > 0 ? 1 : 0]![score > threshold ? 1 : 0]!++;
        });
        return metricValue(metric, confusion, null);
      };
      const found = bestThreshold(metric, { outputs: 1, scores, labels });
      // Every threshold between the lowest and the highest score gives the classes of one of these.
      const all = [...scores, ...[...scores].map((score) => score - 0.5)].filter((t) => t >= Math.min(...scores));
      const values = [...all, 0].map(value);
      const best = name === 'cost' ? Math.min(...values) : Math.max(...values);
      expect(found.value).toBe(best);
      expect(value(found.score)).toBe(best);
      expect(found.valueAtZero).toBe(value(0));
      if (value(0) === best) expect(found.score).toBe(0);
    });
  });
});

describe('training with a threshold', () => {
  const random = new Random(9);
  const y = Array.from({ length: 300 }, () => (random.below(7) === 0 ? 1 : -1));
  const x = y.map((label) => Array.from({ length: 3 }, (_, j) => random.uniform() + (j === 0 ? 0.15 * label : 0)));
  const source = () => arraySource(denseBatch(x, y), ['-1', '1']);
  const options = { rule: 'averaged', passes: 5, metric: 'f1', holdout: 0.2 } as const;

  it('moves the bias of the model by it, and judges the moved model', async () => {
    const { model: plain } = await trainWith(kernels, source(), { ...options, metric: undefined });
    const { model, threshold, report, calibration } = await trainWith(kernels, source(), {
      ...options,
      calibrate: 'platt',
      threshold: 'best',
      validation: source(),
    });
    expect(threshold!.score).not.toBe(0);
    expect(threshold!.value).toBeGreaterThan(threshold!.valueAtZero);
    if (plain.kind !== 'linear' || model.kind !== 'linear') throw new Error('expected linear models');
    expect(model.weights).toEqual(plain.weights);
    expect(model.bias).toBe(plain.bias - threshold!.score);
    const all = await evaluateWith(kernels, model, source());
    expect(report.validation).toEqual(all);
    expect(report.train!.errors + report.holdout!.errors).toBe(all.errors);
    expect(model.training.trainAccuracy).toBe(report.train!.accuracy);
    expect(calibration!.holdout!.scoreAccuracy).toBe(report.holdout!.accuracy);
  });

  it('is refused where there is no threshold to move', async () => {
    const train = (more: object) => trainWith(kernels, source(), { ...options, threshold: 'best', ...more });
    await expect(train({ metric: 'roc-area' })).rejects.toThrow('threshold best needs the metric accuracy, balanced');
    await expect(train({ rule: 'tree', passes: undefined })).rejects.toThrow(
      'threshold is for rules that learn a hyperplane',
    );
    await expect(train({ folds: 3 })).rejects.toThrow('threshold is for a run without folds, keepState and bias none');
    await expect(train({ threshold: 0.5 })).rejects.toThrow('threshold must be best; got 0.5');
    const three = arraySource(denseBatch([[1], [2], [3], [4]], [0, 1, 2, 0], null, 3), ['a', 'b', 'c']);
    await expect(trainWith(kernels, three, { threshold: 'best' })).rejects.toThrow(
      /threshold is for two classes; got 3|at least 5/,
    );
  });
});
