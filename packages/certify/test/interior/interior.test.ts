import { Random } from 'halfspace/runs';
import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import type { Certificate, InteriorProof } from '../../src/certificate.ts';
import { certify } from '../../src/certify.ts';
import { digestOfCertificate } from '../../src/check.ts';
import { signedColumns } from '../../src/exact/contradiction.ts';
import { decideExactly } from '../../src/exact/linear-programme.ts';
import { WholeExamples } from '../../src/exact/separator.ts';
import type { ExactBatch } from '../../src/exact/values.ts';
import { interiorFault } from '../../src/interior/interior.ts';
import { Frame } from '../../src/search/frame.ts';
import { searchInterior } from '../../src/search/interior-contradiction.ts';
import { checkFor, endless, examplesOf, type Labelled, nearlyDegenerate } from '../support/examples.ts';

/** Rows of small numbers, on sides of a plane but for every fifth. */
function noisy(count: number, dimension: number, seed: number): Labelled {
  const chance = new Random(seed);
  const rows = Array.from({ length: count }, () => Array.from({ length: dimension }, () => chance.below(200) / 8 - 12));
  const labels = rows.map((row, i) => (row.reduce((sum, x) => sum + x, 0.5) > 0 === i % 5 > 0 ? 1 : -1));
  return { rows, labels };
}

/** Decides in whole numbers, by the simplex method, if some examples contradict each other. */
async function contradicts(examples: ExactBatch, members: readonly number[]): Promise<boolean> {
  const { columns } = signedColumns(examples, members);
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const full = columns.map((column) => names.map((name) => column.get(name) ?? 0n));
  return (await decideExactly(full, endless))!.contradiction !== null;
}

async function interiorOf(examples: ExactBatch): Promise<InteriorProof | null> {
  return (await searchInterior(new WholeExamples(examples), new Frame(examples).factors, endless)).interior;
}

/** A certificate with this proof in place of others, with a digest of its own. */
async function withInterior(examples: ExactBatch, interior: InteriorProof): Promise<Certificate> {
  const other = await certify(examples, { classes: ['-1', '1'], signal: AbortSignal.abort() });
  const body = { ...other, verdict: 'not-separable', ceiling: null, contradictions: [], interior } as const;
  return { ...body, digest: await digestOfCertificate(body) };
}

const share = fc.integer({ min: -1000, max: 1000 }).map((n) => n / 1000);

/** Points of both classes that nearly coincide: moved by a little, each its own way or all the same way. */
const nearTwins = fc
  .tuple(
    fc.tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.array(share, { minLength: 4, maxLength: 4 }), {
        minLength: 10,
        maxLength: 10,
      }),
    ),
    fc.array(share, { minLength: 40, maxLength: 40 }),
    fc.constantFrom(0, 1e-15, 1e-9, 1e-5, 1e-3, 0.1),
    fc.boolean(),
  )
  .map(([[dimension, points], moves, width, together]) => {
    const rows = points.map((point) => point.slice(0, dimension));
    const moved = rows.map((row, i) => row.map((x, j) => x + width * moves[together ? j : 4 * i + j]!));
    return { rows: [...rows, ...moved], labels: [...rows.map(() => -1), ...rows.map(() => 1)] };
  });

