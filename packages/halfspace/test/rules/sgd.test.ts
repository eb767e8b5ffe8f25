import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { exponential, power as powerOf } from '../../src/kernels/exponential.ts';
import * as layout from '../../src/kernels/layout.ts';
import { lossStep } from '../../src/kernels/steps.ts';
import { Random } from '../../src/random.ts';
import { type LossName, lossOf, objective } from '../../src/rules/objective.ts';
import { createLearner, type LearnerOf } from '../../src/rules/registry.ts';
import { completeSgd, type SgdOptions } from '../../src/rules/sgd-options.ts';
import { sgd } from '../oracles/gradient.ts';
import { type Example, inFourLanes } from '../oracles/oracle.ts';
import { decimal, dense, dyadic, example, examplesOf, run, sparse } from '../support/examples.ts';
import { implementations, reference, wasm } from '../support/kernels.ts';

const losses = fc.constantFrom('perceptron', 'hinge', 'squared-hinge', 'logistic', 'modified-huber');
const smooth = ['squared-hinge', 'logistic', 'modified-huber'] as const;
const schedules = fc.constantFrom('constant', 'inverse-scaling', 'adaptive');
const penalties = fc.constantFrom('none', 'l1', 'l2', 'elastic-net');
const answers = ['last', 'mean'] as const;

/** Options that are valid together. */
const anyOptions = fc
  .record({ loss: losses, penalty: penalties, schedule: schedules, alpha: fc.constantFrom(0, 1e-4, 0.03, 1) })
  .chain(({ alpha, ...rest }) =>
    fc.constantFrom(0.02, 0.5).map(
      (rate): SgdOptions => ({
        ...rest,
        rate,
        ...(rest.penalty === 'none' ? {} : { alpha }),
        ...(rest.penalty === 'elastic-net' ? { l1Ratio: 0.4 } : {}),
        ...(rest.schedule === 'inverse-scaling' ? { power: 0.3 } : {}),
      }),
    ),
  );
const l1RatioOf = ({ penalty }: SgdOptions) => (penalty === 'l1' ? 1 : penalty === 'elastic-net' ? 0.4 : 0);
const numbersOf = (learner: LearnerOf<'sgd'>) => {
  const { weights, bias } = learner.parameters();
  return [...weights, bias];
};

