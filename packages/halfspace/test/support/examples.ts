import fc from 'fast-check';
import { type DenseBatch, denseBatch, type SparseBatch, sparseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import type { RunOptions } from '../../src/train/options.ts';
import type { TrainingReport } from '../../src/train/report.ts';
import type { Example } from '../oracles/oracle.ts';
import { train } from './arithmetic.ts';
import { wasm } from './kernels.ts';

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

/** A data set with a known separator, in dyadic numbers of few bits, so that inequalities can be checked exactly. */
export interface Separable {
  readonly data: readonly Example[];
  /** w*, through the origin; its length is the integer `norm`. */
  readonly separator: readonly number[];
  readonly norm: number;
  /** min y(w*·x) > 0; the margin is γ = least / norm. */
  readonly least: number;
  /** R² = max‖x‖². */
  readonly squaredRadius: number;
}

/** Integer vectors of integer length. */
const separators = [
  { separator: [1], norm: 1 },
  { separator: [3, -4], norm: 5 },
  { separator: [1, 2, 2], norm: 3 },
  { separator: [-2, 3, 6], norm: 7 },
  { separator: [1, 1, -1, 1], norm: 2 },
  { separator: [2, 4, -5, 6, 0], norm: 9 },
];

export function dot(w: ArrayLike<number>, x: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += w[j]! * x[j]!;
  return sum;
}

/** Points of the grid at least `gap` beyond w*·x = 0 (in units of w*·x), labelled by their side. */
export function separable({ rows = 16, gap = 1 / 4 } = {}): fc.Arbitrary<Separable> {
  return fc.constantFrom(...separators).chain(({ separator, norm }) =>
    fc
      .array(fc.array(dyadic, { minLength: separator.length, maxLength: separator.length }), {
        minLength: 2,
        maxLength: rows,
      })
      .map((points) => {
        const far = points.filter((x) => Math.abs(dot(separator, x)) >= gap);
        // Mirrored copies make sure of both classes.
        far.push(
          separator.slice(),
          separator.map((component) => -component),
        );
        const data = far.map((x): Example => ({ x, y: dot(separator, x) > 0 ? 1 : -1 }));
        const least = Math.min(...data.map(({ x, y }) => y * dot(separator, x)));
        const squaredRadius = Math.max(...data.map(({ x }) => dot(x, x)));
        return { data, separator, norm, least, squaredRadius };
      }),
  );
}

const kernels = wasm();

/** A run over dense rows. */
export function run(
  data: readonly Example[],
  options: RunOptions = {},
): Promise<{ model: LinearModel; report: TrainingReport }> {
  return train(arraySource(dense(data)), { kernels, ...options });
}

/** Examples as the judging functions take them. */
export interface Scored {
  readonly scores: Float64Array;
  readonly labels: Float64Array;
  readonly importance: Float64Array | null;
}

/** Few distinct scores, so that many are equal; importance, if any, in quarters, some 0; both classes have weight. */
export const scored: fc.Arbitrary<Scored> = fc
  .tuple(
    fc.array(
      fc.record({
        score: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -100, max: 100, noNaN: true })),
        y: fc.constantFrom(-1, 1),
        quarters: fc.nat(8),
      }),
      { minLength: 0, maxLength: 30 },
    ),
    fc.boolean(),
  )
  .map(([rows, weighted]) => {
    // One of either class, so that both are there and weigh something.
    const all = [...rows, { score: 0.5, y: 1, quarters: 3 }, { score: 1, y: -1, quarters: 5 }];
    return {
      scores: Float64Array.from(all, ({ score }) => score),
      labels: Float64Array.from(all, ({ y }) => y),
      importance: weighted ? Float64Array.from(all, ({ quarters }) => quarters / 4) : null,
    };
  });

export const weightOf = ({ importance }: Scored, i: number): number => (importance === null ? 1 : importance[i]!);
