import { expect, test } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../test/support/properties.ts';
import { ExactSums, roundedSum } from '../../halfspace/src/shards/exact-sums.ts';
import { modelOf } from '../src/index.ts';
import { jobOf, runSteps, streamOf } from './engine.ts';

/** Doubles of all sizes, and close to half a unit in the last place of others. */
const doubles = fc.oneof(
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -120, max: 60 })).map(([a, e]) => a * 2 ** e),
);

/** Returns the exact sum of doubles in units of 2^-1074. */
function units(values: readonly number[]): bigint {
  return values.reduce((sum, value) => {
    const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
    const exponent = Number((bits >> 52n) & 2047n);
    const fraction = (bits & (2n ** 52n - 1n)) | (exponent === 0 ? 0n : 2n ** 52n);
    const size = fraction << BigInt(Math.max(0, exponent - 1));
    return value < 0 ? sum - size : sum + size;
  }, 0n);
}

test('a rounded sum is the double nearest to the exact one', () => {
  forAll(fc.array(doubles, { maxLength: 8 }), (values) => {
    const rounded = roundedSum(values);
    const distance = (value: number) => {
      const off = units([value]) - units(values);
      return off < 0n ? -off : off;
    };
    const ulp = 2 ** Math.max(-1074, Math.floor(Math.log2(Math.abs(rounded) || 2 ** -1074)) - 53);
    for (const other of [rounded + 2 * ulp, rounded - 2 * ulp, rounded + ulp, rounded - ulp])
      expect(distance(rounded) <= distance(other)).toBe(true);
  });
});

test('sums of sums hold the exact sum, whatever was added to what', () => {
  forAll(fc.array(fc.array(doubles, { maxLength: 6 }), { minLength: 1, maxLength: 5 }), (groups) => {
    const whole = new ExactSums(1);
    for (const group of groups) {
      const part = new ExactSums(2);
      for (const value of group) part.add(0, value);
      whole.addAll(part);
    }
    expect(units(whole.terms(0))).toBe(units(groups.flat()));
  });
});

interface Example {
  readonly x: readonly number[];
  readonly y: 'a' | 'b';
}

/** What a shard knows: the weights and how much was learned about each, the bias last. */
interface Known {
  readonly w: number[];
  readonly p: number[];
}

/** Learns one row, as the definition of a rule says. */
type Step = (known: Known, x: readonly number[], y: number) => void;

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, each, j) => sum + each * b[j]!, 0);

/** AdaGrad on the logistic loss: p is Σg². */
const sgdStep: Step = ({ w, p }, x, y) => {
  const f = 1 / (1 + Math.exp(y * dot(w, x)));
  x.forEach((value, j) => {
    const g = f * y * value;
    p[j]! += g * g;
    if (g !== 0) w[j]! += (0.5 * g) / Math.sqrt(p[j]!);
  });
};

/** AROW with r = 1 and a diagonal covariance: p is 1/σ. */
const arowStep: Step = ({ w, p }, x, y) => {
  const m = y * dot(w, x);
  if (m >= 1) return;
  const beta = 1 / (x.reduce((sum, value, j) => sum + (value * value) / p[j]!, 0) + 1);
  x.forEach((value, j) => {
    const s = 1 / p[j]!;
    w[j]! += (1 - m) * beta * y * s * value;
    p[j] = 1 / (s - beta * (s * value) ** 2);
  });
};

/** Mixes every weight by what each shard learned about it in the round. Returns the last weights and their mean. */
function naive(shards: readonly (readonly Example[])[], rounds: number, step: Step, from: number, power: 1 | 2) {
  const dimension = 4;
  let known: Known = { w: Array(dimension).fill(0), p: Array(dimension).fill(from) };
  const total = Array(dimension).fill(0);
  let clock = 0;
  for (let round = 0; round < rounds; round++) {
    const rows = shards.reduce((sum, shard) => sum + shard.length, 0);
    const added = Array(dimension).fill(0);
    let time = 0;
    const ends = shards.map((shard) => {
      const own = { w: [...known.w], p: [...known.p] };
      shard.forEach(({ x, y }, i) => {
        step(own, [...x, 1], y === 'b' ? 1 : -1);
        const weight = (clock + i + 1) ** power - (clock + i) ** power;
        time += weight;
        own.w.forEach((w, j) => {
          added[j] += weight * w;
        });
      });
      return own;
    });
    const stretch = ((clock + rows) ** power - clock ** power) / time;
    clock += rows;
    const gains = ends.map(({ p }) => p.map((each, j) => each - known.p[j]!));
    const before = known;
    known = {
      w: before.w.map((w, j) => {
        const gain = gains.reduce((sum, each) => sum + each[j]!, 0);
        return gain === 0 ? w : ends.reduce((sum, end, k) => sum + gains[k]![j]! * end.w[j]!, 0) / gain;
      }),
      p: before.p.map((p, j) => gains.reduce((sum, each) => sum + each[j]!, p)),
    };
    added.forEach((each, j) => {
      total[j] += stretch * each;
    });
  }
  return { last: known.w, mean: total.map((each) => each / clock ** power) };
}

const example = fc.record({
  x: fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 3, maxLength: 3 }),
  y: fc.constantFrom('a', 'b'),
});
const shards = fc.array(fc.array(example, { minLength: 4, maxLength: 20 }), { minLength: 2, maxLength: 4 });

test.each([
  [{ name: 'sgd', penalty: 'none', answer: 'last' }, sgdStep, 0, 2, 'last'],
  [{ name: 'sgd', penalty: 'none' }, sgdStep, 0, 2, 'mean'],
  [{ name: 'arow' }, arowStep, 1, 1, 'last'],
  [{ name: 'arow', average: true }, arowStep, 1, 1, 'mean'],
] as const)('%j weighs each weight by what its shards learned, as a reader of the definition would', async (...all) => {
  const [rule, step, from, power, answer] = all;
  await forAllAsync(8, shards, async (rows) => {
    if (new Set(rows.flat().map(({ y }) => y)).size < 2) return;
    const job = jobOf({ vector: 'x', rule, shards: rows.length, passes: 3 });
    const states = await runSteps(job, (k) => streamOf(rows[k]! as never, { x: 'vector', y: 'text' }));
    if (states.at(-1)!.ended === 'clean') return;
    const expected = naive(rows as never, 3, step, from, power)[answer];
    const { weights, bias } = (await modelOf(job, states.at(-1)!)) as unknown as { weights: number[]; bias: number };
    [...weights, bias].forEach((weight, j) => {
      expect(weight).toBeCloseTo(expected[j]!, 9);
    });
  });
});