describe.each(implementations)('stochastic gradient descent, in %s kernels,', (_, create) => {
  const kernels = create();
  const number = fc.oneof(decimal, fc.constant(0));
  const weighted = examplesOf(number).chain((data) =>
    fc.record({
      data: fc.constant(data),
      importance: fc.array(fc.constantFrom(0, 0.3, 1, 1, 2.5), { minLength: data.length, maxLength: data.length }),
    }),
  );

  it.each(answers)('makes the steps of the oracle, to the bit, and scores with its current weights (%s)', (answer) => {
    forAll(
      150,
      weighted,
      anyOptions,
      fc.constantFrom(dense, sparse),
      fc.boolean(),
      ({ data, importance }, options, layout, asked) => {
        const batch = { ...layout(data), importance: Float64Array.from(importance) };
        const learner = createLearner(kernels, 'sgd', { ...options, answer });
        const { loss, schedule, rate, alpha = 0, power: p = 0 } = completeSgd(options) as Record<string, never>;
        const settings = { loss, schedule, rate, alpha, power: p, l1Ratio: l1RatioOf(options) };
        const moments = sgd(data, {
          inner: inFourLanes,
          passes: 3,
          importance,
          exp: exponential,
          pow: powerOf,
          ...settings,
        });
        let shown = 0;
        let moment = null;
        for (moment of moments) {
          const i = shown++ % data.length;
          learner.learn(batch, i, i + 1);
          // What is asked in between must not matter.
          if (asked || shown === 3 * data.length) expect(numbersOf(learner)).toEqual(moment[answer]);
        }
        learner.free();
      },
    );
  });

  it('goes down the gradient: a step of rate η is −η times the slope of the loss', () => {
    forAll(
      examplesOf(decimal, { rows: 2, features: 4 }),
      fc.constantFrom(...smooth),
      fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { minLength: 5, maxLength: 5 }),
      (data, loss, at) => {
        const [first] = data;
        const d = first!.x.length;
        const start = at.slice(0, d);
        const bias = at[4]!;
        const learner = createLearner(kernels, 'sgd', {
          loss,
          penalty: 'none',
          schedule: 'constant',
          rate: 1,
          answer: 'last',
        });
        learner.start(Float64Array.from(start), bias);
        learner.learn(dense([first!]));
        const lossAt = (w: readonly number[]) => {
          const a = first!.x.reduce((sum, x, j) => sum + x * w[j]!, w[d]!);
          const batch = dense([first!]);
          return objective(
            [{ batch, scores: [a] }],
            { weights: new Float64Array(d), bias: 0 },
            { loss, alpha: 0, l1Ratio: 0 },
          );
        };
        const w = [...start, bias];
        const after = numbersOf(learner);
        for (let j = 0; j <= d; j++) {
          const e = 1e-5;
          const moved = (by: number) => lossAt(w.map((weight, k) => (k === j ? weight + by : weight)));
          const slope = (moved(e) - moved(-e)) / (2 * e);
          // Central differences have errors of e² times the third derivative; at a kink, e times the jump of the
          // second.
          expect(Math.abs(after[j]! - w[j]! + slope)).toBeLessThan(1e-3);
        }
        learner.free();
      },
    );
  });

  it("changes only the weights of a row's nonzero features, and delays the penalty of the others", () => {
    const learner = createLearner(kernels, 'sgd', { penalty: 'elastic-net', alpha: 0.1, answer: 'mean' });
    const both = sparse([example(1, 1, 2), example(-1, -1, 1)]);
    learner.learn(both);
    const before = learner.state();
    const [, shrinking] = learner.parameters().weights;
    learner.learn(sparse([example(1, 3, 0)]));
    const after = learner.state();
    for (const of of [
      (s: typeof after) => s.weights,
      (s: typeof after) => s.sums!,
      (s: typeof after) => s.vectors!.scaled!,
      (s: typeof after) => s.vectors!.second!,
      (s: typeof after) => s.vectors!.settled!,
    ]) {
      expect(of(after)[1]).toBe(of(before)[1]);
      expect(of(after)[0]).not.toBe(of(before)[0]);
    }
    expect(learner.parameters().weights[1]).not.toBe(shrinking);
  });
});

describe('e^x and t^p', () => {
  it('give the same bits in WebAssembly and the reference', () => {
    const both = [wasm(), reference()];
    const nothing = dense([{ x: [], y: 1 }]);
    const bits = (number: number) => new BigInt64Array(Float64Array.of(number).buffer)[0];
    forAll(
      3000,
      fc.double({ min: -720, max: 720, noNaN: true }),
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (bias, clock, power) => {
        const options = { penalty: 'none', schedule: 'inverse-scaling', rate: 1, power, answer: 'last' } as const;
        const after = both.map((kernels) => {
          const fresh = createLearner(kernels, 'sgd', options);
          const state = fresh.state();
          fresh.free();
          state.scalars[layout.bias] = bias;
          state.scalars[layout.clock] = clock;
          const learner = createLearner(kernels, 'sgd', {}, state);
          learner.learn(nothing);
          const { scalars } = learner.state();
          learner.free();
          return [bits(scalars[layout.bias]!), bits(scalars[layout.penaltyClock]!)];
        });
        expect(after[0]).toEqual(after[1]);
        // The penalty's clock is then the rate alone.
        expect(after[0]![1]).toBe(bits(1 / powerOf(1 + clock, power)));
      },
    );
  });
});