test('what is accepted is a contradiction, whatever the weights', async () => {
  let accepted = 0;
  let refused = 0;
  const weights = fc.array(fc.integer({ min: 2 ** 30, max: 2 ** 30 + 3 }), { minLength: 20, maxLength: 20 });
  await forAllAsync(
    1000,
    fc.oneof(nearTwins, nearlyDegenerate),
    weights,
    fc.constantFrom(1e-1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12),
    async ({ rows, labels }, n, leastEigenvalue) => {
      const examples = await examplesOf(rows, labels);
      const own = n.slice(0, rows.length);
      const members = own.flatMap((each, i) => (each > 0 ? [i] : []));
      let fault: string | null = 'out of range';
      try {
        fault = await interiorFault({ weights: own, leastEigenvalue }, examples, new Set());
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      if (fault !== null) refused++;
      else {
        accepted++;
        // The bounds leave room for decimals, which the doubles are nearest to.
        for (const decimal of [0, 1])
          expect(await contradicts({ ...examples, decimal: new Uint8Array(4).fill(decimal) }, members)).toBe(true);
      }
    },
  );
  expect(accepted).toBeGreaterThan(20);
  expect(refused).toBeGreaterThan(20);
});

describe.each([
  ['independent features', (row: number[]) => row, 0],
  ['an empty feature, and one that repeats another', ([a, b, c]: number[]) => [a, 0, b, c, b], 1],
  [
    'categories that add up to 1, and a sum',
    ([a, b, c]: number[]) => [...[0, 1, 2].map((k) => (Math.abs(8 * a!) % 3 === k ? 1 : 0)), b, c, 3 * b! - c! / 2],
    2,
  ],
] as [string, (row: number[]) => number[], number][])('examples with %s', (_, shape, relations) => {
  const { rows, labels } = noisy(60, 3, 7);
  const prepared = examplesOf(rows.map(shape), labels);

  test('have an interior contradiction, which the checker accepts', async () => {
    const examples = await prepared;
    const interior = (await interiorOf(examples))!;
    expect(interior.relations.length).toBe(relations);
    expect(await checkFor(await withInterior(examples, interior), examples)).toMatchObject({ holds: true });
  });

  test('accept no changed proof unless it is still true', async () => {
    const examples = await prepared;
    const interior = (await interiorOf(examples))!;
    const chance = new Random(3);
    const text = JSON.stringify(interior);
    const places = [...text.matchAll(/\d+(\.\d+)?/g)];
    let refused = 0;
    for (let k = 0; k < 150; k++) {
      const { index, 0: old } = places[chance.below(places.length)]!;
      const changed = [String(chance.below(9)), `${old}0`, `-${old}`, '0', String(Number(old) * 2)][chance.below(5)]!;
      let other: InteriorProof;
      try {
        other = JSON.parse(text.slice(0, index) + changed + text.slice(index + old.length));
      } catch {
        continue;
      }
      const { holds } = await checkFor(await withInterior(examples, other), examples);
      if (!holds) refused++;
      else {
        const members = other.weights.flatMap((each, i) => (each > 0 ? [i] : []));
        expect(await contradicts(examples, members), changed).toBe(true);
      }
    }
    expect(refused).toBeGreaterThan(30);
  });
});

test('a separable set has none, even with equal weights', async () => {
  const { rows } = noisy(60, 3, 9);
  const labels = rows.map((row) => (row[0]! + row[1]! > 0.03 ? 1 : -1));
  const examples = await examplesOf(rows, labels);
  expect(await interiorOf(examples)).toBeNull();
  for (const leastEigenvalue of [1, 2 ** -10, 2 ** -20])
    expect(await interiorFault({ weights: rows.map(() => 1), leastEigenvalue }, examples, new Set())).not.toBeNull();
});

test.each<[string, Partial<Record<keyof InteriorProof, unknown>>, string]>([
  [
    'a relation that does not hold',
    { relations: [{ features: [2, 1], coefficients: ['1', '-1'] }] },
    'does not hold in row',
  ],
  [
    'the constant as a dependent feature',
    { relations: [{ features: [3], coefficients: ['1'] }] },
    'begins with the constant',
  ],
  ['a weight that is no whole number', { weights: new Array(60).fill(0.5) }, 'one whole number for each row'],
  ['a weight less', { weights: new Array(59).fill(1) }, 'one whole number for each row'],
  ['no weights', { weights: new Array(60).fill(0) }, 'no example has a weight'],
  ['a number as text', { leastEigenvalue: '0.001' }, 'expected a number'],
  ['too large a bound', { leastEigenvalue: 0.99 }, 'a pivot that is not positive'],
  ['a bound of rounding alone', { leastEigenvalue: 1e-16 }, 'rounding'],
])('is refused with %s', async (_, change, reason) => {
  const { rows, labels } = noisy(60, 3, 7);
  const examples = await examplesOf(rows, labels);
  const changed = { ...(await interiorOf(examples))!, ...change } as InteriorProof;
  const result = await checkFor(await withInterior(examples, changed), examples);
  expect(result).toMatchObject({ holds: false, reason: expect.stringContaining(reason) });
});

test('more features than a linear programme decides soon have one from `certify`, with errors too', async () => {
  const { rows, labels } = noisy(600, 120, 5);
  const examples = await examplesOf(rows, labels);
  const certificate = await certify(examples, { classes: ['-1', '1'] });
  expect(certificate).toMatchObject({ verdict: 'not-separable', contradictions: [], ceiling: null });
  expect(certificate.interior!.weights.filter((n) => n > 0).length).toBeGreaterThan(122);
  expect(await checkFor(JSON.parse(JSON.stringify(certificate)), examples)).toMatchObject({ holds: true });
});
