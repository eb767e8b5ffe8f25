import type { SparseBatch } from 'halfspace/rules';
import { Random } from 'halfspace/runs';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../src/certificate.ts';
import { certify } from '../../src/certify.ts';
import { examplesOf } from '../../src/rows.ts';
import { checkFor } from '../support/examples.ts';

type Row = ReadonlyMap<number, number>;

function batchOf(rows: readonly Row[], labels: readonly number[], dimension: number): SparseBatch {
  const offsets = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    offsets[i + 1] = offsets[i]! + row.size;
  });
  const cells = rows.flatMap((row) => [...row].sort(([a], [b]) => a - b));
  return {
    kind: 'sparse',
    rows: rows.length,
    dimension,
    offsets,
    indices: Uint32Array.from(cells, ([j]) => j),
    values: Float64Array.from(cells, ([, value]) => value),
    labels: Float64Array.from(labels),
    importance: null,
  };
}

async function proved(examples: SparseBatch): Promise<Certificate> {
  const certificate = await certify(examples, { classes: ['-1', '1'], seconds: 60 });
  expect(await checkFor(JSON.parse(JSON.stringify(certificate)), examples)).toMatchObject({ holds: true });
  return certificate;
}

/** More features than a linear programme takes, and more than there are rows, so that any labels are separable. */
const dimension = 6000;

/** Rows of 30 features in eighths, labels by chance. */
function anyRows(count: number, chance: Random): { rows: Map<number, number>[]; labels: number[] } {
  return {
    rows: Array.from(
      { length: count },
      () => new Map(Array.from({ length: 30 }, () => [chance.below(dimension), (1 + chance.below(8)) / 8])),
    ),
    labels: Array.from({ length: count }, () => (chance.below(2) === 0 ? -1 : 1)),
  };
}

/** Number of texts around a core. */
const texts = process.env.TEST_DEEP === '1' ? 4000 : 1000;

