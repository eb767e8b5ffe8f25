import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { PrequentialMetrics, type PrequentialSummary } from '../../src/online/prequential-metrics.ts';
import { Random } from '../../src/random.ts';

interface Outcome {
  readonly predicted: number;
  readonly actual: number;
  readonly importance: number;
  readonly probability: number | null;
}

const classes = 5;
const names = ['a', 'b', 'c', 'd', 'e'];

const outcome: fc.Arbitrary<Outcome> = fc.record({
  predicted: fc.integer({ min: -1, max: classes - 1 }),
  actual: fc.nat(classes - 1),
  importance: fc.constantFrom(0, 1, 1, 1, 1, 0.1, 2, 1e-9, 1e6),
  probability: fc.oneof(fc.constant(null), fc.constantFrom(0, 1, 1e-300), fc.double({ min: 0, max: 1, noNaN: true })),
});
const outcomes = fc.array(outcome, { maxLength: 150, size: 'max' });

function metricsOf(rows: readonly Outcome[], window: number): PrequentialMetrics {
  const metrics = new PrequentialMetrics({ window });
  metrics.grow(classes);
  addAll(metrics, rows);
  return metrics;
}

function addAll(metrics: PrequentialMetrics, rows: readonly Outcome[]): void {
  for (const { predicted, actual, importance, probability } of rows)
    metrics.add(predicted, actual, importance, probability);
}

/** The figures from their definitions; `majorities` are the most frequent classes before the rows. */
function naive(rows: readonly Outcome[], majorities: readonly number[]) {
  const weigh = (test: (row: Outcome, i: number) => boolean, of = rows) =>
    of.reduce((sum, row, i) => sum + (test(row, i) ? row.importance : 0), 0);
  const weight = weigh(() => true);
  const judged = rows.filter(({ probability }) => probability !== null);
  const loss = judged.reduce((sum, row) => sum - row.importance * Math.log(Math.max(row.probability!, 2 ** -52)), 0);
  const accuracy = weigh(({ predicted, actual }) => predicted === actual) / weight;
  const present = names.map((_, k) => k).filter((k) => rows.some(({ actual }) => actual === k));
  const recalls = present.map(
    (k) => weigh((row) => row.actual === k && row.predicted === k) / weigh(({ actual }) => actual === k),
  );
  const chance = names.reduce(
    (sum, _, k) =>
      sum + (weigh(({ actual }) => actual === k) * weigh(({ predicted }) => predicted === k)) / weight ** 2,
    0,
  );
  return {
    rows: rows.length,
    weight,
    accuracy,
    balancedAccuracy: rows.length === 0 ? null : recalls.reduce((sum, each) => sum + each, 0) / recalls.length,
    kappa: rows.length === 0 || chance > 1 - 1e-12 ? null : (accuracy - chance) / (1 - chance),
    logLoss: judged.length === 0 ? null : loss / weigh(() => true, judged),
    majority: weigh(({ actual }, i) => majorities[i] === actual) / weight,
  };
}

function majoritiesOf(rows: readonly Outcome[]): number[] {
  const sums = Array(classes).fill(0);
  let most = -1;
  return rows.map(({ actual, importance }) => {
    const before = most;
    sums[actual] += importance;
    if (most === -1 || sums[actual] > sums[most]) most = actual;
    return before;
  });
}

function expectClose(given: PrequentialSummary, expected: ReturnType<typeof naive>): void {
  for (const [name, value] of Object.entries(expected)) {
    const got = given[name as keyof PrequentialSummary];
    if (value === null || Number.isNaN(value)) {
      // κ is undefined if chance is right in all rows; rounding may hide that.
      if (name !== 'kappa') expect([name, got]).toEqual([name, value]);
    } else expect(Math.abs(got! - value), name).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(value)));
  }
}

