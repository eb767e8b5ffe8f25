import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { type Batch, denseBatch, sparseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import type { Chain } from '../../src/features/number/bend.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { LinearParameters } from '../../src/rules/learner.ts';
import { gatherExamples } from '../../src/rules/logistic/examples.ts';
import {
  type MinimiseOptions,
  type Minimum,
  minimise,
  type ProblemOptions,
} from '../../src/rules/logistic/minimise.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { wasm } from '../support/kernels.ts';

interface Example {
  readonly x: readonly number[];
  /** The class, from 0. */
  readonly y: number;
  readonly h?: number;
}

/** Made by reference/logistic.py with scikit-learn. */
const reference = JSON.parse(readFileSync(join(import.meta.dirname, '../reference/logistic.json'), 'utf8')) as {
  readonly least: readonly {
    readonly rows: number;
    readonly features: number;
    readonly classes: number;
    readonly alpha: number;
    readonly weighted: boolean;
    readonly bias: boolean;
    readonly value: number;
  }[];
};

/** Fractions of a linear congruence, and the class of the largest product; as in reference/logistic.py. */
function examples(rows: number, features: number, classes: number): Example[] {
  let state = 12345;
  const next = () => {
    state = Number((BigInt(state) * 1103515245n + 12345n) % 2n ** 31n);
    return state / 2 ** 30 - 1;
  };
  const vectors = (count: number) => Array.from({ length: count }, () => Array.from({ length: features }, next));
  const x = vectors(rows);
  const directions = vectors(classes);
  return x.map((row) => {
    const scores = directions.map((direction) => direction.reduce((sum, d, j) => sum + d * row[j]!, 0));
    scores[0]! += next();
    return { x: row, y: scores.indexOf(Math.max(...scores)) };
  });
}

function batchOf(data: readonly Example[], classes: number): Batch {
  return denseBatch(
    data.map(({ x }) => x),
    data.map(({ y }) => (classes > 2 ? y : 2 * y - 1)),
    data.map(({ h = 1 }) => h),
    classes,
  );
}

async function minimum(
  batch: Batch,
  classes: number,
  options: Omit<MinimiseOptions & ProblemOptions, 'breathe'> = {},
): Promise<Minimum> {
  const kernels = wasm();
  const { chains = [] } = options;
  const gathered = gatherExamples(kernels, () => [batch], { classes, dimension: batch.dimension, chains });
  return minimise(kernels, gathered, { ...options, breathe: async () => {} });
}

/** The objective and its gradient by the weights and biases of each class, as rules/logistic.ts defines them. */
function oracle(
  data: readonly Example[],
  functions: readonly LinearParameters[],
  alpha: number,
): { readonly value: number; readonly gradient: readonly (readonly number[])[] } {
  const all =
    functions.length === 1 ? [{ weights: functions[0]!.weights.map(() => 0), bias: 0 }, ...functions] : functions;
  const total = data.reduce((sum, { h = 1 }) => sum + h, 0);
  const gradient = all.map(({ weights }) => [...Array.from(weights, (w) => alpha * w), 0]);
  let value = 0;
  for (const { x, y, h = 1 } of data) {
    const scores = all.map(({ weights, bias }) => x.reduce((sum, each, j) => sum + each * weights[j]!, bias));
    const top = Math.max(...scores);
    const sum = scores.reduce((so, score) => so + Math.exp(score - top), 0);
    value += (h / total) * (Math.log(sum) + top - scores[y]!);
    scores.forEach((score, k) => {
      const slope = (h / total) * (Math.exp(score - top) / sum - (k === y ? 1 : 0));
      [...x, 1].forEach((each, j) => {
        gradient[k]![j]! += slope * each;
      });
    });
  }
  for (const { weights } of functions) for (const w of weights) value += (alpha / 2) * w * w;
  return { value, gradient: functions.length === 1 ? gradient.slice(1) : gradient };
}

const largest = (numbers: Iterable<number>) => Math.max(0, ...[...numbers].map(Math.abs));

describe('the minimum of logistic and softmax regression', () => {
  it.each(reference.least)(
    'is that of scikit-learn: $rows rows of $classes classes, α = $alpha, weighted $weighted, bias $bias',
    async ({ rows, features, classes, alpha, weighted, bias, value }) => {
      const data = examples(rows, features, classes).map((each, i) => ({
        ...each,
        h: weighted ? ((i % 3) + 1) / 2 : 1,
      }));
      const { functions, objective } = await minimum(batchOf(data, classes), classes, {
        alpha,
        biasConstant: bias ? 1 : 0,
      });
      expect(objective / value).toBeCloseTo(1, 9);
      expect(oracle(data, functions, alpha).value / objective).toBeCloseTo(1, 12);
    },
  );

  const task = fc.constantFrom(2, 3, 4).chain((classes) =>
    fc.record({
      classes: fc.constant(classes),
      alpha: fc.constantFrom(1e-8, 1e-3, 1),
      data: fc.integer({ min: 1, max: 4 }).chain((features) =>
        fc.array(
          fc.record({
            x: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: features, maxLength: features }),
            y: fc.nat(classes - 1),
            h: fc.constantFrom(0.5, 1, 3),
          }),
          { minLength: 1, maxLength: 12 },
        ),
      ),
    }),
  );

  it('has no gradient, also for separable rows, equal rows and classes without rows', async () => {
    await forAllAsync(task, async ({ classes, alpha, data }) => {
      const { functions, objective } = await minimum(batchOf(data, classes), classes, { alpha });
      const { value, gradient } = oracle(data, functions, alpha);
      expect(Math.abs(value - objective)).toBeLessThanOrEqual(1e-12 + 1e-9 * objective);
      expect(largest(gradient.flat())).toBeLessThan(1e-4 * (objective + Math.sqrt(alpha * objective)) + 1e-12);
      for (let j = 0; functions.length > 1 && j < functions[0]!.weights.length; j++)
        expect(Math.abs(functions.reduce((sum, { weights }) => sum + weights[j]!, 0))).toBeLessThan(
          1e-9 * (1 + largest(functions.flatMap(({ weights }) => [...weights]))),
        );
    });
  });

  it('depends neither on the layout of rows nor on rows of importance 0; importance 2 is the row twice', async () => {
    await forAllAsync(30, task, async ({ classes, alpha, data }) => {
      const dense = await minimum(batchOf(data, classes), classes, { alpha });
      const rows = data.map(({ x }) => ({ indices: x.map((_, j) => x.length - 1 - j), values: [...x].reverse() }));
      const labels = data.map(({ y }) => (classes > 2 ? y : 2 * y - 1));
      const sparse = sparseBatch(
        rows,
        labels,
        data.map(({ h }) => h),
        classes,
      );
      expect(await minimum(sparse, classes, { alpha })).toEqual(dense);
      const absent = [...data, { x: data[0]!.x.map(() => 7), y: 0, h: 0 }];
      expect(await minimum(batchOf(absent, classes), classes, { alpha })).toEqual(dense);
      const doubled = data.map((each) => ({ ...each, h: 2 }));
      const twice = await minimum(batchOf(doubled, classes), classes, { alpha });
      const single = data.flatMap(({ x, y }) => [
        { x, y },
        { x, y },
      ]);
      expect((await minimum(batchOf(single, classes), classes, { alpha })).objective).toBeCloseTo(twice.objective, 9);
    });
  });

  it('is the same from any start', async () => {
    const data = examples(120, 5, 3);
    const cold = await minimum(batchOf(data, 3), 3, { alpha: 1e-3 });
    const { functions: start } = await minimum(batchOf(data, 3), 3, { alpha: 1 });
    const warm = await minimum(batchOf(data, 3), 3, { alpha: 1e-3, start });
    expect(warm.objective / cold.objective).toBeCloseTo(1, 9);
    const there = await minimum(batchOf(data, 3), 3, { alpha: 1e-3, start: cold.functions });
    expect(there.iterations).toBeLessThanOrEqual(1);
  });

  it('is the same by blocks and by the diagonal: of many columns most are copies of none', async () => {
    const data = examples(150, 5, 3);
    const few = await minimum(batchOf(data, 3), 3, { alpha: 1e-3 });
    // Each row has one column of its own, by a value that hardly matters.
    const wide = data.map(({ x }, i) => ({
      indices: [...x.map((_, j) => j), ...Array.from({ length: 9 }, (_, n) => 5 + 9 * i + n)],
      values: [...x, ...Array.from({ length: 9 }, () => 1e-7)],
    }));
    const many = await minimum(
      sparseBatch(
        wide,
        data.map(({ y }) => y),
        null,
        3,
      ),
      3,
      { alpha: 1e-3 },
    );
    expect(many.objective / few.objective).toBeCloseTo(1, 9);
  });
});

