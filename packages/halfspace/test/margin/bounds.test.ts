import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import {
  activationGain,
  freundSchapireBound,
  leadTime,
  mohriRostamizadehBound,
  novikoffBound,
  unitBallBound,
} from '../../src/margin/bounds.ts';
import { DeviationTally, type MistakeBound } from '../../src/margin/mistake-bound.ts';
import { deviationsOf, functionalMarginsInto, signedDistancesInto } from '../../src/margin/signed-distances.ts';
import { createLearner } from '../../src/rules/registry.ts';
import type { RunOptions } from '../../src/train/options.ts';
import type { Example } from '../oracles/oracle.ts';
import { exact, exactDot, lifted, train } from '../support/arithmetic.ts';
import { decimal, dense, dot, dyadic, example, examplesOf, fourApart, run, separable } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';

const kernels = wasm();
const positive = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

/** Updates of one pass from zero, without a bias. */
function updatesOfOnePass(data: Parameters<typeof dense>[0]): number {
  const learner = createLearner(kernels, 'perceptron', { biasConstant: 0 });
  learner.learn(dense(data));
  const { updates } = learner.progress;
  learner.free();
  return updates;
}

/** Any data with any direction and any margin asked of it: none of these needs a separator to be there. */
const asked = examplesOf(dyadic, { rows: 40, features: 4 }).chain((data) =>
  fc.record({
    data: fc.constant(data),
    direction: fc.array(dyadic, { minLength: data[0]!.x.length, maxLength: data[0]!.x.length }),
    margin: fc.integer({ min: 1, max: 24 }).map((eighths) => eighths / 8),
  }),
);

describe('bounds on the updates', () => {
  it('hold for inseparable data, for every direction and every margin', () => {
    let inseparable = 0;
    forAll(3000, asked, ({ data, direction, margin }) => {
      const length = Math.sqrt(dot(direction, direction));
      const radius = Math.sqrt(Math.max(...data.map(({ x }) => dot(x, x))));
      fc.pre(length > 0 && radius > 0);
      const distances = Float64Array.from(data, ({ x, y }) => (y * dot(direction, x)) / length);
      if (Math.min(...distances) <= 0) inseparable++;
      const deviations = deviationsOf(distances, margin);
      const updates = updatesOfOnePass(data);
      expect(updates).toBeLessThanOrEqual(freundSchapireBound(radius, margin, deviations) * (1 + 1e-12));
      expect(updates).toBeLessThanOrEqual(mohriRostamizadehBound(radius, margin, deviations) * (1 + 1e-12));
    });
    expect(inseparable).toBeGreaterThan(100);
  });

  it('equal those for separable data if no example misses the margin', () => {
    forAll(positive, positive, (radius, margin) => {
      const none = { sum: 0, norm: 0 };
      expect(freundSchapireBound(radius, margin, none)).toBe(novikoffBound(radius, margin));
      expect(mohriRostamizadehBound(radius, margin, none) / novikoffBound(radius, margin)).toBeCloseTo(1, 12);
    });
  });

  it('are at most those in the papers: (R/γ + √Σl)²', () => {
    forAll(positive, positive, positive, (radius, margin, sum) => {
      const printed = (radius / margin + Math.sqrt(sum / margin)) ** 2;
      expect(mohriRostamizadehBound(radius, margin, { sum })).toBeLessThanOrEqual(printed * (1 + 1e-12));
    });
  });

  it('are 1/γ² for CS4780 and lecture 9, which scale into the unit ball, and for FODA, which scales onto it', () => {
    forAll(1000, separable(), ({ data, norm, least, squaredRadius }) => {
      const [radius, margin] = [Math.sqrt(squaredRadius), least / norm];
      const divide = (by: number) => data.map(({ x, y }) => ({ x: x.map((component) => component / by), y }));
      const onto = unitBallBound(radius, margin, true);
      expect(onto).toBe(novikoffBound(radius, margin));
      expect(updatesOfOnePass(divide(radius))).toBeLessThanOrEqual(onto * (1 + 1e-12));
      expect(updatesOfOnePass(divide(Math.max(1, radius)))).toBeLessThanOrEqual(
        unitBallBound(radius, margin) * (1 + 1e-12),
      );
      expect(unitBallBound(radius, margin)).toBeGreaterThanOrEqual(onto);
    });
  });

  it('refuse a margin or a radius that is not above 0', () => {
    expect(() => novikoffBound(1, 0)).toThrow('margin must be in (0, ∞); got 0');
    expect(() => unitBallBound(-1, 1)).toThrow('radius must be in (0, ∞); got -1');
    expect(() => freundSchapireBound(1, Number.NaN, { norm: 0 })).toThrow('margin must be in (0, ∞); got NaN');
    expect(() => mohriRostamizadehBound(Infinity, 1, { sum: 0 })).toThrow('radius must be in (0, ∞); got Infinity');
  });
});

