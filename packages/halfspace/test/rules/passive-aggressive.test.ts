import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { createLearner } from '../../src/rules/registry.ts';
import { inFourLanes } from '../oracles/oracle.ts';
import { type Plain, plainPassiveAggressive, plainUpdates } from '../oracles/perceptrons.ts';
import { decimal, dense, dot, dyadic, example, examplesOf, run, separable } from '../support/examples.ts';
import { implementations, wasm } from '../support/kernels.ts';

type Variant = 'pa' | 'pa-1' | 'pa-2';
const variants = fc.constantFrom<Variant>('pa', 'pa-1', 'pa-2');
const aggressivenesses = fc.constantFrom(0.01, 0.3, 1, 100);
const optionsOf = (variant: Variant, C: number) => (variant === 'pa' ? { variant } : { variant, aggressiveness: C });

describe.each(implementations)('the passive-aggressive rule, in %s kernels,', (_, create) => {
  const kernels = create();
  const weighted = examplesOf(decimal).chain((data) =>
    fc.record({
      data: fc.constant(data),
      importance: fc.array(fc.constantFrom(0, 0.3, 1, 1, 2.5), { minLength: data.length, maxLength: data.length }),
    }),
  );

  it('with `average` has the mean of the oracle’s weights after each example, by importance', () => {
    forAll(60, weighted, variants, aggressivenesses, ({ data, importance }, variant, C) => {
      const batch = { ...dense(data), importance: Float64Array.from(importance) };
      const create = (average: boolean) =>
        createLearner(kernels, 'passive-aggressive', { ...optionsOf(variant, C), average });
      const [last, mean] = [create(false), create(true)];
      const passes = 3;
      const plain: Plain = (w, example, inner) =>
        plainPassiveAggressive(w, example, inner, { variant, aggressiveness: C });
      const updates = [...plainUpdates(data, plain, { inner: inFourLanes, passes, importance })];
      let w = [...data[0]!.x.map(() => 0), 0];
      const sums = w.map(() => 0);
      let [time, largest] = [0, 0];
      for (let t = 0; t < passes * data.length; t++) {
        const i = t % data.length;
        const update = updates.find(({ pass, example: at }) => pass * data.length + at === t);
        if (update !== undefined) w = [...update.weights, update.bias];
        time += importance[i]!;
        w.forEach((weight, j) => {
          sums[j]! += importance[i]! * weight;
          largest = Math.max(largest, Math.abs(weight));
        });
        last.learn(batch, i, i + 1);
        mean.learn(batch, i, i + 1);
      }
      const { weights, bias } = mean.parameters();
      // The rule subtracts u/T from w; both sides sum at most 3·14 terms, which round by 2⁻⁵³ of the largest sum.
      [...weights, bias].forEach((weight, j) => {
        const expected = time === 0 ? w[j]! : sums[j]! / time;
        expect(Math.abs(weight - expected)).toBeLessThanOrEqual(2 ** -53 * 400 * largest);
      });
      // The steps are those of the rule without a mean, to the bit.
      expect(mean.latest()).toEqual(last.parameters());
      last.free();
      mean.free();
    });
  });

  it('makes no update for a row of length 0', () => {
    for (const variant of ['pa', 'pa-1', 'pa-2'] as const) {
      const learner = createLearner(kernels, 'passive-aggressive', { variant, biasConstant: 0 });
      learner.learn(dense([example(1, 0, 0), example(-1, 0, 0)]));
      expect(learner.progress).toMatchObject({ examples: 2, updates: 0, cleanStreak: 2 });
      expect([...learner.parameters().weights]).toEqual([0, 0]);
    }
  });
});

