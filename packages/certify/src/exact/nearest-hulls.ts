import type { CeilingProof, Contradiction, SeparatorProof } from '../certificate.ts';
import type { Clock } from '../clock.ts';
import { kernelVector } from './kernel-vector.ts';
import { separatorOf, type WholeExamples } from './separator.ts';
import { fraction, gcd } from './whole.ts';

/** The largest margin, from both sides. If the search ended in time, both are the same number. */
export interface Nearest {
  readonly separator: SeparatorProof | null;
  readonly ceiling: CeilingProof | null;
  /** If the hulls meet, and the search ended in time. */
  readonly contradiction: Contradiction | null;
}

/** Maximum number of examples in a step: the digits of an exact solution grow with it. */
const mostSupport = 60;

/**
 * Finds the points p₊ and p₋ of the hulls of the two classes that are nearest to each other, in whole numbers, so that
 * no scale of the data and no small margin matters.
 *
 * Objective: minimise ‖Σ λᵢyᵢxᵢ‖² with λ ≥ 0 and the sum 1 in each class. Step: among the examples of the support,
 * solve for the nearest points of their affine hulls; while a λᵢ would fall below 0, go as far as λ ≥ 0 allows and
 * drop the example whose λᵢ is 0. Then the example that is nearest to the other class along p₊ − p₋ joins. If none is
 * nearer than the support, the points are nearest: the line half-way between them has the largest margin. Source:
 * Wolfe 1976, "Finding the nearest point in a polytope"; an example that joins is affinely independent of its class.
 *
 * @param support examples to try first, of both classes: the support vectors, if they are known.
 */
export async function nearestHulls(whole: WholeExamples, support: readonly number[], clock: Clock): Promise<Nearest> {
  const { labels } = whole.examples;
  let best: Nearest = { separator: null, ceiling: null, contradiction: null };
  const first = [1, -1].map((label) => support.find((i) => labels[i] === label) ?? labels.indexOf(label));
  const tried = support.length <= mostSupport ? await affine(whole, support, clock) : null;
  const isInside = tried !== null && [...tried.values()].every((each) => each > 0n);
  let point: Weights = isInside ? tried : new Map(first.map((i) => [i, 1n]));
  while (await clock.breathe()) {
    const direction = sumOf(whole, point);
    const separator = separatorOf(whole, direction);
    const contradiction = direction.every((each) => each === 0n) ? contradictionAt(point) : null;
    best = { separator: separator ?? best.separator, ceiling: ceilingAt(point, direction, whole), contradiction };
    const joining = nearerThan(whole, point, direction);
    if (joining === null || point.size >= mostSupport) break;
    const next = await settle(whole, point, joining, clock);
    if (next === null) break;
    point = next;
  }
  return best;
}

/** A point by its examples: weights above 0, with the same sum in each class. */
type Weights = ReadonlyMap<number, bigint>;

/** Moves to the nearest points of the hulls of the support and an example that joins it. */
async function settle(whole: WholeExamples, from: Weights, joining: number, clock: Clock): Promise<Weights | null> {
  let lambda = new Map([...from, [joining, 0n]]);
  while (await clock.breathe()) {
    const alpha = await affine(whole, [...lambda.keys()], clock);
    if (alpha === null) return null;
    if ([...alpha.values()].every((each) => each > 0n)) return alpha;
    lambda = towards(whole, lambda, alpha);
  }
  return null;
}

/** Goes from λ towards α until a first weight is 0, and drops the examples whose weight is 0. */
function towards(whole: WholeExamples, lambda: Weights, alpha: Weights): Map<number, bigint> {
  const [a, b] = [totalOf(whole, lambda), totalOf(whole, alpha)];
  // Shares are λ/a and α/b. The share of an example is 0 after the part θ = λb/(λb − αa) of the way.
  let [top, bottom] = [1n, 1n];
  for (const [i, l] of lambda) {
    const [from, to] = [l * b, alpha.get(i)! * a];
    if (to <= 0n && from > to && from * bottom < top * (from - to)) [top, bottom] = [from, from - to];
    // An example that has just joined and would leave at once: no step.
    if (to <= 0n && from === 0n) [top, bottom] = [0n, 1n];
  }
  const moved = new Map<number, bigint>();
  for (const [i, l] of lambda) {
    const weight = (bottom - top) * l * b + top * alpha.get(i)! * a;
    if (weight > 0n) moved.set(i, weight);
  }
  return reduced(moved);
}

/**
 * Returns the weights of the nearest points of the affine hulls of these examples of the two classes; null if they are
 * not unique, or if time runs out. The weights α, a multiple t of 1, and multipliers m₊ and m₋ satisfy Σⱼ (zᵢ·zⱼ)αⱼ =
 * m of i's class and Σ α = t in each class, with zᵢ = yᵢxᵢ.
 */
