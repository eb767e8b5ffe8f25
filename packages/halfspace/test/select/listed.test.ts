import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import {
  type ClassWeights,
  type Compared,
  type CompareOptions,
  compareRules,
  type RuleToTry,
  rows,
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
