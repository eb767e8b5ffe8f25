import { describe, expect, it } from 'vitest';
import { isDeep, some } from '../../../../test/support/quick.ts';
import type { StoredBatch } from '../../src/batch.ts';
import { packCompactly } from '../../src/data/packed.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { Random } from '../../src/random.ts';
import type { LinearLearner } from '../../src/rules/learner.ts';
import { createLearner } from '../../src/rules/registry.ts';
import type { SgdOptions } from '../../src/rules/sgd-options.ts';
import { reference, wasm } from '../support/kernels.ts';
import { denseIn, inside, lengths, outside, type Place, type Rows, rows, singleIn, sparseIn } from '../support/rows.ts';

/** Rows of sixteenths, which 32-bit floats and four decimal places hold; a `share` of them is 0. */
function rowsOf(length: number, share: number, random: Random): Rows {
  const value = () => (random.uniform() < share ? 0 : (1 + random.below(99)) / (random.below(2) === 0 ? 16 : -16));
  return {
    indices: Array.from({ length: rows }, () => [...Array(length).keys()]),
    values: Array.from({ length: rows }, () => Array.from({ length }, value)),
    labels: Array.from({ length: rows }, () => (random.below(2) === 0 ? -1 : 1)),
    importance: Array.from({ length: rows }, (_, i) => (i === 3 ? 0 : 0.5 + random.uniform())),
    dimension: length,
  };
}

/** Rows of other lengths, in an order of features that is not theirs. */
function ragged(data: Rows, random: Random): Rows {
  const cut = <A>(row: readonly A[], i: number) => row.slice(0, Math.max(0, row.length - ((3 * i) % 7))).reverse();
  const gap = random.below(5);
  return {
    ...data,
    indices: data.indices.map((row, i) => cut(row, i).map((j) => 2 * j + gap)),
    values: data.values.map(cut),
    dimension: 2 * data.dimension + gap,
  };
}

type Layout = (kernels: Kernels, place: Place, data: Rows, shift: number) => StoredBatch;
const layouts: readonly (readonly [string, Layout])[] = [
  ['dense', (_, place, data, shift) => denseIn(place, data, shift)],
  ['single', (_, place, data, shift) => singleIn(place, data, shift)],
  ['sparse', (_, place, data, shift) => sparseIn(place, data, shift)],
  ['compact', (kernels, _, data) => packCompactly(kernels, sparseIn(outside(), data, 0), 4)!.packed.batch],
];
const learners: readonly (readonly [string, (kernels: Kernels) => LinearLearner])[] = [
  ...(
    [
      {},
      { loss: 'hinge', penalty: 'none' },
      { penalty: 'elastic-net', l1Ratio: 0.3, alpha: 0.01 },
      { schedule: 'constant', penalty: 'l1', alpha: 0.01, answer: 'mean' },
    ] as const satisfies readonly SgdOptions[]
  ).map(
    (options) =>
      [`sgd ${Object.values(options)}`, (kernels: Kernels) => createLearner(kernels, 'sgd', options)] as const,
  ),
  ['arow', (kernels) => createLearner(kernels, 'arow', { average: true })],
];

/** The deep tests try all lengths; the quick ones those around the ends of loops. */
const tried = some(
  lengths.filter((length) => isDeep || length < 14 || length > 60),
  3,
);

/** All that a learner knows, in bits. */
function bitsAfter(create: (kernels: Kernels) => LinearLearner, kernels: Kernels, batch: StoredBatch): bigint[] {
  const learner = create(kernels);
  for (let pass = 0; pass < 3; pass++) learner.learn(batch);
  const { weights, sums, scalars, vectors } = learner.state();
  learner.free();
  return [weights, sums ?? [], scalars, ...Object.values(vectors!)].flatMap((numbers) => [
    ...new BigInt64Array(Float64Array.from(numbers).buffer),
  ]);
}

describe.each(layouts)('the nonzeros of %s rows', (layout, batchIn) => {
  it.each(learners)(
    'alone determine what a rule learns, wherever they are and whatever surrounds them: %s',
    (_, create) => {
      const random = new Random(11);
      for (const length of tried)
        for (const share of some([0.1, 0, 0.8, 1], 2)) {
          const even = rowsOf(length, share, random);
          const data = layout === 'dense' || layout === 'single' ? even : ragged(even, random);
          // Without its zeros the same rows are sparse rows of the same nonzeros in the same order.
          const kept = data.values.map((row) => row.map((value) => value !== 0));
          const plain: Rows = {
            ...data,
            values: data.values.map((row, i) => row.filter((_, k) => kept[i]![k]!)),
            indices: data.indices.map((row, i) => row.filter((_, k) => kept[i]![k]!)),
          };
          const expected = bitsAfter(create, reference(), sparseIn(outside(), plain, 0));
          const kernels = wasm();
          for (const place of [outside(), inside(kernels)])
            for (const on of place.name === 'inside kernel memory' ? [kernels] : [kernels, reference()]) {
              const shift = random.below(8);
              expect(bitsAfter(create, on, batchIn(on, place, data, shift)), `${length}, ${share}`).toEqual(expected);
            }
        }
    },
  );
});
