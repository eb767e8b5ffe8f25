import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activationGain,
  freundSchapireBound,
  leadTime,
  mohriRostamizadehBound,
  novikoffBound,
  unitBallBound,
} from '../../src/margin/bounds.ts';
import { deviationsOf, functionalMarginsInto, signedDistancesInto } from '../../src/margin/signed-distances.ts';
import { createLearner } from '../../src/rules/registry.ts';
import { dense, dyadic, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { dot, separable } from '../support/separable.ts';

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
    fc.assert(
      fc.property(asked, ({ data, direction, margin }) => {
        const length = Math.sqrt(dot(direction, direction));
        const radius = Math.sqrt(Math.max(...data.map(({ x }) => dot(x, x))));
        fc.pre(length > 0 && radius > 0);
        const distances = Float64Array.from(data, ({ x, y }) => (y * dot(direction, x)) / length);
        if (Math.min(...distances) <= 0) inseparable++;
        const deviations = deviationsOf(distances, margin);
        const updates = updatesOfOnePass(data);
        expect(updates).toBeLessThanOrEqual(freundSchapireBound(radius, margin, deviations) * (1 + 1e-12));
        expect(updates).toBeLessThanOrEqual(mohriRostamizadehBound(radius, margin, deviations) * (1 + 1e-12));
      }),
      { numRuns: 3000 },
    );
    expect(inseparable).toBeGreaterThan(100);
  });

  it('equal those for separable data if no example misses the margin', () => {
    fc.assert(
      fc.property(positive, positive, (radius, margin) => {
        const none = { sum: 0, norm: 0 };
        expect(freundSchapireBound(radius, margin, none)).toBe(novikoffBound(radius, margin));
        expect(mohriRostamizadehBound(radius, margin, none) / novikoffBound(radius, margin)).toBeCloseTo(1, 12);
      }),
    );
  });

  it('are at most those in the papers: (R/γ + √Σl)²', () => {
    fc.assert(
      fc.property(positive, positive, positive, (radius, margin, sum) => {
        const printed = (radius / margin + Math.sqrt(sum / margin)) ** 2;
        expect(mohriRostamizadehBound(radius, margin, { sum })).toBeLessThanOrEqual(printed * (1 + 1e-12));
      }),
    );
  });

  it('are 1/γ² for CS4780 and lecture 9, which scale into the unit ball, and for FODA, which scales onto it', () => {
    fc.assert(
      fc.property(separable(), ({ data, norm, least, squaredRadius }) => {
        const [radius, margin] = [Math.sqrt(squaredRadius), least / norm];
        const divide = (by: number) => data.map(({ x, y }) => ({ x: x.map((component) => component / by), y }));
        const onto = unitBallBound(radius, margin, true);
        expect(onto).toBe(novikoffBound(radius, margin));
        expect(updatesOfOnePass(divide(radius))).toBeLessThanOrEqual(onto * (1 + 1e-12));
        expect(updatesOfOnePass(divide(Math.max(1, radius)))).toBeLessThanOrEqual(
          unitBallBound(radius, margin) * (1 + 1e-12),
        );
        expect(unitBallBound(radius, margin)).toBeGreaterThanOrEqual(onto);
      }),
      { numRuns: 1000 },
    );
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
    fc.assert(
      fc.property(shown, fc.constantFrom(0, 1, 2), ({ x, w0, y, bias }, constant) => {
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
      }),
      { numRuns: 2000 },
    );
  });

  it('of length 0 is never right', () => {
    expect(leadTime(0, 0)).toBe(Infinity);
    expect(leadTime(1, 0)).toBe(0);
  });
});

describe('distances', () => {
  it('are margins over ‖w‖, or with an absorbed constant over ‖(b, w)‖, which is never longer', () => {
    fc.assert(
      fc.property(asked, dyadic, ({ data, direction }, bias) => {
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
      }),
      { numRuns: 500 },
    );
  });

  it('are refused if all weights are 0', () => {
    const plane = { weights: kernels.float64(1), bias: 1, biasConstant: 1 };
    const batch = dense([{ x: [1], y: 1 }]);
    expect(() => signedDistancesInto(batch, kernels, plane, new Float64Array(1))).toThrow('weights must not all be 0');
  });
});
