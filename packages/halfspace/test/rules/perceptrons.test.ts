import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { createLearner, type LearnerOptions } from '../../src/rules/registry.ts';
import type { Example } from '../oracles/oracle.ts';
import { train } from '../support/arithmetic.ts';
import { decimal, dense, dot, dyadic, example, examplesOf, fourApart, run, separable } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';

const kernels = wasm();

describe('the averaged rule', () => {
  const data = [example(-1, 3), example(-1, 4), example(1, 6), example(1, 7)];
  const rightBy = (w: number, b: number) => data.map(({ x, y }) => y * (w * x[0]! + b) > 0);

  it('classifies x = 3, 4 → lo and 6, 7 → hi correctly with the default options', async () => {
    const { model, report } = await train(arraySource(dense(data), ['lo', 'hi']), { kernels });
    expect(rightBy(model.weights[0]!, model.bias)).toEqual([true, true, true, true]);
    expect(report).toMatchObject({ stop: 'separated', classes: ['lo', 'hi'] });
    expect(report.train).toMatchObject({ accuracy: 1, separated: true });
  });

  it('would fail with the mean over updates, and with the mean up to the first clean pass', () => {
    // The perceptron needs dozens of passes to separate these four. A mean over updates counts each passing weight as
    // much as the final one; a mean up to the first clean pass counts the final one for one pass only.
    let [w, b] = [0, 0];
    const overUpdates = { w: 0, b: 0, count: 0 };
    const overExamples = { w: 0, b: 0, count: 0 };
    for (let clean = false; !clean; ) {
      clean = true;
      for (const { x, y } of data) {
        if (y * (w * x[0]! + b) <= 0) {
          w += y * x[0]!;
          b += y;
          clean = false;
          overUpdates.w += w;
          overUpdates.b += b;
          overUpdates.count++;
        }
        overExamples.w += w;
        overExamples.b += b;
        overExamples.count++;
      }
    }
    expect(rightBy(w, b)).toEqual([true, true, true, true]);
    for (const { w, b, count } of [overUpdates, overExamples])
      expect(rightBy(w / count, b / count)).not.toEqual([true, true, true, true]);
  });

  it('separates whatever the perceptron separates', async () => {
    await forAllAsync(examplesOf(dyadic, { rows: 8, features: 4 }), async (data) => {
      const last = await run(data, { rule: 'perceptron', passes: 200 });
      const mean = await run(data, { passes: 200 });
      expect(mean.report.updatesPerPass).toEqual(last.report.updatesPerPass);
      expect(mean.report.stop).toBe(last.report.stop);
    });
  });
});

const taus = fc.constantFrom(0, 0.125, 1, 7.5);

describe('the margin rule', () => {
  it('ends with every margin above τ if separable, after at most (R² + 2τ)/γ² updates', async () => {
    await forAllAsync(60, separable(), taus, async ({ data, norm, least, squaredRadius }, tau) => {
      const options = { rule: 'margin', margin: tau, bias: 'none', passes: 100_000 } as const;
      const { model, report } = await run(data, options);
      expect(report).toMatchObject({ rule: 'margin', stop: 'separated', train: { separated: true } });
      expect(report.updatesPerPass.at(-1)).toBe(0);
      for (const { x, y } of data) expect(y * dot(model.weights, x)).toBeGreaterThan(tau);
      // All of it is exact.
      expect(report.updates * least * least).toBeLessThanOrEqual((squaredRadius + 2 * tau) * norm * norm);
    });
  });

  it('with τ = 0 is the perceptron', async () => {
    await forAllAsync(examplesOf(decimal), async (data) => {
      const [none, plain] = [
        await run(data, { rule: 'margin', margin: 0, passes: 9 }),
        await run(data, { rule: 'perceptron', passes: 9 }),
      ];
      // Only what was asked for differs.
      expect({ ...none.model, rule: 'perceptron', options: plain.model.options }).toEqual(plain.model);
      expect(none.model.options).toEqual({ margin: 0 });
    });
  });

  it('has τ = 1 by default', async () => {
    const { model } = await run(fourApart, { rule: 'margin' });
    expect(model).toEqual((await run(fourApart, { rule: 'margin', margin: 1 })).model);
    expect(model).not.toEqual((await run(fourApart, { rule: 'margin', margin: 3 })).model);
  });

  it('has τ in the units of the original x, if examples are scaled', async () => {
    const { model, report } = await run(fourApart, { rule: 'margin', margin: 0.5, scaling: 'max-norm' });
    expect(report.stop).toBe('separated');
    for (const { x, y } of fourApart) {
      const a = dot(
        model.weights,
        x.map((value) => value / model.divisor),
      );
      expect(y * (a + model.bias * model.biasConstant)).toBeGreaterThan(0.5 - 1e-12);
    }
  });
});