export async function affine(
  whole: WholeExamples,
  members: readonly number[],
  clock: Clock,
): Promise<Map<number, bigint> | null> {
  const { labels } = whole.examples;
  const k = members.length;
  const rows = members.map((i) => valuesOf(whole, i));
  const side = members.map((i) => (labels[i]! > 0 ? 0 : 1));
  const columns = side.map((own) => new Map<number, bigint>([[k + own, 1n]]));
  for (const [j, row] of rows.entries()) {
    if (!(await clock.breathe())) return null;
    for (let i = 0; i <= j; i++) {
      const product = side[i] === side[j] ? dot(row, rows[i]!) : -dot(row, rows[i]!);
      if (product === 0n) continue;
      columns[j]!.set(i, product);
      columns[i]!.set(j, product);
    }
  }
  for (const own of [0, 1]) columns.push(new Map(side.flatMap((each, i) => (each === own ? [[i, -1n] as const] : []))));
  columns.push(
    new Map([
      [k, -1n],
      [k + 1, -1n],
    ]),
  );
  const solved = await kernelVector(columns, clock);
  const total = solved?.at(-1) ?? 0n;
  if (solved === null || total === 0n) return null;
  const sign = total > 0n ? 1n : -1n;
  return reduced(new Map(members.map((i, j) => [i, sign * solved[j]!])));
}

/** Returns the example that is nearest to the other class along `direction`, if it is nearer than the support is. */
function nearerThan(whole: WholeExamples, point: Weights, direction: readonly bigint[]): number | null {
  const { rows, labels } = whole.examples;
  // All examples of the support with weight have the same y·score in their class.
  const least: (bigint | null)[] = [null, null];
  for (const i of point.keys()) {
    const [side, score] = signed(i);
    if (least[side] === null || score < least[side]!) least[side] = score;
  }
  let joining: number | null = null;
  let gain = 0n;
  for (let i = 0; i < rows; i++) {
    const [side, score] = signed(i);
    if (least[side]! - score > gain) [joining, gain] = [i, least[side]! - score];
  }
  return joining;

  function signed(i: number): [side: number, score: bigint] {
    const score = whole.score(i, direction);
    return labels[i]! > 0 ? [0, score] : [1, -score];
  }
}

/** Returns Σ λᵢyᵢXᵢ, X being the examples as whole numbers. */
export function sumOf(whole: WholeExamples, weights: Weights): bigint[] {
  const { dimension, labels } = whole.examples;
  const sum: bigint[] = new Array(dimension).fill(0n);
  for (const [i, weight] of weights)
    for (const [j, value] of valuesOf(whole, i)) sum[j]! += labels[i]! > 0 ? weight * value : -weight * value;
  return sum;
}

function ceilingAt(weights: Weights, direction: readonly bigint[], whole: WholeExamples): CeilingProof | null {
  const norm = direction.reduce((sum, each) => sum + each * each, 0n);
  if (norm === 0n) return null;
  const members = [...weights.keys()].sort((a, b) => a - b);
  return {
    rows: members.map((i) => i + 1),
    weights: members.map((i) => String(weights.get(i))),
    marginSquared: fraction(norm, (2n * totalOf(whole, weights) * whole.one) ** 2n),
  };
}

/** Returns the contradiction of a point where the hulls meet. Its weights are unique, so it is irreducible. */
function contradictionAt(weights: Weights): Contradiction {
  const members = [...weights.keys()].sort((a, b) => a - b);
  const own = members.map((i) => weights.get(i)!);
  return {
    rows: members.map((i) => i + 1),
    weights: own.map(String),
    total: String(own.reduce((sum, weight) => sum + weight, 0n)),
  };
}

/** Returns the sum of the weights of a class. */
function totalOf(whole: WholeExamples, weights: Weights): bigint {
  let total = 0n;
  for (const [i, weight] of weights) if (whole.examples.labels[i]! > 0) total += weight;
  return total;
}

function reduced(weights: Map<number, bigint>): Map<number, bigint> {
  const divisor = [...weights.values()].reduce(gcd, 0n);
  return divisor <= 1n ? weights : new Map([...weights].map(([i, weight]) => [i, weight / divisor]));
}

function valuesOf(whole: WholeExamples, i: number): Map<number, bigint> {
  const { offsets, indices } = whole.examples;
  const values = new Map<number, bigint>();
  for (let at = offsets[i]!; at < offsets[i + 1]!; at++) values.set(indices[at]!, whole.value(at));
  return values;
}

function dot(a: ReadonlyMap<number, bigint>, b: ReadonlyMap<number, bigint>): bigint {
  let sum = 0n;
  for (const [j, value] of a) sum += value * (b.get(j) ?? 0n);
  return sum;
}
