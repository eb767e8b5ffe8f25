import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { completeRuleOptions, createLearner, type LearnerOptions } from '../../src/rules/registry.ts';
import { inFourLanes, inSequence } from '../oracles/oracle.ts';
import {
  type Plain,
  plainMargin,
  plainPassiveAggressive,
  plainPerceptron,
  plainUpdates,
} from '../oracles/perceptrons.ts';
import { decimal, dense, dyadic, examplesOf, sparse } from '../support/examples.ts';
import { implementations } from '../support/kernels.ts';

type PlainName = 'perceptron' | 'averaged' | 'margin' | 'passive-aggressive';

/** The rules that have a plain loop, with options to draw. */
const given = {
  perceptron: { updateWhen: fc.constantFrom('at-most-zero', 'below-zero', 'sign-differs') },
  averaged: { updateWhen: fc.constantFrom('at-most-zero', 'below-zero', 'sign-differs') },
  margin: { margin: fc.constantFrom(0, 0.125, 1, 7.5) },
  'passive-aggressive': {
    variant: fc.constantFrom('pa', 'pa-1', 'pa-2'),
    aggressiveness: fc.constantFrom(0.125, 1, 3),
  },
} as const;
const plain = {
  perceptron: plainPerceptron,
  averaged: plainPerceptron,
  margin: plainMargin,
  'passive-aggressive': plainPassiveAggressive,
} as const;
const optionsOf = (rule: PlainName) =>
  fc.record<Record<string, unknown>>(given[rule]).map(({ variant, aggressiveness, ...options }) => ({
    ...options,
    ...(variant === undefined ? {} : variant === 'pa' ? { variant } : { variant, aggressiveness }),
  }));

describe.each(implementations)('in %s kernels', (_, create) => {
  const kernels = create();
  const numbers = [
    // A step that divides rounds on dyadic numbers too, so only in four lanes is it that of the kernels.
    ['dyadic numbers', dyadic, inSequence, ['perceptron', 'averaged', 'margin']],
    ['decimal fractions', decimal, inFourLanes, Object.keys(plain)],
  ] as const;
  const cases = numbers.flatMap(([name, number, inner, rules]) =>
    rules.map((rule) => [rule as PlainName, name, number, inner] as const),
  );

  it.each(cases)('%s makes the updates of its plain loop, to the bit, on %s', (rule, _, number, inner) => {
    const weighted = examplesOf(number).chain((data) =>
      fc.record({
        data: fc.constant(data),
        importance: fc.array(fc.constantFrom(0, 0.5, 1, 1, 2.5), { minLength: data.length, maxLength: data.length }),
        options: optionsOf(rule),
        isDense: fc.boolean(),
      }),
    );
    forAll(60, weighted, ({ data, importance, options, isDense }) => {
      const layout = isDense ? dense(data) : sparse(data, { zeros: true });
      const batch = { ...layout, importance: Float64Array.from(importance) };
      const learner = createLearner(kernels, rule, options as LearnerOptions<PlainName>);
      const complete = completeRuleOptions(rule, options) as never;
      const step: Plain = (w, example, innerProduct) => plain[rule](w, example, innerProduct, complete);
      const passes = 5;
      let shown = 0;
      const show = (until: number) => {
        for (; shown < until; shown++) learner.learn(batch, shown % data.length, (shown % data.length) + 1);
      };
      let made = 0;
      for (const update of plainUpdates(data, step, { inner, passes, importance })) {
        show(update.pass * data.length + update.example + 1);
        expect(learner.progress).toMatchObject({ updates: ++made, cleanStreak: 0 });
        const { weights, bias } = learner.latest();
        expect([[...weights], bias]).toEqual([update.weights, update.bias]);
      }
      show(passes * data.length);
      expect(learner.progress).toMatchObject({ examples: passes * data.length, updates: made });
      learner.free();
    });
  });
});