describe('the losses of stochastic gradient descent', () => {
  const kinds = {
    perceptron: layout.lossPerceptron,
    hinge: layout.lossHinge,
    'squared-hinge': layout.lossSquaredHinge,
    logistic: layout.lossLogistic,
    'modified-huber': layout.lossModifiedHuber,
  };
  it.each(Object.entries(kinds) as [LossName, number][])('have the slope that a step uses: %s', (loss, kind) => {
    forAll(fc.double({ min: -30, max: 30, noNaN: true }), (m) => {
      const e = 1e-6;
      // Not across a kink, where the slope is a choice.
      fc.pre([-1, 0, 1].every((kink) => Math.abs(m - kink) > 2 * e));
      expect((lossOf[loss](m - e) - lossOf[loss](m + e)) / (2 * e)).toBeCloseTo(lossStep(kind, m), 5);
    });
  });

  it('step at a kink like the perceptron from 0, and like scikit-learn', () => {
    expect(lossStep(layout.lossPerceptron, 0)).toBe(1);
    expect(lossStep(layout.lossHinge, 1)).toBe(1);
    expect([lossStep(layout.lossSquaredHinge, 1), lossStep(layout.lossModifiedHuber, -1)]).toEqual([0, 4]);
  });
});

describe('the lazy penalty of stochastic gradient descent', () => {
  const kernels = wasm();
  const shrink = (w: number, kappa: number, ratio: number) =>
    (Math.sign(w) * Math.max(0, Math.abs(w) - ratio * kappa)) / (1 + (1 - ratio) * kappa);

  it('equals the penalty after every example if no feature is absent', () => {
    forAll(examplesOf(decimal), fc.constantFrom(...smooth), fc.constantFrom(0, 0.4, 1), (data, loss, ratio) => {
      const [alpha, rate] = [0.05, 0.003];
      const options = { penalty: 'elastic-net', alpha, l1Ratio: ratio, schedule: 'constant', rate } as const;
      const learner = createLearner(kernels, 'sgd', { loss, ...options, answer: 'last' });
      let w = data[0]!.x.map(() => 0);
      let b = 0;
      for (let pass = 0; pass < 3; pass++) {
        learner.learn(dense(data));
        for (const { x, y } of data) {
          const m = y * x.reduce((sum, value, j) => sum + value * w[j]!, b);
          const f =
            loss === 'logistic'
              ? 1 / (1 + Math.exp(m))
              : m >= 1
                ? 0
                : loss === 'modified-huber' && m < -1
                  ? 4
                  : 2 * (1 - m);
          w = w.map((weight, j) => shrink(weight + rate * f * y * x[j]!, rate * alpha, ratio));
          b += rate * f * y;
        }
      }
      numbersOf(learner).forEach((weight, j) => {
        expect(weight).toBeCloseTo([...w, b][j]!, 9);
      });
      learner.free();
    });
  });

  it('of L1 does so also if features are absent, by adding up many small steps', () => {
    const rate = 2 ** -6;
    const alpha = 2 ** -4;
    const options = { penalty: 'l1', alpha, schedule: 'constant', rate, loss: 'perceptron' } as const;
    const learner = createLearner(kernels, 'sgd', { ...options, biasConstant: 0 });
    learner.learn(sparse([example(1, 8, 0)]));
    // Shown on its side, it is quiet: only the penalty is left.
    const quiet = sparse([example(1, 0, 1), example(1, 0, 1)]);
    for (const times of [1, 2, 3]) {
      learner.learn(quiet);
      expect(learner.parameters().weights[0]).toBe(rate * 8 - (1 + 2 * times) * rate * alpha);
    }
    for (let times = 0; times < 100; times++) learner.learn(quiet);
    expect(learner.parameters().weights[0]).toBe(0);
  });

  it('of a strong L1 leaves no weight, and never changes the bias', () => {
    const data = [example(1, 0.5, 1), example(1, -0.5, 1), example(-1, 1, -0.5)];
    for (const penalty of ['l1', 'l2'] as const) {
      const learner = createLearner(kernels, 'sgd', {
        penalty,
        alpha: 1e6,
        schedule: 'constant',
        rate: 0.1,
        answer: 'last',
      });
      for (let pass = 0; pass < 400; pass++) learner.learn(dense(data));
      const { weights, bias } = learner.parameters();
      for (const weight of weights) expect(Math.abs(weight)).toBeLessThan(1e-5);
      if (penalty === 'l1') expect([...weights]).toEqual([0, 0]);
      // Two of three are positive: the best constant score is ln 2, around which steps of 0.1 go up and down.
      expect(Math.abs(bias - Math.LN2)).toBeLessThan(0.1);
    }
  });
});

