import { completeRuleOptions, presets, rules } from 'halfspace/rules';
import { describe, expect, it } from 'vitest';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import { catalogue, choiceOf, choose } from '../../src/algorithm/catalogue.ts';
import { lightOf } from '../../src/algorithm/listing.ts';
import { pseudocode } from '../../src/algorithm/pseudocode.ts';
import { ruleSpecs } from '../../src/algorithm/rules.constant.ts';
import { parseNumber, settingsOf, withOption } from '../../src/algorithm/settings.ts';
import { traitsOf } from '../../src/algorithm/traits.ts';
import { viewEntries } from '../../src/views/entries.ts';
import { views } from '../../src/views/views.ts';
import { renderFormula } from '../../vite-formulas.ts';

const choices = catalogue.flatMap(({ choices: some }) => some);
const algorithms = choices.map((choice) => choose(choice, defaultAlgorithm));

describe('the catalogue', () => {
  it('has every lecture and every rule of the library', () => {
    expect(new Set(choices.flatMap(({ as }) => as ?? []))).toEqual(new Set(Object.keys(presets)));
    expect(new Set(choices.map(({ rule }) => rule))).toEqual(new Set(Object.keys(rules)));
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length);
  });

  it('knows every algorithm again', () => {
    choices.forEach((choice, i) => {
      expect(choiceOf(algorithms[i]!)).toBe(choice);
    });
    expect(choiceOf({ ...defaultAlgorithm, as: null, rule: 'sgd' }).id).toBe('sgd logistic');
  });

  it('says of each lecture what the library does', () => {
    const trait = (as: Algorithm['as'], name: string) =>
      traitsOf({ ...defaultAlgorithm, as }).find((each) => each.name === name)!.value;
    expect(trait('foda', 'Start')).toBe('y·x of the first example');
    expect(trait('foda', 'Update when')).toBe('y·a < 0');
    expect(trait('foda', 'Returns')).toBe('w / ‖w‖');
    expect(trait('lecture-9', 'Class at score 0')).toBe('+1');
    expect(trait('lecture-9', 'Next example')).toBe('drawn at random');
    expect(trait('slides', 'Stops after')).toBe('10 passes');
    expect(trait('cs4780', 'Scaling')).toContain('above 1');
    expect(
      traitsOf({ ...defaultAlgorithm, as: 'slides', passes: 3 }).find(({ name }) => name === 'Stops after')!.value,
    ).toBe('3 passes');
  });
});

describe('settings', () => {
  it('never make options that the library refuses, whatever is chosen after what', () => {
    for (const start of algorithms.filter(({ as }) => as === null)) {
      let algorithm = start;
      for (let round = 0; round < 2; round++)
        for (const { name, spec } of settingsOf(algorithm))
          for (const value of spec.kind === 'choice' ? spec.values : spec.kind === 'flag' ? [true, false] : [1]) {
            if (!settingsOf(algorithm).some((setting) => setting.name === name)) continue;
            algorithm = withOption(algorithm, name, value);
            expect(() => completeRuleOptions(algorithm.rule, algorithm.options)).not.toThrow();
          }
    }
  });

  it('show the defaults that the library completes', () => {
    for (const algorithm of algorithms.filter(({ as }) => as === null)) {
      const complete = completeRuleOptions(algorithm.rule, algorithm.options);
      // The library leaves out a flag that is off where older models do not have it.
      for (const { name, value, spec } of settingsOf(algorithm))
        expect(value ?? undefined).toBe(complete[name] ?? (spec.kind === 'flag' ? false : undefined));
    }
  });

  it('read numbers as people type them', () => {
    expect(['1', ' 0,5 ', '−2', '1e-4', '.5', '3.'].map(parseNumber)).toEqual([1, 0.5, -2, 1e-4, 0.5, 3]);
    expect(['', 'x', '1.2.3', '1,2,3', 'Infinity', 'NaN', '0x10'].map(parseNumber)).toEqual(Array(7).fill(null));
  });
});

describe('the lines of an algorithm', () => {
  it('are there for every algorithm, with one to light at every kind of step', async () => {
    for (const algorithm of algorithms) {
      const parts = (await pseudocode(algorithm)).map(({ part }) => part);
      if (!ruleSpecs[algorithm.rule].hasPasses) continue;
      for (const step of [0, 1])
        for (const updated of step === 0 ? [false] : [false, true]) {
          const lit = parts.filter((part) => lightOf(part, { step, updated, last: false }) === 'main');
          expect(lit.length, `${choiceOf(algorithm).id} at ${step}`).toBeGreaterThan(0);
        }
      expect(parts.filter((part) => part === 'return')).toHaveLength(1);
    }
  });

  it('say so where the order is not the lecture’s own', async () => {
    const lines = await pseudocode({ ...defaultAlgorithm, as: 'lecture-9', order: 'cyclic' });
    expect(lines.find(({ part }) => part === 'next')!.html).toContain('here in turn');
    expect((await pseudocode({ ...defaultAlgorithm, as: 'lecture-9' })).some(({ html }) => html.includes('here'))).toBe(
      false,
    );
  });

  it('light only the branch-free line of algorithm 2, always', async () => {
    const lines = await pseudocode({ ...defaultAlgorithm, as: 'lecture-9-algorithm-2' });
    for (const updated of [false, true]) {
      const lit = lines.filter(({ part }) => lightOf(part, { step: 3, updated, last: false }) === 'main');
      expect(lit.map(({ html }) => html)).toEqual([
        String.raw`w_{t+1} \gets w_t + \tfrac12 \bigl(y_i - \operatorname{sgn}(w_t^\top x_i)\bigr) \cdot x_i`,
      ]);
    }
  });
});

it('tabs are those of the views, in their order', async () => {
  const loaded = await Promise.all(viewEntries.map(({ load }) => load()));
  expect(loaded).toEqual(views);
  expect(viewEntries.map(({ id, title }) => ({ id, title }))).toEqual(views.map(({ id, title }) => ({ id, title })));
});

it('formulas render with the fonts that ship', () => {
  expect(() => renderFormula(String.raw`\mathit{maxIter} \bar X \operatorname{sgn}`)).not.toThrow();
});
