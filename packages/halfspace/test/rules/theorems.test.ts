import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { createLearner, type LearnerOptions } from '../../src/rules/registry.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense, dyadic, example, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { train } from '../support/linear.ts';
import { dot } from '../support/separable.ts';

const kernels = wasm();
const withoutBias = { rule: 'perceptron', bias: 'none', kernels } as const;

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

describe('one update', () => {
  it('may leave its example misclassified, and may misclassify another', () => {
    const learner = createLearner(kernels, 'perceptron', { biasConstant: 0 });
    learner.start(Float64Array.of(-4, 3), 0);
    const data = dense([example(1, 1, 0), example(1, -1, -1.25), example(-1, 2, 3)]);
    const scores = new Float64Array(3);
    learner.scoreInto(data, scores);
    expect([...scores]).toEqual([-4, 0.25, 1]);
    learner.learn(data, 0, 1);
    learner.scoreInto(data, scores);
    // The first is still wrong; the second was right and is wrong now.
    expect([...scores]).toEqual([-3, -0.75, 3]);
  });
});

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
    fc.assert(
      fc.property(vector, ({ x, y }) => {
        fc.pre(dot(x, x) > 0);
        expect(
          repeats(
            x,
            x.map(() => 0),
            y,
            'at-most-zero',
          ),
        ).toBe(1);
      }),
    );
  });

  it('is misclassified ⌊−y(w₀·x)/‖x‖²⌋ + 1 times from a wrong w₀, and never from a right one', () => {
    fc.assert(
      fc.property(vector, ({ x, w0, y }) => {
        fc.pre(dot(x, x) > 0);
        const against = -y * dot(w0, x);
        const expected = against >= 0 ? Math.floor(against / dot(x, x)) + 1 : 0;
        expect(repeats(x, w0, y, 'at-most-zero')).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('is misclassified ⌈−y(w₀·x)/‖x‖²⌉ times if only y·a < 0 makes an update', () => {
    fc.assert(
      fc.property(vector, ({ x, w0, y }) => {
        fc.pre(dot(x, x) > 0);
        const against = -y * dot(w0, x);
        expect(repeats(x, w0, y, 'below-zero')).toBe(Math.max(0, Math.ceil(against / dot(x, x))));
      }),
      { numRuns: 300 },
    );
  });
});

describe('data that no line separates', () => {
  const xor = [example(-1, 0, 0), example(1, 0, 1), example(1, 1, 0), example(-1, 1, 1)];

  it('XOR is never separated, by any lecture or seed', async () => {
    for (const as of ['lecture-9', 'lecture-9-algorithm-2', 'cs4780', 'foda', 'blog', 'slides'] as const)
      for (const seed of [1, 2, 3]) {
        const { report } = await train(arraySource(dense(xor)), { as, seed, passes: 300, kernels });
        expect(report.train?.separated, as).toBe(false);
        expect(report.stop, as).not.toBe('separated');
        expect(report.train?.errors, as).toBeGreaterThan(0);
      }
  });

  it('points on a line away from the origin are separated once the constant is added (CS4780, figure)', async () => {
    const line = [example(-1, 1), example(-1, 2), example(1, 4), example(1, 5)];
    const through = await train(arraySource(dense(line)), { ...withoutBias, passes: 300 });
    const lifted = await train(arraySource(dense(line)), { ...withoutBias, bias: 'absorbed', passes: 300 });
    expect(through.report.stop).toBe('budget');
    expect(lifted.report.stop).toBe('separated');
  });
});

describe('from a start at zero', () => {
  const shifts = fc.integer({ min: -20, max: 20 });

  it('scaling x by s gives the same updates, and scales the weights by s', () => {
    fc.assert(
      fc.property(examplesOf(dyadic), shifts, (data, shift) => {
        const s = 2 ** shift;
        const scaled = data.map(({ x, y }) => ({ x: x.map((component) => component * s), y }));
        const plain = [...updatesOf(data, { biasConstant: 1 })];
        const larger = [...updatesOf(scaled, { biasConstant: s })];
        expect(larger.map(({ i }) => i)).toEqual(plain.map(({ i }) => i));
        expect(larger.map(({ after }) => after)).toEqual(plain.map(({ after }) => after.map((w) => w * s)));
      }),
    );
  });
});
