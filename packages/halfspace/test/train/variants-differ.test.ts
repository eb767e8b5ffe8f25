import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { classOf } from '../../src/kernels/kernels.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import { ModelScorer } from '../../src/model/linear/scorer.ts';
import { createLearner } from '../../src/rules/registry.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { type PresetName, presets } from '../../src/train/presets.ts';
import { type Example, inSequence } from '../oracles/oracle.ts';
import { train } from '../support/arithmetic.ts';
import { dense, example } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';

const kernels = wasm();
const names = Object.keys(presets) as PresetName[];

function run(data: readonly Example[], options: RunOptions) {
  return train(arraySource(dense(data)), { kernels, ...options });
}

function classesOf(model: LinearModel, data: readonly Example[]): number[] {
  const scorer = new ModelScorer(kernels, model);
  const scores = new Float64Array(data.length);
  scorer.scoreInto(dense(data), scores);
  scorer.free();
  return [...scores].map((score) => classOf(score, model.tie));
}

/** Draws that come to both examples soon, whatever the seed. */
const fewPasses = { passes: 50 };

/** The options of a lecture's learner; the rest of its variant is the run's. */
const optionsOf = (name: 'lecture-9' | 'lecture-9-algorithm-2') => {
  const { updateWhen, tie } = presets[name];
  return { updateWhen, tie };
};

describe('a score of zero', () => {
  it('is class +1 in lecture 9, and class −1 in the blog and the slides', async () => {
    const data = [example(1, 1), example(-1, -1)];
    for (const as of names) {
      const { model } = await run(data, { as, ...fewPasses });
      const zero = { ...model, weights: new Float64Array(1), bias: 0 };
      const expected = as.startsWith('lecture-9') ? 1 : -1;
      expect(classesOf(zero, data), as).toEqual([expected, expected]);
    }
  });
});

describe('the bias', () => {
  // The longest x is (3, 4), of length 5, or (1, 3, 4), of length √26.
  const data = [example(1, 3, 4), example(-1, 0, 1)];

  it('counts in the radius only if it is absorbed', async () => {
    const absorbed = await run(data, { bias: 'absorbed' });
    const separate = await run(data, { bias: 'separate' });
    const none = await run(data, { bias: 'none' });
    expect(absorbed.report.train?.radius).toBe(Math.sqrt(26));
    expect(separate.report.train?.radius).toBe(5);
    expect(none.report.train?.radius).toBe(5);
  });

  it('is in ‖w‖, and so in the margin, only if it is absorbed', async () => {
    const options = { rule: 'perceptron' } as const;
    const absorbed = await run(data, { ...options, bias: 'absorbed' });
    const separate = await run(data, { ...options, bias: 'separate' });
    const { weights, bias } = absorbed.model;
    expect([...separate.model.weights, separate.model.bias]).toEqual([...weights, bias]);
    const least = Math.min(...data.map(({ x, y }) => y * (inSequence([...weights], x) + bias)));
    expect(bias).not.toBe(0);
    expect(absorbed.report.train?.margin).toBeCloseTo(least / Math.hypot(bias, ...weights), 15);
    expect(separate.report.train?.margin).toBeCloseTo(least / Math.hypot(...weights), 15);
  });
});

describe('the result', () => {
  const data = [example(1, 3, 4), example(-1, 0, 1), example(1, 2, 3)];

  it('of unit length excludes a separate bias from the length, and scales it too', async () => {
    const { model } = await run(data, { as: 'blog', returns: 'unit' });
    const plain = await run(data, { as: 'blog' });
    const norm = Math.hypot(...plain.model.weights);
    expect(Math.hypot(...model.weights)).toBeCloseTo(1, 15);
    expect(model.bias).toBeCloseTo(plain.model.bias / norm, 15);
  });
});

describe('the start', () => {
  it('at random is the same for the same seed, and differs for another', async () => {
    const options = { rule: 'perceptron', start: 'random', stop: { quiet: 1, cleanPass: false } } as const;
    const weights = async (seed: number) => {
      const { model } = await run([example(1, 0, 0), example(-1, 0, 0)], { ...options, bias: 'none', passes: 1, seed });
      return [...model.weights];
    };
    expect(await weights(1)).toEqual(await weights(1));
    expect(await weights(1)).not.toEqual(await weights(2));
    for (const component of await weights(3)) expect(Math.abs(component)).toBeLessThanOrEqual(1);
  });
});

