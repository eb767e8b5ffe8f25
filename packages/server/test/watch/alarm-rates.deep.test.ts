import { Random } from 'halfspace/runs';
import { expect, test } from 'vitest';
import type { Alarm } from '../../src/watch/alarm.ts';
import { ErrorWatch } from '../../src/watch/error-watch.ts';
import { Watcher } from '../../src/watch/watcher.ts';
import { type Example, normal, Watched } from './streams.ts';

/** Numbers of several shapes: normal, even, heavy to one side, heavy to both, rare, and counts. */
function shapes(random: Random): Record<string, number> {
  return {
    normal: normal(random),
    even: random.uniform(),
    skew: 2 ** (2 * normal(random)),
    heavy: normal(random) / (0.05 + random.uniform()),
    rare: random.uniform() < 0.01 ? 1 : 0,
    count: Math.floor(10 * random.uniform() ** 4),
    small: 1e-9 * normal(random),
    large: 1e12 + normal(random),
  };
}

/** Alarms of streams of so many examples each, by seeds. */
function alarms(seeds: number, examples: number, next: (random: Random, e: number) => Example): Alarm[] {
  return Array.from({ length: seeds }, (_, seed) => {
    const random = new Random(seed);
    const model = new Watched();
    const watcher = new Watcher();
    return Array.from({ length: examples }, (_, e) => model.learn(next(random, e), watcher).alarms).flat();
  }).flat();
}

test('500,000 examples of stationary streams with 8 inputs give no alarm of an input', () => {
  const raised = alarms(10, 50_000, (random) => ({ row: shapes(random), label: random.uniform() < 0.5 ? 'a' : 'b' }));
  expect(raised.filter(({ of }) => of === 'input')).toEqual([]);
});

/** Positions of the alarms on errors of these shares. */
function errorAlarms(seed: number, examples: number, shareOf: (e: number) => number): number[] {
  const random = new Random(seed);
  const watch = new ErrorWatch();
  return Array.from({ length: examples }, (_, e) => e).filter(
    (e) => watch.update(random.uniform() < shareOf(e) ? 1 : 0) !== null,
  );
}

test.each([0.01, 0.1, 0.3, 0.5])('1,000,000 answers with independent errors of share %f give no alarm', (p) => {
  const raised = Array.from({ length: 20 }, (_, seed) => errorAlarms(seed, 50_000, () => p)).flat();
  expect(raised).toEqual([]);
});

test('a share of errors that rises from 0.1 to 0.4 is found once, within 250 answers', () => {
  for (let seed = 0; seed < 50; seed++) {
    const raised = errorAlarms(seed, 6000, (e) => (e < 5000 ? 0.1 : 0.4));
    expect(raised).toHaveLength(1);
    expect(raised[0]).toBeGreaterThanOrEqual(5000);
    expect(raised[0]).toBeLessThan(5250);
  }
});

test('a shift of one of 8 inputs by a standard deviation is found in 69 of 70 streams, in half within 80 examples', () => {
  const delays: number[] = [];
  for (const input of ['normal', 'even', 'skew', 'heavy', 'count', 'small', 'large'])
    for (let seed = 0; seed < 10; seed++) {
      const random = new Random(100 + seed);
      const first = Array.from({ length: 1000 }, () => shapes(random)[input]!);
      const mean = first.reduce((sum, each) => sum + each, 0) / first.length;
      const deviation = Math.sqrt(first.reduce((sum, each) => sum + (each - mean) ** 2, 0) / first.length);
      const raised = alarms(1, 5000, (_, e) => {
        const row = shapes(random);
        if (e >= 4000) row[input]! += deviation;
        return { row, label: random.uniform() < 0.5 ? 'a' : 'b' };
      }).filter(({ of }) => of === 'input');
      expect(raised.filter((alarm) => alarm.input !== input || alarm.examples <= 4000)).toEqual([]);
      // Of numbers with few far values, the deviation of the first 100 may be a fraction of that of all.
      delays.push((raised[0]?.examples ?? Infinity) - 4000);
    }
  delays.sort((a, b) => a - b);
  expect(delays[34]).toBeLessThanOrEqual(80);
  expect(delays[62]).toBeLessThanOrEqual(250);
  expect(delays.at(-2)).toBeLessThanOrEqual(1000);
});
