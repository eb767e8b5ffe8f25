import type { Contradiction, SeparatorProof } from '../certificate.ts';
import type { Clock } from '../clock.ts';
import { affine, nearestHulls, sumOf } from './nearest-hulls.ts';
import { separatorOf, type WholeExamples } from './separator.ts';
import type { ExactBatch } from './values.ts';
import { bitLength } from './whole.ts';

/** Maximum number of products of values, for the products of all pairs of examples. */
const mostProducts = 5e7;

/** Maximum number of examples: the digits of the solution grow with it. */
const mostRows = 300;

/** Tests if {@link decideFewRows} is affordable. */
export function areFew({ rows, values }: ExactBatch): boolean {
  return rows <= mostRows && rows * values.length <= mostProducts;
}

/**
 * Decides few examples in whole numbers, however near to each other the classes are. If the examples are independent,
 * as they are where there are more features than examples, unless some coincide, one system of equations gives a line
 * on which all examples of a class have the same score. Else the nearest points of the hulls are searched.
 *
 * @returns neither if time runs out.
 */
export async function decideFewRows(
  whole: WholeExamples,
  clock: Clock,
): Promise<{ readonly separator: SeparatorProof | null; readonly contradiction: Contradiction | null }> {
  clock.tell('proving', 'deciding few rows in whole numbers');
  const all = Array.from({ length: whole.examples.rows }, (_, i) => i);
  const alpha = await affine(whole, all, clock);
  const separator = alpha === null ? null : shortest(whole, sumOf(whole, alpha));
  return separator === null ? nearestHulls(whole, [], clock) : { separator, contradiction: null };
}

/** Returns a separator of these weights, rounded to as few binary digits as separate the examples; null if none. */
function shortest(whole: WholeExamples, weights: readonly bigint[]): SeparatorProof | null {
  const bits = weights.reduce((most, w) => Math.max(most, bitLength(w)), 0);
  for (let digits = 64; digits < bits; digits *= 2) {
    const cut = BigInt(bits - digits);
    const separator = separatorOf(
      whole,
      weights.map((w) => w >> cut),
    );
    if (separator !== null) return separator;
  }
  return separatorOf(whole, weights);
}
