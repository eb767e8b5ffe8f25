import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { Batch } from '../../src/batch.ts';
import { pack, packCompactly } from '../../src/data/packed.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { exponential } from '../../src/kernels/exponential.ts';
import { DualScorer } from '../../src/model/dual/scorer.ts';
import { Random } from '../../src/random.ts';
import type { DualState } from '../../src/rules/dual-learner.ts';
import type { KernelOptions } from '../../src/rules/kernel-perceptron.ts';
import { createLearner, type LearnerOf } from '../../src/rules/registry.ts';
import { type Example, type Inner, inFourLanes, inSequence } from '../oracles/oracle.ts';
import {
  dualPredictions,
  dualScore,
  kernelPerceptron,
  type MercerKernel,
  type Mistake,
} from '../oracles/perceptrons.ts';
import { decimal, dense, dyadic, example, examplesOf, sparse, xor } from '../support/examples.ts';
import { implementations, wasm } from '../support/kernels.ts';

/** The kernels as formulas, with the constant c = 1 of the bias, and the options that ask for them. */
const kernelsBy = (
  inner: Inner,
): readonly (readonly [name: string, options: KernelOptions, kernel: MercerKernel])[] => [
  ['linear', { kernel: 'linear' }, (x, z) => inner(x, z) + 1],
  ['quadratic', {}, (x, z) => (inner(x, z) + 1) ** 2],
  [
    'cubic, scaled and moved',
    { degree: 3, gamma: 0.5, coef0: 2 },
    (x, z) => (0.5 * (inner(x, z) + 1) + 2) * (0.5 * (inner(x, z) + 1) + 2) * (0.5 * (inner(x, z) + 1) + 2),
  ],
  [
    'rbf',
    { kernel: 'rbf', gamma: 0.25 },
    (x, z) => exponential(-0.25 * Math.max(0, inner(x, x) + inner(z, z) - 2 * inner(x, z))),
  ],
];

/** The learner's stored examples, in the form of the oracle. */
function mistakesOf(learner: LearnerOf<'kernel'>, data: readonly Example[]) {
  const { rows, coefficients, support } = learner.dual();
  const dimension = data[0]!.x.length;
  return [...rows].map((row, k) => {
    const x = Array<number>(dimension).fill(0);
    for (let at = support.offsets[row]!; at < support.offsets[row + 1]!; at++)
      x[support.indices[at]!] = support.values[at]!;
    return { x, alpha: coefficients[k]! };
  });
}

const expectedMistakes = (mistakes: readonly Mistake[]) =>
  mistakes.map(({ x, alpha }) => ({ x: x.map((value) => value + 0), alpha }));

