import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import * as layout from '../../src/kernels/layout.ts';
import { MulticlassPerceptron, type MulticlassPerceptronOptions } from '../../src/rules/multiclass-perceptron.ts';
import { completeRuleOptions, createLearner, createMulticlassLearner } from '../../src/rules/registry.ts';
import { kesler, type Labelled, type Step } from '../oracles/classes.ts';
import { type Inner, inFourLanes, inSequence } from '../oracles/oracle.ts';
import { decimal, dense, dot, dyadic, examplesOf } from '../support/examples.ts';
import { reference } from '../support/kernels.ts';
import {
  denseSeveral,
  functionBits,
  importanceOf,
  type Several,
  severalOf,
  sparseSeveral,
  weightsOf,
} from '../support/several.ts';

const passes = 3;

/** The rules of two classes at an example of class +1, from the headers of their oracles. */
const cases: [string, MulticlassPerceptronOptions, Step][] = [
  ['perceptron', {}, (a, _, h) => (a <= 0 ? h : null)],
  ['perceptron, below zero', { condition: layout.updateBelow }, (a, _, h) => (a < 0 ? h : null)],
  ['margin', { threshold: 1.5 }, (a, _, h) => (a <= 1.5 ? h : null)],
  ['pa', { ...passive(layout.stepWhole) }, (a, n) => (a < 1 ? (1 - a) / n : null)],
  ['pa-1', { ...passive(layout.stepCapped) }, (a, n, h) => (a < 1 ? Math.min(0.25 * h, (1 - a) / n) : null)],
  ['pa-2', { ...passive(layout.stepSoftened) }, (a, n, h) => (a < 1 ? (1 - a) / (n + 1 / (2 * 0.25 * h)) : null)],
];

function passive(kind: number): MulticlassPerceptronOptions {
  return { condition: layout.updateBelow, threshold: 1, stepKind: kind, aggressiveness: 0.25 };
}

function withImportance(number: fc.Arbitrary<number>): fc.Arbitrary<{ several: Several; importance: number[] }> {
  return severalOf(number).chain((several) =>
    fc.record({
      several: fc.constant(several),
      importance: importanceOf(fc.constantFrom(0, 0.5, 1, 1, 2), several),
    }),
  );
}

describe.each(cases)('the multiclass update of %s', (name, options, step) => {
  it.each([
    ['dyadic numbers', dyadic, inSequence],
    ['decimal fractions', decimal, inFourLanes],
  ] as const)('equals that of the stacked vectors, to the bit after every example, on %s', (_, number, inner) => {
    // Where steps are quotients, also dyadic numbers round, and the order of sums shows.
    const order: Inner = name.startsWith('pa') ? inFourLanes : inner;
    forAll(
      80,
      withImportance(number),
      fc.boolean(),
      fc.constantFrom(denseSeveral, sparseSeveral),
      ({ several: { data, classes }, importance }, known, layout) => {
        const learner = new MulticlassPerceptron('rule', { ...options, classes: known ? classes : 0 });
        const batch = layout(data, importance);
        let shown = 0;
        for (const expected of kesler(data, { classes, known, inner: order, step, importance, passes })) {
          learner.learn(batch, shown % data.length, (shown % data.length) + 1);
          shown++;
          const functions = weightsOf(learner);
          if (known) expect(functions).toHaveLength(classes);
          functions.forEach(({ weights, bias }, k) => {
            expect([...weights]).toEqual(expected.weights[k]);
            expect(bias).toBe(expected.biases[k]);
          });
          const { updates, examples } = learner.progress;
          expect([updates, examples]).toEqual([expected.updates, shown]);
          if (known) expect(learner.progress.mistakes).toBe(expected.mistakes);
        }
        expect(learner.progress.clock).toBe(passes * importance.reduce((sum, h) => sum + h, 0));
      },
    );
  });
});

