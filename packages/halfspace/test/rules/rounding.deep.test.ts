import { describe, expect, it } from 'vitest';
import { denseBatch } from '../../src/batch.ts';
import { Random } from '../../src/random.ts';
import type { MulticlassPerceptron } from '../../src/rules/multiclass-perceptron.ts';
import { completeRuleOptions, createLearner, createMulticlassLearner } from '../../src/rules/registry.ts';
import type { UpdateLog } from '../../src/rules/update-log.ts';
import type { Labelled } from '../oracles/classes.ts';
import { passiveAggressiveClasses } from '../oracles/classes.ts';
import { squaredHinge } from '../oracles/gradient.ts';
import type { Example } from '../oracles/oracle.ts';
import { binaries, doubles, fractions } from '../support/arithmetic.ts';
import { implementations, wasm } from '../support/kernels.ts';

/*
 * If our numbers differ from a plain implementation's, exact fractions show which is right: neither, or both. Integer
 * features make exact ties common, and sums in another order round them differently.
 */

/** The largest difference, relative where numbers are large. */
const apart = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((v, i) => Math.abs(v - other[i]!) / Math.max(1, Math.abs(v), Math.abs(other[i]!))));

const whole = (draw: Random, rows: number, features: number) =>
  Array.from({ length: rows }, () => Array.from({ length: features }, () => draw.below(7) - 3));

describe('passive-aggressive steps for several classes, of whole numbers,', () => {
  const cases = Array.from({ length: 3000 }, (_, seed) => {
    const draw = new Random(seed);
    const classes = 3 + draw.below(3);
    const variant = (['pa', 'pa-1', 'pa-2'] as const)[draw.below(3)]!;
    const options = { classes, variant, C: [0.25, 0.5, 1, 2][draw.below(4)]!, passes: 1 + draw.below(3) };
    const x = whole(draw, 5 + draw.below(20), 1 + draw.below(4));
    return { options, data: x.map((features): Labelled => ({ x: features, y: draw.below(classes) })) };
  });

  it('differ from exact ones only at a tie between two rivals or at a margin of 1, as in a plain implementation', () => {
    let parted = 0;
    for (const { data, options } of cases) {
      const { classes, variant, C, passes } = options;
      const own = completeRuleOptions('passive-aggressive', variant === 'pa' ? { variant } : { variant, aggressiveness: C });
      const learner = createMulticlassLearner(wasm(), 'passive-aggressive', 'kesler', { ...own, classes } as never) as MulticlassPerceptron;
      const rivals: number[] = [];
      let last = -1;
      const log: UpdateLog = (_, __, lowered) => {
        last = lowered;
      };
      learner.record(log);
      const batch = denseBatch(data.map(({ x }) => x), data.map(({ y }) => y), null, classes);
      for (let t = 0; t < passes * data.length; t++) {
        last = -1;
        learner.learn(batch, t % data.length, (t % data.length) + 1);
        rivals.push(last);
      }
      const ours = learner.functions().flatMap(({ weights, bias }) => [...weights, bias]);
      const plain = passiveAggressiveClasses(data, doubles, options);
      if (apart(ours, plain.weights.flat()) <= 1e-9) continue;
      parted++;
      const exact = passiveAggressiveClasses(data, fractions, options);
      for (const found of [rivals, plain.decisions.map(({ rival }) => rival)]) {
        const first = exact.decisions.findIndex(({ rival }, t) => rival !== found[t]);
        // Before that they are those of exact arithmetic, and there the exact scores are equal.
        if (first !== -1) expect(exact.decisions[first]!.distance).toBe(0);
      }
    }
    // The test is about something.
    expect(parted).toBeGreaterThan(0);
    expect(parted).toBeLessThan(cases.length / 100);
  }); // biome-ignore format: shorter
});

describe.each(implementations)('squared hinge at a constant rate, of whole numbers, in %s kernels,', (_, create) => {
  const kernels = create();
  const learned = (data: readonly Example[], { passes, rate }: { passes: number; rate: number }) => {
    const learner = createLearner(kernels, 'sgd', { loss: 'squared-hinge', schedule: 'constant', penalty: 'none', rate, answer: 'last' });
    const batch = denseBatch(data.map(({ x }) => x), data.map(({ y }) => y));
    for (let pass = 0; pass < passes; pass++) learner.learn(batch);
    const { weights, bias } = learner.parameters();
    learner.free();
    return [...weights, bias];
  }; // biome-ignore format: shorter
  const examples = (draw: Random) =>
    whole(draw, 5 + draw.below(20), 1 + draw.below(4)).map((x): Example => ({ x, y: draw.below(2) === 1 ? 1 : -1 }));
  const longest = (data: readonly Example[]) =>
    Math.max(...data.map(({ x }) => 1 + x.reduce((sum, v) => sum + v * v, 0)));

  it('agrees with a plain implementation if no step overshoots: 2η(‖x‖² + 1) ≤ 2', () => {
    for (let seed = 0; seed < 1500; seed++) {
      const draw = new Random(seed);
      const data = examples(draw);
      const options = { passes: 1 + draw.below(10), rate: [0.25, 0.5, 1][draw.below(3)]! / longest(data) };
      expect(apart(learned(data, options), squaredHinge(data, doubles, options))).toBeLessThan(1e-12);
    }
  });

  it('is as near to exact arithmetic as doubles allow if steps overshoot, as is a plain implementation', () => {
    let parted = 0;
    for (let seed = 0; seed < 1500 && parted < 20; seed++) {
      const draw = new Random(seed);
      const data = examples(draw);
      const options = { passes: 5 + draw.below(10), rate: [0.1, 0.25, 0.5][draw.below(3)]! };
      const [ours, plain] = [learned(data, options), squaredHinge(data, doubles, options)];
      if (apart(ours, plain) <= 1e-9) continue;
      parted++;
      const exact = squaredHinge(data, binaries, options);
      // A step makes an error in the direction of x at most |1 − 2η‖x‖²| times as large, whether the margin is below 1 or not.
      const factors = data.map(({ x }) => Math.max(1, 2 * options.rate * (1 + x.reduce((sum, v) => sum + v * v, 0)) - 1));
      const growth = Math.exp(options.passes * factors.reduce((sum, factor) => sum + Math.log(factor), 0));
      const largest = Math.max(1, ...exact.map(Math.abs));
      const bound = (2 ** -52 * growth * data.length * options.passes * 100) / largest;
      for (const found of [ours, plain]) expect(apart(found, exact)).toBeLessThan(bound);
    }
    expect(parted).toBeGreaterThan(0);
  }); // biome-ignore format: shorter
});
