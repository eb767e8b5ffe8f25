import { expect, test } from 'vitest';
import { certify } from '../src/certify.ts';
import { isBelow } from '../src/exact/whole.ts';
import { checkFor, examplesOf, type Labelled } from './support/examples.ts';

/** Factors of the features, as columns in different units have. */
const scales: Record<string, (feature: number) => number> = {
  one: () => 1,
  'subnormal values': () => 1e-310,
  'the least values': () => 2 ** -1068,
  'values of 1e15': () => 1e15,
  'values of 1e150': () => 1e150,
  'two features of 1e15 and 1e-15': (j) => (j % 2 === 0 ? 1e15 : 1e-15),
  'steps of 2 to the 40': (j) => 2 ** (40 * j - 80),
  'steps of 1e-100': (j) => Number(`1e-${100 * j}`),
  'features of 1e-310 and 1': (j) => (j % 2 === 0 ? 1e-310 : 1),
  'features of 1e100 and 1e-100': (j) => (j % 2 === 0 ? 1e100 : 1e-100),
};

/** Points on both sides of a plane, those nearer to it than `gap` left out; whole numbers. */
function apart(seed: number, gap: number): Labelled {
  let state = seed;
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 16) % below;
  };
  const normal = Array.from({ length: 2 + (seed % 3) }, () => draw(41) - 20 || 1);
  const rows: number[][] = [];
  const labels: number[] = [];
  while (rows.length < 40) {
    const row = normal.map(() => draw(41) - 20);
    const score = row.reduce((sum, x, j) => sum + normal[j]! * x, 5);
    if (Math.abs(score) <= gap) continue;
    rows.push(row);
    labels.push(score > 0 ? 1 : -1);
  }
  return { rows, labels };
}

/** Two rows of each class around a thin gap of this share of the radius. */
function thin(share: number): Labelled {
  const rows = [
    [1, 1 + share],
    [-1, -1 + share],
    [0.5, 0.5],
    [-0.5, -0.5],
  ];
  return { rows, labels: [1, 1, -1, -1] };
}

const sets = new Map<string, Labelled>();
for (const [name, scale] of Object.entries(scales))
  for (const seed of [1, 2, 3]) {
    const { rows, labels } = apart(seed, 10 * seed);
    sets.set(`${name}, set ${seed}`, { rows: rows.map((row) => row.map((x, j) => x * scale(j))), labels });
  }
for (const share of [1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-13, 1e-14, 2 ** -51])
  sets.set(`a gap of ${share}`, thin(share));

test('there are 39 sets', () => {
  expect(sets.size).toBe(39);
});

test.each([...sets])(
  'bounds on the largest margin meet: %s',
  async (_, { rows, labels }) => {
    const examples = await examplesOf(rows, labels);
    const certificate = await certify(examples, { classes: ['-1', '1'], seconds: 20 });
    expect(certificate.verdict).toBe('separable');
    // γ within 1e-6: the squares within 2e-6. As fractions, because the ends may be subnormal.
    const [lower, upper] = [certificate.separator!.marginSquared, certificate.ceiling!.marginSquared];
    expect(isBelow(lower, upper, '999999/1000001')).toBe(false);
    expect(await checkFor(certificate, examples)).toMatchObject({ holds: true });
  },
  60_000,
);