describe('a long run of stochastic gradient descent', () => {
  const kernels = wasm();
  const data: Example[] = Array.from({ length: 40 }, (_, i) => {
    const x = [Math.sin(i * 12.9898), Math.cos(i * 78.233), Math.sin(i * 3.7) * 2];
    return example(x[0]! + x[1]! - 0.5 * x[2]! + Math.sin(i * 91.7) * 0.7 > 0.2 ? 1 : -1, ...x);
  });
  const importance = data.map((_, i) => 1 + (i % 3));
  const alpha = 0.02;
  const batch = { ...dense(data), importance: Float64Array.from(importance) };
  const valueAt = (w: readonly number[], loss: LossName, l1Ratio: number) => {
    const scores = data.map(({ x }) => x.reduce((sum, value, j) => sum + value * w[j]!, w[3]!));
    return objective(
      [{ batch, scores }],
      { weights: Float64Array.from(w.slice(0, 3)), bias: w[3]! },
      { loss, alpha, l1Ratio },
    );
  };
  /** The least objective, by plain descent along numerical slopes, the step halved where it does not go down. */
  const least = (loss: LossName, l1Ratio: number): number => {
    let w = [0, 0, 0, 0];
    let value = valueAt(w, loss, l1Ratio);
    let step = 1;
    for (let t = 0; t < 20_000 && step > 1e-14; t++) {
      const slope = w.map((_, j) => {
        const moved = (by: number) =>
          valueAt(
            w.map((weight, k) => (k === j ? weight + by : weight)),
            loss,
            l1Ratio,
          );
        return (moved(1e-6) - moved(-1e-6)) / 2e-6;
      });
      const next = w.map((weight, j) => weight - step * slope[j]!);
      const reached = valueAt(next, loss, l1Ratio);
      if (reached < value) {
        [w, value] = [next, reached];
        step *= 1.3;
      } else step /= 2;
    }
    return value;
  };

  it.each([
    ['logistic', 'adaptive'],
    ['squared-hinge', 'adaptive'],
    ['modified-huber', 'adaptive'],
    ['logistic', 'inverse-scaling'],
    ['modified-huber', 'inverse-scaling'],
  ] as const)('comes near the least objective, %s with %s steps', (loss, schedule) => {
    const learner = createLearner(kernels, 'sgd', {
      loss,
      alpha,
      schedule,
      ...(schedule === 'adaptive' ? {} : { rate: 0.3 }),
    });
    const gap = () => valueAt(numbersOf(learner), loss, 0) / least(loss, 0) - 1;
    for (let pass = 0; pass < 20; pass++) learner.learn(batch);
    expect(gap()).toBeLessThan(schedule === 'adaptive' ? 0.01 : 0.1);
    for (let pass = 20; pass < 600; pass++) learner.learn(batch);
    expect(gap()).toBeLessThan(1e-3);
    // It is the least: the run does not find less.
    expect(gap()).toBeGreaterThan(-1e-9);
  });

  it.each(['hinge', 'perceptron'] as const)('comes near it for %s too, which has kinks', (loss) => {
    const learner = createLearner(kernels, 'sgd', { loss, alpha });
    for (let pass = 0; pass < 600; pass++) learner.learn(batch);
    const reached = valueAt(numbersOf(learner), loss, 0);
    // Descent sticks at a corner, so what it finds is only a bound; no direction goes down by more than this.
    for (let turn = 0; turn < 50; turn++) {
      const direction = [0, 1, 2, 3].map((j) => Math.sin(turn * 7.13 + j * 2.4));
      for (const size of [0.3, 0.03])
        expect(
          valueAt(
            numbersOf(learner).map((w, j) => w + size * direction[j]!),
            loss,
            0,
          ),
        ).toBeGreaterThan(reached - 2e-3);
    }
  });
});

