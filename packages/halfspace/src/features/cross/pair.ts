import { noFeature } from '../column-row.ts';

/** The features of a column: [first, first + width). */
interface Range {
  readonly first: number;
  readonly width: number;
}

/**
 * Returns a function from the features of two columns to the feature of their pair; {@link noFeature} if one of them
 * has none.
 *
 * @param bits of the cross; see {@link TableCross}.
 * @param first position of the first feature of the cross.
 */
export function pairFeature(a: Range, b: Range, bits: number, first: number): (one: number, other: number) => number {
  const pairs = a.width * b.width;
  return (one, other) =>
    one < 0 || other < 0 ? noFeature : first + crossSlot((one - a.first) * b.width + (other - b.first), pairs, bits);
}

/** Returns the feature of a pair within a cross: the pair's number, or its hash if there are more than 2^bits pairs. */
export function crossSlot(pair: number, pairs: number, bits: number): number {
  if (pairs <= 2 ** bits) return pair;
  // Multiplies by odd constants and folds high bits into low ones, so that neighbouring pairs are spread.
  let h = Math.imul(pair ^ Math.floor(pair / 2 ** 32), 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return ((h ^ (h >>> 13)) >>> 0) % 2 ** bits;
}
