import type { ConesProof } from '../certificate.ts';
import type { Clock } from '../clock.ts';
import type { WholeExamples } from '../exact/separator.ts';
import { bitLength } from '../exact/whole.ts';
import {
  exactScore,
  halvesOf,
  multipliers,
  pairsOf,
  type Ray,
  rayOf,
  type Seen,
  type Split,
  seenFrom,
  splitOf,
} from './cone.ts';
import { type Points, pointsOf } from './points.ts';

/** Maximum number of features: in the beginning there are 2^(features + 1) cones. */
const mostFeatures = 11;

/** Maximum number of cones of a certificate. */
const mostCones = 2_000_000;

/** Maximum length of a ray in bits: splits on planes double it, and longer ones would take all the time. */
const mostBits = 1 << 15;

/** Splits in the middle without fewer members, after which a cone is split on planes of its members. */
const patience = 1;

/** A cone of lines. It is closed if it has no split. */
interface Cone {
  /** Empty when the cone is closed or split, as they take memory. */
  rays: readonly Ray[];
  members: Int32Array;
  readonly sure: number;
  /** Errors of every line, those of pairs included. */
  bound: number;
  /** Pairs of rows with their multipliers, four numbers each: every line of the cone errs on a row of each. */
  pairs: readonly number[];
  /** Number of splits in the middle since there were more members. */
  readonly idle: number;
  /** Null while the cone is open. */
  split: Split | null;
  halves: readonly [Cone, Cone] | null;
}

/**
 * Proves a lower bound on the errors of all lines by branch and bound over the lines, the lowest bound first.
 *
 * A line is v = (w, b) of d + 1 coordinates, and errs on an example if z·v ≤ 0 with z = y(x, 1). At first, all v are in
 * the cones of d + 1 rays, one of each pair ±eⱼ. A line of a cone is a sum of its rays, times numbers ≥ 0. So every
 * line errs on an example with z·r ≤ 0 for all rays r, and on one of two with (m·z + n·z')·r ≤ 0 for all r and m, n >
 * 0. A cone where disjoint pairs and sure errors are too few is split at a point between two rays: in the middle, or on
 * the plane z·v = 0 of an example where halving does not end, because many planes meet in one line. Finitely many of
 * these give cones without planes inside, of which all errors are sure.
 *
 * @param enough the search ends when every line has so many errors.
 * @param offer takes the weights of a line that may have fewer, and returns the fewest errors known.
 * @param must true for the lines that are right on the last example.
 * @returns null if there are too many features.
 */
export async function searchCones(
  whole: WholeExamples,
  enough: number,
  clock: Clock,
  offer: (weights: readonly bigint[]) => number,
  must = false,
): Promise<{ readonly atLeast: number; readonly cones: ConesProof } | null> {
  const points = pointsOf(whole, must);
  const { size, axes } = points;
  if (axes.length === 0 || axes.length > mostFeatures) return null;
  let most = enough;
  /** The lowest bound of a cone that cannot be split. */
  let atBest = Infinity;
  /** Open cones by their bounds. */
  const open: Cone[][] = [];
  let count = 0;
  const buffers = { members: new Int32Array(points.z.length), scores: new Float64Array(points.z.length * size) };
  const add = (rays: readonly Ray[], among: Int32Array, before: number, idle: number): Cone => {
    const seen = seenFrom(points, rays, among, before, buffers);
    const { members, sure } = seen;
    if (sure + seen.middle < most) most = Math.min(most, offer(middleOf(rays, points, whole)));
    const cone: Cone = {
      rays,
      members,
      sure,
      ...{ bound: sure, pairs: [] },
      idle: next(idle, members.length < among.length),
      split: null,
      halves: null,
    };
    count++;
    pair(points, cone, seen, most);
    const { bound } = cone;
    if (bound >= most) return emptied(cone);
    cone.split = splitOf(points, rays, seen, cone.idle > patience);
    const { a, b, p, q } = cone.split;
    if (Math.max(bitLength(p * rays[a]!.length), bitLength(q * rays[b]!.length)) > mostBits) {
      cone.split = null;
      atBest = Math.min(atBest, bound);
      return cone;
    }
    while (open.length <= bound) open.push([]);
    open[bound]!.push(cone);
    return cone;
  };
  // From then on a cone is split on planes only.
  const next = (idle: number, isSmaller: boolean) => (idle > patience ? idle : isSmaller ? 0 : idle + 1);
  const lowest = () => open.findIndex((cones) => cones.length > 0);
  const all = Int32Array.from(points.z, (_, k) => k);
  const roots: Cone[] = [];
  for (const rays of startingRays(size)) {
    if (!(await clock.breathe())) return null;
    roots.push(add(rays, all, points.base, 0));
  }
  for (let bound = lowest(); bound >= 0 && bound < Math.min(most, atBest) && count < mostCones; bound = lowest()) {
    if (!(await clock.breathe())) break;
    if (count % 128 === 0) clock.tell('errors', `every line errs on ${bound} to ${most} examples; ${count} cones`);
    const cone = open[bound]!.pop()!;
    const [one, two] = halvesOf(cone.rays, cone.split!);
    cone.halves = [add(one, cone.members, cone.sure, cone.idle), add(two, cone.members, cone.sure, cone.idle)];
    emptied(cone).pairs = [];
  }
  const bound = lowest();
  return written(points, roots, Math.min(bound < 0 ? most : bound, most, atBest));
}