describe('the rate of stochastic gradient descent', () => {
  const kernels = wasm();
  const plain = { penalty: 'none', schedule: 'constant', answer: 'last' } as const;
  const decisions = (data: readonly Example[], options: SgdOptions, start = 0) => {
    const learner = createLearner(kernels, 'sgd', options);
    learner.start(
      Float64Array.from(data[0]!.x, () => start),
      start,
    );
    const batch = dense(data);
    const made: boolean[] = [];
    for (let t = 0; t < 4 * data.length; t++) {
      const { mistakes } = learner.progress;
      learner.learn(batch, t % data.length, (t % data.length) + 1);
      made.push(learner.progress.mistakes! > mistakes!);
    }
    learner.free();
    return made;
  };

  it('does not change the decisions of the perceptron from zero: it scales weights and scores alike', () => {
    forAll(
      // Powers of two scale without rounding.
      examplesOf(decimal),
      fc.integer({ min: -20, max: 20 }),
      (data, exponent) => {
        const options = { ...plain, loss: 'perceptron' } as const;
        const scaled = decisions(data, { ...options, rate: 2 ** exponent });
        expect(scaled).toEqual(decisions(data, { ...options, rate: 1 }));
      },
    );
  });

  it('of 1 is the perceptron, update by update', () => {
    forAll(examplesOf(dyadic), (data) => {
      const mine = createLearner(kernels, 'sgd', { ...plain, loss: 'perceptron', rate: 1 });
      const theirs = createLearner(kernels, 'perceptron');
      for (let pass = 0; pass < 4; pass++) for (const learner of [mine, theirs]) learner.learn(dense(data));
      expect(mine.parameters()).toEqual(theirs.parameters());
      expect(mine.progress).toEqual(theirs.progress);
    });
  });

  it('matters from another start, and for losses with a scale', () => {
    const data = [example(1, 1), example(-1, 2), example(1, 0.5)];
    const of = (loss: 'perceptron' | 'hinge', rate: number, start: number) =>
      decisions(data, { ...plain, loss, rate }, start);
    expect(of('perceptron', 4, 0)).toEqual(of('perceptron', 0.125, 0));
    expect(of('perceptron', 4, 1)).not.toEqual(of('perceptron', 0.125, 1));
    expect(of('hinge', 4, 0)).not.toEqual(of('hinge', 0.125, 0));
  });

  it('is the first change of each weight with adaptive steps, for any scale of its feature', () => {
    const learner = createLearner(kernels, 'sgd', { rate: 0.25, penalty: 'none', answer: 'last' });
    learner.learn(dense([example(1, 1e-3, -7, 0, 1e6)]));
    const { weights, bias } = learner.parameters();
    expect([...weights, bias]).toEqual([0.25, -0.25, 0, 0.25, 0.25]);
  });

  it('divides adaptive steps by a root that does not drift: that of the sum of squares, up to rounding of each step', () => {
    const random = new Random(5);
    const data = Array.from({ length: 501 }, () =>
      example(random.below(2) === 0 ? -1 : 1, ...[1, 2, 3].map(() => (random.below(4000) - 1999.5) / 64)),
    );
    const learner = createLearner(kernels, 'sgd', { loss: 'perceptron', penalty: 'none', rate: 0.3 });
    const batch = dense(data);
    const squares = [0, 0, 0]; // exact: multiples of 2^-14 below 2^38
    for (let t = 0; t < 40_000; t++) {
      const i = t % data.length;
      const { updates } = learner.progress;
      learner.learn(batch, i, i + 1);
      if (learner.progress.updates === updates) continue;
      data[i]!.x.forEach((x, j) => {
        squares[j]! += x * x;
      });
    }
    const { updates } = learner.progress;
    expect(updates).toBeGreaterThan(10_000);
    learner.state().vectors!.second!.forEach((root, j) => {
      expect(Math.abs(root / Math.sqrt(squares[j]!) - 1)).toBeLessThan((updates + 2) * 2 ** -52);
    });
  });

  it('falls as 1 / (1 + T)^p for inverse-scaling, where T counts importance', () => {
    const options = { loss: 'perceptron', penalty: 'none', schedule: 'inverse-scaling', rate: 1, power: 0.5 } as const;
    const learner = createLearner(kernels, 'sgd', { ...options, answer: 'last', biasConstant: 0 });
    const batch = { ...dense([example(1, 1), example(-1, 1)]), importance: Float64Array.of(3, 1) };
    learner.learn(batch, 0, 1);
    expect(learner.parameters().weights[0]).toBe(3);
    learner.learn(batch, 1, 2);
    expect(learner.parameters().weights[0]).toBe(3 - 1 / 2);
  });
});

