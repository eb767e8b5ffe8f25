import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { murmur3 } from '../../src/features/text/hash.ts';
import type { Block } from '../../src/kernels/block.ts';
import { exponential, power } from '../../src/kernels/exponential.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { logOnePlus, naturalLog } from '../../src/kernels/natural-log.ts';
import { newtonKernels } from '../../src/kernels/newton.ts';
import { Random } from '../../src/random.ts';
import { featureHash } from '../oracles/text/vw.ts';
import { reference, wasm } from '../support/kernels.ts';

/** Returns the number of doubles between two of the same sign. */
function unitsApart(a: number, b: number): number {
  const words = new BigInt64Array(Float64Array.of(a, b).buffer);
  return Math.abs(Number(words[0]! - words[1]!));
}

describe('e^x from sums and products', () => {
  it('is within 2 units in the last place of Math.exp', () => {
    forAll(20_000, fc.double({ min: -708, max: 709, noNaN: true }), (x) => {
      expect(unitsApart(exponential(x), Math.exp(x))).toBeLessThanOrEqual(2);
    });
    for (let x = -700; x <= 700; x += 0.0173)
      expect(unitsApart(exponential(x), Math.exp(x)), `${x}`).toBeLessThanOrEqual(2);
  });

  it('is 1 at 0, tends to 0 and ∞, and returns NaN for NaN', () => {
    expect([0, -0, -708.3, -Infinity, 709.1, Infinity, Number.NaN].map(exponential)).toEqual([
      1,
      1,
      0,
      0,
      Infinity,
      Infinity,
      Number.NaN,
    ]);
  });
});

describe('t^p', () => {
  it('is within 3 units in the last place of Math.pow', () => {
    forAll(
      20_000,
      fc.double({ min: 0, max: 40, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (lnT, p) => {
        const t = Math.max(1, Math.exp(lnT));
        expect(unitsApart(power(t, p), t ** p)).toBeLessThanOrEqual(3);
      },
    );
    for (let t = 1; t < 5000; t++) expect(unitsApart(power(t, 0.5), Math.sqrt(t)), `${t}`).toBeLessThanOrEqual(3);
  });

  it('is exact for p = 0, and for p = ½ at 1 and powers of 4', () => {
    for (const t of [1, 2, 3.7, 1e9, 1e300]) expect(power(t, 0)).toBe(1);
    expect([1, 4, 16, 2 ** 40].map((t) => power(t, 0.5))).toEqual([1, 2, 4, 2 ** 20]);
  });
});

/** The distance from a number to the next. */
function ulp(x: number): number {
  return 2 ** (Math.max(-1022, Math.floor(Math.log2(Math.abs(x)))) - 52);
}

it('is within 2 ulp of Math.log', () => {
  forAll(
    5000,
    fc.oneof(
      fc.integer({ min: 2, max: 2 ** 31 - 1 }),
      fc.double({ min: 1 + 2 ** -40, max: 4, noNaN: true }),
      fc.double({ min: 1, max: 1e300, noNaN: true, minExcluded: true }),
    ),
    (x) => {
      expect(Math.abs(naturalLog(x) - Math.log(x))).toBeLessThanOrEqual(2 * ulp(Math.log(x)));
    },
  );
});

it('is 0 at 1, ln 2 at 2, and rises', () => {
  expect(naturalLog(1)).toBe(0);
  expect(naturalLog(2)).toBe(Math.LN2);
  for (let n = 1; n < 3000; n++) expect(naturalLog(n + 1)).toBeGreaterThan(naturalLog(n));
});

it('is within 3 ulp of Math for numbers below 1, and of Math.log1p for small x', () => {
  forAll(5000, fc.double({ min: 5e-324, max: 1, noNaN: true, maxExcluded: true }), (x) => {
    for (const [own, other] of [
      [naturalLog(x), Math.log(x)],
      [logOnePlus(x), Math.log1p(x)],
      [logOnePlus(-x), Math.log1p(-x)],
    ] as const)
      expect(Math.abs(own - other)).toBeLessThanOrEqual(3 * ulp(other));
  });
});

it('equals Math.log at the limits', () => {
  for (const x of [0, Infinity, -1, Number.NaN]) expect(naturalLog(x)).toBe(Math.log(x));
  for (const x of [0, -1, Infinity]) expect(logOnePlus(x)).toBe(Math.log1p(x));
});

const bytes = (text: string) => new TextEncoder().encode(text);
const hash = (text: string, seed: number) => murmur3(bytes(text), 0, bytes(text).length, seed);

describe('MurmurHash3_x86_32', () => {
  // Published test values of the algorithm; the first three are those of the empty string.
  it.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['', 0xffffffff, 0x81f16f39],
    ['a', 0x9747b28c, 0x7fa09ea6],
    ['aa', 0x9747b28c, 0x5d211726],
    ['aaa', 0x9747b28c, 0x283e0130],
    ['aaaa', 0x9747b28c, 0x5a97808a],
    ['abc', 0, 0xb3dd93fa],
    ['Hello, world!', 0x9747b28c, 0x24884cba],
    ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
  ])('of %j with seed %i is %i', (text, seed, expected) => {
    expect(hash(text, seed)).toBe(expected);
  });

  it('reads a range of bytes', () => {
    expect(murmur3(bytes('xxabcyy'), 2, 5, 0)).toBe(hash('abc', 0));
  });
});

