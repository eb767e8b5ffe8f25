import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { createLearner, type LearnerOptions } from '../../src/rules/registry.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense, dyadic, example, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { train } from '../support/linear.ts';
import { dot, type Separable, separable } from '../support/separable.ts';

const kernels = wasm();
const withoutBias = { rule: 'perceptron', bias: 'none', kernels } as const;

/** updates ≤ (R/γ)² without a division or a root: everything in it is exact. */
function withinNovikoff(updates: number, { squaredRadius, norm, least }: Separable): boolean {
  return updates * least * least <= squaredRadius * norm * norm;
}

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

describe('Novikoff', () => {
  it('separable data are separated in at most (R/γ)² updates, in every order and from every seed', async () => {
    await fc.assert(
      fc.asyncProperty(
        separable(),
        fc.constantFrom('cyclic' as const, 'shuffled' as const, 'random' as const),
        fc.nat(10_000),
        async (problem, order, seed) => {
          const { report } = await train(arraySource(dense(problem.data)), {
            ...withoutBias,
            order,
            seed,
            passes: 5000,
            stop: order === 'random' ? { cleanPass: false, quiet: 'covering' } : {},
          });
          expect(withinNovikoff(report.updates, problem)).toBe(true);
          // Draws with replacement may, rarely, have missed an example; nothing else may end a run unseparated.
          expect(report.stop).toBe(report.train?.separated === true ? 'separated' : 'quiet');
          if (order !== 'random') expect(report.stop).toBe('separated');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('with a bias, R and γ are those of the vectors with the constant', async () => {
    await fc.assert(
      fc.asyncProperty(separable(), async (problem) => {
        // (0, w*) separates (1, x) as w* separates x; a shift of all x by the constant's weight changes nothing else.
        const { report } = await train(arraySource(dense(problem.data)), {
          rule: 'perceptron',
          bias: 'absorbed',
          passes: 5000,
          kernels,
        });
        const squaredRadius = problem.squaredRadius + 1;
        expect(report.train?.radius).toBe(Math.sqrt(squaredRadius));
        expect(withinNovikoff(report.updates, { ...problem, squaredRadius })).toBe(true);
        expect(report.stop).toBe('separated');
      }),
      { numRuns: 100 },
    );
  });
});

describe('one update', () => {
  it('raises y·a of its example by exactly ‖x‖²', () => {
    fc.assert(
      fc.property(examplesOf(dyadic), (data) => {
        for (const { before, after, x, y } of updatesOf(data, { biasConstant: 0 }))
          expect(y * dot(after.slice(1), x) - y * dot(before.slice(1), x)).toBe(dot(x, x));
      }),
    );
  });

  it('raises it by exactly ‖x‖² + 1 with a bias', () => {
    fc.assert(
      fc.property(examplesOf(dyadic), (data) => {
        for (const { before, after, x, y } of updatesOf(data))
          expect(y * dot(after, [1, ...x]) - y * dot(before, [1, ...x])).toBe(dot(x, x) + 1);
      }),
    );
  });

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

  it('XOR makes updates in every pass', async () => {
    const { report } = await train(arraySource(dense(xor)), { as: 'blog', passes: 300, kernels });
    expect(report.stop).toBe('budget');
    expect(report.updatesPerPass).toHaveLength(300);
    expect(Math.min(...report.updatesPerPass)).toBeGreaterThan(0);
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

  it('a learning rate changes no decision: the updates are the same, and the weights are multiplied by η', () => {
    fc.assert(
      fc.property(examplesOf(dyadic), shifts, (data, shift) => {
        const eta = 2 ** shift;
        const batch = dense(data);
        const plain = createLearner(kernels, 'perceptron');
        const scaled = createLearner(kernels, 'perceptron');
        for (let pass = 0; pass < 5; pass++) {
          plain.learn(batch);
          scaled.learn({ ...batch, importance: new Float64Array(batch.rows).fill(eta) });
          expect(scaled.progress.updates).toBe(plain.progress.updates);
        }
        expect([...scaled.parameters().weights]).toEqual([...plain.parameters().weights].map((w) => w * eta));
        plain.free();
        scaled.free();
      }),
    );
  });
});
