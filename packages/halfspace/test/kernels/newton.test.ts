import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/kernels/block.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { newtonKernels } from '../../src/kernels/newton.ts';
import { Random } from '../../src/random.ts';
import { reference, wasm } from '../support/kernels.ts';

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

  it.each([3, 4, 5, 10, 11])('for the product of %i classes', (classes) => {
    const features = 9;
    const [product, expected] = both((kernels, random) => {
      const rows = Array.from({ length: 12 }, (_, i) => [...Array(features).keys()].filter((j) => (i * j) % 5 < i % 4));
      const uint32 = (numbers: readonly number[]) => {
        const block = kernels.uint32(numbers.length);
        block.array.set(numbers);
        return block;
      };
      const number = () => random.uniform() - 0.5;
      const offsets = rows.map((_, i) => rows.slice(0, i + 1).flat().length);
      const width = features + 1;
      const memory = {
        ...{ rows: rows.length, classes, width },
        offsets: uint32([0, ...offsets]),
        indices: uint32(rows.flat()),
        values: filled(kernels, rows.flat().length, number),
        shares: filled(kernels, rows.length, () => random.uniform()),
        probabilities: filled(kernels, rows.length * classes, () => random.uniform()),
        likeliest: uint32(rows.map(() => random.below(classes))),
        weights: filled(kernels, width * classes, number),
        out: filled(kernels, width * classes, number),
        row: kernels.float64(classes),
      };
      newtonKernels(kernels).softmaxProduct(memory);
      return memory.out;
    });
    expect(product).toEqual(expected);
  });
});
