import type { WholeExamples } from '../exact/separator.ts';
import { bitLength, gcd, quotient } from '../exact/whole.ts';

/**
 * The places of examples as vectors z = y(f₁(X₁ − c₁), …, K) of whole numbers, y being the class of most rows there.
 * The centre c and the factors give all coordinates about the same size.
 */
export interface Points {
  readonly size: number;
  /** Row numbers at each place: those of its class, then the others. */
  readonly rows: readonly (readonly [mine: readonly number[], others: readonly number[]])[];
  readonly z: readonly (readonly bigint[])[];
  /** The largest size of a coordinate. */
  readonly largest: bigint;
  /** The z/largest as doubles, one after the other. */
  readonly near: Float64Array;
  /** Errors of a line on the wrong side of a place, above those of one on the right side. */
  readonly weights: Float64Array;
  /** Errors of every line: the rows of the smaller class of each place. */
  readonly base: number;
  /** The features that differ between rows. */
  readonly axes: readonly number[];
  /** cⱼ for each feature. */
  readonly centre: readonly bigint[];
  /** fⱼ for each feature, 0 for one that is cⱼ in all rows; then K. */
  readonly factors: readonly bigint[];
}

/** @param must true for lines that are right on the last example. It has a place of its own, and infinite weight. */
export function pointsOf(whole: WholeExamples, must = false): Points {
  const { rows, dimension, offsets, indices, values, labels } = whole.examples;
  const places = new Map<string, { readonly at: number; readonly rows: [number[], number[]] }>();
  for (let i = 0; i < rows; i++) {
    const [start, end] = [offsets[i]!, offsets[i + 1]!];
    const isMust = must && i === rows - 1;
    const key = isMust ? 'must' : `${indices.subarray(start, end)};${values.subarray(start, end)}`;
    const place = places.get(key) ?? { at: i, rows: [[], []] };
    place.rows[labels[i]! > 0 ? 0 : 1].push(i + 1);
    places.set(key, place);
  }
  const found = [...places.values()];
  const x = found.map(({ at }) => {
    const own: bigint[] = new Array(dimension).fill(0n);
    for (let k = offsets[at]!; k < offsets[at + 1]!; k++) own[indices[k]!] = whole.value(k);
    return own;
  });
  const count = BigInt(found.length);
  const centre: bigint[] = [];
  const spreads: bigint[] = [];
  for (let j = 0; j < dimension; j++) {
    const mean = x.reduce((sum, row) => sum + row[j]!, 0n) / count;
    // The common divisor of all differences stays one, so that the numbers are short.
    const divisor = x.reduce((d, row) => gcd(d, row[j]! - x[0]![j]!), 0n);
    centre.push(divisor === 0n ? x[0]![j]! : x[0]![j]! + ((mean - x[0]![j]!) / divisor) * divisor);
    spreads.push(x.reduce((sum, row) => sum + abs(row[j]! - centre[j]!), 0n) / count);
  }
  const axes = Array.from({ length: dimension }, (_, j) => j).filter((j) => x.some((row) => row[j] !== centre[j]));
  const widest = axes.reduce((most, j) => Math.max(most, bitLength(spreads[j]!)), 1);
  const factors = spreads.map((spread, j) =>
    axes.includes(j) ? 1n << BigInt(widest - Math.max(1, bitLength(spread))) : 0n,
  );
  factors.push(1n << BigInt(widest));
  const size = axes.length + 1;
  const z = x.map((row, k) => {
    const [positive, negative] = found[k]!.rows;
    const y = positive.length >= negative.length ? 1n : -1n;
    return [...axes.map((j) => y * factors[j]! * (row[j]! - centre[j]!)), y * factors[dimension]!];
  });
  const sides = found.map(({ rows: [a, b] }) => (a.length >= b.length ? ([a, b] as const) : ([b, a] as const)));
  const largest = z.flat().reduce((most, each) => (abs(each) > most ? abs(each) : most), 0n);
  return {
    size,
    rows: sides,
    z,
    largest,
    near: Float64Array.from(z.flat(), (each) => ratio(each, largest)),
    weights: Float64Array.from(sides, ([mine, others]) =>
      must && mine[0] === rows ? Infinity : mine.length - others.length,
    ),
    base: sides.reduce((sum, [, others]) => sum + others.length, 0),
    axes,
    centre,
    factors,
  };
}

const abs = (a: bigint) => (a < 0n ? -a : a);

/** Returns a/b as a double, for b > 0. */
export const ratio = (a: bigint, b: bigint) => (a < 0n ? -quotient(-a, b) : quotient(a, b));