describe('prequential metrics', () => {
  it('are those of all rows, and of the latest rows in the window', () => {
    forAll(outcomes, fc.integer({ min: 1, max: 200 }), (rows, window) => {
      const result = metricsOf(rows, window).result(names);
      const counted = rows.filter(({ importance }) => importance > 0);
      const majorities = majoritiesOf(counted);
      expectClose(result, naive(counted, majorities));
      expectClose(result.window, naive(counted.slice(-window), majorities.slice(-window)));
      result.confusion!.forEach((row, i) => {
        row.forEach((sum, j) => {
          const expected = counted
            .filter(({ actual, predicted }) => actual === i && predicted === j)
            .reduce((all, { importance }) => all + importance, 0);
          expect(sum).toBe(expected);
        });
      });
    });
  });

  it('of the window have the same bits as metrics that saw its rows alone, whatever came before', () => {
    forAll(outcomes, outcomes, (before, rows) => {
      const latest = rows.filter(({ importance }) => importance > 0);
      fc.pre(latest.length > 0);
      const heavy = before.map((row) => ({ ...row, importance: row.importance * 1e190 }));
      const { majority: _, ...window } = metricsOf([...heavy, ...latest], latest.length).result(names).window;
      expect(metricsOf(latest, latest.length).result(names)).toMatchObject(window);
    });
  });

  it('keep the counts when classes join', () => {
    forAll(40, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), fc.nat(), (sizes, seed) => {
      const random = new Random(seed);
      const growing = new PrequentialMetrics();
      const full = new PrequentialMetrics();
      const most = Math.max(...sizes);
      full.grow(most);
      let known = 0;
      for (const size of sizes) {
        growing.grow(size);
        known = Math.max(known, size);
        for (let i = 0; i < 20; i++) {
          const [predicted, actual] = [random.below(known), random.below(known)];
          for (const each of [growing, full]) each.add(predicted, actual, 1, null);
        }
      }
      expect(growing.state()).toEqual(full.state());
    });
  });

  it('have no confusion matrix beyond 1,024 classes, and all other figures', () => {
    const metrics = new PrequentialMetrics();
    metrics.grow(1024);
    metrics.add(1023, 1023, 1, null);
    expect(metrics.result(['a'], [1023]).confusion).toEqual([[1]]);
    metrics.grow(1025);
    metrics.add(0, 1024, 1, null);
    const result = PrequentialMetrics.from(metrics.state()).result(['a', 'b']);
    expect(result).toMatchObject({ confusion: null, accuracy: 0.5, balancedAccuracy: 0.5 });
  });

  it('sum ten million log losses without drift', () => {
    const metrics = new PrequentialMetrics();
    metrics.grow(2);
    const rows = process.env.TEST_DEEP ? 10_000_000 : 1_000_000;
    for (let i = 0; i < rows; i++) metrics.add(0, 0, i % 2 === 0 ? 1 : 0.3, 0.9);
    const { logLoss, window, accuracy } = metrics.result(['a', 'b']);
    expect(Math.abs(logLoss! + Math.log(0.9))).toBeLessThan(1e-9);
    expect(Math.abs(window.logLoss! + Math.log(0.9))).toBeLessThan(1e-14);
    expect(accuracy).toBe(1);
  });

  it('refuse what they cannot count, and change nothing', () => {
    const metrics = metricsOf([{ predicted: 1, actual: 2, importance: 1, probability: 0.3 }], 10);
    const before = metrics.state();
    const refused = (row: [number, number, number, number | null], message: RegExp) =>
      expect(() => metrics.add(...row)).toThrow(message);
    refused([0, 0, -1, null], /expected an importance in \[0, 1e200\]; got -1/);
    refused([0, 0, Number.NaN, null], /importance/);
    refused([0, 0, 1, 1.5], /expected a probability in \[0, 1\]; got 1.5/);
    refused([0, 0, 1, Number.NaN], /probability/);
    refused([5, 0, 1, null], /expected a class below 5; got 5/);
    refused([0, 5, 1, null], /class/);
    refused([0, -1, 1, null], /class/);
    expect(metrics.state()).toEqual(before);
    expect(() => new PrequentialMetrics({ window: 0 })).toThrow(/window must be a whole number in \[1, 1000000\]/);
    expect(() => new PrequentialMetrics({ size: 3 } as object)).toThrow(
      /expected options that the prequential metrics/,
    );
  });

  it('are undefined without rows', () => {
    const { window, ...whole } = new PrequentialMetrics().result([]);
    const none = { rows: 0, weight: 0, accuracy: Number.NaN, balancedAccuracy: null, kappa: null, logLoss: null };
    expect(window).toEqual({ ...none, majority: Number.NaN });
    expect(whole).toEqual({ ...window, classes: [], confusion: [] });
  });
});