describe('the hash of a feature', () => {
  const feature = (name: string, seed = 0) => featureHash(bytes(name), 0, bytes(name).length, seed);

  it('is the number plus the seed for digits', () => {
    expect(feature('12', 100)).toBe(112);
    expect(feature('0012', 100)).toBe(112);
    expect(feature('4294967295', 2)).toBe(1);
  });

  it('is murmur3 for everything else', () => {
    for (const name of ['a', '-5', '3.0', '1a', 'straße']) expect(feature(name, 7)).toBe(hash(name, 7));
  });

  it('ignores control characters at the ends', () => {
    expect(feature('\x0b12\x1f', 1)).toBe(13);
    expect(feature('\x0bab\x0c')).toBe(hash('ab', 0));
    expect(feature('a\x0bb')).toBe(hash('a\x0bb', 0));
  });
});

/** Returns the numbers that both implementations leave in memory. */
function both(run: (kernels: Kernels, random: Random) => Block<Float64Array>): [Float64Array, Float64Array] {
  const of = (kernels: Kernels) => run(kernels, new Random(5)).array.slice();
  return [of(wasm()), of(reference())];
}

function filled(kernels: Kernels, length: number, number: (k: number) => number): Block<Float64Array> {
  const block = kernels.float64(length);
  block.array.set(Float64Array.from({ length }, (_, k) => number(k)));
  return block;
}

describe('the kernels of Newton’s method have the bits of the reference', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 31, 66])('for a system of %i columns, and solve it', (width) => {
    /** B·Bᵀ, with two equal columns where there are eight. */
    const matrix = (random: Random) => {
      const rows = Array.from({ length: width }, () => Array.from({ length: width }, () => random.uniform() - 0.5));
      if (width >= 8) rows[7] = rows[2]!;
      return rows.map((one) => rows.map((other) => one.reduce((sum, x, k) => sum + x * other[k]!, 0)));
    };
    const [solved, expected] = both((kernels, random) => {
      const given = matrix(random);
      const factor = filled(kernels, width * width, (k) => given[Math.floor(k / width)]![k % width]!);
      const x = filled(kernels, width, (i) => given[i]!.reduce((sum, each) => sum + each, 0));
      newtonKernels(kernels).factorise(factor, width);
      newtonKernels(kernels).substitute(factor, width, x);
      const both = kernels.float64(width * width + width);
      both.array.set([...factor.array, ...x.array]);
      return both;
    });
    expect(solved).toEqual(expected);
    if (width < 8) for (const x of solved.subarray(width * width)) expect(x).toBeCloseTo(1, 6);
  });

  it.each([2, 3, 4, 5, 10, 11])('for the loops over rows of %i classes', (classes) => {
    const features = 9;
    const [results, expected] = both((kernels, random) => {
      // More rows than one call takes.
      const rows = Array.from({ length: 2100 }, (_, i) =>
        [...Array(features).keys()].filter((j) => (i * j) % 5 < i % 4),
      );
      const uint32 = (numbers: readonly number[]) => {
        const block = kernels.uint32(numbers.length);
        block.array.set(numbers);
        return block;
      };
      const number = () => random.uniform() - 0.5;
      const offsets = [0];
      for (const row of rows) offsets.push(offsets.at(-1)! + row.length);
      const width = features + 1;
      const outputs = classes > 2 ? classes : 1;
      const memory = {
        ...{ rows: rows.length, classes, width },
        offsets: uint32(offsets),
        indices: uint32(rows.flat()),
        values: filled(kernels, rows.flat().length, number),
        labels: uint32(rows.map(() => random.below(2))),
        shares: filled(kernels, rows.length, () => random.uniform()),
        probabilities: filled(kernels, rows.length * classes, () => random.uniform()),
        likeliest: uint32(rows.map(() => random.below(classes))),
        weights: filled(kernels, width * outputs, number),
        out: filled(kernels, width * outputs, number),
        row: kernels.float64(classes),
        slopes: filled(kernels, rows.length, number),
        curvatures: filled(kernels, rows.length, () => random.uniform()),
      };
      const newton = newtonKernels(kernels);
      const matrix = kernels.float64(49);
      newton.addSquares(memory, matrix, { features: 6, least: 0.1, every: classes - 1 });
      if (outputs > 1) {
        newton.softmaxProduct(memory);
        return filled(kernels, 49 + width * outputs, (n) => matrix.array[n] ?? memory.out.array[n - 49]!);
      }
      const [scores, change] = [kernels.float64(rows.length), filled(kernels, rows.length, () => 40 * number())];
      newton.scores(memory, scores);
      const losses = [0, 0.7].map((t) => newton.loss(memory, scores, change, t));
      newton.derive(memory, scores);
      newton.addRows(memory);
      newton.product(memory);
      const { slopes, curvatures, out } = memory;
      const all = [matrix, scores, slopes, curvatures, out].flatMap(({ array }) => [...array]);
      return filled(kernels, all.length + 2, (n) => all[n] ?? losses[n - all.length]!);
    });
    expect(results).toEqual(expected);
  });
});