describe('an update of the passive-aggressive rule', () => {
  const kernels = wasm();
  /** Each update of a few passes: weights with the bias last, x with the constant last. */
  function* updatesOf(data: ReturnType<typeof example>[], variant: Variant, C: number, biasConstant: number) {
    const learner = createLearner(kernels, 'passive-aggressive', { ...optionsOf(variant, C), biasConstant });
    const batch = dense(data);
    const weights = () => {
      const { weights, bias } = learner.parameters();
      return [...weights, bias];
    };
    let before = [...data[0]!.x.map(() => 0), 0];
    for (let t = 0; t < 4 * data.length; t++) {
      const i = t % data.length;
      const { updates } = learner.progress;
      learner.learn(batch, i, i + 1);
      const after = weights();
      const x = [...data[i]!.x, biasConstant];
      yield { before, after, x, y: data[i]!.y, made: learner.progress.updates > updates };
      before = after;
    }
    learner.free();
  }
  const constants = fc.constantFrom(1, 0, 0.5);

  it('of variant pa leaves y·a = 1; an example with y·a ≥ 1 makes none', () => {
    forAll(examplesOf(decimal), constants, (data, c) => {
      for (const { before, after, x, y, made } of updatesOf(data, 'pa', 1, c)) {
        // Sums of ten products of numbers of this size round by far less than 1e-9.
        if (made) expect(y * dot(after, x)).toBeCloseTo(1, 9);
        else expect(y * dot(before, x)).toBeGreaterThan(1 - 1e-9);
      }
    });
  });

  it('of variant pa moves to the nearest weights with y·a = 1', () => {
    const elsewhere = fc.array(dyadic, { minLength: 10, maxLength: 10 });
    forAll(examplesOf(decimal), elsewhere, constants, (data, direction, c) => {
      for (const { before, after, x, y, made } of updatesOf(data, 'pa', 1, c)) {
        if (!made) continue;
        // Any other weights of y·a = 1: move from w' at right angles to x.
        const along = dot(direction, x) / dot(x, x);
        const other = after.map((w, j) => w + direction[j]! - along * x[j]!);
        expect(y * dot(other, x)).toBeCloseTo(1, 8);
        const distance = (to: readonly number[]) => Math.hypot(...to.map((w, j) => w - before[j]!));
        expect(distance(after)).toBeLessThanOrEqual(distance(other) + 1e-9);
      }
    });
  });

  it.each(['pa-1', 'pa-2'] as const)('of variant %s minimises its objective along and off x', (variant) => {
    const elsewhere = fc.array(dyadic, { minLength: 10, maxLength: 10 });
    forAll(50, examplesOf(decimal), elsewhere, aggressivenesses, (data, direction, C) => {
      for (const { before, after, x, y, made } of updatesOf(data, variant, C, 1)) {
        if (!made) continue;
        const objective = (w: readonly number[]) => {
          const loss = Math.max(0, 1 - y * dot(w, x));
          const step = w.map((weight, j) => weight - before[j]!);
          return dot(step, step) / 2 + C * (variant === 'pa-1' ? loss : loss * loss);
        };
        const least = objective(after);
        for (const size of [1, 0.01, -0.01, -1])
          for (const towards of [x, direction])
            expect(objective(after.map((w, j) => w + size * towards[j]!))).toBeGreaterThanOrEqual(
              least - 1e-9 * (1 + least),
            );
      }
    });
  });
});

describe('a run of the passive-aggressive rule', () => {
  it('is of variant pa-1 with C = 1 by default', async () => {
    // The second is too near to be made right by a step of at most 1.
    const near = [example(1, 0.5), example(-1, 0.5)];
    const [plain, said] = [
      await run(near, { rule: 'passive-aggressive', passes: 3 }),
      await run(near, { rule: 'passive-aggressive', variant: 'pa-1', aggressiveness: 1, passes: 3 }),
    ];
    expect(plain).toEqual(said);
    for (const other of [{ variant: 'pa' }, { variant: 'pa-2' }, { aggressiveness: 0.1 }] as const)
      expect((await run(near, { rule: 'passive-aggressive', passes: 3, ...other })).model).not.toEqual(plain.model);
  });

  it('ends as separated only after a pass without an update, when every y·a ≥ 1', async () => {
    await forAllAsync(60, separable(), variants, async ({ data }, variant) => {
      const { model, report } = await run(data, { rule: 'passive-aggressive', variant, passes: 300 });
      expect(report.stop).toBe(report.updatesPerPass.at(-1) === 0 ? 'separated' : 'budget');
      if (report.stop === 'budget') return;
      for (const { x, y } of data) expect(y * (dot(model.weights, x) + model.bias)).toBeGreaterThan(1 - 1e-9);
    });
    const whole = await run([example(1, 1), example(-1, -1)], { rule: 'passive-aggressive', bias: 'none' });
    expect(whole.report).toMatchObject({ stop: 'separated', updatesPerPass: [1, 0], train: { separated: true } });
    expect([...whole.model.weights]).toEqual([1]);
  });

  it('refuses weights that overflow', async () => {
    const tiny = [example(1, 1e-160), example(-1, 2e-160)];
    await expect(run(tiny, { rule: 'passive-aggressive', variant: 'pa', bias: 'none' })).rejects.toMatchObject({
      code: 'weights-overflow',
    });
  });
});
