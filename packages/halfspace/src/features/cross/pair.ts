import { noFeature } from '../column-row.ts';
import { type CrossGroups, groupCount, type TableCross } from '../table-encoding.ts';

/** The features of a column: [first, first + width). */
interface Range {
  readonly first: number;
  readonly width: number;
}

/**
 * Returns a function from the features of two columns to the feature of their pair; {@link noFeature} if one of them
 * has none.
 *
 * @param first position of the first feature of the cross.
 */
export function pairFeature(
  a: Range,
  b: Range,
  { bits, groups }: Pick<TableCross, 'bits' | 'groups'>,
  first: number,
): (one: number, other: number) => number {
  const [ofA, ofB] = [groupsOf(a, groups?.[0]), groupsOf(b, groups?.[1])];
  const width = groupCount(groups?.[1], b.width);
  const pairs = groupCount(groups?.[0], a.width) * width;
  const isPlain = pairs <= 2 ** bits;
  const slotOf = (pair: number) => (isPlain ? pair : crossSlot(pair, pairs, bits));
  return (one, other) =>
    one < 0 || other < 0 ? noFeature : first + slotOf(ofA[one - a.first]! * width + ofB[other - b.first]!);
}

/** Returns the group of each feature of a column. */
export function groupsOf({ width }: Pick<Range, 'width'>, groups: CrossGroups | undefined): Uint32Array {
  let group = 0;
  return Uint32Array.from({ length: width }, (_, j) => {
    if (groups == null) return j;
    if (j === groups[group]) group++;
    return group;
  });
}

/** Returns the feature of a pair within a cross: the pair's number, or its hash if there are more than 2^bits pairs. */
export function crossSlot(pair: number, pairs: number, bits: number): number {
  if (pairs <= 2 ** bits) return pair;
  // Multiplies by odd constants and folds high bits into low ones, so that neighbouring pairs are spread.
  let h = Math.imul(pair ^ Math.floor(pair / 2 ** 32), 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return ((h ^ (h >>> 13)) >>> 0) % 2 ** bits;
}