describe('many sparse features', { timeout: 120_000 }, () => {
  test('a contradiction of five rows among thousands that are separable is found', async () => {
    const { rows, labels } = anyRows(4000, new Random(1));
    // n₂ = (p₁ + p₂ + p₃ − n₁)/2, so that p₁ + p₂ + p₃ = n₁ + 2n₂.
    const [a, b, c, d, e] = [11, 222, 1333, 2444, 3555] as const;
    const last = new Map<number, number>();
    for (const [i, sign] of [
      [a, 1],
      [b, 1],
      [c, 1],
      [d, -1],
    ] as const)
      for (const [j, value] of rows[i]!) last.set(j, (last.get(j) ?? 0) + (sign * value) / 2);
    for (const [j, value] of last) if (value === 0) last.delete(j);
    rows[e] = last;
    for (const i of [a, b, c]) labels[i] = 1;
    for (const i of [d, e]) labels[i] = -1;
    const { verdict, contradictions } = await proved(batchOf(rows, labels, dimension));
    expect(verdict).toBe('not-separable');
    expect(contradictions).toEqual([
      { rows: [a, b, c, d, e].map((i) => i + 1), weights: ['1', '1', '1', '1', '2'], total: '6' },
    ]);
  });

  test('rows of few features with labels by chance, among others, contradict each other', async () => {
    const chance = new Random(2);
    const { rows, labels } = anyRows(3000, chance);
    const few = new Set<number>();
    while (few.size < 200) few.add(chance.below(3000));
    for (const i of few) rows[i] = new Map(Array.from({ length: 12 }, (_, j) => [j, (chance.below(16) + 0.5) / 8 - 1]));
    const { verdict, contradictions } = await proved(batchOf(rows, labels, dimension));
    expect(verdict).toBe('not-separable');
    expect(contradictions[0]!.rows.length).toBeLessThanOrEqual(14);
    for (const row of contradictions[0]!.rows) expect(few.has(row - 1)).toBe(true);
  });

  test('labels by chance are separable where there are fewer rows than features', async () => {
    const { rows, labels } = anyRows(3500, new Random(3));
    const { verdict, separator, ceiling } = await proved(batchOf(rows, labels, dimension));
    expect(verdict).toBe('separable');
    expect(separator).not.toBeNull();
    expect(ceiling).not.toBeNull();
  });

  describe.each(['separable', 'not-separable'])(
    'texts with words of one class alone, around a core that is %s',
    (expected) => {
      test('have the verdict of the core', async () => {
        const chance = new Random(4);
        const rows: Map<number, number>[] = [];
        const labels: number[] = [];
        // The core: points of four features, on both sides of a plane or anywhere.
        for (let i = 0; i < 60; i++) {
          const point = Array.from({ length: 4 }, () => chance.below(64) + 1);
          const score = point[0]! + 2 * point[1]! - point[2]! - 2 * point[3]! + 0.5;
          rows.push(new Map(point.map((value, j) => [j, value])));
          labels.push(expected === 'separable' ? Math.sign(score) : chance.below(2) === 0 ? -1 : 1);
        }
        // Every text has words of the core, whatever its class, and two of its class, which others may have in common
        // with it.
        for (let i = 0; i < texts; i++) {
          const y = chance.below(2) === 0 ? -1 : 1;
          const own = () => 4 + 2 * chance.below(texts) + (y > 0 ? 1 : 0);
          rows.push(new Map([0, 1, 2, 3, own(), own()].map((j) => [j, 1 + chance.below(9)])));
          labels.push(y);
        }
        const { verdict, contradictions } = await proved(batchOf(rows, labels, 4 + 2 * texts));
        expect(verdict).toBe(expected);
        for (const row of contradictions.flatMap((each) => each.rows)) expect(row).toBeLessThanOrEqual(60);
      });
    },
  );

  test('texts of which every one has a word of its class alone are separated, by these', async () => {
    const chance = new Random(5);
    const labels = Array.from({ length: 9000 }, () => (chance.below(2) === 0 ? -1 : 1));
    const rows = labels.map((y, i) => {
      const own = 60 + 2 * Math.floor(i / 2) + (y > 0 ? 1 : 0);
      return new Map([...Array.from({ length: 15 }, () => chance.below(60)), own].map((j) => [j, 1]));
    });
    expect((await proved(batchOf(rows, labels, 9060))).verdict).toBe('separable');
  });
});

test('time that runs out among hundreds of features leaves an open verdict, and no fault', {
  timeout: 120_000,
}, async () => {
  const chance = new Random(5);
  const rows = Array.from({ length: 3000 }, () =>
    Array.from({ length: 600 }, () => (chance.uniform() < 0.2 ? chance.uniform() - 0.5 : 0)),
  );
  const labels = rows.map(() => (chance.uniform() < 0.5 ? 'a' : 'b'));
  for (const seconds of [0.001, 1]) {
    const search = certify(examplesOf(rows, labels, ['a', 'b']), { classes: ['a', 'b'], seconds });
    const outcome = await search.then(
      ({ verdict }) => verdict,
      ({ code }) => code,
    );
    expect(['unknown', 'not-separable', 'interrupted']).toContain(outcome);
  }
});

describe('a dimension far beyond the features that occur', { timeout: 120_000 }, () => {
  const far = 200_000;
  test.each<[string, (readonly [number, number])[][], number[], string]>([
    [
      'separable rows',
      [
        [[far - 1, 1]],
        [[2, 1]],
        [
          [5, 1],
          [7, 2],
        ],
      ],
      [1, -1, 1],
      'separable',
    ],
    [
      'rows that contradict each other',
      [
        [[1, 1]],
        [[far - 1, 1]],
        [
          [1, 1],
          [far - 1, 1],
        ],
        [],
      ],
      [1, 1, -1, -1],
      'not-separable',
    ],
  ])('is no fault: %s', async (_, rows, labels, verdict) => {
    const examples = batchOf(
      rows.map((row) => new Map(row)),
      labels,
      far,
    );
    expect((await proved(examples)).verdict).toBe(verdict);
  });
});
