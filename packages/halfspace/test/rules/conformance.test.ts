import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { DualState } from '../../src/rules/dual-learner.ts';
import { createLearner, type RuleName } from '../../src/rules/registry.ts';
import type { SgdOptions } from '../../src/rules/sgd-options.ts';
import { inSequence } from '../oracles/oracle.ts';
import { decodeModel, train } from '../support/arithmetic.ts';
import { dense, dyadic, example, examplesOf, sparse, xor } from '../support/examples.ts';
import { implementations, wasm } from '../support/kernels.ts';
import { itConforms } from './conformance.ts';

itConforms({
  name: 'perceptron',
  create: (kernels) => createLearner(kernels, 'perceptron'),
  resume: (kernels, state) => createLearner(kernels, 'perceptron', {}, state),
});

itConforms({
  name: 'averaged',
  create: (kernels) => createLearner(kernels, 'averaged'),
  resume: (kernels, state) => createLearner(kernels, 'averaged', {}, state),
});

itConforms({
  name: 'voted',
  create: (kernels) => createLearner(kernels, 'voted'),
  resume: (kernels, state) => createLearner(kernels, 'voted', {}, state as DualState),
});

for (const margin of [1, 0, 2.5])
  itConforms({
    name: 'margin',
    variant: `${margin}`,
    // The second scores 2 on its side.
    ...(margin < 2 ? {} : { counts: { updates: 2, mistakes: 1, cleanStreak: 1 } }),
    create: (kernels) => createLearner(kernels, 'margin', { margin }),
    resume: (kernels, state) => createLearner(kernels, 'margin', {}, state),
  });

for (const [variant, biasOfEmptyRow, average] of [
  ['pa', 1, false],
  ['pa-1', 1, false],
  ['pa-2', 1 / 1.5, false],
  ['pa-1', 1, true],
] as const satisfies readonly ['pa' | 'pa-1' | 'pa-2', number, boolean][])
  itConforms({
    name: 'passive-aggressive',
    variant: average ? `${variant}, average` : variant,
    exact: false,
    biasOfEmptyRow,
    // The second scores on its side, but by less than 1.
    counts: { updates: 2, mistakes: 1, cleanStreak: 1 },
    create: (kernels) => createLearner(kernels, 'passive-aggressive', { variant, average }),
    resume: (kernels, state) => createLearner(kernels, 'passive-aggressive', {}, state),
  });

for (const average of [false, true])
  itConforms({
    name: 'arow',
    variant: average ? 'average' : 'last',
    exact: false,
    // From there on variances stay as they are.
    jump: { at: 1, create: (kernels) => createLearner(kernels, 'arow', { average: false }) },
    biasOfEmptyRow: 0.5,
    // The second scores on its side, but by less than 1.
    counts: { updates: 2, mistakes: 1, cleanStreak: 1 },
    create: (kernels) => createLearner(kernels, 'arow', { average }),
    resume: (kernels, state) => createLearner(kernels, 'arow', {}, state),
  });

for (const [options, more] of [
  [{}, { biasOfEmptyRow: 0.5, counts: { updates: 3, mistakes: 1, cleanStreak: 0 } }],
  [{ loss: 'perceptron', penalty: 'none', schedule: 'constant', rate: 1, answer: 'last' }, { exact: true }],
  [
    { loss: 'hinge', penalty: 'l1', alpha: 0.01 },
    {
      biasOfEmptyRow: 0.5,
      counts: { updates: 2, mistakes: 1, cleanStreak: 1 },
      jump: {
        at: 1,
        create: (kernels: Kernels) =>
          createLearner(kernels, 'sgd', { loss: 'hinge', penalty: 'l1', alpha: 0.01, answer: 'last' }),
      },
    },
  ],
  [
    { loss: 'squared-hinge', penalty: 'elastic-net', alpha: 0.1, schedule: 'inverse-scaling', answer: 'mean' },
    { biasOfEmptyRow: 0.02, counts: { updates: 3, mistakes: 1, cleanStreak: 0 } },
  ],
  [
    { loss: 'modified-huber', alpha: 0.1, schedule: 'constant', rate: 0.1 },
    { biasOfEmptyRow: 0.2, counts: { updates: 2, mistakes: 1, cleanStreak: 1 } },
  ],
] as const satisfies readonly (readonly [SgdOptions, object])[])
  itConforms({
    name: 'sgd',
    variant: Object.values(options).join(', '),
    exact: false,
    repeats: false,
    ...more,
    create: (kernels) => createLearner(kernels, 'sgd', options),
    resume: (kernels, state) => createLearner(kernels, 'sgd', {}, state),
  });

// Without features, so that what the ratchet thinks of weights does not depend on how features are numbered.
const training = [dense([example(1), example(-1), example(1)])];
for (const examples of [undefined, () => training])
  itConforms({
    name: 'pocket',
    variant: examples === undefined ? 'without a ratchet' : 'with a ratchet',
    biasOfEmptyRow: examples === undefined ? 0 : 1,
    create: (kernels) => createLearner(kernels, 'pocket', { examples }),
    resume: (kernels, state) => createLearner(kernels, 'pocket', { examples }, state),
  });

