import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { LeastMargin } from '../../src/margin/least-margin.ts';
import { lengthOf } from '../../src/margin/signed-distances.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { RunOptions } from '../../src/train/options.ts';
import type { Example } from '../oracles/oracle.ts';
import { atLeastMargin, atMostMargin, exact, exactDot, exactLeast, lifted, train } from '../support/arithmetic.ts';
import { decimal, dense, dyadic, example, examplesOf, fourApart, run, xor } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';
import { knownMargin, marginOf, nearlyDegenerate } from '../support/margins.ts';

const kernels = wasm();
const rules = fc.constantFrom('perceptron' as const, 'averaged' as const);
const orders = fc.constantFrom('cyclic' as const, 'shuffled' as const, 'random' as const);

describe('the bracket of a run', () => {
  it('contains the largest margin, and gives a bound that no run exceeds, for every order and seed', async () => {
    await forAllAsync(1000, knownMargin, rules, orders, fc.nat(1000), async (problem, rule, order, seed) => {
      const { data, separator, least } = problem;
      const { report } = await run(data, { rule, order, seed, bias: 'none', passes: 30 });
      const bracket = report.bracket!;
      const square = exactDot(separator, separator);
      // w* has the largest margin there is.
      const largest = exact(least) << 1074n;
      expect(exactLeast(data, separator)).toBe(largest);
      expect(atMostMargin(bracket.lower, largest, square)).toBe(true);
      expect(atLeastMargin(bracket.upper, largest, square)).toBe(true);
      expect(bracket).toMatchObject({ constant: 0, updates: report.updates });
      if (bracket.bound !== null) expect(report.updates).toBeLessThanOrEqual(bracket.bound);
      expect(bracket.bound === null).toBe(bracket.lower === 0);
    });
  });

  it('holds for margins down to 10⁻¹² of the radius, although scores round', async () => {
    await forAllAsync(1000, nearlyDegenerate, rules, async ({ data, separator, least }, rule) => {
      const { report } = await run(data, { rule, bias: 'none', passes: 20 });
      const square = exactDot(separator, separator);
      const { lower, upper } = report.bracket!;
      expect(atMostMargin(lower, exact(least) << 1074n, square)).toBe(true);
      expect(atLeastMargin(upper, exact(least) << 1074n, square)).toBe(true);
    });
  });

  it('is that of (1, x) for every kind of bias, because their updates are the same', async () => {
    await forAllAsync(500, examplesOf(dyadic), async (data) => {
      const [separate, absorbed] = await Promise.all(
        (['separate', 'absorbed'] as const).map((bias) => run(data, { rule: 'perceptron', bias, passes: 20 })),
      );
      expect(separate!.report.bracket).toEqual(absorbed!.report.bracket);
      const { lower, upper, radius } = separate!.report.bracket!;
      const found = marginOf(data, kernels, { bias: 'absorbed' });
      expect(lower).toBeLessThanOrEqual(found.upper);
      expect(upper).toBeGreaterThanOrEqual(found.lower);
      const square = lifted(data).reduce((most, { x }) => Math.max(most, lengthOf(x, 0, false) ** 2), 0);
      expect(radius / Math.sqrt(square)).toBeCloseTo(1, 12);
    });
  });

  it('is that of the scaled examples for lectures that scale, and counts the example that FODA starts from', async () => {
    const foda = (await run(fourApart, { as: 'foda' })).report;
    expect(foda.bracket).toMatchObject({ updates: foda.updates + 1 });
    expect(foda.bracket!.radius).toBeCloseTo(1, 12);
    expect(foda.bracket!.lower).toBeCloseTo(foda.train!.margin!, 12);
    for (const as of ['cs4780', 'lecture-9', 'lecture-9-algorithm-2', 'blog', 'slides'] as const) {
      const { report } = await run(fourApart, { as });
      expect(report.bracket, as).toMatchObject({ updates: report.updates });
      expect(report.bracket!.upper, as).toBeGreaterThanOrEqual(report.bracket!.lower);
    }
  });

  it('has the digits of exact arithmetic', async () => {
    await forAllAsync(500, examplesOf(decimal), async (data) => {
      const { model, report } = await run(data, { rule: 'perceptron', passes: 30 });
      const own = [model.bias, ...model.weights];
      const least = exactLeast(lifted(data), own);
      const square = exactDot(own, own);
      const { lower, upper } = report.bracket!;
      const updates = report.bracket!.updates!;
      expect(lower > 0).toBe(least > 0n);
      if (least > 0n) {
        expect(atMostMargin(lower, least, square)).toBe(true);
        expect(atLeastMargin(lower * (1 + 1e-9), least, square)).toBe(true);
      }
      // ‖w‖/t of the very weights, from above, and not by more than rounding.
      const length = Math.sqrt(Number(square >> 1600n) / 2 ** 274 / 2 ** 274);
      if (updates > 0) expect(upper * updates).toBeGreaterThanOrEqual(length * (1 - 1e-15));
      if (updates > 0) expect(upper - length / updates).toBeLessThan(1e-12);
    });
  });

  it('of inseparable examples falls towards 0, without proof', async () => {
    const uppers = [];
    for (const passes of [3, 30, 300]) {
      const { report } = await run([example(-1, 0.1), example(1, 0.2), example(-1, 0.4)], { as: 'blog', passes });
      expect(report).toMatchObject({ stop: 'budget', bracket: { lower: 0, bound: null } });
      uppers.push(report.bracket!.upper);
    }
    expect(uppers[1]).toBeLessThan(uppers[0]!);
    expect(uppers[2]).toBeLessThan(uppers[1]!);
    expect(uppers[2]).toBeGreaterThan(0);
  });

  it('of XOR ends at 0, which proves inseparability: its updates cancel exactly', async () => {
    for (const as of ['blog', 'slides', 'cs4780'] as const) {
      const { model, report } = await run(xor, { as, passes: 12 });
      expect([model.bias, ...model.weights], as).toEqual([0, 0, 0]);
      // Divided into the unit ball the numbers are no short ones any more.
      const proved = as !== 'cs4780';
      expect(report.bracket!.lower, as).toBe(0);
      expect(report.bracket!.upper === 0, as).toBe(proved);
    }
  });

  it('proves nothing if a sum may have rounded to 0', async () => {
    // These two do contradict each other; but a sum of numbers with so many bits may round to 0.
    const data = [example(1, 0.1), example(-1, 0.1)];
    const { model, report } = await run(data, { rule: 'perceptron', bias: 'none', passes: 2 });
    expect([...model.weights]).toEqual([0]);
    expect(report.bracket!.upper).toBeGreaterThan(0);
    expect(report.bracket!.upper).toBeLessThan(1e-15);
  });

  it('is that of any hyperplane if the weights are not a sum of examples that count once', async () => {
    const importance = Float64Array.of(1, 1, 2, 1);
    const weighted = { ...dense(fourApart), importance };
    const bracketOf = async (options: RunOptions, batch = dense(fourApart)) =>
      (await train(arraySource(batch), { kernels, ...options })).report.bracket;
    const ofHyperplane = async (options: RunOptions, batch = dense(fourApart)) => {
      const { lower, upper, radius, updates } = (await bracketOf(options, batch))!;
      expect(upper === radius).toBe(updates === null);
      expect(lower).toBeGreaterThan(0);
      return updates === null;
    };
    expect(await ofHyperplane({}, weighted)).toBe(true);
    expect(await ofHyperplane({}, { ...weighted, importance: importance.fill(1) })).toBe(false);
    expect(await ofHyperplane({ start: 'random' })).toBe(true);
    expect(await ofHyperplane({ classWeights: { '1': 2 } })).toBe(true);
    // Of as many examples of each class that is weights of one, which change nothing.
    expect(await bracketOf({ classWeights: 'balanced' })).toEqual(await bracketOf({}));
    for (const rule of ['passive-aggressive', 'pocket', 'sgd'] as const)
      expect(await ofHyperplane({ rule })).toBe(true);
  });

  it('comes with a margin that is precise although scores cancel', async () => {
    const rounded = 1.1 * 3.3;
    const step = 2 ** -51;
    const data = [example(1, 1.1, 1), example(-1, -1.1, -1), example(1, 3.3, -rounded + step)];
    const { model, report } = await run(data, { rule: 'perceptron', bias: 'none' });
    expect([...model.weights]).toEqual([1.1, 1]);
    const own = [...model.weights];
    const [least, square] = [exactLeast(data, own), exactDot(own, own)];
    // The score is one step, but the product was rounded by a good part of a step before.
    const ofScores = step / Math.sqrt(1.1 * 1.1 + 1);
    expect(atMostMargin(ofScores * 0.9, least, square) && atLeastMargin(ofScores * 1.1, least, square)).toBe(false);
    for (const each of [report.train!.margin!, report.bracket!.lower]) {
      expect(atMostMargin(each * (1 - 1e-9), least, square)).toBe(true);
      expect(atLeastMargin(each * (1 + 1e-9), least, square)).toBe(true);
    }
  });

  it('has the same bits by both kernels, and reading it changes nothing', async () => {
    await forAllAsync(100, examplesOf(decimal), async (data) => {
      const plain = await run(data, { rule: 'perceptron', passes: 10 });
      let looks = 0;
      const watched = await run(data, { rule: 'perceptron', passes: 10, onBracket: () => looks++ });
      const other = await run(data, { rule: 'perceptron', passes: 10, kernels: reference() });
      expect(looks).toBeGreaterThan(0);
      expect(watched.report).toEqual(plain.report);
      expect(other.report).toEqual(plain.report);
      expect(encodeModel(watched.model)).toBe(encodeModel(plain.model));
    });
  });

  it('contains the largest margin during the run, and only narrows', async () => {
    const seen: { lower: number; upper: number }[] = [];
    const data = Array.from({ length: 60 }, (_, i) =>
      example(i % 2 === 0 ? 1 : -1, Math.cos(i) * 9, (i % 2 === 0 ? 1 : -1) * (0.2 + (i % 3))),
    );
    const { report } = await run(data, { rule: 'perceptron', bias: 'none', onBracket: (each) => seen.push(each) });
    const { lower, upper } = marginOf(data, kernels, { bias: 'none' });
    expect(report.stop).toBe('separated');
    for (const [i, each] of seen.entries()) {
      expect(each.lower).toBeLessThanOrEqual(upper);
      expect(each.upper).toBeGreaterThanOrEqual(lower);
      if (i > 0) expect(each.lower).toBeGreaterThanOrEqual(seen[i - 1]!.lower);
      if (i > 0) expect(each.upper).toBeLessThanOrEqual(seen[i - 1]!.upper);
    }
  });
});

