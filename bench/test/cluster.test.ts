import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Calendar, Line } from '../src/cluster/calendar.mjs';
import { costs } from '../src/cluster/costs.mjs';
import { simulate } from '../src/cluster/simulate.mjs';

it('lets events happen by time, then in the order in which they were entered', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5)), (times) => {
      const calendar = new Calendar();
      const seen: [number, number][] = [];
      for (const [k, time] of times.entries()) calendar.after(time, () => seen.push([calendar.now, k]));
      calendar.run();
      expect(seen).toEqual(times.map((time, k) => [time, k]).sort(([s, j], [t, k]) => s! - t! || j! - k!));
    }),
  );
});

it('serves one request after the other', () => {
  const calendar = new Calendar();
  const line = new Line(calendar);
  const done: number[] = [];
  for (const seconds of [3, 1]) line.serve(seconds, () => done.push(calendar.now));
  calendar.after(10, () => line.serve(2, () => done.push(calendar.now)));
  calendar.run();
  expect(done).toEqual([3, 4, 12]);
});

const mixings = ['driver', 'tree'] as const;

// Without chance, and with a driver that does one thing at a time, the times can be written down.
it('agrees with the sum of all costs where nothing overlaps', () => {
  const sure = { ...costs, spread: 0, slow: 0, failures: 0, cores: 1, dispatch: 0 };
  const size = fc.record({ rows: fc.integer({ min: 1, max: 1e9 }), features: fc.integer({ min: 1, max: 1e7 }) });
  fc.assert(
    fc.property(size, fc.integer({ min: 1, max: 5 }), fc.constantFrom(...mixings), (amounts, rounds, mixing) => {
      const { rows, features } = amounts;
      const job = { rows, features, rounds, nonzeros: 50, machines: 1, mixing } as const;
      const values = rows * 50;
      const link = (sure.weight * features) / sure.network;
      const add = 2 * features * sure.add;
      const read = Math.max(0, values * sure.stored - sure.memory) / sure.disk;
      const task = sure.start + features * sure.take + values * (sure.feed + sure.learn) + read;
      const mixed = add + { driver: link, tree: sure.part * link + 2 * features * sure.addPart }[mixing];
      const expected = sure.turn + values * sure.source + rounds * (sure.turn + link + task + mixed);
      const found = simulate(job, sure);
      expect(found.seconds).toBeCloseTo(expected, 6);
      expect(found.load + found.parts.send + found.parts.task + found.parts.wait + found.parts.mix).toBeCloseTo(
        expected,
        6,
      );
    }),
    { numRuns: 50 },
  );
});

it('waits for the slowest machine, and for one that is replaced', () => {
  const job = { rows: 1e8, features: 1000, rounds: 1, nonzeros: 50, machines: 100, mixing: 'tree' } as const;
  const equal = { ...costs, spread: 0, slow: 0, failures: 0, dispatch: 0 };
  const usual = simulate(job, equal);
  expect(usual.parts.wait).toBeLessThan(1);
  expect(simulate(job, { ...equal, slow: 0.05, slowness: 3 }).parts.wait).toBeGreaterThan(1.9 * usual.parts.task);
  const failing = simulate(job, { ...equal, failures: 1 / usual.parts.task / 10 });
  expect(failing.lost).toBeGreaterThan(0);
  expect(failing.parts.wait).toBeGreaterThan(equal.detect + equal.replace);
});