/** The weights (the constant's first) before and after every update of a few passes, and the example that made it. */
function* updatesOf(data: readonly Example[], options: LearnerOptions<'perceptron'> = {}, passes = 10) {
  const learner = createLearner(kernels, 'perceptron', options);
  const batch = dense(data);
  const weights = () => {
    const { weights, bias } = learner.parameters();
    return [bias, ...weights];
  };
  let before = [0, ...data[0]!.x.map(() => 0)];
  for (let t = 0; t < passes * data.length; t++) {
    const i = t % data.length;
    const { updates } = learner.progress;
    learner.learn(batch, i, i + 1);
    if (learner.progress.updates === updates) continue;
    const after = weights();
    yield { before, after, ...data[i]!, i };
    before = after;
  }
  learner.free();
}

describe('one point, shown repeatedly (CS4780, first quiz)', () => {
  const vector = fc.integer({ min: 1, max: 6 }).chain((d) => {
    const point = fc.array(dyadic, { minLength: d, maxLength: d });
    return fc.record({ x: point, w0: point, y: fc.constantFrom(-1 as const, 1 as const) });
  });
  const repeats = (
    x: readonly number[],
    w0: readonly number[],
    y: -1 | 1,
    updateWhen: 'at-most-zero' | 'below-zero',
  ) => {
    const learner = createLearner(kernels, 'perceptron', { biasConstant: 0, updateWhen });
    learner.start(Float64Array.from(w0), 0);
    learner.limit({ cleanStreak: 1 });
    const batch = dense(Array(2000).fill({ x, y }));
    learner.learn(batch);
    const { updates, cleanStreak } = learner.progress;
    learner.free();
    expect(cleanStreak).toBe(1);
    return updates;
  };

  it('is misclassified once from w = 0', () => {
    forAll(vector, ({ x, y }) => {
      fc.pre(dot(x, x) > 0);
      expect(
        repeats(
          x,
          x.map(() => 0),
          y,
          'at-most-zero',
        ),
      ).toBe(1);
    });
  });

  it('is misclassified ⌊−y(w₀·x)/‖x‖²⌋ + 1 times from a wrong w₀, and never from a right one', () => {
    forAll(300, vector, ({ x, w0, y }) => {
      fc.pre(dot(x, x) > 0);
      const against = -y * dot(w0, x);
      const expected = against >= 0 ? Math.floor(against / dot(x, x)) + 1 : 0;
      expect(repeats(x, w0, y, 'at-most-zero')).toBe(expected);
    });
  });

  it('is misclassified ⌈−y(w₀·x)/‖x‖²⌉ times if only y·a < 0 makes an update', () => {
    forAll(300, vector, ({ x, w0, y }) => {
      fc.pre(dot(x, x) > 0);
      const against = -y * dot(w0, x);
      expect(repeats(x, w0, y, 'below-zero')).toBe(Math.max(0, Math.ceil(against / dot(x, x))));
    });
  });
});

describe('from a start at zero', () => {
  const shifts = fc.integer({ min: -20, max: 20 });

  it('scaling x by s gives the same updates, and scales the weights by s', () => {
    forAll(examplesOf(dyadic), shifts, (data, shift) => {
      const s = 2 ** shift;
      const scaled = data.map(({ x, y }) => ({ x: x.map((component) => component * s), y }));
      const plain = [...updatesOf(data, { biasConstant: 1 })];
      const larger = [...updatesOf(scaled, { biasConstant: s })];
      expect(larger.map(({ i }) => i)).toEqual(plain.map(({ i }) => i));
      expect(larger.map(({ after }) => after)).toEqual(plain.map(({ after }) => after.map((w) => w * s)));
    });
  });
});