describe('marginGap', () => {
  it('narrows the bracket to the given gap, and reports the margin in the geometry of the run', async () => {
    for (const rule of ['perceptron', 'averaged', 'passive-aggressive'] as const)
      for (const bias of ['separate', 'absorbed', 'none'] as const) {
        const { report } = await run(fourApart, { rule, bias, marginGap: 1e-6 });
        const found = marginOf(fourApart, kernels, { bias });
        expect(report.maximumMargin).toMatchObject({ lower: found.lower, upper: found.upper, separable: true });
        if (rule === 'passive-aggressive') continue;
        const { lower, upper, bound, radius } = report.bracket!;
        expect((upper - lower) / upper).toBeLessThan(1e-6);
        expect(bound).toBe(Math.floor((radius / lower) ** 2));
      }
    expect((await run(fourApart)).report.maximumMargin).toBeNull();
  });

  it('requires two classes, hyperplanes, and a value in (0, 1)', async () => {
    await expect(run(fourApart, { marginGap: 1 })).rejects.toThrow('marginGap must be in (0, 1); got 1');
    await expect(run(fourApart, { marginGap: 0.1, rule: 'tree' })).rejects.toThrow('marginGap is for rules that learn');
  });
});

describe('the least margin of a hyperplane', () => {
  it('is never above the exact one, and 0 exactly if an example is not strictly on its side', () => {
    const weightsOf = (data: Example[], w: number[]) => w.slice(0, data[0]!.x.length + 1);
    forAll(3000, examplesOf(decimal), fc.array(decimal, { minLength: 10, maxLength: 10 }), (data, w) => {
      const own = weightsOf(data, w);
      const batch = dense(data);
      const weights = kernels.float64(own.length - 1);
      weights.array.set(own.slice(1));
      const scores = new Float64Array(data.length);
      const norms = new Float64Array(data.length);
      kernels.scoreInto(batch, weights, own[0]!, 1, scores);
      kernels.squaredNormsInto(batch, norms);
      const tally = new LeastMargin(weights.array.slice(), own[0]!, 1, lengthOf(own, 0, false));
      tally.add(batch, scores, norms);
      weights.free();
      const least = exactLeast(lifted(data), own);
      expect(tally.value > 0).toBe(least > 0n);
      if (least > 0n) expect(exact(tally.value) << 1074n <= least).toBe(true);
      if (least > 0n) expect(exact(tally.value * (1 + 1e-9)) << 1074n >= least).toBe(true);
    });
  });

  it('distinguishes a margin of 10⁻¹⁷ from 0 if scores cancel', () => {
    const data = [example(1, 1, 1 + 2 ** -52), example(-1, 0, -1)];
    const tallyOf = (w: number[]) => {
      const tally = new LeastMargin(Float64Array.from(w), 0, 0, lengthOf(w, 0, false));
      // Scores that rounding took to 0.
      tally.add(dense(data), Float64Array.of(0, -1), Float64Array.of(2, 1));
      return tally.value;
    };
    expect(tallyOf([-1, 1])).toBeCloseTo(2 ** -52, 25);
    expect(tallyOf([-1, 1])).toBeGreaterThan(0);
    expect(tallyOf([-1 - 2 ** -52, 1])).toBe(0);
  });
});
