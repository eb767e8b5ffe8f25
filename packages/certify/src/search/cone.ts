import { bitLength, gcd } from '../exact/whole.ts';
import { type Points, ratio } from './points.ts';

/** A ray of a cone: v·t for t ≥ 0. */
export interface Ray {
  readonly v: readonly bigint[];
  /** Σ |vⱼ|. */
  readonly length: bigint;
  /** v/length. */
  readonly near: Float64Array;
}

export function rayOf(v: readonly bigint[]): Ray {
  const length = v.reduce((sum, each) => sum + (each < 0n ? -each : each), 0n);
  return { v, length, near: Float64Array.from(v, (each) => ratio(each, length)) };
}

/** Returns z·v without rounding. */
export function exactScore({ z }: Points, k: number, { v }: Ray): bigint {
  return z[k]!.reduce((sum, each, j) => sum + each * v[j]!, 0n);
}

/** The points of a cone. */
export interface Seen {
  /** Points on which some of its lines err, and others do not. */
  readonly members: Int32Array;
  /**
   * The z·r of the members, ray by ray: the right sign, and above `tiny` a relative error below 10⁻⁶. Valid until the
   * next cone is seen.
   */
  readonly scores: Float64Array;
  /** Errors of every line of the cone. */
  readonly sure: number;
  /** Errors of its middle on the members. */
  readonly middle: number;
}

/** Below this share of its terms, or if doubles hardly hold them, a score is computed without rounding. */
const doubtful = 2 ** -30;
const tiny = 2 ** -960;

/** Buffers of {@link seenFrom}, for all points: allocated once, because there are many cones. */
export interface Buffers {
  readonly members: Int32Array;
  readonly scores: Float64Array;
}

/** @param among the points that may be members; the errors on all others are `sure`. */
export function seenFrom(
  points: Points,
  rays: readonly Ray[],
  among: Int32Array,
  before: number,
  { members: kept, scores }: Buffers,
): Seen {
  const { size, near, weights } = points;
  let [count, sure, middle] = [0, before, 0];
  for (const k of among) {
    let [above, below, sum] = [false, false, 0];
    for (let r = 0; r < size; r++) {
      const v = rays[r]!.near;
      let [score, terms] = [0, 0];
      for (let j = 0, at = k * size; j < size; j++, at++) {
        const term = near[at]! * v[j]!;
        score += term;
        terms += Math.abs(term);
      }
      if (Math.abs(score) <= doubtful * terms || terms < tiny) {
        const exact = exactScore(points, k, rays[r]!);
        score = ratio(exact, rays[r]!.length * points.largest);
        if (Math.abs(score) < tiny && exact !== 0n) score = exact < 0n ? -tiny : tiny;
      }
      scores[count * size + r] = score;
      sum += score;
      if (score > 0) above = true;
      else if (score < 0) below = true;
    }
    if (!above) sure += weights[k]!;
    else if (below) {
      kept[count++] = k;
      if (sum <= 0) middle += weights[k]!;
    }
  }
  return { members: kept.slice(0, count), scores, sure, middle };
}

/** Two points of which every line of the cone errs on one: λ of all n/m between the bounds. */
export interface Pair {
  readonly i: number;
  readonly j: number;
  /** The number of errors. */
  readonly price: number;
  readonly lower: number;
  readonly upper: number;
}

/** Maximum multiplier of a pair: more is no safe whole number. */
const mostMultiple = 2 ** 50;

/** Maximum number of tests for pairs in one cone. */
const mostTests = 2_000_000;

/**
 * Returns disjoint pairs of errors: points with (z + λz')·r ≤ 0 for a λ > 0 and all rays r, so that no line of the cone
 * has z·v > 0 and z'·v > 0. Ends when the errors reach `enough`.
 *
 * Each point takes the first free partner. Then a pair (i, j) gives way to (u, j) and (i, w) where u and w are free.
 */
