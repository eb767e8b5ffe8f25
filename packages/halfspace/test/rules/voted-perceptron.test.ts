import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { DualScorer } from '../../src/model/dual/scorer.ts';
import { createLearner } from '../../src/rules/registry.ts';
import { constantLast, inFourLanes, inSequence } from '../oracles/oracle.ts';
import { predictions, voted } from '../oracles/perceptrons.ts';
import { decimal, dense, dyadic, example, examplesOf, sparse } from '../support/examples.ts';
import { implementations } from '../support/kernels.ts';
import { bits } from './conformance.ts';

describe.each(implementations)('the voted perceptron, in %s kernels,', (_, create) => {
  const kernels = create();

  it('has the vectors, survival times and votes of Freund and Schapire’s figure, after every example', () => {
    forAll(30, examplesOf(dyadic, { rows: 8 }), fc.constantFrom(dense, sparse), (data, layout) => {
      const batch = layout(data);
      const learner = createLearner(kernels, 'voted');
      const scores = new Float64Array(data.length);
      let shown = 0;
      for (const vectors of voted(data, { inner: inSequence, epochs: 3 })) {
        learner.learn(batch, shown % data.length, (shown++ % data.length) + 1);
        const dual = learner.dual();
        expect([...dual.survivals]).toEqual(vectors.map(({ c }) => c));
        expect(learner.progress.updates).toBe(vectors.length - 1);
        const { weights, bias } = learner.parameters();
        expect([bias, ...weights]).toEqual(vectors.at(-1)!.v);
        const scorer = new DualScorer(kernels, dual);
        const all = { last: scores.slice(), averaged: scores.slice(), voted: scores.slice() };
        scorer.allInto(batch, all);
        learner.scoreInto(batch, scores);
        data.forEach(({ x }, i) => {
          const expected = predictions(vectors, x, inSequence);
          expect({ last: all.last[i], averaged: all.averaged[i], voted: all.voted[i] }).toEqual(expected);
          expect(scores[i]).toBe(expected.voted);
        });
        scorer.free();
      }
      learner.free();
    });
  });

  it('makes the updates of the perceptron, to the bit', () => {
    const weighted = examplesOf(decimal).chain((data) =>
      fc.record({
        data: fc.constant(data),
        importance: fc.option(
          fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: data.length, maxLength: data.length }),
        ),
      }),
    );
    forAll(weighted, fc.constantFrom(dense, sparse), ({ data, importance }, layout) => {
      const batch = { ...layout(data), importance: importance === null ? null : Float64Array.from(importance) };
      const [votes, plain] = [createLearner(kernels, 'voted'), createLearner(kernels, 'perceptron')];
      for (let pass = 0; pass < 4; pass++) expect(votes.learn(batch)).toBe(plain.learn(batch));
      expect(bits(votes.parameters().weights)).toEqual(bits(plain.parameters().weights));
      expect(votes.parameters().bias).toBe(plain.parameters().bias);
      expect(votes.progress).toEqual(plain.progress);
      expect(votes.dual().rows).toHaveLength(plain.progress.updates);
      votes.free();
      plain.free();
    });
  });

  it('votes by prefix sums in the order of the kernels, also on decimal fractions', () => {
    forAll(40, examplesOf(decimal), (data) => {
      const batch = dense(data);
      const learner = createLearner(kernels, 'voted');
      const inner = constantLast(inFourLanes);
      for (let pass = 0; pass < 3; pass++) learner.learn(batch);
      const { rows, coefficients, survivals, support } = learner.dual();
      const scores = new Float64Array(data.length);
      learner.scoreInto(batch, scores);
      const stored = (row: number) => [1, ...support.values.subarray(support.offsets[row], support.offsets[row + 1])];
      data.forEach(({ x }, i) => {
        let [sum, votes, time] = [0, 0, survivals[0]!];
        rows.forEach((row, k) => {
          sum += coefficients[k]! * inner(stored(row), [1, ...x]);
          votes += survivals[k + 1]! * Math.sign(sum);
          time += survivals[k + 1]!;
        });
        expect(scores[i]).toBe(votes / time);
      });
      learner.free();
    });
  });

  it('counts importance h as h units of time', () => {
    const learner = createLearner(kernels, 'voted');
    const batch = { ...dense([example(1, 1), example(1, 1), example(-1, 2)]), importance: Float64Array.of(2, 0.5, 4) };
    learner.learn(batch);
    // v₁ = 2·(1, 1) survives its own example and the next; the third makes v₂ = v₁ − 4·(1, 2).
    expect([...learner.dual().survivals]).toEqual([0, 2.5, 4]);
    expect([...learner.dual().coefficients]).toEqual([2, -4]);
    const out = new Float64Array(1);
    learner.scoreInto(dense([example(1, 0.5)]), out);
    expect(out[0]).toBe((2.5 - 4) / 6.5);
  });

  it('counts the time of the zero vector, if a condition lets it survive', () => {
    const learner = createLearner(kernels, 'voted', { updateWhen: 'sign-differs' });
    // Score 0 is positive here, so v₀ survives the first example; v₁ = −(1, 1) the second.
    learner.learn(dense([example(1, 5), example(-1, 1)]));
    const dual = learner.dual();
    expect([...dual.survivals]).toEqual([1, 1]);
    const scorer = new DualScorer(kernels, dual);
    const all = { last: new Float64Array(1), averaged: new Float64Array(1), voted: new Float64Array(1) };
    scorer.allInto(dense([example(1, 2)]), all);
    expect([all.last[0], all.averaged[0], all.voted[0]]).toEqual([-3, -1.5, -0.5]);
  });

  it('gives no vote to a score of 0, and no votes before the first example', () => {
    const learner = createLearner(kernels, 'voted', { biasConstant: 0 });
    const out = new Float64Array(2);
    const apart = dense([example(1, 0, 1), example(1, 1, 0)]);
    learner.scoreInto(apart, out);
    expect([...out]).toEqual([0, 0]);
    learner.learn(apart, 1);
    learner.scoreInto(apart, out);
    expect([...out]).toEqual([0, 1]);
  });
});
