import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { createLearner, type LearnerOptions } from '../../src/rules/registry.ts';
import type { Example } from '../oracles/oracle.ts';
import { exact, exactDot, lifted } from '../support/arithmetic.ts';
import { dense, dot, dyadic, examplesOf, type Separable } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { knownMargin, marginOf, nearlyDegenerate } from '../support/margins.ts';

const kernels = wasm();

interface Updated extends Example {
  readonly i: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Yields the updates of some passes without a bias; from y·x of the first example with `fromFirst`, as in FODA. */
function* updatesOf(data: readonly Example[], fromFirst = false, most = 100): Generator<Updated> {
  const learner = createLearner(kernels, 'perceptron', {
    biasConstant: 0,
    ...(fromFirst ? { updateWhen: 'below-zero' } : {}),
  });
  const batch = dense(data);
  let before = data[0]!.x.map((component) => (fromFirst ? data[0]!.y * component : 0));
  if (fromFirst) learner.start(Float64Array.from(before), 0);
  let quiet = 0;
  try {
    for (let t = 0; quiet < data.length && learner.progress.updates < most; t++) {
      const i = t % data.length;
      const { updates } = learner.progress;
      learner.learn(batch, i, i + 1);
      quiet++;
      if (learner.progress.updates === updates) continue;
      quiet = 0;
      const after = [...learner.parameters().weights];
      yield { ...data[i]!, i, before, after };
      before = after;
    }
  } finally {
    learner.free();
  }
}

/** Numbers in 2⁻²¹⁴⁸ times one in 2⁻¹⁰⁷⁴ squared, … : all sides of an inequality have the same unit. */
const squared = (w: readonly number[]) => exactDot(w, w);

/** Either margins of some size, or ones down to 10⁻¹² of the radius. */
const problems: readonly [string, fc.Arbitrary<Separable>][] = [
  ['on data of a known margin', knownMargin],
  ['on data that are nearly inseparable', nearlyDegenerate],
];

describe.each(problems)('in exact arithmetic, %s,', (_, problem) => {
  it("claim 1, FODA's (b): w·w* grows by at least the least margin at every update, so is at least t times it", () => {
    forAll(1000, problem, ({ data, separator, least }) => {
      let t = 0n;
      for (const { before, after } of updatesOf(data)) {
        const growth = exactDot(separator, after) - exactDot(separator, before);
        expect(growth >= exact(least) << 1074n).toBe(true);
        expect(exactDot(separator, after) >= ++t * (exact(least) << 1074n)).toBe(true);
      }
    });
  });

  it("claim 2, FODA's (a): ‖w‖² grows by ‖x‖² + 2y(w·x), whose second term is at most 0 up to rounding of the score", () => {
    forAll(1000, problem, ({ data }) => {
      for (const { before, after, x, y } of updatesOf(data)) {
        const score = BigInt(y) * exactDot(before, x);
        expect(squared(after) - squared(before)).toBe(2n * score + squared(x));
        const rounding = (x.length + 2) * 2 ** -53 * Math.sqrt(dot(before, before) * dot(x, x));
        expect(score <= exact(rounding) << 1074n).toBe(true);
      }
    });
  });

  it('the cosine argument: cos(θ, θ*) ≥ √k·γ/R after k updates, and not above 1', () => {
    forAll(1000, problem, ({ data, separator, least }) => {
      const radius = data.map(({ x }) => squared(x)).reduce((most, each) => (each > most ? each : most));
      let k = 0n;
      for (const { after } of updatesOf(data)) {
        k++;
        const product = exactDot(separator, after);
        const gamma = exact(least) << 1074n;
        // A millionth for the scores that were rounded: with exact ones ‖w‖² ≤ k·R².
        expect(product ** 2n * radius * 1_000_001n >= k * gamma ** 2n * squared(after) * 1_000_000n).toBe(true);
        expect(product ** 2n <= squared(after) * squared(separator)).toBe(true);
      }
    });
  });

  it('the dual identity: θ = Σ nᵢyᵢxᵢ, to the last bit, with nᵢ the mistakes on example i', () => {
    forAll(1000, problem, ({ data }) => {
      const mistakes = data.map(() => 0n);
      let weights: readonly number[] = data[0]!.x.map(() => 0);
      for (const { after, i } of updatesOf(data)) {
        mistakes[i]!++;
        weights = after;
      }
      for (const [j, weight] of weights.entries()) {
        const sum = data.reduce((total, { x, y }, i) => total + mistakes[i]! * BigInt(y) * exact(x[j]!), 0n);
        expect(exact(weight)).toBe(sum);
      }
    });
  });

  it("FODA's claim: from y·x of an example in the unit ball, ‖w‖² ≤ t and w·w* ≥ t·γ*, that example counted", () => {
    forAll(1000, problem, ({ data, separator, least, squaredRadius }) => {
      // By a power of two, so that nothing rounds.
      let scale = 1;
      while (scale * scale * squaredRadius > 1) scale /= 2;
      const inside = data.map(({ x, y }) => ({ x: x.map((component) => component * scale), y }));
      const one = exact(1) << 1074n;
      let t = 1n;
      for (const { after } of updatesOf(inside, true)) {
        t++;
        expect(squared(after) * 1_000_000n <= t * one * 1_000_001n).toBe(true);
        expect(exactDot(separator, after) >= t * (exact(least * scale) << 1074n)).toBe(true);
      }
    });
  });
});

describe('the lift', () => {
  it('changes nothing: with a bias on x, or without one on (1, x), updates and weights are the same', () => {
    const weightsOf = (data: readonly Example[], options: LearnerOptions<'perceptron'>) => {
      const learner = createLearner(kernels, 'perceptron', options);
      for (let pass = 0; pass < 10; pass++) learner.learn(dense(data));
      const { weights, bias } = learner.parameters();
      const { updates } = learner.progress;
      learner.free();
      return { updates, weights: options.biasConstant === 0 ? [...weights] : [bias, ...weights] };
    };
    forAll(2000, examplesOf(dyadic), (data) => {
      const with1 = weightsOf(data, { biasConstant: 1 });
      const without = weightsOf(lifted(data), { biasConstant: 0 });
      expect(without.updates).toBe(with1.updates);
      expect(without.weights.map((weight) => weight + 0)).toEqual(with1.weights.map((weight) => weight + 0));
    });
  });
});

describe('the order of the examples', () => {
  const shuffled = knownMargin.chain((problem) =>
    fc
      .shuffledSubarray([...problem.data], { minLength: problem.data.length })
      .map((data): [Separable, Example[]] => [problem, data]),
  );

  it('does not change the bound, which holds for all orders', () => {
    forAll(1000, shuffled, ([{ data, norm, least, squaredRadius }, other]) => {
      const [one, two] = [data, other].map((each) => marginOf(each, kernels, { bias: 'none', gap: 1e-9 }));
      expect(one!.lower / two!.lower).toBeCloseTo(1, 8);
      for (const each of [data, other]) {
        const updates = [...updatesOf(each, false, 10_000)].length;
        expect(updates * least * least).toBeLessThanOrEqual(squaredRadius * norm * norm);
      }
    });
  });
});
