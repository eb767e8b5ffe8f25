import type { Contradiction } from '../certificate.ts';
import { type Clock, clockUntil } from '../clock.ts';
import { kernelVector } from './kernel-vector.ts';
import { type ExactBatch, type Unit, unitOf, valueIn } from './values.ts';
import { gcd } from './whole.ts';

/**
 * Returns the exact contradiction of some examples (Gordan 1873): positive whole numbers nᵢ with Σ nᵢyᵢ(xᵢ, 1) = 0.
 * Examples with nᵢ = 0 are left out. The result is irreducible: n is unique up to its sign, so no proper subset has
 * such a vector.
 *
 * @param candidates positions of examples, from 0, of which all but one are independent, such as a basis of a linear
 * programme.
 * @returns null if there is no such n, if its numbers differ in sign, or if time runs out.
 */
export async function contradictionAmong(
  examples: ExactBatch,
  candidates: readonly number[],
  clock: Clock,
): Promise<Contradiction | null> {
  const n = await kernelVector(signedColumns(examples, candidates).columns, clock);
  if (n === null) return null;
  const sign = n.some((each) => each > 0n) ? 1n : -1n;
  const signed = n.map((each) => sign * each);
  if (signed.some((each) => each < 0n)) return null;
  const kept = candidates
    .map((row, k) => ({ row, weight: signed[k]! }))
    .filter(({ weight }) => weight > 0n)
    .sort((a, b) => a.row - b.row);
  return {
    rows: kept.map(({ row }) => row + 1),
    weights: kept.map(({ weight }) => String(weight)),
    total: String(kept.reduce((sum, { weight }) => sum + weight, 0n)),
  };
}

/**
 * Tests in exact arithmetic if examples contradict each other: if numbers nᵢ ≥ 0, not all 0, exist with Σ nᵢyᵢ(xᵢ, 1) =
 * 0, so that no hyperplane separates them. Looks among the candidates, then for two examples with the same features and
 * opposite labels. For the option `separability` of `train`.
 *
 * @param candidates see {@link contradictionAmong}.
 */
export async function contradict(examples: ExactBatch, candidates: readonly number[]): Promise<boolean> {
  // The caller limits the number of candidates, so that the answer does not depend on time.
  const found = await contradictionAmong(examples, candidates, clockUntil(Infinity, {}));
  return found !== null || oppositePairs(examples).length > 0;
}

/**
 * Examples as whole numbers. Each feature has its own factor, which does not change whether a sum over the feature is
 * 0.
 */
export interface SignedColumns {
  /** y·(x, 1) by feature. The constant is feature `dimension`. */
  readonly columns: readonly Map<number, bigint>[];
  /** The factor of feature j is one / divisor. */
  readonly factors: ReadonlyMap<number, { readonly one: bigint; readonly divisor: bigint }>;
}

export function signedColumns(examples: ExactBatch, rows: readonly number[]): SignedColumns {
  const { dimension, offsets, indices, labels } = examples;
  const byFeature = new Map<number, number[]>();
  for (const i of rows)
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
      const list = byFeature.get(indices[at]!);
      if (list === undefined) byFeature.set(indices[at]!, [at]);
      else list.push(at);
    }
  const factors = new Map<number, Unit & { readonly divisor: bigint }>();
  for (const [j, list] of byFeature) {
    const unit = unitOf(examples, list);
    factors.set(j, { ...unit, divisor: list.reduce((divisor, at) => gcd(divisor, valueIn(examples, at, unit)), 0n) });
  }
  const columns = rows.map((i) => {
    const column = new Map<number, bigint>([[dimension, labels[i]! > 0 ? 1n : -1n]]);
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
      const unit = factors.get(indices[at]!)!;
      const whole = valueIn(examples, at, unit) / unit.divisor;
      column.set(indices[at]!, labels[i]! > 0 ? whole : -whole);
    }
    return column;
  });
  return { columns, factors };
}

/**
 * Returns the smallest contradictions: pairs of examples with the same features and opposite labels. The pairs are
 * disjoint, and as many as possible.
 */
export function oppositePairs(examples: ExactBatch): Contradiction[] {
  const { rows, labels } = examples;
  const waiting = new Map<number, number[]>();
  const pairs: Contradiction[] = [];
  for (let i = 0; i < rows; i++) {
    const hash = hashRow(examples, i);
    const bucket = waiting.get(hash) ?? [];
    if (bucket.length === 0) waiting.set(hash, bucket);
    const twin = bucket.findIndex((other) => labels[other] !== labels[i] && sameFeatures(examples, i, other));
    if (twin < 0) bucket.push(i);
    else pairs.push({ rows: [bucket.splice(twin, 1)[0]! + 1, i + 1], weights: ['1', '1'], total: '2' });
  }
  return pairs;
}

const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);

function hashRow({ offsets, indices, values }: ExactBatch, i: number): number {
  let hash = 0x811c9dc5;
  for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
    scratch[0] = values[at]!;
    hash = Math.imul(hash ^ indices[at]!, 0x01000193);
    hash = Math.imul(hash ^ words[0]!, 0x01000193);
    hash = Math.imul(hash ^ words[1]! ^ (hash >>> 15), 0x01000193);
  }
  return hash >>> 0;
}

function sameFeatures({ offsets, indices, values }: ExactBatch, a: number, b: number): boolean {
  const length = offsets[a + 1]! - offsets[a]!;
  if (length !== offsets[b + 1]! - offsets[b]!) return false;
  for (let k = 0; k < length; k++) {
    const [p, q] = [offsets[a]! + k, offsets[b]! + k];
    if (indices[p] !== indices[q] || values[p] !== values[q]) return false;
  }
  return true;
}
