import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { arrays, evaluate, train } from '../../src/index.ts';
import type { Calibration } from '../../src/model/calibration.ts';
import type { LinearFunction } from '../../src/model/linear/model.ts';
import type { Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';

const names = ['a', 'b', 'c'] as const;

/** Models whose scores are features: one of two classes, or one for each of three; calibrated or not. */
async function modelOf(classes: number, calibrated: boolean): Promise<Model> {
  const labels = names.slice(0, classes);
  const unit = labels.map((_, k) => labels.map((_, j) => Number(j === k)));
  const { model } = await train(arrays([...unit, ...unit], [...labels, ...labels]), { rule: 'perceptron' });
  const one: Calibration = { kind: 'platt', slope: -1.5, intercept: 0.25 };
  const joint: Calibration = { kind: 'softmax', slope: 1.25, reach: null };
  const calibration = calibrated ? ([classes === 2 ? one : joint] as const) : null;
  const plain = { bias: 0, biasConstant: 1, divisor: 1 };
  if (model.kind === 'linear') return { ...model, ...plain, calibration, weights: Float64Array.of(1, 0) };
  const functions = unit.map((weights): LinearFunction => ({ ...plain, weights: Float64Array.from(weights) }));
  return { ...model, calibration, functions } as Model;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

/** Computes the measures of two classes from each pair and each threshold. */
function ranked(scores: readonly number[], isPositive: readonly boolean[]) {
  const [above, below] = [true, false].map((which) => scores.filter((_, i) => isPositive[i] === which)) as [
    number[],
    number[],
  ];
  if (above.length === 0 || below.length === 0) return { rocArea: null, averagePrecision: null };
  const pairs = above.flatMap((x) => below.map((y) => (x > y ? 1 : x === y ? 0.5 : 0)));
  const thresholds = [...new Set(scores)].sort((a, b) => b - a);
  let recall = 0;
  let precision = 0;
  for (const threshold of thresholds) {
    const right = above.filter((x) => x >= threshold).length;
    const given = scores.filter((x) => x >= threshold).length;
    precision += (right / above.length - recall) * (right / given);
    recall = right / above.length;
  }
  return { rocArea: mean(pairs), averagePrecision: precision };
}

describe('evaluate', () => {
  const number = fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4);

  it.each([
    [2, false],
    [2, true],
    [3, false],
    [3, true],
  ])('gives what a naive computation gives: %d classes, calibrated %s', async (classes, calibrated) => {
    const model = await modelOf(classes, calibrated);
    const predictor = new Predictor(model);
    const labels = names.slice(0, classes);
    const row = fc.tuple(fc.array(number, { minLength: classes, maxLength: classes }), fc.constantFrom(...labels));
    await forAllAsync(60, fc.array(row, { minLength: 1, maxLength: 30 }), async (data) => {
      const judged = await evaluate(
        model,
        arrays(
          data.map(([x]) => x),
          data.map(([, y]) => y),
        ),
      );
      const answers = data.map(([x, y]) => ({
        y,
        given: predictor.predict(x),
        p: calibrated ? predictor.probabilities(x) : [],
      }));
      const count = (test: (answer: (typeof answers)[number]) => boolean) => answers.filter(test).length;
      const perClass = labels.map((name) => {
        const [support, given] = [count(({ y }) => y === name), count((each) => each.given === name)];
        const right = count((each) => each.y === name && each.given === name);
        return {
          class: name,
          support,
          precision: share(right, given),
          recall: share(right, support),
          f1: share(2 * right, support + given),
        };
      });
      const { rocArea, averagePrecision, logLoss, brierScore, mostProbable, notes, ...counts } = judged;
      expect(counts).toEqual({
        labels,
        examples: data.length,
        errors: count(({ y, given }) => y !== given),
        accuracy: count(({ y, given }) => y === given) / data.length,
        confusion: labels.map((a) => labels.map((b) => count(({ y, given }) => y === a && given === b))),
        baseline: Math.max(...perClass.map(({ support }) => support)) / data.length,
        perClass,
        neverPredicted: perClass
          .filter((each) => each.support > 0 && each.precision === null)
          .map((each) => each.class),
        unknown: judged.unknown,
      });
      expect(notes).toEqual([]);
      const scores = data.map(([x]) => x[0]!);
      const close = (value: number | null, expected: number | null) =>
        expected === null ? expect(value).toBeNull() : expect(value).toBeCloseTo(expected, 12);
      const naive =
        classes > 2
          ? null
          : ranked(
              scores,
              data.map(([, y]) => y === 'b'),
            );
      close(rocArea, naive?.rocArea ?? null);
      close(averagePrecision, naive?.averagePrecision ?? null);
      if (!calibrated) {
        expect([logLoss, brierScore, mostProbable]).toEqual([null, null, null]);
        return;
      }
      const own = answers.map(({ y, p }) => Math.max(Number.EPSILON, p[labels.indexOf(y)]!));
      close(logLoss, mean(own.map((p) => -Math.log(p))));
      close(
        brierScore,
        mean(
          answers.map(({ y, p }) => mean(p.map((each, k) => (each - Number(labels[k] === y)) ** 2)) * (p.length / 2)),
        ),
      );
      expect(mostProbable!.examples).toBe(data.length);
      expect(mostProbable!.accuracy).toBeCloseTo(1 - mostProbable!.errors / data.length, 12);
    });
  });

  it('ranks no more rows than it keeps scores of, and says so', async () => {
    const model = await modelOf(2, true);
    const rows = 2 ** 20 + 1;
    const labels = Array.from({ length: rows }, (_, i) => names[i % 2]!);
    const judged = await evaluate(model, arrays(Array(rows).fill([1, 0]), labels));
    expect(judged.rocArea).toBeNull();
    expect(judged.logLoss).toBeGreaterThan(0);
    expect(judged.notes).toEqual(['no ranking: it needs all scores in memory, and there are more than 1,048,576']);
  });
});