describe('a state', () => {
  it('includes the options of its run', () => {
    const first = createLearner(wasm(), 'perceptron', { biasConstant: 0.5, updateWhen: 'sign-differs', tie: 1 });
    const second = createLearner(wasm(), 'perceptron', {}, first.state());
    const positive = dense([example(1, 3)]);
    second.learn(positive);
    expect(second.progress).toMatchObject({ updates: 0, mistakes: 0 });
    const negative = dense([example(-1, 3)]);
    second.learn(negative);
    expect(second.parameters().bias).toBe(-0.5);
  });
});

describe.each(implementations)('an importance of h, in %s kernels', (_, create) => {
  const kernels = create();
  const weighted = examplesOf(dyadic).chain((data) =>
    fc.record({
      data: fc.constant(data),
      importance: fc.array(fc.constantFrom(0.5, 1, 2, 4), { minLength: data.length, maxLength: data.length }),
    }),
  );

  it('makes the step h times as long: an update of importance 2 is w += 2·y·x, b += 2·y', () => {
    const learner = createLearner(kernels, 'perceptron');
    learner.learn({ ...dense([example(-1, 3, 0.5)]), importance: Float64Array.of(2) });
    const { weights, bias } = learner.parameters();
    expect([[...weights], bias]).toEqual([[-6, -1], -2]);
    expect(learner.progress.updates).toBe(1);
  });

  it('of 2 differs from showing the example twice, because the second showing may need no update', () => {
    const once = createLearner(kernels, 'perceptron');
    once.learn(dense([example(1, 3), example(1, 3)]));
    expect([...once.parameters().weights]).toEqual([3]);
  });

  it('counts as h units of time in the average, like h showings of which only the first updates', () => {
    forAll(weighted, fc.constantFrom(dense, sparse), ({ data, importance }, layout) => {
      const learner = createLearner(kernels, 'averaged');
      const batch = { ...layout(data), importance: Float64Array.from(importance) };
      const w = [0, ...data[0]!.x.map(() => 0)];
      const sum = w.slice();
      let time = 0;
      let largest = 0;
      for (let pass = 0; pass < 3; pass++) {
        learner.learn(batch);
        data.forEach(({ x, y }, i) => {
          const absorbed = [1, ...x];
          if (y * inSequence(w, absorbed) <= 0)
            for (let j = 0; j < w.length; j++) w[j]! += importance[i]! * y * absorbed[j]!;
          w.forEach((weight, j) => {
            sum[j]! += importance[i]! * weight;
            largest = Math.max(largest, Math.abs(weight));
          });
          time += importance[i]!;
        });
      }
      expect(learner.progress.clock).toBe(time);
      const { weights, bias } = learner.parameters();
      // All sums are exact; the divisions round, as in lectures.test.ts.
      [bias, ...weights].forEach((weight, j) => {
        expect(Math.abs(weight - sum[j]! / time)).toBeLessThanOrEqual(2 ** -53 * 5 * largest);
      });
      learner.free();
    });
  });
});

describe('a run', () => {
  const kernels = wasm();

  it('with the same seed gives the same model, for every rule and order', async () => {
    await forAllAsync(
      40,
      examplesOf(dyadic),
      fc.constantFrom('perceptron', 'averaged', 'margin', 'passive-aggressive') as fc.Arbitrary<RuleName>,
      fc.constantFrom('cyclic' as const, 'shuffled' as const, 'random' as const),
      fc.nat(),
      async (data, rule, order, seed) => {
        const run = () => train(arraySource(sparse(data)), { rule, order, seed, kernels, passes: 4 });
        expect(await run()).toEqual(await run());
      },
    );
  });

  it.each(['perceptron', 'averaged', 'margin', 'passive-aggressive', 'arow', 'sgd', 'pocket'] as const)(
    'by %s uses all passes if no line separates the classes, and its model survives its file',
    async (rule) => {
      const { model, report } = await train(arraySource(dense(xor)), { rule, kernels, passes: 7 });
      expect(report).toMatchObject({ rule, stop: 'budget', passes: 7, train: { separated: false } });
      expect(model.rule).toBe(rule);
      expect(decodeModel(encodeModel(model))).toEqual(model);
    },
  );

  it('has a clean pass in spite of examples of importance 0', async () => {
    const data = [example(1, 2), example(-1, -2), example(-1, 2)];
    const batch = { ...dense(data), importance: Float64Array.of(1, 1, 0) };
    const { report } = await train(arraySource(batch), { rule: 'perceptron', passes: 20, kernels });
    expect(report.updatesPerPass).toEqual([1, 0]);
    expect(report.stop).toBe('separated');
    expect(report.train).toMatchObject({ examples: 2, errors: 0, separated: true });
  });
});
