import { Random } from 'halfspace/runs';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '../src/certificate.ts';
import { certify } from '../src/certify.ts';
import { check, digestOfBytes, digestOfCertificate } from '../src/check.ts';
import { WholeExamples } from '../src/exact/separator.ts';
import { canonicalRows, examplesOf } from '../src/rows.ts';
import { Frame } from '../src/search/frame.ts';
import { searchInterior } from '../src/search/interior-contradiction.ts';
import { endless, fewest } from './support/examples.ts';

/** Mutations with digests made anew; 100,000 on demand. */
const mutations = Number(process.env.HALFSPACE_MUTATIONS ?? 10_000);

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Numbers for choosing, the same in every run (a linear congruence). */
function chooser(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Fraction = readonly [bigint, bigint];
const reduced = (a: bigint, b: bigint): Fraction => {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return b < 0n ? [-a / x, -b / x] : [a / x, b / x];
};
const plus = ([a, b]: Fraction, [c, d]: Fraction) => reduced(a * d + c * b, b * d);
const times = ([a, b]: Fraction, [c, d]: Fraction) => reduced(a * c, b * d);
const isAbove = ([a, b]: Fraction, [c, d]: Fraction) => a * d > c * b;
const parsed = (text: string): Fraction => {
  const [a, b = '1'] = text.split('/') as [string, string?];
  return [BigInt(a), BigInt(b)];
};

/**
 * Examples in tenths, or in halves that are doubles. `fewest`: the fewest errors of any line; `top`: the largest margin,
 * squared.
 */
interface Case {
  readonly rows: readonly (readonly number[])[];
  readonly labels: readonly number[];
  readonly verdict: 'separable' | 'not-separable';
  readonly fewest: number;
  readonly top: Fraction;
  /** Rows whose class is asked for, and the number of those that all lines of fewest errors call the same. */
  readonly asked?: readonly (readonly number[])[];
  readonly proved?: number;
  readonly numbers?: 'written' | 'doubles';
  /** The proof is a contradiction of all rows. */
  readonly isInterior?: true;
}

const random = new Random(7);
const halves = Array.from({ length: 40 }, () => [random.below(50) / 2 - 12, random.below(50) / 2 - 12]);

const cases: Record<string, Case> = {
  // The nearest points of the hulls are (0.1, 0.1) and (0.4, 0.5): half their distance is 1/4.
  'a separable set': {
    rows: [
      [0.1, 0.1],
      [-0.3, 0.1],
      [0.1, -0.7],
      [0.4, 0.5],
      [0.9, 0.6],
      [0.5, 1.1],
    ],
    labels: [-1, -1, -1, 1, 1, 1],
    verdict: 'separable',
    fewest: 0,
    top: [1n, 16n],
    asked: [
      [1.2, 1.1],
      [0.3, 0.2],
      [-0.3, -1.5],
    ],
    proved: 2,
  },
  'XOR, and a point': {
    rows: [
      [0, 0],
      [1.1, 1.1],
      [0, 1.1],
      [1.1, 0],
      [3.3, 0.2],
    ],
    labels: [-1, -1, 1, 1, 1],
    verdict: 'not-separable',
    fewest: 1,
    top: [0n, 1n],
  },
  // Signs alternate six times: a threshold errs on at least three of seven points, one of which each pair contradicts.
  'a line of seven points': {
    rows: [[0], [0.1], [0.2], [0.3], [0.4], [0.5], [0.6]],
    labels: [1, -1, 1, -1, 1, -1, 1],
    verdict: 'not-separable',
    fewest: 3,
    top: [0n, 1n],
  },
  'a line of eight points, with one error': {
    rows: [[0], [0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7]],
    labels: [-1, -1, -1, 1, -1, 1, 1, 1],
    verdict: 'not-separable',
    fewest: 1,
    top: [0n, 1n],
    asked: [[0.9], [-1], [0.35]],
    proved: 2,
  },
  'doubles, all of which contradict, with a feature that is twice another': {
    rows: halves.map(([a, b]) => [a!, b!, 2 * b!]),
    labels: halves.map(([a, b], i) => (a! + b! > 0 === i % 5 > 0 ? 1 : -1)),
    verdict: 'not-separable',
    fewest: 1,
    top: [0n, 1n],
    numbers: 'doubles',
    isInterior: true,
  },
};

/** A certificate of the examples, and canonical rows. */
async function made({ rows, labels, asked, numbers = 'written', isInterior }: Case) {
  const examples = examplesOf(rows, labels, ['-1', '1'], numbers);
  const canonical = canonicalRows(examples);
  const plus = asked?.map(() => 1) ?? [];
  const predict = asked && examplesOf(asked, plus, ['-1', '1'], numbers);
  const options = { classes: ['-1', '1'], errors: true, predict } as const;
  if (isInterior !== true) return { certificate: await certify(examples, options), canonical };
  const { interior } = await searchInterior(new WholeExamples(examples), new Frame(examples).factors, endless);
  const open = await certify(examples, { ...options, signal: AbortSignal.abort() });
  const body = { ...open, verdict: 'not-separable', ceiling: null, interior: interior! } as const;
  return { certificate: { ...body, digest: await digestOfCertificate(body) }, canonical };
}

/** Returns the fewest errors of the lines that are right on a canonical row, by all subsets of the others. */
function fewestWith({ rows, labels }: Case, row: string): Promise<number> {
  const [label, ...cells] = row.split(' ');
  const x = cells.map((cell) => cell.split(':').map(Number) as [number, number]);
  const width = x.reduce((most, [j]) => Math.max(most, j + 1), rows[0]!.length);
  const wide = [...rows, []].map((own) => Array.from({ length: width }, (_, j) => own[j] ?? 0));
  for (const [j, value] of x) wide.at(-1)![j] = value;
  return fewest(examplesOf(wide, [...labels, Number(label)], ['-1', '1'], 'written'), true);
}

const known = new Map<string, number>();

/** Demands that all that a certificate says is true, computed in fractions from the tenths. */
async function demandTruth(one: Case, said: Certificate): Promise<void> {
  const { rows, labels, verdict, fewest: least, top, numbers = 'written' } = one;
  const exact = rows.map((row) => row.map((x): Fraction => reduced(BigInt(Math.round(10 * x)), 10n)));
  if (said.verdict !== 'unknown') expect(said.verdict).toBe(verdict);
  const sum = (list: readonly Fraction[]) => list.reduce<Fraction>(plus, [0n, 1n]);
  const squares = exact.map((row) => sum(row.map((x) => times(x, x))));
  expect(squares.every((each) => !isAbove(each, parsed(said.radiusSquared)))).toBe(true);
  expect(said.data.examples).toBe(rows.length);
  expect(said.data.numbers).toBe(numbers);
  expect(said.data.dimension).toBeGreaterThanOrEqual(rows[0]!.length);
  expect(said.data.dimension).toSatisfy(Number.isSafeInteger);
  if (said.interior !== null) expect(verdict).toBe('not-separable');
  const scores = ({ weights, bias }: { readonly weights: readonly string[]; readonly bias: string }) =>
    exact.map((row, i) =>
      times(plus(sum(row.map((x, j) => times(x, [BigInt(weights[j]!), 1n]))), [BigInt(bias), 1n]), [
        BigInt(labels[i]!),
        1n,
      ]),
    );
  if (said.separator !== null) {
    const own = scores(said.separator);
    for (const each of own) expect(isAbove(each, [0n, 1n])).toBe(true);
    const norm = said.separator.weights.reduce((all, w) => all + BigInt(w) ** 2n, 0n);
    const margin = times(parsed(said.separator.marginSquared), [norm, 1n]);
    for (const each of own) expect(isAbove(margin, times(each, each))).toBe(false);
    expect(isAbove(parsed(said.separator.marginSquared), top)).toBe(false);
    expect(isAbove(parsed(said.separator.absorbedMarginSquared), parsed(said.separator.marginSquared))).toBe(false);
  }
  if (said.ceiling !== null) expect(isAbove(top, parsed(said.ceiling.marginSquared))).toBe(false);
  for (const { rows: used } of said.contradictions) {
    expect(verdict).toBe('not-separable');
    expect(new Set(used.map((row) => labels[row - 1])).size).toBe(2);
  }
  if (said.errors !== null) {
    expect(said.errors.atLeast).toBeLessThanOrEqual(least);
    expect(said.errors.atMost).toBeGreaterThanOrEqual(least);
    expect(scores(said.errors).filter((each) => !isAbove(each, [0n, 1n]))).toHaveLength(said.errors.atMost);
  }
  for (const { row, atLeast } of said.predictions) {
    if (atLeast === 0) continue;
    const key = `${labels}: ${row}`;
    if (!known.has(key)) known.set(key, await fewestWith(one, row));
    expect(atLeast).toBeLessThanOrEqual(known.get(key)!);
  }
}

/** All places of a value: the object or list, and the name. */
function placesIn(value: Json, places: [Record<string, Json>, string][] = []): [Record<string, Json>, string][] {
  if (typeof value !== 'object' || value === null) return places;
  for (const name of Object.keys(value)) {
    places.push([value as Record<string, Json>, name]);
    placesIn((value as Record<string, Json>)[name]!, places);
  }
  return places;
}

/** Changes one place: a number a little, a text, a list by an item, an object by a member; or takes another place's value. */
function mutate(value: Json, choose: (below: number) => number): void {
  const places = placesIn(value);
  const [parent, name] = places[choose(places.length)]!;
  const [from, at] = places[choose(places.length)]!;
  const old = parent[name]!;
  const changes: (() => Json | undefined)[] = [
    () => structuredClone(from[at]!),
    () => undefined,
    () => null,
    () => [structuredClone(old)],
    () => (typeof old === 'number' ? old + choose(5) - 2 : typeof old === 'string' ? nearby(old, choose) : [old]),
    () => (typeof old === 'string' ? nearby(old, choose) : Array.isArray(old) ? old.slice(1) : choose(9)),
    () => (Array.isArray(old) ? [...old, structuredClone(old.at(-1) ?? null)] : String(choose(12) - 3)),
    () =>
      Array.isArray(old) ? [...old].reverse() : ['0', '1', '-1', '1/2', '2/4', '1e3', '0x1', ' 1', ''][choose(9)]!,
  ];
  const next = changes[choose(changes.length)]!();
  if (next !== undefined) parent[name] = next;
  else if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
}

function nearby(text: string, choose: (below: number) => number): string {
  const [a, b] = text.split('/') as [string, string?];
  if (!/^-?\d+$/.test(a)) return `${text}x`;
  const other = [
    () => BigInt(a) + BigInt(choose(7) - 3),
    () => BigInt(a) * BigInt(choose(4) - 1),
    () => -BigInt(a),
    () => BigInt(a) / 2n,
  ][choose(4)]!();
  return b === undefined
    ? String(other)
    : `${other}/${choose(2) === 0 ? b : BigInt(b.replace(/\D/g, '') || '1') + BigInt(choose(3))}`;
}

describe.each(Object.entries(cases))('no mutation of the certificate of %s makes a false claim', (_, one) => {
  test(`${mutations} times, with digests made anew`, { timeout: 3_600_000 }, async () => {
    const { certificate, canonical: rows } = await made(one);
    expect(certificate.interior !== null).toBe(one.isInterior === true);
    expect(await check(certificate, rows)).toMatchObject({ holds: true });
    expect(certificate.predictions.filter(({ atLeast }) => atLeast > one.fewest)).toHaveLength(one.proved ?? 0);
    await demandTruth(one, certificate);
    const digest = await digestOfBytes(rows);
    const choose = chooser(1);
    let held = 0;
    for (let k = 0; k < mutations; k++) {
      const other = structuredClone(certificate) as unknown as { [name: string]: Json };
      for (let turn = choose(3); turn >= 0; turn--) mutate(other, choose);
      const { data } = other;
      if (typeof data === 'object' && data !== null && 'digest' in data) data.digest = digest;
      other.digest = await digestOfCertificate(other as never);
      const result = await check(other, rows);
      if (!result.holds) continue;
      held++;
      await demandTruth(one, other as unknown as Certificate);
    }
    // Some say less, or the same otherwise, and still hold.
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(mutations / 2);
  });
});