export function pairsOf({ size, weights }: Points, { members, scores }: Seen, enough: number): Pair[] {
  const count = members.length;
  const left = Float64Array.from(members, (k) => weights[k]!);
  const pairs: { a: number; b: number; price: number; lower: number; upper: number }[] = [];
  let [found, tests] = [0, 0];
  let [lower, upper] = [0, 0];
  /** Sets the bounds of λ; true if they leave one. */
  const isPair = (a: number, b: number): boolean => {
    tests++;
    lower = 0;
    upper = Infinity;
    for (let r = 0, x = a * size, y = b * size; r < size; r++, x++, y++) {
      const mine = scores[x]!;
      const other = scores[y]!;
      if (Math.abs(mine) === tiny || Math.abs(other) === tiny) return false;
      if (other > 0) {
        const most = -mine / other;
        if (most < upper) upper = most;
      } else if (other < 0) {
        const least = -mine / other;
        if (least > lower) lower = least;
      } else if (mine > 0) return false;
      // A reserve for the errors of the scores.
      if (upper <= lower * (1 + 1e-5)) return false;
    }
    return lower <= mostMultiple && upper >= 1 / mostMultiple;
  };
  const take = (a: number, b: number, price: number) => {
    left[a]! -= price;
    left[b]! -= price;
    found += price;
    pairs.push({ a, b, price, lower, upper });
  };
  for (let a = 0; a < count && found < enough && tests < mostTests; a++)
    for (let b = a + 1; b < count && left[a]! > 0; b++)
      if (left[b]! > 0 && isPair(a, b)) take(a, b, Math.min(left[a]!, left[b]!));
  const isFree = (k: number) => left[k]! > 0 && left[k]! < Infinity;
  const free = Array.from(left, (_, k) => k).filter(isFree);
  const partner = (k: number, not: number) => free.find((w) => w !== not && isFree(w) && isPair(k, w));
  for (let at = 0, end = pairs.length; at < end && found < enough && tests < mostTests; at++) {
    const pair = pairs[at]!;
    if (weights[members[pair.a]!] === Infinity || weights[members[pair.b]!] === Infinity) continue;
    for (const [i, j] of [
      [pair.a, pair.b],
      [pair.b, pair.a],
    ] as const)
      for (const u of free) {
        if (pair.price === 0) break;
        if (!isFree(u) || !isPair(u, j)) continue;
        const w = partner(i, u);
        if (w === undefined) break;
        const price = Math.min(pair.price, left[u]!, left[w]!);
        pair.price -= price;
        left[i]! += price;
        left[j]! += price;
        found -= price;
        take(i, w, price);
        isPair(u, j);
        take(u, j, price);
      }
  }
  return pairs
    .filter(({ price }) => price > 0)
    .map(({ a, b, ...rest }) => ({ i: members[a]!, j: members[b]!, ...rest }));
}

/** Returns m and n, short numbers with λ = n/m well between the bounds of a pair. */
export function multipliers({ lower, upper }: Pair): [m: number, n: number] {
  const [n, m] = simplest(lower * (1 + 3e-6), upper / (1 + 3e-6));
  return [m, n];
}

/** Returns the positive fraction with the smallest numbers between two numbers (Stern 1858). */
function simplest(low: number, high: number): [n: number, m: number] {
  const whole = Math.max(1, Math.ceil(low));
  if (whole <= high) return [whole, 1];
  const floor = Math.floor(low);
  const [n, m] = simplest(1 / (high - floor), 1 / (low - floor));
  return [floor * n + m, n];
}

/** The rays a and b are joined to p·a + q·b, which takes the place of each of them in turn. */
export interface Split {
  readonly a: number;
  readonly b: number;
  readonly p: bigint;
  readonly q: bigint;
}

/**
 * Returns a split between the two rays that most planes of points come between, for their distance; in the middle, or
 * on the plane of the first member.
 */
export function splitOf(points: Points, rays: readonly Ray[], seen: Seen, onPlane: boolean): Split {
  const { size, weights } = points;
  const { members, scores } = seen;
  let best = { a: 0, b: 1, worth: -1 };
  for (let a = 0; a < size; a++)
    for (let b = a + 1; b < size; b++) {
      const [x, y] = [rays[a]!.near, rays[b]!.near];
      // Rays that are one in doubles are still two.
      const length = Math.max(Math.sqrt(x.reduce((sum, each, j) => sum + (each - y[j]!) ** 2, 0)), 1e-300);
      let between = 0;
      for (let k = 0; k < (onPlane ? 1 : members.length); k++) {
        const [mine, other] = [scores[k * size + a]!, scores[k * size + b]!];
        if (onPlane ? Math.sign(mine) * Math.sign(other) < 0 : mine > 0 !== other > 0)
          between += onPlane || weights[members[k]!] === Infinity ? 1 : weights[members[k]!]!;
      }
      if (between * length > best.worth) best = { a, b, worth: between * length };
    }
  const { a, b } = best;
  if (onPlane) {
    const [mine, other] = [exactScore(points, members[0]!, rays[a]!), exactScore(points, members[0]!, rays[b]!)];
    const divisor = gcd(mine, other);
    return { a, b, p: abs(other / divisor), q: abs(mine / divisor) };
  }
  const [one, two] = [bitLength(rays[a]!.length), bitLength(rays[b]!.length)];
  const shift = BigInt(Math.abs(one - two));
  return { a, b, p: one < two ? 1n << shift : 1n, q: two < one ? 1n << shift : 1n };
}

const abs = (a: bigint) => (a < 0n ? -a : a);

/** Returns the rays of the two halves of a split. */
export function halvesOf(rays: readonly Ray[], { a, b, p, q }: Split): [Ray[], Ray[]] {
  const middle = rayOf(rays[a]!.v.map((each, j) => p * each + q * rays[b]!.v[j]!));
  return [rays.map((ray, k) => (k === a ? middle : ray)), rays.map((ray, k) => (k === b ? middle : ray))];
}
