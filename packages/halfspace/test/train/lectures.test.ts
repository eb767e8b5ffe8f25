import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import type { Batch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { Random } from '../../src/random.ts';
import type { MistakeDriven } from '../../src/rules/mistake-driven.ts';
import { createLearner, type LearnerOptions } from '../../src/rules/registry.ts';
import type { PresetName } from '../../src/train/presets.ts';
import {
  blog,
  cs4780,
  foda,
  intoUnitBall,
  lecture9,
  lecture9Algorithm2,
  overLongest,
  slides,
} from '../oracles/lectures.ts';
import {
  constantLast,
  type Example,
  type Inner,
  inFourLanes,
  inSequence,
  type Outcome,
  type Update,
} from '../oracles/oracle.ts';
import { averaged } from '../oracles/perceptrons.ts';
import { train } from '../support/arithmetic.ts';
import { decimal, dense, dyadic, examplesOf, sparse } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';

/** Passes that a run of these tests is given; few data sets are still moving then, and those are compared as well. */
const passes = 25;

/** One lecture: the oracle, and the same thing asked of a learner, step by step. */
interface Lecture {
  readonly preset: PresetName;
  /** True if the constant is a component of x, and so part of the inner product. */
  readonly absorbed: boolean;
  readonly oracle: (data: readonly Example[], inner: Inner, seed: number) => Generator<Update, Outcome>;
  readonly options: LearnerOptions<'perceptron'>;
  /** The examples and the constant as they are learned from, after the lecture's scaling. */
  readonly prepared?: (data: readonly Example[], inner: Inner) => { vectors: number[][]; divisor: number };
  readonly startsAtFirst?: boolean;
  readonly draws?: boolean;
  /** Examples in a row without an update that end the run, given n. */
  readonly quiet?: (n: number) => number;
}

/** The draws of order.ts: one number below n each, from the run's seed. */
function drawsOf(seed: number, n: number): () => number {
  const random = new Random(seed);
  return () => random.below(n);
}

/** The number of uniform draws without an update at which the presets stop: ⌈n(ln n + 5)⌉. */
const covering = (n: number) => Math.ceil(n * (Math.log(n) + 5));

/** Both algorithms of Lecture 9, which differ in their oracle and in when they update. */
const lectures9 = [
  { preset: 'lecture-9', algorithm: lecture9, updateWhen: 'at-most-zero' },
  { preset: 'lecture-9-algorithm-2', algorithm: lecture9Algorithm2, updateWhen: 'sign-differs' },
] as const;

const lectures: readonly Lecture[] = [
  ...lectures9.map(
    ({ preset, algorithm, updateWhen }): Lecture => ({
      preset,
      absorbed: true,
      oracle: (data, inner, seed) => {
        const draw = drawsOf(seed, data.length);
        return algorithm(data, { draw, quiet: covering(data.length), maxIter: passes * data.length, inner });
      },
      options: { biasConstant: 1, updateWhen, tie: 1 },
      draws: true,
      quiet: covering,
    }),
  ),
  {
    preset: 'cs4780',
    absorbed: true,
    oracle: (data, inner) => cs4780(data, { inner, maxPasses: passes }),
    options: { updateWhen: 'at-most-zero', tie: -1 },
    prepared: intoUnitBall,
  },
  {
    preset: 'foda',
    absorbed: true,
    oracle: (data, inner) => foda(data, { inner, maxPasses: passes }),
    options: { updateWhen: 'below-zero', tie: -1 },
    prepared: overLongest,
    startsAtFirst: true,
    quiet: (n) => n,
  },
  {
    preset: 'blog',
    absorbed: false,
    oracle: (data, inner) => blog(data, { inner, maxPasses: passes }),
    options: { updateWhen: 'at-most-zero', tie: -1 },
  },
  {
    preset: 'slides',
    absorbed: false,
    oracle: (data, inner) => slides(data, { inner, maxIter: passes }),
    options: { updateWhen: 'at-most-zero', tie: -1 },
  },
];

interface Weights {
  readonly weights: readonly number[];
  readonly bias: number;
}

function weightsOf(learner: MistakeDriven): Weights {
  const { weights, bias } = learner.parameters();
  return { weights: [...weights], bias };
}

/** The engine's weights after every update, until the run ends as `lecture` ends it or `count` updates were made. */
function engineUpdates(
  kernels: Kernels,
  lecture: Lecture,
  data: readonly Example[],
  batch: Batch,
  inner: Inner,
  seed: number,
) {
  const scaled = lecture.prepared?.(data, inner);
  const divided = (values: ArrayLike<number>) => Float64Array.from(values, (value) => value / scaled!.divisor);
  const shown: Batch = scaled === undefined ? batch : { ...batch, values: divided(batch.values) };
  const learner = createLearner(kernels, 'perceptron', {
    ...lecture.options,
    biasConstant: 1 / (scaled?.divisor ?? 1),
  });
  if (lecture.startsAtFirst === true) {
    const [constant, ...x] = scaled!.vectors[0]!.map((component) => data[0]!.y * component);
    learner.start(Float64Array.from(x), constant!);
  }
  const made: Weights[] = [];
  const draw = drawsOf(seed, data.length);
  const quiet = lecture.quiet?.(data.length) ?? Infinity;
  for (let pass = 0; pass < passes; pass++) {
    let from = 0;
    while (from < batch.rows) {
      const before = learner.progress.updates;
      learner.limit({ updates: before + 1, cleanStreak: quiet });
      if (lecture.draws === true) {
        const i = draw();
        learner.learn(shown, i, i + 1);
        from++;
      } else {
        from += learner.learn(shown, from);
      }
      if (learner.progress.updates > before) made.push(weightsOf(learner));
      if (learner.progress.cleanStreak >= quiet) break;
    }
    if (learner.progress.cleanStreak >= quiet) break;
  }
  learner.free();
  return made;
}

/** Runs a generator to its end. */
function exhaust(run: Generator<Update, Outcome>): { updates: Update[]; outcome: Outcome } {
  const updates: Update[] = [];
  for (;;) {
    const step = run.next();
    if (step.done === true) return { updates, outcome: step.value };
    updates.push(step.value);
  }
}

const everyUpdate = (updates: readonly Update[]): Weights[] => updates.map(({ weights, bias }) => ({ weights, bias }));
const kernels = { wasm: wasm(), reference: reference() };

describe.each(lectures)('as $preset', (lecture) => {
  const lanes = lecture.absorbed ? constantLast(inFourLanes) : inFourLanes;
  // Division by the radius leaves the dyadic grid, so scaled variants are exact only in the kernels' own order.
  const exact = lecture.prepared === undefined ? inSequence : lanes;

  it('makes the updates of the lecture on dyadic numbers, dense and sparse, in any order of summation', () => {
    forAll(60, examplesOf(dyadic), fc.nat(1000), (data, seed) => {
      const { updates } = exhaust(lecture.oracle(data, exact, seed));
      const expected = everyUpdate(updates);
      for (const create of [kernels.wasm, kernels.reference]) {
        expect(engineUpdates(create, lecture, data, dense(data), exact, seed)).toEqual(expected);
        // With zeros left out a row's lanes are others, which only exact sums do not show.
        const rows = sparse(data, { zeros: lecture.prepared !== undefined });
        expect(engineUpdates(create, lecture, data, rows, exact, seed)).toEqual(expected);
      }
    });
  });

  it('makes the updates of the lecture to the bit on decimal data, in the documented order of summation', () => {
    forAll(60, examplesOf(decimal), fc.nat(1000), (data, seed) => {
      const { updates } = exhaust(lecture.oracle(data, lanes, seed));
      const expected = everyUpdate(updates);
      for (const create of [kernels.wasm, kernels.reference])
        for (const batch of [dense(data), sparse(data)])
          expect(engineUpdates(create, lecture, data, batch, lanes, seed)).toEqual(expected);
    });
  });

  it('returns the result of the lecture in a whole run, with as many updates in every pass', async () => {
    await forAllAsync(
      60,
      examplesOf(decimal),
      fc.nat(1000),
      fc.constantFrom(dense, sparse),
      async (data, seed, layout) => {
        const { updates, outcome } = exhaust(lecture.oracle(data, lanes, seed));
        const { model, report } = await train(arraySource(layout(data)), {
          as: lecture.preset,
          passes,
          seed,
          kernels: kernels.wasm,
        });
        expect({ weights: [...model.weights], bias: model.bias }).toEqual({
          weights: outcome.weights,
          bias: outcome.bias,
        });
        expect(report.updatesPerPass).toEqual(outcome.updatesPerPass);
        expect(report.updates).toBe(updates.length);
        expect(report.passes).toBe(outcome.updatesPerPass.length);
      },
    );
  });
});

describe('averaged', () => {
  // u = 2⁻⁵³: relative error of an operation; W: largest size of a weight so far; T: steps so far; K ≤ T: updates.
  const unit = 2 ** -53;

  it('is the mean of the weights after every example, to three roundings, if all sums are exact', () => {
    forAll(60, examplesOf(dyadic), fc.constantFrom(dense, sparse), (data, layout) => {
      for (const create of [kernels.wasm, kernels.reference]) {
        const learner = createLearner(create, 'averaged');
        const batch = layout(data);
        let row = 0;
        for (const mean of averaged(data, { inner: inSequence, passes: 6 })) {
          learner.learn(batch, row, row + 1);
          row = (row + 1) % batch.rows;
          expect(learner.progress.updates).toBe(mean.updates);
          const { weights, bias } = learner.parameters();
          // S/T rounds once on one side; u/T and w − u/T round once each on the other, and |u/T| ≤ |w| + |mean| ≤ 2W.
          [bias, ...weights].forEach((weight, j) => {
            const expected = [mean.bias, ...mean.weights][j]!;
            expect(Math.abs(weight - expected)).toBeLessThanOrEqual(unit * 5 * mean.largest[j]!);
          });
        }
        learner.free();
      }
    });
  });

  it('is that mean within (6T + 8)·u·W if sums round', () => {
    forAll(60, examplesOf(decimal), fc.constantFrom(dense, sparse), (data, layout) => {
      const learner = createLearner(kernels.wasm, 'averaged');
      const batch = layout(data);
      let row = 0;
      for (const mean of averaged(data, { inner: inFourLanes, passes: 6 })) {
        learner.learn(batch, row, row + 1);
        row = (row + 1) % batch.rows;
        expect(learner.progress.updates).toBe(mean.updates);
        const { weights, bias } = learner.parameters();
        // T additions into S err by at most T·u·(T·W), so S/T by T·u·W. Each of K ≤ T updates of u rounds a product and a sum of
        // at most 2·T·W, and one of w, of at most W: 5·K·u·W after the division. A few more roundings end it.
        [bias, ...weights].forEach((weight, j) => {
          const expected = [mean.bias, ...mean.weights][j]!;
          expect(Math.abs(weight - expected)).toBeLessThanOrEqual(unit * (6 * mean.steps + 8) * mean.largest[j]!);
        });
      }
      learner.free();
    });
  });

  it('trained in passes that never end clean is the plain mean over all of them', async () => {
    await forAllAsync(60, examplesOf(dyadic), async (data) => {
      const { model, report } = await train(arraySource(dense(data)), { passes: 6, kernels: kernels.wasm });
      fc.pre(report.stop === 'budget');
      let mean: readonly number[] = [];
      let largest: readonly number[] = [];
      for (const step of averaged(data, { inner: inSequence, passes: 6 })) {
        mean = [step.bias, ...step.weights];
        largest = step.largest;
      }
      [model.bias, ...model.weights].forEach((weight, j) => {
        expect(Math.abs(weight - mean[j]!)).toBeLessThanOrEqual(unit * 5 * largest[j]!);
      });
    });
  });
});