describe('one example shown repeatedly', () => {
  const shown = fc.integer({ min: 1, max: 5 }).chain((d) => {
    const point = fc.array(dyadic, { minLength: d, maxLength: d });
    return fc.record({ x: point, w0: point, y: fc.constantFrom(-1 as const, 1 as const), bias: dyadic });
  });

  it('makes as many updates as its lead time, and each raises y·a by the gain', () => {
    forAll(2000, shown, fc.constantFrom(0, 1, 2), ({ x, w0, y, bias }, constant) => {
      const gain = activationGain(dot(x, x), constant);
      fc.pre(gain > 0);
      const learner = createLearner(kernels, 'perceptron', { biasConstant: constant });
      learner.start(Float64Array.from(w0), bias);
      learner.limit({ cleanStreak: 1 });
      const signedScore = y * (dot(w0, x) + bias * constant);
      learner.learn(dense(Array(5000).fill({ x, y })));
      const { updates, cleanStreak } = learner.progress;
      const after = learner.parameters();
      learner.free();
      expect(cleanStreak).toBe(1);
      expect(updates).toBe(leadTime(signedScore, gain));
      expect(y * (dot(after.weights, x) + after.bias * constant)).toBe(signedScore + updates * gain);
    });
  });

  it('of length 0 is never right', () => {
    expect(leadTime(0, 0)).toBe(Infinity);
    expect(leadTime(1, 0)).toBe(0);
  });
});

describe('distances', () => {
  it('are margins over ‖w‖, or with an absorbed constant over ‖(b, w)‖, which is never longer', () => {
    forAll(500, asked, dyadic, ({ data, direction }, bias) => {
      fc.pre(dot(direction, direction) > 0);
      const batch = dense(data);
      const weights = kernels.float64(direction.length);
      weights.array.set(direction);
      const plane = { weights, bias, biasConstant: 1 };
      const [margins, distances, absorbed] = [0, 1, 2].map(() => new Float64Array(data.length)) as Float64Array[];
      functionalMarginsInto(batch, kernels, plane, margins!);
      signedDistancesInto(batch, kernels, plane, distances!);
      signedDistancesInto(batch, kernels, { ...plane, absorbed: true }, absorbed!);
      weights.free();
      data.forEach(({ x, y }, i) => {
        const margin = y * (dot(direction, x) + bias);
        expect(margins![i]! + 0).toBe(margin + 0);
        expect(distances![i]! + 0).toBe(margin / Math.sqrt(dot(direction, direction)) + 0);
        expect(absorbed![i]! + 0).toBe(margin / Math.sqrt(bias * bias + dot(direction, direction)) + 0);
        expect(Math.abs(absorbed![i]!)).toBeLessThanOrEqual(Math.abs(distances![i]!));
      });
    });
  });

  it('are refused if all weights are 0', () => {
    const plane = { weights: kernels.float64(1), bias: 1, biasConstant: 1 };
    const batch = dense([{ x: [1], y: 1 }]);
    expect(() => signedDistancesInto(batch, kernels, plane, new Float64Array(1))).toThrow('weights must not all be 0');
  });
});

const rules = fc.constantFrom('perceptron' as const, 'averaged' as const);
const orders = fc.constantFrom('cyclic' as const, 'shuffled' as const, 'shuffled-once' as const);
const passes = fc.integer({ min: 1, max: 30 });

/** Digits after the point of the numbers below. */
const places = 400n;
const unit = 10n ** places;

function root(square: bigint): bigint {
  if (square < 2n) return square;
  let x = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (let next = (x + square / x) >> 1n; next < x; next = (x + square / x) >> 1n) x = next;
  return x;
}

/** A double in units of 10⁻⁴⁰⁰, rounded down. */
const fixed = (value: number) => (exact(value) * unit) >> 1074n;

/** R, S and D in units of 10⁻⁴⁰⁰, right but for a few units. */
interface Exact {
  readonly radius: bigint;
  readonly sum: bigint;
  readonly norm: bigint;
}
const few = 1000n;

/** Returns R, S and D for a margin and u = w/‖w‖. */
function exactly(data: readonly Example[], w: readonly number[], margin: number): Exact {
  const norm = root((exactDot(w, w) * unit * unit) >> 2148n);
  const deviations = data
    .map(({ x, y }) => fixed(margin) - (((BigInt(y) * exactDot(w, x) * unit * unit) / norm) >> 2148n))
    .map((lack) => (lack > 0n ? lack : 0n));
  return {
    radius: data.map(({ x }) => root((exactDot(x, x) * unit * unit) >> 2148n)).reduce((a, b) => (a > b ? a : b)),
    sum: deviations.reduce((a, b) => a + b),
    norm: root(deviations.map((each) => each * each).reduce((a, b) => a + b)),
  };
}

