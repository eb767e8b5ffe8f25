import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { metricNames } from '../../src/evaluate/metric.ts';
import { compareRules, rows, train } from '../../src/index.ts';
import { errorsBehind, simplest } from '../../src/select/simplest.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
/** Losses by fold; some folds define none for all. */
const contenders = fc.uniqueArray(fc.nat(6), { minLength: 2, maxLength: 7 }).chain((defined) =>
  fc.array(
    fc.record({
      losses: fc
        .array(fc.nat(9), { minLength: 7, maxLength: 7 })
        .map((losses) => losses.map((loss, fold) => (defined.includes(fold) ? loss : Number.NaN))),
      complexity: fc.tuple(fc.nat(2), fc.nat(2)),
    }),
    { minLength: 1, maxLength: 8 },
  ),
);
const judged = (losses: readonly number[]) => losses.map((loss) => ({ examples: 10, errors: 3, accuracy: 0.7, loss }));

describe('the order of simplicity', () => {
  it('chooses the simplest that is at most one standard error of the differences by fold above the best', () =>
    forAll(300, contenders, (all) => {
      const known = all.map(({ losses }) => losses.filter((loss) => !Number.isNaN(loss)));
      const means = known.map((losses) => sum(losses) / losses.length);
      const best = means.indexOf(Math.min(...means));
      const isLevel = known.map((losses, k) => {
        const more = losses.map((loss, fold) => loss - known[best]![fold]!);
        const mean = sum(more) / more.length;
        const error = Math.sqrt(sum(more.map((each) => (each - mean) ** 2)) / (more.length - 1) / more.length);
        return k === best || mean <= error + 1e-9;
      });
      const keyOf = (k: number) => 10 * all[k]!.complexity[0] + all[k]!.complexity[1];
      const level = all.map((_, k) => k).filter((k) => isLevel[k]);
      const least = Math.min(...level.map(keyOf));
      const given = all.map(({ losses, complexity }) => ({ scores: judged(losses), complexity }));
      const chosen = simplest(given);
      expect(chosen).toBe(level.find((k) => keyOf(k) === least));
      // Neither the unit of the metric nor its zero decides.
      expect(
        simplest(given.map((each) => ({ ...each, scores: each.scores.map((s) => ({ ...s, loss: 4 * s.loss - 8 })) }))),
      ).toBe(chosen);
    }));

  it('takes the standard error of a single fold from its errors, if they are the metric', () => {
    const of = (errors: number, loss = errors / 100 - 1) => [
      { examples: 100, errors, accuracy: 1 - errors / 100, loss },
    ];
    expect(errorsBehind(of(25), of(24))).toBeCloseTo(1 / 7, 9);
    expect(errorsBehind(of(25, 0.5), of(24, 0.4))).toBe(Infinity);
    expect(errorsBehind(of(25, 0.5), of(24, 0.5))).toBe(0);
  });

  it('is the same for every metric, in a comparison and in a training by lists', () =>
    forAllAsync(8, fc.constantFrom(...metricNames), fc.nat(99), async (metric, seed) => {
      const points = Array.from({ length: 60 }, (_, i) => ({
        x: Math.sin(12.9898 * i + seed) + (i % 2),
        z: Math.cos(78.233 * i),
        place: 'ab'[i % 2]!,
      }));
      const cost = metric === 'cost' ? { cost: { falsePositive: 1, falseNegative: 3 } } : {};
      const asked = { metric, ...cost, folds: 3, passes: [1, 4], classWeights: {} } as const;
      const rule = [{ name: 'sgd', alpha: [1e-3, 1e-1] }, 'averaged'] as const;
      const { search } = await train(rows(points, { label: 'place' }), { ...asked, rule });
      const { tried, taken } = search!;
      const repeats = tried[0]!.folds / 3;
      const compared = await compareRules(rows(points, { label: 'place' }), { ...asked, candidates: rule, repeats });
      const settingOf = ({ rule, passes, value }: { rule: object; passes: number; value: number }) => ({
        rule,
        passes,
        value,
      });
      expect(compared.compared.map(settingOf)).toEqual(tried.map(settingOf));
      expect(compared.taken).toBe(taken);
    }));
});
