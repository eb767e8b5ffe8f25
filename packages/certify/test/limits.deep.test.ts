import type { SparseBatch } from 'halfspace/rules';
import { Random } from 'halfspace/runs';
import { describe, expect, test } from 'vitest';
import { certify } from '../src/certify.ts';

/** Rows of numbers with labels; a search on them stays long in the stage that the set is named for. */
interface Stage {
  readonly make: (random: Random) => SparseBatch;
  readonly errors?: boolean;
}

/** Rows whose entries are drawn feature by feature; `draw` returns 0 where a row has none. */
function batchOf(
  rows: number,
  dimension: number,
  draw: (i: number, j: number) => number,
  label: (i: number) => number,
) {
  const indices: number[] = [];
  const values: number[] = [];
  const offsets = new Uint32Array(rows + 1);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < dimension; j++) {
      const value = draw(i, j);
      if (value === 0) continue;
      indices.push(j);
      values.push(value);
    }
    offsets[i + 1] = values.length;
  }
  const labels = Float64Array.from({ length: rows }, (_, i) => label(i));
  return {
    ...{ kind: 'sparse' as const, rows, dimension, offsets, labels, importance: null },
    ...{ indices: Uint32Array.from(indices), values: Float64Array.from(values) },
    decimal: new Uint8Array(dimension).fill(1),
  };
}

const thousandths = (random: Random) => (random.below(4001) - 2000) / 1000;
const coin = (random: Random) => (random.below(2) === 0 ? -1 : 1);

/** Rows of random numbers and labels of a linear function, a tenth or more of them turned round. */
function noisy(random: Random, rows: number, dimension: number, wrong: number): SparseBatch {
  const weights = Float64Array.from({ length: dimension }, () => random.uniform() - 0.5);
  const scores = new Float64Array(rows);
  const draw = (i: number, j: number) => {
    const value = thousandths(random);
    scores[i]! += value * weights[j]!;
    return value;
  };
  return batchOf(rows, dimension, draw, (i) => (scores[i]! > 0 === random.uniform() < wrong ? -1 : 1));
}

const stages: Record<string, Stage> = {
  'a dense system of 250 equations, of 500 dependent features': {
    make(random) {
      const base = Array.from({ length: 250 }, () =>
        Float64Array.from({ length: 500 }, () => random.below(2001) - 1000),
      );
      const rows = Array.from({ length: 500 }, () => {
        const sum = new Float64Array(500);
        for (const each of base) {
          const factor = random.below(2001) - 1000;
          for (let j = 0; j < 500; j++) sum[j]! += factor * each[j]!;
        }
        return sum;
      });
      return batchOf(
        500,
        500,
        (i, j) => rows[i]![j]! / 1e6,
        () => coin(random),
      );
    },
  },
  'sums and factorisations of a contradiction of 10,000 rows and 800 features': {
    make: (random) => noisy(random, 10_000, 800, 0.1),
  },
  'few errors of 3,000 noisy rows': { make: (random) => noisy(random, 3000, 20, 0.3), errors: true },
  'a linear programme of 4,000 rows by chance and 90 features': {
    make: (random) =>
      batchOf(
        4000,
        90,
        () => thousandths(random),
        () => coin(random),
      ),
  },
  'a quadratic programme, and nearest points, of 1,200 rows and 1,400 features': {
    make: (random) => noisy(random, 1200, 1400, 0),
  },
  'single features that decide, and a descent': {
    make: (random) =>
      batchOf(
        5000,
        20_000,
        () => (random.below(400) === 0 ? thousandths(random) : 0),
        () => coin(random),
      ),
  },
};

/** A search ends within 2 seconds on a quiet machine. Work beside it may stretch that by this factor. */
const busy = 4;

/** Waits for a search; one that ends before it has read all values tells so. */
async function ended(search: Promise<unknown>): Promise<void> {
  await search.catch((error) => expect(error).toMatchObject({ code: 'interrupted' }));
}

describe.each(Object.entries(stages))('%s', (_, { make, errors = false }) => {
  const examples = make(new Random(21));
  const classes = ['-1', '1'] as const;

  test.each([1, 2, 4, 8])('end with the limit of %i s', async (seconds) => {
    const began = performance.now();
    await ended(certify(examples, { classes, errors, seconds }));
    expect((performance.now() - began) / 1000).toBeLessThan(seconds + 2 * busy);
  });

  test.each([0.3, 1, 2, 4, 8])('end with an abort after %d s', async (seconds) => {
    const controller = new AbortController();
    // Stays so if the search has ended before.
    let aborted = Infinity;
    const timer = setTimeout(() => {
      aborted = performance.now();
      controller.abort();
    }, 1000 * seconds);
    await ended(certify(examples, { classes, errors, seconds: 120, signal: controller.signal }));
    clearTimeout(timer);
    expect((performance.now() - aborted) / 1000).toBeLessThan(2 * busy);
  });
});
