import fc from 'fast-check';
import { type DenseBatch, denseBatch, type SparseBatch, sparseBatch } from '../../src/batch.ts';
import type { Example } from '../oracles/oracle.ts';

/** Multiples of 1/8 in [−2, 2], so that every sum in these tests is exact and independent of its order. */
export const dyadic = fc.integer({ min: -16, max: 16 }).map((eighths) => eighths / 8);

/** Decimal fractions, which no double holds: every sum rounds, and the order of summation shows. */
export const decimal = fc
  .integer({ min: 1, max: 399 })
  .chain((hundredths) => fc.constantFrom(hundredths / 100, -hundredths / 100));

/** Data sets with examples of both classes. */
export function examplesOf(
  number: fc.Arbitrary<number>,
  { rows = 12, features = 9 }: { rows?: number; features?: number } = {},
): fc.Arbitrary<Example[]> {
  return fc
    .integer({ min: 1, max: features })
    .chain((d) =>
      fc.array(
        fc.record({
          x: fc.array(number, { minLength: d, maxLength: d }),
          y: fc.constantFrom(-1 as const, 1 as const),
        }),
        { minLength: 2, maxLength: rows },
      ),
    )
    .map((data) => {
      // A run needs both classes; turning one label is less waste than drawing again.
      if (data.every(({ y }) => y === data[0]!.y)) data[data.length - 1]!.y = data[0]!.y === 1 ? -1 : 1;
      return data;
    });
}

export function dense(data: readonly Example[]): DenseBatch {
  return denseBatch(
    data.map(({ x }) => x),
    data.map(({ y }) => y),
  );
}

/** Leaves out zeros, unless `zeros` keeps them so that elements are in the same lanes as in a dense row. */
export function sparse(data: readonly Example[], { zeros = false } = {}): SparseBatch {
  const batch = sparseBatch(
    data.map(({ x }) => {
      const indices = x.map((_, j) => j).filter((j) => zeros || x[j] !== 0);
      return { indices, values: indices.map((j) => x[j]!) };
    }),
    data.map(({ y }) => y),
  );
  // The longest row may end in zeros that were left out.
  return { ...batch, dimension: data[0]?.x.length ?? 0 };
}

/** An example of the given numbers, for data sets written out in a test. */
export function example(y: -1 | 1, ...x: number[]): Example {
  return { x, y };
}

export const xor = [example(-1, 0, 0), example(1, 0, 1), example(1, 1, 0), example(-1, 1, 1)];

/** Four points that a line separates. */
export const fourApart = [example(1, 2, 1), example(-1, -1, 0), example(1, 1, 3), example(-1, 0, -2)];
