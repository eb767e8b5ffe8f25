import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/support/quick.ts';
import { sparseBatch } from '../../src/batch.ts';
import type { Block } from '../../src/kernels/block.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { scorerOf } from '../../src/model/function-scorer.ts';
import { isDual } from '../../src/model/model.ts';
import type { Learner } from '../../src/rules/learner.ts';
import { completeRuleOptions, createLearner, type RuleName, rules } from '../../src/rules/registry.ts';
import { bits } from '../rules/conformance.ts';
import { decimal } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';
import {
  denseSeveral,
  learnedByExample,
  seenOf,
  severalOf,
  severalUnderTest,
  sparseSeveral,
} from '../support/several.ts';

/** Options beside the defaults whose answers are computed in another way. */
const variants: Partial<Record<RuleName, readonly object[]>> = {
  arow: [{}, { average: true }],
  'passive-aggressive': [{}, { average: true }],
  sgd: ['constant', 'inverse-scaling', 'adaptive'].flatMap((schedule) =>
    ['none', 'l2', 'l1'].flatMap((penalty) => [
      { schedule, penalty, answer: 'mean' },
      { schedule, penalty, answer: 'last' },
    ]),
  ),
  kernel: [{}, { aggregate: 'last' }, { kernel: 'rbf', gamma: 0.5 }],
};

const single = learnedByExample.flatMap((rule) =>
  (variants[rule] ?? [{}]).map((given) => ({
    name: [rule, ...Object.values(given)].join(', '),
    create: (kernels: Kernels): Learner => createLearner(kernels, rule, completeRuleOptions(rule, given)),
    classes: 2,
  })),
);
const several = severalUnderTest.map(({ name, create }) => ({
  name,
  create: (kernels: Kernels): Learner => create(kernels),
  classes: 5,
}));

/** Returns the scores of the learner's functions. */
function scoresOfFunctions(kernels: Kernels, learner: Learner, batch: ReturnType<typeof sparseBatch>): Float64Array {
  const functions = learner.functions().map((each) => (isDual(each) ? each : { ...each, biasConstant: 1, divisor: 1 }));
  const scores = new Float64Array(functions.length * batch.rows);
  if (functions.length === 0) return scores;
  const scorer = scorerOf(kernels, functions);
  scorer.scoreInto(batch, scores);
  scorer.free();
  return scores;
}

/** An index that no example has, and one far behind it. */
const row = fc.uniqueArray(fc.oneof(fc.nat(20), fc.constantFrom(999, 100_000)), { maxLength: 6 });

describe.each([...single, ...several])('a learner by $name', ({ create, classes }) => {
  it('can be queried at any time without a change of its bits', () => {
    const asks = fc.array(fc.array(row, { maxLength: 4 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(severalOf(decimal), asks, fc.constantFrom(denseSeveral, sparseSeveral), ({ data }, asked, layout) => {
        for (const kernels of [wasm(), reference()]) {
          const [one, other] = [create(kernels), create(kernels)];
          for (let t = 0; t < 2 * data.length; t++) {
            const example = data[t % data.length]!;
            const shown = layout([example]);
            const batch = classes > 2 ? shown : { ...shown, labels: Float64Array.of(example.y % 2 === 0 ? -1 : 1) };
            const rows = (asked[t % asked.length] ?? []).map((indices) => ({
              indices,
              values: indices.map((j) => 1 / (j + 3)),
            }));
            const question = sparseBatch(
              rows,
              rows.map(() => 1),
            );
            const scores = new Float64Array(rows.length * one.outputs);
            one.scoreInto(question, scores);
            expect(bits(scores)).toEqual(bits(scoresOfFunctions(kernels, one, question)));
            one.learn(batch);
            other.learn(batch);
          }
          expect(seenOf(one)).toEqual(seenOf(other));
          expect(one.state()).toEqual(other.state());
          one.free();
          other.free();
        }
      }),
      { numRuns: isDeep ? 12 : 4 },
    );
  });
});

/** Kernels whose doubles count how often they are looked at from outside the kernels. */
function counting(): { kernels: Kernels; looks: () => number } {
  let looks = 0;
  const kernels = reference();
  const counted: Kernels = Object.create(kernels);
  counted.float64 = (length, clear) => {
    const block = kernels.float64(length, clear);
    return new Proxy(block, {
      get: (_, name) => {
        if (name !== 'array') {
          const member = Reflect.get(block, name) as unknown;
          return typeof member === 'function' ? member.bind(block) : member;
        }
        return new Proxy(block.array, {
          get: (array, at) => {
            if (typeof at === 'string' && /^\d+$/.test(at)) looks++;
            else if (at === 'slice' || at === 'subarray') looks += array.length;
            const member = Reflect.get(array, at) as unknown;
            return typeof member === 'function' ? member.bind(array) : member;
          },
          set: (array, at, value) => Reflect.set(array, at, value),
        });
      },
    }) as Block<Float64Array>;
  };
  return { kernels: counted, looks: () => looks };
}

describe.each(single.filter(({ name }) => !(rules[name.split(',')[0] as RuleName] as { dual?: true }).dual))(
  'an answer by $name',
  ({ create }) => {
    it('needs time for the nonzeros of the row, not for the size of the model', () => {
      const { kernels, looks } = counting();
      const learner = create(kernels);
      const features = 300;
      const all = Array.from({ length: features }, (_, j) => j);
      learner.learn(sparseBatch([{ indices: all, values: all.map((j) => 1 / (1 + j)) }], [1]));
      const question = sparseBatch([{ indices: [1, 70, 299, 50_000], values: [1, 2, 3, 4] }], [1]);
      let spent = 0;
      const out = new Float64Array(1);
      for (let t = 0; t < 50; t++) {
        learner.learn(sparseBatch([{ indices: [t], values: [t] }], [t % 2 === 0 ? 1 : -1]));
        const before = looks();
        learner.scoreInto(question, out);
        spent += looks() - before;
      }
      // A few numbers for each of the four features, and the scalars.
      expect(spent / 50).toBeLessThan(60);
    });
  },
);
