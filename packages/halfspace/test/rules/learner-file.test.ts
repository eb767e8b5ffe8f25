import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Learner, LearnerState } from '../../src/rules/learner.ts';
import { decodeLearner, encodeLearner } from '../../src/rules/learner-file.ts';
import {
  completeRuleOptions,
  createLearner,
  createMulticlassLearner,
  type RuleName,
  rules,
} from '../../src/rules/registry.ts';
import type { RuleDefinition } from '../../src/rules/rule-definition.ts';
import { decimal, dense, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { denseSeveral, seenOf, severalOf } from '../support/several.ts';

const kernels = wasm();
// Rules that learn from all rows at once have nothing to go on from.
const learners = (Object.keys(rules) as RuleName[]).filter((rule) => rule !== 'tree' && rule !== 'logistic');

/** Learns in pieces, with a new learner from the text of a file between them. */
function inPieces<T>(
  create: (state?: LearnerState) => Learner,
  shown: readonly T[],
  cuts: readonly number[],
  show: (learner: Learner, one: T) => void,
): Learner {
  let learner = create();
  shown.forEach((one, t) => {
    if (cuts.includes(t)) {
      const text = encodeLearner(learner.state());
      learner.free();
      learner = create(decodeLearner(text));
    }
    show(learner, one);
  });
  return learner;
}

describe.each(learners)('a learner by the rule %s', (rule) => {
  const options = completeRuleOptions(rule, {});

  it('continues from its file as if it had never stopped, at any place', () => {
    const create = (state?: LearnerState) => createLearner(kernels, rule, options, state);
    fc.assert(
      fc.property(examplesOf(decimal), fc.array(fc.nat(60), { maxLength: 4 }), (data, cuts) => {
        const shown = [...data, ...data, ...data];
        const show = (learner: Learner, one: (typeof data)[number]) => learner.learn(dense([one]));
        const [whole, pieces] = [inPieces(create, shown, [], show), inPieces(create, shown, cuts, show)];
        expect(seenOf(pieces)).toEqual(seenOf(whole));
        expect(pieces.state()).toEqual(whole.state());
      }),
      { numRuns: 40 },
    );
  });

  it('of several classes does so too, by either strategy, also if classes appear after the stop', () => {
    const strategies = (rules[rule] as RuleDefinition).multiclass === undefined ? [] : (['kesler'] as const);
    for (const strategy of ['one-vs-rest', ...strategies] as const) {
      const create = (state?: LearnerState) => createMulticlassLearner(kernels, rule, strategy, options, state);
      fc.assert(
        fc.property(severalOf(decimal), fc.array(fc.nat(40), { maxLength: 3 }), ({ data }, cuts) => {
          const shown = [...data, ...data];
          const show = (learner: Learner, one: (typeof data)[number]) => learner.learn(denseSeveral([one]));
          const [whole, pieces] = [inPieces(create, shown, [], show), inPieces(create, shown, cuts, show)];
          expect(seenOf(pieces)).toEqual(seenOf(whole));
        }),
        { numRuns: 15 },
      );
    }
  });
});

describe('the file of a learner', () => {
  const learner = createLearner(kernels, 'perceptron', {});
  learner.start!(Float64Array.of(-0, 1.5), 1 / 3);
  const state = learner.state();
  const text = encodeLearner(state);

  it('keeps every number, also those that JSON cannot write', () => {
    expect(decodeLearner(text)).toEqual(state);
    const listed = { ...state, limits: [-0, Number.NaN, Infinity, -Infinity, 1.5], none: null };
    expect(decodeLearner(encodeLearner(listed))).toEqual(listed);
  });

  it('is refused if it was cut or edited, or is of another kind', () => {
    for (const wrong of [
      text.slice(0, -9),
      text.replace('perceptron', 'averaged'),
      '{}',
      'null',
      '',
      text.replace('"version":1', '"version":2'),
    ])
      expect(() => decodeLearner(wrong)).toThrow(expect.objectContaining({ code: 'model-invalid' }));
  });
});
