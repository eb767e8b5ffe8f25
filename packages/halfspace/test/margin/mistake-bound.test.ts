import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { freundSchapireBound, mohriRostamizadehBound } from '../../src/margin/bounds.ts';
import { DeviationTally, type MistakeBound } from '../../src/margin/mistake-bound.ts';
import type { RunOptions } from '../../src/train/options.ts';
import type { Example } from '../oracles/oracle.ts';
import { exact, exactDot, lifted } from '../support/exact.ts';
import { decimal, dense, dyadic, example, examplesOf, fourApart } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { train } from '../support/linear.ts';
import { run } from '../support/runs.ts';

const kernels = wasm();
const rules = fc.constantFrom('perceptron' as const, 'averaged' as const);
const orders = fc.constantFrom('cyclic' as const, 'shuffled' as const, 'shuffled-once' as const);
const passes = fc.integer({ min: 1, max: 30 });

/** Digits after the point of the numbers below. */
const places = 400n;
const unit = 10n ** places;

function root(square: bigint): bigint {
  if (square < 2n) return square;
  let x = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (let next = (x + square / x) >> 1n; next < x; next = (x + square / x) >> 1n) x = next;
  return x;
}

/** A double in units of 10⁻⁴⁰⁰, rounded down. */
const fixed = (value: number) => (exact(value) * unit) >> 1074n;

/** R, S and D in units of 10⁻⁴⁰⁰, right but for a few units. */
interface Exact {
  readonly radius: bigint;
  readonly sum: bigint;
  readonly norm: bigint;
}
const few = 1000n;

/** Returns R, S and D for a margin and u = w/‖w‖. */
function exactly(data: readonly Example[], w: readonly number[], margin: number): Exact {
  const norm = root((exactDot(w, w) * unit * unit) >> 2148n);
  const deviations = data
    .map(({ x, y }) => fixed(margin) - (((BigInt(y) * exactDot(w, x) * unit * unit) / norm) >> 2148n))
    .map((lack) => (lack > 0n ? lack : 0n));
  return {
    radius: data.map(({ x }) => root((exactDot(x, x) * unit * unit) >> 2148n)).reduce((a, b) => (a > b ? a : b)),
    sum: deviations.reduce((a, b) => a + b),
    norm: root(deviations.map((each) => each * each).reduce((a, b) => a + b)),
  };
}

/** Returns true if the figures of a bound are upper bounds of the exact ones, and give its number of updates. */
function holds({ theorem, margin, updates, ...bound }: MistakeBound, { radius, sum, norm }: Exact): boolean {
  const most = BigInt(bound.passes);
  const [r, g, deviation, next] = [fixed(bound.radius), fixed(margin), fixed(bound.deviation), BigInt(updates + 1)];
  if (r + few < radius || deviation + few < (theorem === 'freund-schapire' ? norm : sum)) return false;
  // One update more breaks the inequality of the theorem.
  return theorem === 'freund-schapire'
    ? root(next * unit * unit) * g > (r + root(most * deviation * deviation)) * unit
    : next * g > most * deviation + (root(next * unit * unit) * r) / unit;
}

const rounded = (value: bigint) => Number(value / 10n ** (places - 20n)) / 1e20;

/** Returns the bound of a theorem for a margin in plain doubles. */
function plainly(theorem: MistakeBound['theorem'], margin: number, most: number, exact: Exact): number {
  const [radius, sum, norm] = [exact.radius, exact.sum, exact.norm].map(rounded) as [number, number, number];
  return theorem === 'freund-schapire'
    ? freundSchapireBound(radius, margin, { norm: Math.sqrt(most) * norm })
    : mohriRostamizadehBound(radius, margin, { sum: most * sum });
}

/** Data sets with one row that has both classes. */
const contradictory = (number: fc.Arbitrary<number>) =>
  examplesOf(number, { rows: 20, features: 4 }).map(
    (data) => [...data, { x: data[0]!.x, y: data[0]!.y === 1 ? -1 : 1 }] as Example[],
  );

describe('the bounds of a run on rows that need not be separable', () => {
  it.each([
    ['exact', contradictory(dyadic)],
    ['rounded', contradictory(decimal)],
  ])('hold exactly for its hyperplane, are low, and the run stays below them: %s sums', async (_, problems) => {
    await fc.assert(
      fc.asyncProperty(problems, rules, orders, passes, fc.nat(99), async (data, rule, order, most, seed) => {
        const { model, report } = await run(data, { rule, order, passes: most, seed });
        const w = [model.bias, ...model.weights];
        expect(report.mistakeBounds === null).toBe(w.every((weight) => weight === 0));
        for (const bound of report.mistakeBounds ?? []) {
          const { theorem, margin, updates } = bound;
          const at = (other: number) => exactly(lifted(data), w, other);
          expect(report.updates).toBeLessThanOrEqual(updates);
          expect(bound.passes).toBe(report.passes);
          expect(holds(bound, at(margin))).toBe(true);
          expect(updates).toBeLessThanOrEqual(plainly(theorem, margin, most, at(margin)) * (1 + 1e-9));
          for (const other of [margin / 2, margin * 2].filter((each) => each <= bound.radius / 2))
            expect(updates).toBeLessThanOrEqual(plainly(theorem, other, most, at(other)) * (1 + 1e-9));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('do not change with the sizes of batches', () => {
    const data = [...fourApart, example(1, -1, -1)];
    const boundsOf = (batches: Example[][]) => {
      const tally = new DeviationTally(Math.SQRT2, 2, 0);
      for (const rows of batches)
        tally.add(
          dense(rows),
          Float64Array.from(rows, ({ x }) => x[0]! + x[1]!),
          Float64Array.from(rows, ({ x }) => x[0]! ** 2 + x[1]! ** 2),
        );
      return tally.bounds({ radius: 4, passes: 3, updates: 5 });
    };
    expect(boundsOf([data])).not.toBeNull();
    expect(boundsOf([data.slice(0, 3), data.slice(3)])).toEqual(boundsOf([data]));
  });

  it('are not given where they need not hold, or where the margin of a hyperplane gives one', async () => {
    const noisy = [...fourApart, example(1, -1, -1), example(-1, 1, 1)];
    const boundsOf = async (options: RunOptions, batch = dense(noisy)) =>
      (await train(arraySource(batch), { kernels, passes: 3, ...options })).report.mistakeBounds;
    expect(await boundsOf({})).not.toBeNull();
    expect(await boundsOf({}, dense(fourApart))).toBeNull();
    expect(await boundsOf({ order: 'random' })).toBeNull();
    expect(await boundsOf({ start: 'example' })).toBeNull();
    expect(await boundsOf({ start: 'random' })).toBeNull();
    expect(await boundsOf({ rule: 'passive-aggressive' })).toBeNull();
    expect(await boundsOf({ classWeights: { '1': 2 } })).toBeNull();
  });
});