function startingRays(size: number): Ray[][] {
  return Array.from({ length: 2 ** size }, (_, signs) =>
    Array.from({ length: size }, (_, r) =>
      rayOf(Array.from({ length: size }, (_, j) => (j !== r ? 0n : (signs >> r) & 1 ? -1n : 1n))),
    ),
  );
}

/** Returns the weights of a line inside a cone, near its middle. */
function middleOf(rays: readonly Ray[], { axes, factors }: Points, whole: WholeExamples): bigint[] {
  const bits = rays.map(({ length }) => bitLength(length));
  const most = Math.max(...bits);
  const weights: bigint[] = new Array(whole.examples.dimension).fill(0n);
  axes.forEach((feature, j) => {
    const sum = rays.reduce((total, { v }, r) => total + (v[j]! << BigInt(most - bits[r]!)), 0n);
    weights[feature] = factors[feature]! * sum;
  });
  return weights;
}

/** Writes the tree of cones, depth first, with pairs for each closed one. */
function written(points: Points, roots: readonly Cone[], target: number) {
  const splits: (readonly [number, number, string, string] | null)[] = [];
  const pairs: (readonly number[])[] = [];
  let atLeast = Infinity;
  const waiting = [...roots].reverse();
  for (let cone = waiting.pop(); cone !== undefined; cone = waiting.pop()) {
    if (cone.halves !== null) {
      const { a, b, p, q } = cone.split!;
      splits.push([a, b, String(p), String(q)]);
      waiting.push(cone.halves[1], cone.halves[0]);
      continue;
    }
    splits.push(null);
    // More errors than the weakest cone has prove nothing.
    const spare = Math.max(0, cone.bound - Math.max(target, cone.sure));
    pairs.push(spare === 0 ? cone.pairs : cone.pairs.slice(0, -4 * spare));
    atLeast = Math.min(atLeast, cone.bound);
  }
  return { atLeast, cones: { centre: points.centre.map(String), factors: points.factors.map(String), splits, pairs } };
}

/** Sets the pairs of a cone, proved in whole numbers, and its bound. */
function pair(points: Points, cone: Cone, seen: Seen, most: number): void {
  const { rays, members, sure } = cone;
  const left = new Map<number, number>();
  const list: number[] = [];
  // The classes of one place: every line errs on one row of both.
  for (const k of members) {
    const [mine, others] = points.rows[k]!;
    if (others.length === 0) continue;
    others.forEach((row, at) => {
      list.push(mine[at]!, 1, row, 1);
    });
    left.set(k, others.length);
  }
  for (const found of pairsOf(points, seen, most - sure)) {
    const { i, j, price } = found;
    const [m, n] = multipliers(found);
    const isSure =
      Number.isSafeInteger(m) &&
      Number.isSafeInteger(n) &&
      rays.every((ray) => BigInt(m) * exactScore(points, i, ray) + BigInt(n) * exactScore(points, j, ray) <= 0n);
    if (!isSure) continue;
    const row = (k: number) => {
      const at = left.get(k) ?? 0;
      if (points.weights[k] !== Infinity) left.set(k, at + 1);
      return points.rows[k]![0][at]!;
    };
    for (let k = 0; k < price; k++) list.push(row(i), m, row(j), n);
    cone.bound += price;
  }
  cone.pairs = list;
}

/** Gives back the memory of a cone that is done. */
function emptied(cone: Cone): Cone {
  cone.rays = [];
  cone.members = none;
  return cone;
}

const none = new Int32Array(0);
