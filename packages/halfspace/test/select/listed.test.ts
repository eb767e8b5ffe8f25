import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import {
  type ClassWeights,
  type Compared,
  type CompareOptions,
  compareRules,
  encodeModel,
  type RuleToTry,
  rows,
  type TrainOptions,
  train,
} from '../../src/index.ts';

const points = Array.from({ length: 60 }, (_, i) => ({
  x: Math.sin(12.9898 * i) + (i % 3),
  y: Math.cos(78.233 * i),
  place: 'abc'[i % 3]!,
}));
const standard = rows(points, { label: 'place' });
const raw = rows(points, { label: 'place', scale: 'none' });

/** What a setting is worth, beside its rank. */
const worth = ({ behind: _, ...rest }: Compared) => rest;
const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const rules: fc.Arbitrary<RuleToTry> = fc.oneof(
  fc.record({
    name: fc.constant('sgd' as const),
    alpha: some(1e-4, 1e-2),
    loss: some<'hinge' | 'logistic'>('hinge', 'logistic'),
  }),
  fc.record({ name: fc.constant('logistic' as const), alpha: some(0.1, 0.01) }),
  fc.constant('averaged' as const),
);
const searches = fc.record({
  candidates: fc.array(rules, { minLength: 1, maxLength: 2 }),
  passes: some(1, 2, 5),
  classWeights: some<ClassWeights>({}, 'balanced', { a: 3 }),
});
const shared = { folds: 3, repeats: 2, metric: 'accuracy' } as const;

describe('lists of values', () => {
  it('are worth what each combination is worth alone, bit for bit', () =>
    forAllAsync(20, searches, async (lists) => {
      const { compared, untried } = await compareRules([standard, raw], { ...shared, ...lists });
      expect(untried).toEqual([]);
      for (const each of compared) {
        const { rule, passes, source } = each;
        const alone: CompareOptions = { ...shared, candidates: [rule], passes, classWeights: each.classWeights ?? {} };
        const [one] = (await compareRules(source === 0 ? standard : raw, alone)).compared;
        expect({ ...worth(one!), source }).toEqual(worth(each));
      }
    }));

  it('end between candidates when the time is over, and name what was not tried', () =>
    forAllAsync(20, searches, async (lists) => {
      const whole = await compareRules([standard, raw], { ...shared, ...lists });
      const { compared, untried } = await compareRules([standard, raw], { ...shared, ...lists, seconds: 1e-9 });
      const all = whole.compared.map(({ rule, multiclass, passes, classWeights, source }) => ({
        ...{ rule, multiclass, passes, classWeights, source },
      }));
      const tried = compared.map(({ rule, multiclass, passes, classWeights, source }) => ({
        ...{ rule, multiclass, passes, classWeights, source },
      }));
      // One run is judged after all numbers of passes.
      expect(tried.length).toBe(tried[0]!.rule.name === 'logistic' ? 1 : lists.passes.length);
      expect([...tried, ...untried]).toHaveLength(all.length);
      expect([...tried, ...untried]).toEqual(expect.arrayContaining(all));
      for (const each of compared) expect(whole.compared.map(worth)).toContainEqual(worth(each));
      expect((await compareRules([standard, raw], { ...shared, ...lists, seconds: 1000 })).compared).toEqual(
        whole.compared,
      );
    }));

  it('give the model of the chosen values, and begin with the first repetition of all', () =>
    forAllAsync(20, searches, async ({ candidates, passes, classWeights }) => {
      const asked = { metric: 'accuracy', folds: 3, holdout: 0.2 } as const;
      const lists: TrainOptions = { ...asked, rule: candidates, passes, classWeights };
      const { model, search, crossValidation } = await train([standard, raw], lists);
      const { tried, taken, why, untried } = search!;
      const chosen = tried[taken]!;
      const { metric: _, ...rest } = asked;
      const own = chosen.rule.name === 'logistic' ? {} : { passes: chosen.passes };
      const named: TrainOptions = { ...rest, ...own, rule: chosen.rule, classWeights: chosen.classWeights ?? {} };
      const alone = await train(chosen.source === 0 ? standard : raw, named);
      expect(encodeModel(model)).toBe(encodeModel(alone.model));
      expect(crossValidation).toEqual(alone.crossValidation);
      expect(why).toBe(taken === 0 ? 'best' : 'simplest');
      expect(untried).toEqual([]);
      for (const [k, { value, folds }] of tried.entries()) {
        expect([6, 9, 12, 15]).toContain(folds);
        expect(folds).toBe(tried[0]!.folds);
        expect(value).toBeLessThanOrEqual(tried[Math.max(0, k - 1)]!.value);
      }
      const few = await train([standard, raw], { ...lists, seconds: 1e-9 });
      expect(few.search!.tried.length + few.search!.untried.length).toBe(tried.length);
      for (const { folds } of few.search!.tried) expect(folds).toBe(3);
    }));

  it('leave the most regularised of equals, of the fewest passes', async () => {
    const apart = rows(
      Array.from({ length: 60 }, (_, i) => ({ x: (i % 2) * 10 + Math.sin(i), place: 'ab'[i % 2]! })),
      { label: 'place' },
    );
    const { model, search } = await train(apart, { rule: { name: 'sgd', alpha: [1e-5, 1e-2, 1e-3] }, passes: [9, 3] });
    expect(search.tried).toHaveLength(6);
    expect(model.options).toMatchObject({ alpha: 0.01 });
    expect(search.tried[search.taken]!.passes).toBe(3);
  });

  it.each([
    [{ rule: 'auto', passes: [1, 2] }, 'lists of values are for rules that are named'],
    [{ rule: { name: 'sgd', alpha: [1, 2] }, patience: 3 }, 'patience is for a rule that is named'],
    [{ rule: ['tree', 'averaged'] }, 'expected rules that all take numbers scaled, or all as they are'],
    [{ rule: { name: 'logistic', alpha: [1, 2] }, bend: 9 }, 'bend and pairs are for a run without lists of values'],
    [{ rule: 'averaged', seconds: 9 }, 'seconds is for a search by lists of values; got none'],
  ])('for a training that do not fit are refused: %j', (options, message) =>
    expect(train(standard, options as TrainOptions)).rejects.toThrow(message),
  );

  it.each([
    [{ candidates: [{ name: 'sgd', alpha: [] }] }, 'alpha must be a value or a list of values; got an empty list'],
    [{ candidates: [{ name: 'sgd', alpha: [0.1, -1] }] }, 'alpha must be in [0, ∞); got -1'],
    [{ passes: [1, 0] }, 'passes must be a whole number from 1; got 0'],
    [{ classWeights: ['none'] }, 'classWeights must be balanced or numbers by class; got "none"'],
    [{ seconds: 0 }, 'seconds must be above 0; got 0'],
    [{ passes: Array.from({ length: 10_001 }, (_, i) => i + 1) }, 'at most 10000 combinations of values'],
  ])('that do not fit are refused: %j', (options, message) =>
    expect(compareRules(standard, options as CompareOptions)).rejects.toThrow(message),
  );

  it('are refused for sources with other rows', () =>
    expect(
      compareRules([standard, rows(points.slice(1), { label: 'place' })], { ...shared, candidates: ['averaged'] }),
    ).rejects.toThrow(
      'expected sources with the same rows in the same order; got 60 rows of a, b, c, then 59 rows of a, b, c',
    ));
});
