import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { HoldoutSplit } from '../../src/data/split.ts';
import { ExampleStore } from '../../src/data/store.ts';
import { Random } from '../../src/random.ts';
import { createLearner } from '../../src/rules/registry.ts';
import type { RunOptions, TrainStep } from '../../src/train/options.ts';
import { passBatches } from '../../src/train/order.ts';
import { type Order, type PresetName, presets } from '../../src/train/presets.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Example } from '../oracles/oracle.ts';
import { train } from '../support/arithmetic.ts';
import { decimal, dense, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { learnedByExample } from '../support/several.ts';

const kernels = wasm();

/** More examples than are gathered at a time, each known by its one value, in chunks of uneven size. */
const count = 2500;
const store = new ExampleStore(kernels);
const numbered = Array.from({ length: count }, (_, i): Example => ({ x: [i], y: 1 }));
for (const [from, to] of [
  [0, 1],
  [1, 1500],
  [1500, count],
] as const)
  store.append(dense(numbered.slice(from, to)));

/** The examples of one pass, each batch read before the next is asked for. */
function shown(order: Exclude<Order, 'auto'>, random: Random): number[] {
  const numbers: number[] = [];
  for (const { batch } of passBatches(store, order, random)) numbers.push(...batch.values.subarray(0, batch.rows));
  return numbers;
}

const inOrder = [...Array(count).keys()];

describe('a pass', () => {
  it('in the order of the data shows every example once, first to last', () => {
    expect(shown('cyclic', new Random(1))).toEqual(inOrder);
  });

  it('shuffled shows every example once, in the order of one shuffle', () => {
    const numbers = shown('shuffled', new Random(7));
    const expected = Uint32Array.from(inOrder);
    new Random(7).shuffle(expected);
    expect(numbers).toEqual([...expected]);
    expect(numbers).not.toEqual(inOrder);
    expect([...numbers].sort((a, b) => a - b)).toEqual(inOrder);
  });

  it('at random shows as many examples as there are, each drawn from all of them', () => {
    const numbers = shown('random', new Random(7));
    const random = new Random(7);
    expect(numbers).toEqual(inOrder.map(() => random.below(count)));
    // With replacement about e⁻¹ of them are not shown.
    const missed = count - new Set(numbers).size;
    expect(Math.abs(missed / count - Math.exp(-1))).toBeLessThan(0.03);
  });
});

describe('a run', () => {
  it('shuffled equals the perceptron shown one permutation after the other, drawn from the seed', async () => {
    await forAllAsync(60, examplesOf(decimal), fc.nat(1000), async (data, seed) => {
      const passes = 4;
      const learner = createLearner(kernels, 'perceptron');
      const random = new Random(seed);
      const updatesPerPass: number[] = [];
      let updates = 0;
      while (updatesPerPass.length < passes && updatesPerPass.at(-1) !== 0) {
        const permutation = Uint32Array.from(data, (_, i) => i);
        random.shuffle(permutation);
        learner.learn(dense(Array.from(permutation, (i) => data[i]!)));
        updatesPerPass.push(learner.progress.updates - updates);
        updates = learner.progress.updates;
      }
      const { model, report } = await train(arraySource(dense(data)), {
        rule: 'perceptron',
        order: 'shuffled',
        seed,
        passes,
        kernels,
      });
      expect(report.updatesPerPass).toEqual(updatesPerPass);
      expect({ weights: model.weights, bias: model.bias }).toEqual(learner.parameters());
      learner.free();
    });
  });
});

const options: fc.Arbitrary<RunOptions> = fc.oneof(
  fc.record({
    rule: fc.constantFrom(...learnedByExample),
    order: fc.constantFrom(
      'auto' as const,
      'cyclic' as const,
      'shuffled' as const,
      'shuffled-once' as const,
      'random' as const,
    ),
    passes: fc.integer({ min: 1, max: 5 }),
    holdout: fc.constantFrom(undefined, 0.3),
  }),
  fc.record({ as: fc.constantFrom(...(Object.keys(presets) as PresetName[])), passes: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    rule: fc.constantFrom('averaged' as const, 'sgd' as const),
    patience: fc.constant(1),
    passes: fc.constant(6),
  }),
);

/** Tests if there are two classes, and for early stopping two rows of one of them. */
function isLearnable(data: readonly { readonly y: number }[], { patience }: RunOptions): boolean {
  return new Set(data.map(({ y }) => y)).size === 2 && (patience === undefined || data.length > 2);
}

describe('steps of a run', () => {
  it('are reported until the observer ends it, without a change of the run', async () => {
    await forAllAsync(
      examplesOf(decimal, { rows: 30 }),
      options,
      fc.integer({ min: 1, max: 90 }),
      async (data, given, most) => {
        fc.pre(isLearnable(data, given) && given.holdout === undefined);
        const source = () => arraySource([dense(data.slice(0, 7)), dense(data.slice(7))]);
        let all = 0;
        const whole = await trainOnce(source(), { ...given, kernels, onStep: () => void all++ });
        let told = 0;
        const cut = await trainOnce(source(), { ...given, kernels, onStep: () => ++told < most });
        expect(told).toBe(Math.min(all, most));
        expect(cut).toEqual(whole);
      },
    );
  });

  it('do not change the run, to the bit, and report every example and every update', async () => {
    await forAllAsync(150, examplesOf(decimal, { rows: 40 }), options, fc.nat(1000), async (data, given, seed) => {
      fc.pre(isLearnable(data, given));
      const split = given.holdout === undefined ? null : new HoldoutSplit(given.holdout, seed);
      const learnable = data.flatMap(({ y }, i) => (split?.next(y) ? [] : [i]));
      fc.pre(new Set(learnable.map((i) => data[i]!.y)).size === 2);
      const source = () => arraySource([dense(data.slice(0, 7)), dense(data.slice(7))]);
      const steps: Omit<TrainStep, 'learner'>[] = [];
      let functions: unknown = null;
      const watched = await trainOnce(source(), {
        ...given,
        seed,
        kernels,
        onStep: ({ learner, ...step }) => {
          steps.push(step);
          functions = learner.functions();
        },
      });
      expect(watched).toEqual(await trainOnce(source(), { ...given, seed, kernels }));
      const { report } = watched;
      expect(functions).not.toBeNull();
      const perPass = report.updatesPerPass.map(
        (_, k) => steps.filter((step) => step.pass === k + 1 && step.updated).length,
      );
      // A rule may update more than once on an example that it sees; none here does.
      expect(perPass).toEqual(report.updatesPerPass);
      expect(steps.at(-1)!.pass).toBe(report.passes);
      for (let k = 0; k < steps.length; k++) {
        const { pass, position, row } = steps[k]!;
        const before = steps[k - 1];
        expect(position).toBe(before?.pass === pass ? before.position + 1 : 0);
        expect(learnable).toContain(row);
      }
      if (given.patience === undefined && (given.order === 'cyclic' || given.as === 'blog'))
        expect(steps.map(({ row }) => row)).toEqual(
          Array.from({ length: report.passes }, () => learnable)
            .flat()
            .slice(0, steps.length),
        );
    });
  });
});