describe('a chain', () => {
  it('is a step for each knot, [x > k] − ½ times 4/√knots, with the penalty of a weight', async () => {
    const chained = fc.constantFrom(2, 3).chain((classes) =>
      fc.record({
        classes: fc.constant(classes),
        alpha: fc.constantFrom(1e-4, 0.1),
        length: fc.integer({ min: 2, max: 6 }),
        before: fc.nat(2),
        // The interval of the row, none if it is beyond the chain; and another feature.
        rows: fc.array(fc.tuple(fc.nat(6), fc.integer({ min: -2, max: 2 }), fc.nat(classes - 1)), {
          minLength: 2,
          maxLength: 15,
        }),
      }),
    );
    await forAllAsync(chained, async ({ classes, alpha, length, before, rows }) => {
      const chain: Chain = { first: before, length };
      const others = (value: number) => Array.from({ length: before + 1 }, () => value);
      const oneHot = rows.map(([at, value, y]) => {
        const x = others(value);
        x.splice(before, 0, ...Array.from({ length }, (_, k) => Number(k === at)));
        return { x, y };
      });
      const knots = length - 1;
      const steps = rows.map(([at, value, y]) => {
        const half = at < length ? 2 / Math.sqrt(knots) : 0;
        return { x: [...Array.from({ length: knots }, (_, k) => (at > k ? half : -half)), ...others(value)], y };
      });
      const found = await minimum(batchOf(oneHot, classes), classes, { alpha, chains: [chain] });
      const explicit = await minimum(batchOf(steps, classes), classes, { alpha });
      expect(found.objective / explicit.objective).toBeCloseTo(1, 8);
      found.functions.forEach(({ weights, bias }, k) => {
        const expected = explicit.functions[k]!;
        const scale = 1 + largest(expected.weights);
        oneHot.forEach(({ x }, i) => {
          const [score, other] = [
            x.reduce((sum, each, j) => sum + each * weights[j]!, bias),
            steps[i]!.x.reduce((sum, each, j) => sum + each * expected.weights[j]!, expected.bias),
          ];
          expect(Math.abs(score - other) / scale).toBeLessThan(1e-3);
        });
        expect(weights[before]! + weights[before + length - 1]!).toBeCloseTo(0, 9);
      });
    });
  });

  it('that is a ring may begin anywhere, and costs the squares of all its increments', async () => {
    const ring = fc.record({
      classes: fc.constantFrom(2, 3),
      length: fc.integer({ min: 3, max: 9 }),
      turn: fc.nat(8),
      rows: fc.array(fc.tuple(fc.nat(8), fc.nat(2)), { minLength: 2, maxLength: 20 }),
    });
    await forAllAsync(ring, async ({ classes, length, turn, rows }) => {
      const alpha = 0.01;
      const solve = (by: number) => {
        const data = rows.map(([at, y]) => ({
          x: Array.from({ length }, (_, k) => Number(k === (at + by) % length)),
          y: y % classes,
        }));
        return minimum(batchOf(data, classes), classes, { alpha, chains: [{ first: 0, length, isRing: true }] });
      };
      const [one, turned] = [await solve(0), await solve(turn)];
      expect(turned.objective).toBeCloseTo(one.objective, 8);
      one.functions.forEach(({ weights, bias }, k) => {
        const other = turned.functions[k]!;
        for (let at = 0; at < length; at++)
          expect(other.weights[(at + turn) % length]! + other.bias).toBeCloseTo(weights[at]! + bias, 3);
      });
      const zero = one.functions.map(({ weights, bias }) => ({ weights: weights.map(() => 0), bias }));
      const data = rows.map(([at, y]) => ({
        x: Array.from({ length }, (_, k) => Number(k === at % length)),
        y: y % classes,
      }));
      const squares = one.functions.map(({ weights }) =>
        weights.reduce((sum, w, j) => sum + (weights[(j + 1) % length]! - w) ** 2, 0),
      );
      const penalty = (alpha / 2) * ((length - 1) / 16) * squares.reduce((sum, each) => sum + each, 0);
      const loss = oracle(data, one.functions, 0).value;
      expect(loss + penalty).toBeCloseTo(one.objective, 8);
      expect(one.objective).toBeLessThanOrEqual(oracle(data, zero, 0).value + 1e-9);
    });
  });

  it('of a pair is a product of steps beside words, with the products of their penalties', async () => {
    const side = fc.record({ intervals: fc.constantFrom(0, 2, 3, 4), words: fc.integer({ min: 0, max: 2 }) });
    const task = fc.record({
      classes: fc.constantFrom(2, 3),
      sides: fc.tuple(side, side).filter((both) => both.every(({ intervals, words }) => intervals + words > 0)),
      rows: fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(2)), { minLength: 2, maxLength: 15 }),
    });
    await forAllAsync(task, async ({ classes, sides, rows }) => {
      const widths = sides.map(({ intervals, words }) => intervals + words);
      /** Steps of a side, or the word, times √(factor of the penalty). */
      const explicitly = ({ intervals, words }: (typeof sides)[number], at: number) => {
        const knots = Math.max(0, intervals - 1);
        const half = at < intervals ? 0.5 * Math.sqrt(8 / knots) : 0;
        return [
          ...Array.from({ length: knots }, (_, k) => (at > k ? half : -half)),
          ...Array.from({ length: words }, (_, k) => Number(at === intervals + k)),
        ];
      };
      const cells = rows.map(([a, b, y]) => ({ at: [a % widths[0]!, b % widths[1]!] as const, y: y % classes }));
      const [length, width] = [widths[0]! * widths[1]!, widths[1]!];
      const pair = { width, neighbours: [sides[0].intervals, sides[1].intervals] as const };
      const oneHot = cells.map(({ at: [a, b], y }) => ({
        x: Array.from({ length }, (_, k) => Number(k === a * width + b)),
        y,
      }));
      const products = cells.map(({ at, y }) => {
        const [one, other] = sides.map((each, k) => explicitly(each, at[k]!)) as [number[], number[]];
        return { x: [...one.flatMap((x) => other.map((z) => x * z)), 0], y };
      });
      const found = await minimum(batchOf(oneHot, classes), classes, {
        alpha: 0.01,
        chains: [{ first: 0, length, pair }],
      });
      const explicit = await minimum(batchOf(products, classes), classes, { alpha: 0.01 });
      const difference = Math.abs(found.objective - explicit.objective);
      // A loss that falls to 0 is followed only until it makes no difference.
      expect(difference).toBeLessThanOrEqual(5e-8 * (explicit.objective + 1e-6));
    });
  });

  it('with a sign rises or falls, and so does a straight number, at the minimum of all that do', async () => {
    const task = fc.record({
      alpha: fc.constantFrom(1e-4, 0.01, 1),
      length: fc.integer({ min: 2, max: 12 }),
      signs: fc.tuple(fc.constantFrom(1 as const, -1 as const), fc.constantFrom(1 as const, -1 as const)),
      // The interval of the row, a straight number, one that is free, and the class.
      rows: fc.array(
        fc.tuple(fc.nat(11), fc.integer({ min: -3, max: 3 }), fc.integer({ min: -2, max: 2 }), fc.nat(1)),
        { minLength: 1, maxLength: 60 },
      ),
    });
    await forAllAsync(task, async ({ alpha, length, signs: [sign, other], rows }) => {
      const chains: Chain[] = [
        { first: 0, length, sign },
        { first: length, length: 1, sign: other },
      ];
      const data = rows.map(([at, x, free, y]) => ({
        x: [...Array.from({ length }, (_, k) => Number(k === at % length)), x, free],
        y,
      }));
      const { functions, objective } = await minimum(batchOf(data, 2), 2, { alpha, chains });
      const { weights, bias } = functions[0]!;
      const increments = Array.from({ length: length - 1 }, (_, k) => weights[k + 1]! - weights[k]!);
      for (const increment of increments) expect(sign * increment).toBeGreaterThanOrEqual(0);
      expect(other * weights[length]!).toBeGreaterThanOrEqual(0);
      // The conditions of Karush, Kuhn and Tucker, in steps as above.
      const knots = length - 1;
      const half = 2 / Math.sqrt(knots);
      const steps = rows.map(([at, x, free, y]) => ({
        x: [...Array.from({ length: knots }, (_, k) => (at % length > k ? half : -half)), x, free],
        y,
      }));
      const bounded = [...increments.map((increment) => increment / (2 * half)), weights[length]!];
      const explicit = { weights: Float64Array.of(...bounded, weights[length + 1]!), bias };
      const { value, gradient } = oracle(steps, [explicit], alpha);
      const slopes = gradient[0]!;
      const small = 1e-4 * (objective + Math.sqrt(alpha * objective)) + 1e-9;
      expect(value).toBeCloseTo(objective, 9);
      bounded.forEach((weight, k) => {
        const toward = (k < knots ? sign : other) * slopes[k]!;
        expect(toward).toBeGreaterThanOrEqual(-small);
        if (Math.abs(weight) > 1e-9) expect(toward).toBeLessThanOrEqual(small);
      });
      expect(largest(slopes.slice(length))).toBeLessThan(small);
    });
  });
});