describe.each(implementations)('the kernel perceptron, in %s kernels,', (_, create) => {
  const on = create();

  describe.each(kernelsBy(inSequence))('%s', (name, options, kernel) => {
    it('has the mistakes and the scores of the oracle after every example', () => {
      forAll(20, examplesOf(dyadic, { rows: 7, features: 5 }), fc.constantFrom(dense, sparse), (data, layout) => {
        const batch = layout(data);
        const learner = createLearner(on, 'kernel', { ...options, aggregate: 'voted' });
        let shown = 0;
        for (const mistakes of kernelPerceptron(data, { kernel, epochs: 3 })) {
          learner.learn(batch, shown % data.length, (shown++ % data.length) + 1);
          expect(mistakesOf(learner, data)).toEqual(expectedMistakes(mistakes));
          expect([...learner.dual().survivals]).toEqual([0, ...mistakes.map(({ c }) => c)]);
          expect(learner.progress).toMatchObject({ updates: mistakes.length, examples: shown });
          const all = { last: new Float64Array(9), averaged: new Float64Array(9), voted: new Float64Array(9) };
          const scorer = new DualScorer(on, learner.dual());
          scorer.allInto(batch, all);
          scorer.free();
          data.forEach(({ x }, i) => {
            const expected = dualPredictions(mistakes, x, kernel);
            expect(all.last[i]).toBe(expected.last);
            expect(all.voted[i]).toBe(expected.voted);
            // Sums over vectors and over mistakes have the same terms in another order; with the exponential they
            // round.
            if (name === 'rbf') expect(all.averaged[i]).toBeCloseTo(expected.averaged, 12);
            else expect(all.averaged[i]).toBe(expected.averaged);
          });
        }
        learner.free();
      });
    });
  });

  describe.each(kernelsBy(inFourLanes))('%s', (_name, options, kernel) => {
    it('makes the same mistakes and scores, to the bit, on decimal fractions', () => {
      forAll(40, examplesOf(decimal), fc.constantFrom(dense, sparse), (data, layout) => {
        const learner = createLearner(on, 'kernel', { ...options, aggregate: 'last' });
        for (let pass = 0; pass < 3; pass++) learner.learn(layout(data));
        const mistakes = [...kernelPerceptron(data, { kernel, epochs: 3 })].at(-1)!;
        expect(mistakesOf(learner, data)).toEqual(expectedMistakes(mistakes));
        const out = new Float64Array(data.length);
        learner.scoreInto(layout(data), out);
        expect([...out]).toEqual(data.map(({ x }) => dualScore(mistakes, x, kernel)));
        learner.free();
      });
    });
  });

  it.each(kernelsBy(inSequence))(
    '%s keeps to a budget by dropping random rows, like the oracle',
    (_, options, kernel) => {
      forAll(
        60,
        examplesOf(dyadic, { rows: 10, features: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(),
        (data, budget, seed) => {
          const learner = createLearner(on, 'kernel', { ...options, aggregate: 'last', budget, seed });
          const drop = (k: number) => new Random(seed, k).below(budget);
          let shown = 0;
          for (const mistakes of kernelPerceptron(data, { kernel, epochs: 4, budget, drop })) {
            learner.learn(dense(data), shown % data.length, (shown++ % data.length) + 1);
            expect(mistakesOf(learner, data)).toEqual(expectedMistakes(mistakes));
            expect(mistakes.length).toBeLessThanOrEqual(budget);
            const scores = new Float64Array(data.length);
            learner.scoreInto(dense(data), scores);
            expect([...scores]).toEqual(data.map(({ x }) => dualScore(mistakes, x, kernel)));
            expect(learner.supportRows).toBe(new Set(mistakes.map(({ x }) => `${x.map((v) => v + 0)}`)).size);
          }
          learner.free();
        },
      );
    },
  );
});

const anyOptions: fc.Arbitrary<KernelOptions> = fc.constantFrom<KernelOptions>(
  ...kernelsBy(inFourLanes).flatMap(([, options]) => [
    { ...options, aggregate: 'last' as const },
    { ...options, aggregate: 'averaged' as const },
    { ...options, aggregate: 'voted' as const, biasConstant: 0 },
    { ...options, aggregate: 'last' as const, budget: 3, seed: 9 },
  ]),
);
/** Everything that can be seen of a learner. */
function seen(learner: LearnerOf<'kernel' | 'voted'>, batch: Batch) {
  const out = new Float64Array(batch.rows);
  learner.scoreInto(batch, out);
  return { state: learner.state(), progress: learner.progress, out };
}

describe('a learner in dual form', () => {
  const makers = anyOptions.chain((options) =>
    fc.constantFrom<readonly [make: (on: ReturnType<typeof wasm>, state?: DualState) => LearnerOf<'kernel' | 'voted'>]>(
      [(on, state) => createLearner(on, 'kernel', state === undefined ? options : {}, state)],
      [(on, state) => createLearner(on, 'voted', {}, state)],
    ),
  );

  it('gives the same bits for dense and sparse rows, in any order, packed or compact', () => {
    const some = fc.oneof({ weight: 3, arbitrary: decimal }, fc.constant(0));
    forAll(40, examplesOf(some), anyOptions, (data, options) => {
      const make = (on: ReturnType<typeof wasm>) => createLearner(on, 'kernel', options);
      const on = wasm();
      const rows = sparse(data);
      const compact = packCompactly(on, rows, 2)!.packed.batch;
      const reversed = sparse(data.map(({ x, y }) => ({ x: [...x].reverse(), y })));
      const last = rows.dimension - 1;
      const turned = { ...reversed, indices: reversed.indices.map((j) => last - j) };
      const whole = make(on);
      whole.learn(dense(data));
      const expected = seen(whole, dense(data));
      for (const batch of [rows, compact, turned, sparse(data, { zeros: true }), pack(on, dense(data)).packed.batch]) {
        const learner = make(on);
        learner.learn(batch);
        expect(seen(learner, dense(data))).toEqual(expected);
      }
    });
  });

  it('stops at a limit of updates or of examples without one, and can continue', () => {
    forAll(40, examplesOf(decimal), makers, fc.integer({ min: 1, max: 4 }), (data, [make], limit) => {
      for (const name of ['updates', 'cleanStreak'] as const) {
        const batch = dense(data);
        const [limited, free] = [make(wasm()), make(wasm())];
        limited.limit({ [name]: limit });
        const shown = limited.learn(batch);
        for (let i = 0; i < shown; i++) {
          expect(free.progress[name]).toBeLessThan(limit);
          free.learn(batch, i, i + 1);
        }
        expect(limited.progress).toEqual(free.progress);
        if (shown < data.length) {
          expect(limited.progress[name]).toBe(limit);
          expect(limited.learn(batch, shown)).toBe(0);
        }
        limited.limit({});
        expect(limited.learn(batch, shown)).toBe(data.length - shown);
        free.learn(batch, shown);
        expect(seen(limited, batch)).toEqual(seen(free, batch));
      }
    });
  });
});

describe('the kernel perceptron', () => {
  it('separates XOR with a polynomial of degree 2, and never with the linear kernel', () => {
    const learnt = (options: KernelOptions) => {
      const learner = createLearner(wasm(), 'kernel', options);
      for (let pass = 0; pass < 50; pass++) learner.learn(dense(xor));
      return learner.progress;
    };
    expect(learnt({ degree: 2 }).cleanStreak).toBeGreaterThan(100);
    expect(learnt({ kernel: 'rbf' }).cleanStreak).toBeGreaterThan(100);
    expect(learnt({ kernel: 'linear' }).cleanStreak).toBeLessThan(4);
  });

  it('stores a row once if it is mistaken repeatedly', () => {
    const learner = createLearner(wasm(), 'kernel', { kernel: 'linear' });
    const same = [example(1, 3), example(-1, 3)];
    for (let pass = 0; pass < 5; pass++) learner.learn(dense(same));
    expect(learner.progress.updates).toBe(10);
    expect(learner.supportRows).toBe(1);
    expect(learner.dual().rows).toEqual(new Uint32Array(10));
  });

  it('refuses options outside their range or excluded by another option', () => {
    const refused = (options: object, message: string) => {
      expect(() => createLearner(wasm(), 'kernel', options)).toThrow(message);
      expect(() => createLearner(wasm(), 'kernel', options)).toThrow(HalfspaceError);
    };
    refused({ kernel: 'sigmoid' }, 'kernel must be one of linear, polynomial, rbf; got "sigmoid"');
    refused({ degree: 1.5 }, 'degree must be a whole number in [1, 32]; got 1.5');
    refused({ gamma: 0 }, 'gamma must be in (0, ∞); got 0');
    refused({ coef0: -1 }, 'coef0 must be in [0, ∞); got -1');
    refused({ kernel: 'linear', degree: 2 }, 'degree is for the kernel polynomial; got the kernel linear');
    refused({ kernel: 'linear', gamma: 2 }, 'gamma is for the kernel polynomial or rbf; got the kernel linear');
    refused({ budget: 0, aggregate: 'last' }, 'budget must be a whole number from 1; got 0');
    refused({ budget: 10 }, 'budget is for the aggregate last');
    expect(() => createLearner(wasm(), 'kernel', {}, createLearner(wasm(), 'voted').state())).toThrow(
      'expected the state of rule kernel; got voted',
    );
  });

  it('stops with an error if scores overflow', () => {
    const learner = createLearner(wasm(), 'kernel', { degree: 30 });
    expect(() => learner.learn(dense([example(1, 1e8), example(-1, 1e8)]))).toThrow(
      'expected scores within the range of doubles; got larger ones',
    );
  });
});