describe('the options of stochastic gradient descent', () => {
  it('are logistic regression with L2, adaptive steps and the mean by default', () => {
    expect(completeSgd({})).toEqual({
      loss: 'logistic',
      penalty: 'l2',
      alpha: 1e-4,
      schedule: 'adaptive',
      rate: 0.5,
      answer: 'mean',
    });
    expect(completeSgd({ schedule: 'constant', penalty: 'l1' })).toMatchObject({ rate: 0.01, answer: 'last' });
    expect(completeSgd({ schedule: 'inverse-scaling', penalty: 'elastic-net' })).toMatchObject({
      power: 0.5,
      l1Ratio: 0.15,
    });
  });

  it('are refused if they would have no effect', () => {
    expect(() => completeSgd({ penalty: 'none', alpha: 1 })).toThrow(
      'alpha is for the penalties l2, l1 and elastic-net; got penalty none',
    );
    expect(() => completeSgd({ l1Ratio: 0.5 })).toThrow('l1Ratio is for the penalty elastic-net; got penalty l2');
    expect(() => completeSgd({ power: 0.5 })).toThrow(
      'power is for the schedule inverse-scaling; got schedule adaptive',
    );
    expect(() => completeSgd({ rate: 0 })).toThrow('rate must be in (0, ∞); got 0');
  });

  it('are part of the state', () => {
    const first = createLearner(wasm(), 'sgd', { loss: 'hinge', rate: 0.125, answer: 'last' });
    const second = createLearner(wasm(), 'sgd', {}, first.state());
    expect(second.state()).toEqual(first.state());
    expect(second.state().scalars[layout.rate]).toBe(0.125);
  });

  it('are passed to a run', async () => {
    const near = [example(1, 0.5, 1), example(-1, 0.5, -1), example(1, 0.2, 0.5)];
    const plain = await run(near, { rule: 'sgd', passes: 5 });
    expect(plain.report).toMatchObject({ rule: 'sgd', passes: 5, updates: 15, stop: 'budget' });
    for (const other of [
      { loss: 'hinge' },
      { alpha: 0.5 },
      { rate: 0.1 },
      { answer: 'last' },
      { penalty: 'none' },
    ] as const)
      expect((await run(near, { rule: 'sgd', passes: 5, ...other })).model.weights).not.toEqual(plain.model.weights);
  });
});
