import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { denseBatch } from '../../src/batch.ts';
import { Random } from '../../src/random.ts';
import { mostJudgedAlways } from '../../src/rules/pocket-perceptron.ts';
import { createLearner, createMulticlassLearner, type LearnerOf } from '../../src/rules/registry.ts';
import type { TrainStep } from '../../src/train/options.ts';
import { stoppingCounts, stoppingSplit } from '../../src/train/stopping-rows.ts';
import { type Example, inFourLanes } from '../oracles/oracle.ts';
import { pocket } from '../oracles/perceptrons.ts';
import { decimal, dense, dot, dyadic, example, examplesOf, fourApart, run, sparse, xor } from '../support/examples.ts';
import { implementations, wasm } from '../support/kernels.ts';

describe.each(implementations)('the pocket algorithm, in %s kernels,', (_, create) => {
  const kernels = create();
  const weighted = examplesOf(decimal, { features: 4 }).chain((data) =>
    fc.record({
      data: fc.constant(data),
      importance: fc.array(fc.constantFrom(0, 0.5, 1, 1, 2), { minLength: data.length, maxLength: data.length }),
    }),
  );

  it.each([
    ['all weights judged', { ratchet: true, every: true }],
    ['more than 1,000 examples', { ratchet: true, every: false }],
    ['no ratchet', { ratchet: false, every: false }],
  ])('has the pocket of the oracle after every example, in any portions: %s', (_, { ratchet, every }) => {
    forAll(
      200,
      weighted,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      ({ data, importance }, portions) => {
        const batch = { ...sparse(data, { zeros: true }), importance: Float64Array.from(importance) };
        // The same examples again and again are judged as once.
        const examples = () => Array<typeof batch>(every ? 1 : mostJudgedAlways + 1).fill(batch);
        const learner = createLearner(kernels, 'pocket', ratchet ? { examples } : {});
        const moments = [...pocket(data, { inner: inFourLanes, passes: 8, ratchet, importance, every })];
        let shown = 0;
        for (let k = 0; shown < moments.length; k++) {
          const from = shown % data.length;
          const to = Math.min(data.length, from + portions[k % portions.length]!);
          expect(learner.learn(batch, from, to)).toBe(to - from);
          shown += to - from;
          const { weights, bias } = learner.parameters();
          const { weights: expected, bias: expectedBias } = moments[shown - 1]!;
          expect({ weights: [...weights], bias }).toEqual({ weights: expected, bias: expectedBias });
        }
        learner.free();
      },
    );
  });

  it('judges weights on all examples at most once, however long they last', () => {
    const batch = dense(fourApart);
    let judged = 0;
    const examples = () => {
      judged++;
      return [batch];
    };
    const learner = createLearner(kernels, 'pocket', { examples });
    for (let pass = 0; pass < 50; pass++) learner.learn(batch);
    // One more to count them, and one for the weights at the start.
    expect(judged).toBeLessThanOrEqual(learner.progress.updates + 2);
    expect(judged).toBeGreaterThan(1);
    expect(learner.parameters()).toEqual(learner.latest());
  });
});

describe('a pocket of several classes, one versus rest,', () => {
  it('is judged for each class on its own examples and the others', () => {
    const kernels = wasm();
    const labels = Float64Array.from({ length: 30 }, (_, i) => i % 3);
    const rows = Array.from(labels, (k, i) => [Math.sin(i * 9.1) + k, Math.cos(i * 5.3) - k * k]);
    const batch = { ...denseBatch(rows, Array(30).fill(1)), labels };
    const options = { updateWhen: 'at-most-zero', examples: () => [batch] } as never;
    const learner = createMulticlassLearner(kernels, 'pocket', 'one-vs-rest', options);
    const alone = [0, 1, 2].map((k) => {
      const against = { ...batch, labels: labels.map((label) => (label === k ? 1 : -1)) };
      const machine = createLearner(kernels, 'pocket', { examples: () => [against] });
      // The learner of a class begins with that class's first example.
      for (let pass = 0; pass < 20; pass++) machine.learn(against, pass === 0 ? k : 0);
      return machine.parameters();
    });
    for (let pass = 0; pass < 20; pass++) learner.learn(batch);
    expect(learner.functions()).toEqual(alone);
  });
});

