import type { ConesProof } from './certificate.ts';
import { demand, type ExactRows, whole } from './exact-rows.ts';

interface Cone {
  /** The z·r of the rows, ray by ray. */
  readonly scores: readonly (readonly bigint[])[];
  /** Rows that some line of the cone may have on its right side. */
  readonly rows: readonly number[];
  /** Number of rows on which every line of the cone errs. */
  readonly sure: number;
}

/**
 * Returns the least number of errors that a cone proves for its lines. Since the first cones contain all lines, and the
 * halves of a cone contain its lines, no line has fewer.
 *
 * @param must a row behind those that count: the least number is that of the lines that are right on it.
 * @throws RangeError if a pair does not contradict itself in its cone, or the tree is none.
 */
export function errorsOfCones({ centre, factors, splits, pairs }: ConesProof, rows: ExactRows, must?: number): number {
  const { dimension, count } = rows;
  const [c, f] = [centre.map(whole), factors.map(whole)];
  demand(c.length === dimension && f.length === dimension + 1, 'cones: expected a number for each feature');
  demand(f.every((each) => each >= 0n) && f[dimension]! > 0n, 'cones: a factor is negative, or the last one is 0');
  const axes = [...f.keys()].filter((j) => f[j]! > 0n);
  demand(axes.length <= 12, 'cones: expected at most 12 rays');
  const units: bigint[][] = axes.map(() => []);
  for (let i = 1; i <= count; i++) {
    const { y, features } = rows.row(i);
    const x = [...c.map((each) => -each), 1n];
    for (const [j, value] of features) x[j]! += value;
    demand(
      x.every((each, j) => each === 0n || f[j]! > 0n),
      'cones: a factor of a feature that differs is 0',
    );
    axes.forEach((j, r) => {
      units[r]![i] = y * f[j]! * x[j]!;
    });
  }
  let [least, nextSplit, nextPairs] = [count, 0, 0];
  const all = Array.from({ length: count }, (_, k) => k + 1);
  for (let signs = 0; signs < 2 ** axes.length; signs++) {
    const scores = units.map((unit, r) => ((signs >> r) & 1 ? unit.map((each) => -each) : unit));
    const waiting: Cone[] = [{ scores, rows: all, sure: 0 }];
    for (let cone = waiting.pop(); cone !== undefined; cone = waiting.pop()) {
      const { scores: own } = cone;
      const right = cone.rows.filter((i) => own.some((ray) => ray[i]! > 0n));
      const isEmpty = must !== undefined && own.every((ray) => ray[must]! <= 0n);
      const sure = isEmpty ? Infinity : cone.sure + cone.rows.length - right.length;
      const open = right.filter((i) => own.some((ray) => ray[i]! < 0n));
      const split = splits[nextSplit++];
      demand(split !== undefined, 'cones: a cone is missing');
      if (split === null) {
        const list = pairs[nextPairs++];
        demand(list !== undefined, 'cones: the pairs of a cone are missing');
        least = Math.min(least, sure + checkPairs(list, { scores: own, rows: open, sure }, must));
        continue;
      }
      const [a, b, p, q] = [split[0], split[1], whole(split[2]), whole(split[3])];
      demand(split.length === 4 && a !== b && p > 0n && q > 0n, 'cones: expected two rays with positive numbers');
      const [one, two] = [own[a], own[b]];
      demand(one !== undefined && two !== undefined, 'cones: a split has no such ray');
      const middle: bigint[] = new Array(count + 1);
      for (const i of open) middle[i] = p * one[i]! + q * two[i]!;
      for (const at of [b, a])
        waiting.push({ scores: own.map((ray, r) => (r === at ? middle : ray)), rows: open, sure });
    }
  }
  demand(nextSplit === splits.length && nextPairs === pairs.length, 'cones: more cones than are in the tree');
  return least;
}

/** Returns the number of pairs. Demands that all lines of the cone err on a row of each, and that no row is in two. */
function checkPairs(list: readonly number[], { scores, rows }: Cone, must: number | undefined): number {
  const free = new Set(rows);
  for (let at = 0; at < list.length; at += 4) {
    const [i, m, j, n] = list.slice(at, at + 4) as [number, number, number, number];
    const isFree = [i, j].every((row) => (row === must ? free.has(row) : free.delete(row)));
    demand(isFree, `cones: rows ${i} and ${j} are not free to be a pair`);
    demand(
      [m, n].every((each) => Number.isSafeInteger(each) && each > 0),
      'cones: expected positive whole numbers',
    );
    const [mine, other] = [BigInt(m), BigInt(n)];
    const isPair = scores.every((ray) => mine * ray[i]! + other * ray[j]! <= 0n);
    demand(isPair, `cones: a line can be right on rows ${i} and ${j}`);
  }
  return list.length / 4;
}