/** Returns true if the figures of a bound are upper bounds of the exact ones, and give its number of updates. */
function holds({ theorem, margin, updates, ...bound }: MistakeBound, { radius, sum, norm }: Exact): boolean {
  const most = BigInt(bound.passes);
  const [r, g, deviation, next] = [fixed(bound.radius), fixed(margin), fixed(bound.deviation), BigInt(updates + 1)];
  if (r + few < radius || deviation + few < (theorem === 'freund-schapire' ? norm : sum)) return false;
  // One update more breaks the inequality of the theorem.
  return theorem === 'freund-schapire'
    ? root(next * unit * unit) * g > (r + root(most * deviation * deviation)) * unit
    : next * g > most * deviation + (root(next * unit * unit) * r) / unit;
}

const rounded = (value: bigint) => Number(value / 10n ** (places - 20n)) / 1e20;

/** Returns the bound of a theorem for a margin in plain doubles. */
function plainly(theorem: MistakeBound['theorem'], margin: number, most: number, exact: Exact): number {
  const [radius, sum, norm] = [exact.radius, exact.sum, exact.norm].map(rounded) as [number, number, number];
  return theorem === 'freund-schapire'
    ? freundSchapireBound(radius, margin, { norm: Math.sqrt(most) * norm })
    : mohriRostamizadehBound(radius, margin, { sum: most * sum });
}

/** Data sets with one row that has both classes. */
const contradictory = (number: fc.Arbitrary<number>) =>
  examplesOf(number, { rows: 20, features: 4 }).map(
    (data) => [...data, { x: data[0]!.x, y: data[0]!.y === 1 ? -1 : 1 }] as Example[],
  );

describe('the bounds of a run on rows that need not be separable', () => {
  it.each([
    ['exact', contradictory(dyadic)],
    ['rounded', contradictory(decimal)],
  ])('hold exactly for its hyperplane, are low, and the run stays below them: %s sums', async (_, problems) => {
    await forAllAsync(150, problems, rules, orders, passes, fc.nat(99), async (data, rule, order, most, seed) => {
      const { model, report } = await run(data, { rule, order, passes: most, seed });
      const w = [model.bias, ...model.weights];
      expect(report.mistakeBounds === null).toBe(w.every((weight) => weight === 0));
      for (const bound of report.mistakeBounds ?? []) {
        const { theorem, margin, updates } = bound;
        const at = (other: number) => exactly(lifted(data), w, other);
        expect(report.updates).toBeLessThanOrEqual(updates);
        expect(bound.passes).toBe(report.passes);
        expect(holds(bound, at(margin))).toBe(true);
        expect(updates).toBeLessThanOrEqual(plainly(theorem, margin, most, at(margin)) * (1 + 1e-9));
        for (const other of [margin / 2, margin * 2].filter((each) => each <= bound.radius / 2))
          expect(updates).toBeLessThanOrEqual(plainly(theorem, other, most, at(other)) * (1 + 1e-9));
      }
    });
  });

  it('do not change with the sizes of batches', () => {
    const data = [...fourApart, example(1, -1, -1)];
    const boundsOf = (batches: Example[][]) => {
      const tally = new DeviationTally(Math.SQRT2, 2, 0);
      for (const rows of batches)
        tally.add(
          dense(rows),
          Float64Array.from(rows, ({ x }) => x[0]! + x[1]!),
          Float64Array.from(rows, ({ x }) => x[0]! ** 2 + x[1]! ** 2),
        );
      return tally.bounds({ radius: 4, passes: 3, updates: 5 });
    };
    expect(boundsOf([data])).not.toBeNull();
    expect(boundsOf([data.slice(0, 3), data.slice(3)])).toEqual(boundsOf([data]));
  });

  it('are not given where they need not hold, or where the margin of a hyperplane gives one', async () => {
    const noisy = [...fourApart, example(1, -1, -1), example(-1, 1, 1)];
    const boundsOf = async (options: RunOptions, batch = dense(noisy)) =>
      (await train(arraySource(batch), { kernels, passes: 3, ...options })).report.mistakeBounds;
    expect(await boundsOf({})).not.toBeNull();
    expect(await boundsOf({}, dense(fourApart))).toBeNull();
    expect(await boundsOf({ order: 'random' })).toBeNull();
    expect(await boundsOf({ start: 'example' })).toBeNull();
    expect(await boundsOf({ start: 'random' })).toBeNull();
    expect(await boundsOf({ rule: 'passive-aggressive' })).toBeNull();
    expect(await boundsOf({ classWeights: { '1': 2 } })).toBeNull();
  });
});