describe('the errata, as printed', () => {
  const sgn = (a: number) => (a >= 0 ? 1 : -1);

  it('lecture 9, algorithm 2: sgn(y·wᵀx) moves negatives that are right and keeps those that are wrong', async () => {
    const printed = (data: readonly Example[], w: readonly number[]) => {
      let weights = [...w];
      for (const { x, y } of data) {
        const absorbed = [1, ...x];
        const factor = 0.5 * (y - sgn(y * inSequence(weights, absorbed)));
        weights = weights.map((weight, j) => weight + factor * absorbed[j]!);
      }
      return weights;
    };
    const negative = [example(-1, 2)];
    const right = [0, -1];
    const wrong = [0, 1];
    expect(printed(negative, right)).toEqual([-1, -3]);
    expect(printed(negative, wrong)).toEqual(wrong);

    const meant = (start: readonly number[]) => {
      const learner = createLearner(kernels, 'perceptron', optionsOf('lecture-9-algorithm-2'));
      learner.start(Float64Array.from(start.slice(1)), start[0]!);
      learner.learn(dense(negative));
      const { weights, bias } = learner.parameters();
      return [bias, ...weights];
    };
    expect(meant(right)).toEqual(right);
    expect(meant(wrong)).toEqual([-1, -1]);

    // And so it never comes to rest on data that the meant form separates.
    const data = [example(1, 1), example(-1, -1)];
    let weights = [0, 0];
    for (let pass = 0; pass < 100; pass++) {
      const before = weights;
      weights = printed(data, before);
      expect(weights).not.toEqual(before);
    }
    const { report } = await run(data, { as: 'lecture-9-algorithm-2' });
    expect(report.stop).toBe('separated');
  });

  it('lecture 9, text: "< 0" never leaves w = 0, where every negative is classified +1', async () => {
    const data = [example(1, 1), example(-1, -1)];
    let w = [0, 0];
    for (let t = 0; t < 100; t++) {
      const { x, y } = data[t % 2]!;
      const absorbed = [1, ...x];
      if (y * inSequence(w, absorbed) < 0) w = w.map((weight, j) => weight + y * absorbed[j]!);
    }
    expect(w).toEqual([0, 0]);
    const printed = await run(data, { as: 'lecture-9', updateWhen: 'below-zero' });
    expect([...printed.model.weights, printed.model.bias]).toEqual([0, 0]);
    // Nothing is left to update and yet a negative has the wrong class: the run must not call that separated.
    expect(printed.report.stop).toBe('quiet');
    const followed = await run(data, { as: 'lecture-9' });
    expect(followed.report.stop).toBe('separated');
  });

  it('the blog: a loop over the d features visits only the first d examples, and then stops', async () => {
    const data = [example(1, 2), example(-1, 1), example(-1, 3)];
    const d = 1;
    let th = 0;
    let th0 = 0;
    for (let done = false; !done; ) {
      done = true;
      for (let i = 0; i < d; i++) {
        const { x, y } = data[i]!;
        if (y * (th * x[0]! + th0) <= 0) {
          th += y * x[0]!;
          th0 += y;
          done = false;
        }
      }
    }
    const sidesOf = (weight: number, bias: number) => data.map(({ x, y }) => y * (weight * x[0]! + bias) > 0);
    expect(sidesOf(th, th0)).toEqual([true, false, false]);

    const separable = data.slice(0, 2);
    const { model, report } = await run(separable, { as: 'blog' });
    expect(report.stop).toBe('separated');
    expect(classesOf(model, separable)).toEqual([1, -1]);
  });
});

describe('lecture 9, loss view', () => {
  it('with subgradient 0 at the kink never leaves w = 0, with −y·x is algorithm 1', () => {
    const data = [example(1, 1), example(-1, -3), example(1, 2)];
    const descend = (atKink: (y: number, x: readonly number[]) => number[]) => {
      let w = [0, 0];
      for (let t = 0; t < 30; t++) {
        const { x, y } = data[t % 3]!;
        const absorbed = [1, ...x];
        const loss = -y * inSequence(w, absorbed);
        const gradient =
          loss > 0 ? absorbed.map((component) => -y * component) : loss < 0 ? [0, 0] : atKink(y, absorbed);
        w = w.map((weight, j) => weight - gradient[j]!);
      }
      return w;
    };
    expect(descend(() => [0, 0])).toEqual([0, 0]);
    for (const create of [wasm, reference]) {
      const learner = createLearner(create(), 'perceptron', optionsOf('lecture-9'));
      for (let pass = 0; pass < 10; pass++) learner.learn(dense(data));
      const { weights, bias } = learner.parameters();
      expect(descend((y, x) => x.map((component) => -y * component))).toEqual([bias, ...weights]);
    }
  });
});
