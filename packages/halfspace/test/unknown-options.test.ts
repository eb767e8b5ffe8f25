import { describe, expect, it } from 'vitest';
import { HalfspaceError } from '../src/errors.ts';
import { evaluate } from '../src/model/judge.ts';
import { MulticlassPerceptron } from '../src/rules/multiclass-perceptron.ts';
import {
  completeRuleOptions,
  createLearner,
  createMulticlassLearner,
  type RuleName,
  rules,
} from '../src/rules/registry.ts';
import { compareRules } from '../src/select/compare-rules.ts';
import { learningCurve, validationCurve } from '../src/select/curves.ts';
import { train } from '../src/select/train.ts';
import { rows as rowsOf } from '../src/table/rows.ts';
import { findMaximumMargin } from '../src/train/find-margin.ts';
import { trainOnce } from '../src/train/train-once.ts';
import { reference } from './support/kernels.ts';
import { learnedByExample } from './support/several.ts';

const kernels = reference();
const rows = [
  { x: 1, y: 'a' },
  { x: 2, y: 'b' },
  { x: 3, y: 'b' },
];
const source = () => rowsOf(rows, { label: 'y' });
const strange = { alhpa: 1 } as object;

/** Everything that takes options, with a name that none of them has. */
const takers: Readonly<Record<string, () => unknown>> = {
  train: () => train(source(), strange),
  'a rule of train': () => train(source(), { rule: { name: 'sgd', ...strange } }),
  trainOnce: () => trainOnce([] as never, strange),
  evaluate: async () => evaluate((await train(source())).model, source(), strange),
  compareRules: () => compareRules(source(), strange),
  'a candidate': () => compareRules(source(), { candidates: [{ name: 'sgd', ...strange }] }),
  learningCurve: () => learningCurve(source(), strange),
  validationCurve: () => validationCurve(source(), { rule: { name: 'sgd', ...strange } }),
  findMaximumMargin: () => findMaximumMargin(source(), strange),
  rows: () => rowsOf(rows, { label: 'y', ...strange }),
  MulticlassPerceptron: () => new MulticlassPerceptron('perceptron', strange),
  ...Object.fromEntries(
    (Object.keys(rules) as RuleName[]).map((rule) => [
      `the options of ${rule}`,
      () => completeRuleOptions(rule, strange),
    ]),
  ),
  ...Object.fromEntries(
    learnedByExample.flatMap((rule) => [
      [`a learner by ${rule}`, () => createLearner(kernels, rule, strange)],
      [`learners by ${rule}`, () => createMulticlassLearner(kernels, rule, 'one-vs-rest', { ...strange, classes: 3 })],
    ]),
  ),
};

describe('an unknown option', () => {
  it.each(Object.entries(takers))('is refused by %s', async (_, take) => {
    const taken = (async () => take())();
    await expect(taken).rejects.toBeInstanceOf(HalfspaceError);
    await expect(taken).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining('got "alhpa"'),
    });
  });

  it('is refused with the name that was probably meant', () => {
    expect(() => createLearner(kernels, 'sgd', strange)).toThrow('got "alhpa"; did you mean "alpha"?');
    expect(() => createLearner(kernels, 'tre' as 'tree', {})).toThrow('; did you mean "tree"?');
  });

  it('is refused by the types if it is written out, as is an option of another rule', () => {
    // @ts-expect-error: sgd has `alpha`.
    expect(() => createLearner(kernels, 'sgd', { alhpa: 1 })).toThrow(HalfspaceError);
    // @ts-expect-error: `margin` is an option of another rule.
    expect(() => createLearner(kernels, 'averaged', { margin: 1 })).toThrow(HalfspaceError);
    // @ts-expect-error: a number.
    expect(() => createLearner(kernels, 'arow', { r: '1' })).toThrow(HalfspaceError);
    expect(() => createLearner(kernels, 'arow', { r: 2, tie: 1, biasConstant: 0 })).not.toThrow();
  });

  it('counts as absent where it is undefined', () => {
    expect(() => createLearner(kernels, 'sgd', { alhpa: undefined } as object)).not.toThrow();
  });
});