describe('the rule logistic', () => {
  const kernels = wasm();
  const run = (data: readonly Example[], classes: number, options: RunOptions = {}) =>
    trainOnce(arraySource(batchOf(data, classes), ['a', 'b', 'c', 'd'].slice(0, classes)), {
      rule: 'logistic',
      kernels,
      ...options,
    });

  it('gives an ordinary linear model at the minimum for α = 1 / rows, twice with the same bytes', async () => {
    const data = examples(200, 6, 2);
    const { model, report } = await run(data, 2);
    const { functions, iterations } = await minimum(batchOf(data, 2), 2, { alpha: 1 / 200 });
    expect(model).toMatchObject({ kind: 'linear', rule: 'logistic', options: {}, ...functions[0] });
    expect(report).toMatchObject({ stop: 'minimum', passes: 1, updates: iterations });
    expect(encodeModel((await run(data, 2)).model)).toBe(encodeModel(model));
  });

  it('learns several classes together', async () => {
    const data = examples(300, 5, 4);
    const { model } = await run(data, 4, { alpha: 0.01 });
    const { functions } = await minimum(batchOf(data, 4), 4, { alpha: 0.01 });
    expect(model).toMatchObject({ kind: 'multiclass', strategy: 'joint', functions });
  });

  it('weighs classes', async () => {
    const data = examples(200, 6, 2);
    const { model } = await run(data, 2, { classWeights: { b: 3 } });
    const weighed = data.map((each) => ({ ...each, h: each.y === 1 ? 3 : 1 }));
    const { functions } = await minimum(batchOf(weighed, 2), 2);
    expect(model).toMatchObject(functions[0]!);
  });

  it('refuses options of passes', async () => {
    const data = examples(20, 2, 2);
    for (const [option, value] of Object.entries({ passes: 3, order: 'shuffled', patience: 2, start: 'random' }))
      await expect(run(data, 2, { [option]: value })).rejects.toThrow(`${option} is not for the rule logistic`);
    await expect(run(data, 2, { multiclass: 'one-vs-rest' })).rejects.toThrow('multiclass must be joint');
    await expect(run(data, 2, { keepState: true })).rejects.toThrow('keepState is for rules that learn in passes');
    await expect(run(data, 2, { alpha: 0 })).rejects.toThrow('alpha must be in (0, ∞); got 0');
  });

  it('refuses numbers whose squares are beyond doubles', async () => {
    const data = [
      { x: [1e200], y: 0 },
      { x: [-1e200], y: 1 },
    ];
    await expect(run(data, 2)).rejects.toMatchObject({ code: 'weights-overflow' });
  });
});