describe('the multiclass update', () => {
  it('of an averaging rule uses the mean of the weights over time, each example counted by its importance', () => {
    forAll(withImportance(dyadic), fc.boolean(), ({ several: { data, classes }, importance }, known) => {
      const learner = new MulticlassPerceptron('averaged', { averaging: true, classes: known ? classes : 0 });
      const batch = denseSeveral(data, importance);
      const sums = Array.from({ length: classes }, () => new Array<number>(data[0]!.x.length + 1).fill(0));
      let time = 0;
      let largest = 0;
      let shown = 0;
      const step: Step = (a, _, h) => (a <= 0 ? h : null);
      for (const now of kesler(data, { classes, known, inner: inSequence, step, importance, passes })) {
        const i = shown++ % data.length;
        learner.learn(batch, i, i + 1);
        time += importance[i]!;
        sums.forEach((sum, k) => {
          [...now.weights[k]!, now.biases[k]!].forEach((weight, j) => {
            sum[j]! += importance[i]! * weight;
            largest = Math.max(largest, Math.abs(weight));
          });
        });
        if (time === 0) continue;
        // Sums are exact, the divisions round.
        weightsOf(learner).forEach(({ weights, bias }, k) => {
          [...weights, bias].forEach((weight, j) => {
            expect(Math.abs(weight - sums[k]![j]! / time)).toBeLessThanOrEqual(2 ** -53 * 5 * largest);
          });
        });
        expect(functionBits(learner.presentFunctions()!)).toEqual(
          functionBits(
            weightsOf(learner).map((_, k) => ({ weights: Float64Array.from(now.weights[k]!), bias: now.biases[k]! })),
          ),
        );
      }
    });
  });

  it('for two known classes equals the rule for two, w₁ = w and w₀ = −w, to the bit; the margin rule with twice its τ', () => {
    const kernels = reference();
    forAll(
      examplesOf(decimal),
      fc.constantFrom('perceptron' as const, 'averaged' as const, 'margin' as const),
      (data, rule) => {
        const options = (margin: number) => completeRuleOptions(rule, rule === 'margin' ? { margin } : {});
        const binary = createLearner(kernels, rule, options(0.75));
        const both = createMulticlassLearner(kernels, rule, 'kesler', { ...options(1.5), classes: 2 });
        const positions = denseSeveral(data.map(({ x, y }) => ({ x, y: y === 1 ? 1 : 0 })));
        for (let pass = 0; pass < passes; pass++) {
          binary.learn(dense(data));
          both.learn(positions);
        }
        const [w] = weightsOf(binary);
        const negated = { weights: w!.weights.map((weight) => 0 - weight), bias: 0 - w!.bias };
        const [w0, w1] = weightsOf(both);
        expect([w0, w1]).toEqual([negated, w]);
        // Class 0 is the first of equals, as the negative class has score 0.
        expect(both.progress).toEqual(binary.progress);
        binary.free();
      },
    );
  });

  it('ends with every lead above 0 if separable, after at most 2R²/γ² updates', () => {
    forAll(80, separableSeveral, fc.boolean(), ({ data, W, least }, known) => {
      const learner = new MulticlassPerceptron('perceptron', { biasConstant: 0, classes: known ? W.length : 0 });
      const batch = denseSeveral(data);
      for (let pass = 0, before = -1; before !== learner.progress.updates; pass++) {
        before = learner.progress.updates;
        learner.learn(batch);
        if (pass === 100_000) expect.unreachable('no clean pass');
      }
      const functions = weightsOf(learner);
      for (const { x, y } of data) {
        const scores = functions.map(({ weights }) => dot(weights, x));
        // A class that is neither known nor there does not compete.
        const rivals = scores.filter((_, k) => k !== y && (known || data.some((other) => other.y === k)));
        expect(scores[y]).toBeGreaterThan(Math.max(...rivals));
      }
      const squaredRadius = Math.max(...data.map(({ x }) => dot(x, x)));
      const squaredLength = W.reduce((sum, w) => sum + dot(w, w), 0);
      // γ = least / ‖W‖; all of it is exact.
      expect(learner.progress.updates * least * least).toBeLessThanOrEqual(2 * squaredRadius * squaredLength);
    });
  });

  it('needs a rival: a single class makes no update', () => {
    const learner = new MulticlassPerceptron('perceptron');
    learner.learn(denseSeveral([{ x: [1], y: 3 }]));
    expect(learner.outputs).toBe(4);
    expect(learner.progress).toMatchObject({ examples: 1, updates: 0, mistakes: 0, cleanStreak: 1 });
    learner.learn(denseSeveral([{ x: [2], y: 1 }]));
    const weights = weightsOf(learner).map((each) => each.weights[0]);
    expect(weights).toEqual([0, 2, 0, -2]);
  });

  it('stops at limits, and can continue', () => {
    const data = Array.from({ length: 6 }, (_, i): Labelled => ({ x: [1 + i], y: i % 3 }));
    const learner = new MulticlassPerceptron('perceptron', { classes: 3 });
    learner.limit({ updates: 2 });
    expect(learner.learn(denseSeveral(data))).toBe(2);
    expect(learner.learn(denseSeveral(data), 2)).toBe(0);
    learner.limit({});
    expect(learner.learn(denseSeveral(data), 2)).toBe(4);
    const quiet = new MulticlassPerceptron('perceptron', { condition: layout.updateBelow, classes: 3 });
    quiet.limit({ cleanStreak: 3 });
    expect(quiet.learn(denseSeveral(data.filter(({ y }) => y === 0)))).toBe(2);
    expect(quiet.learn(denseSeveral(data))).toBe(1);
    expect(quiet.learn(denseSeveral(data))).toBe(0);
  });
});

/** Points of the grid whose class, that of the highest W·x, leads the others by a quarter at least. */
const separableSeveral = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .chain(([classes, d]) =>
    fc.record({
      W: fc.array(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: d, maxLength: d }), {
        minLength: classes,
        maxLength: classes,
      }),
      points: fc.array(fc.array(dyadic, { minLength: d, maxLength: d }), { minLength: 1, maxLength: 20 }),
    }),
  )
  .map(({ W, points }) => {
    const judged = points.map((x) => {
      const scores = W.map((w) => dot(w, x));
      const y = scores.indexOf(Math.max(...scores));
      const others = scores.filter((_, k) => k !== y);
      return { x, y, lead: scores[y]! - Math.max(...others) };
    });
    const far = judged.filter(({ lead }) => lead >= 1 / 4);
    return { W, data: far.map(({ x, y }): Labelled => ({ x, y })), least: Math.min(...far.map(({ lead }) => lead)) };
  })
  .filter(({ data }) => data.length > 0);