/** Exclusive or in standardised columns: in a fixed order each example is wrong when its turn comes. */
const centred = xor.map(({ x, y }) => example(y, ...x.map((each) => 2 * each - 1)));

describe('a pocket', () => {
  const kernels = wasm();

  it('keeps weights that no weights of the run are better than, whatever the order', async () => {
    const rightOf = ({ weights, bias }: { weights: Float64Array; bias: number }, data: readonly Example[]) =>
      data.filter(({ x, y }) => dot([...weights, bias], [...x, 1]) > 0 === y > 0).length;
    await forAllAsync(
      60,
      fc.oneof(fc.constant(centred), examplesOf(dyadic, { features: 3 })),
      fc.constantFrom('cyclic' as const, 'shuffled' as const, 'shuffled-once' as const, 'random' as const),
      fc.nat(),
      async (data, order, seed) => {
        let most = rightOf({ weights: new Float64Array(data[0]!.x.length), bias: 0 }, data);
        const onStep = ({ learner }: TrainStep) => {
          most = Math.max(most, rightOf((learner as LearnerOf<'pocket'>).latest(), data));
          return true;
        };
        const { model } = await run(data, { rule: 'pocket', order, seed, passes: 12, onStep });
        expect(rightOf(model as unknown as { weights: Float64Array; bias: number }, data)).toBe(most);
        if (data === centred && order !== 'random') expect(most).toBe(3);
      },
    );
  });

  it('is part of the state, with the clean streak of the present weights', () => {
    const batch = dense(xor);
    const options = { examples: () => [batch] };
    const first = createLearner(kernels, 'pocket', options);
    for (let t = 0; t < 19; t++) first.learn(batch, t % 4, (t % 4) + 1);
    const second = createLearner(kernels, 'pocket', options, structuredClone(first.state()));
    expect(second.state()).toEqual(first.state());
    expect(second.parameters()).toEqual(first.parameters());
    expect(second.parameters()).not.toEqual(second.latest());
  });

  it('may have zero weights for features that only the judged examples have', () => {
    const learner = createLearner(kernels, 'pocket', {
      examples: () => [dense([example(1, 1, 5), example(-1, -1, 7)])],
    });
    learner.learn(dense([example(1, 1), example(-1, -1), example(1, 2)]));
    expect(learner.parameters()).toEqual({ weights: Float64Array.of(1, 0), bias: 1 });
  });
});

describe('a run of the pocket under patience', () => {
  it('judges the pocket on the training rows only', async () => {
    const rows = 60;
    await forAllAsync(60, fc.nat(1000), async (seed) => {
      const draw = new Random(seed);
      const data = Array.from({ length: rows }, () =>
        example(draw.uniform() < 0.5 ? -1 : 1, draw.uniform() - 0.5, draw.uniform() - 0.5),
      );
      const { model } = await run(data, { rule: 'pocket', order: 'shuffled-once', patience: 1, passes: 1, seed });
      // A tenth of each class is held out, the others are shuffled once.
      const counts = [-1, 1].map((label) => data.filter(({ y }) => y === label).length);
      const held = stoppingCounts(['-1', '1'], counts, 'x');
      const split = stoppingSplit(
        [0, 1].map((k) => [counts[k]!, held[k]!]),
        seed,
      );
      const kept = new Uint32Array(rows);
      const ys = data.map(({ y }) => y);
      const order = kept.subarray(0, split.nextInto(ys, rows, kept, new Uint32Array(rows)));
      new Random(seed, 16).shuffle(order);
      const learned = dense([...order].map((i) => data[i]!));
      const learner = createLearner(wasm(), 'pocket', { examples: () => [learned] });
      learner.learn(learned);
      expect({ weights: [...model.weights], bias: model.bias }).toEqual({
        ...learner.parameters(),
        weights: [...learner.parameters().weights],
      });
    });
  });
});
