import type { CeilingProof } from '../certificate.ts';
import type { Clock } from '../clock.ts';
import { type ExactBatch, unitOf, valueIn } from './values.ts';
import { fraction } from './whole.ts';

/**
 * Returns an upper bound on the margin of every line: rounds λ to whole numbers that give both classes the same total
 * weight.
 *
 * @param lambda positive numbers by example.
 * @returns null if a class has no weight, if the weighted sum is 0, which is a contradiction and no ceiling, or if time
 * runs out.
 */
export async function ceilingOf(
  examples: ExactBatch,
  lambda: ReadonlyMap<number, number>,
  clock: Clock,
): Promise<CeilingProof | null> {
  const { dimension, offsets, indices, labels } = examples;
  const sums = [0, 0];
  for (const [i, each] of lambda) sums[labels[i]! > 0 ? 1 : 0]! += each;
  if (!(sums[0]! > 0 && sums[1]! > 0)) return null;
  const unit = 2 ** 50;
  const parts = new Map<number, bigint>();
  for (const label of [-1, 1]) {
    const own = [...lambda].filter(([i]) => labels[i] === label);
    const whole = own.map(([, each]) => BigInt(Math.round((each / sums[label > 0 ? 1 : 0]!) * unit)));
    // The largest weight takes the units that rounding left over.
    const left = BigInt(unit) - whole.reduce((sum, each) => sum + each, 0n);
    const largest = whole.reduce((at, each, k) => (each > whole[at]! ? k : at), 0);
    whole[largest]! += left;
    if (whole[largest]! <= 0n) return null;
    own.forEach(([i], k) => {
      if (whole[k]! > 0n) parts.set(i, whole[k]!);
    });
  }
  const members = [...parts.keys()].sort((a, b) => a - b);
  const scale = unitOf(examples, positionsOf(examples, members));
  const meeting: bigint[] = new Array(dimension).fill(0n);
  for (const i of members) {
    if (!(await clock.breathe())) return null;
    const signed = labels[i]! > 0 ? parts.get(i)! : -parts.get(i)!;
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++)
      meeting[indices[at]!]! += signed * valueIn(examples, at, scale);
  }
  let norm = 0n;
  for (const sum of meeting) norm += sum * sum;
  if (norm === 0n) return null;
  const total = 2n * BigInt(unit);
  return {
    rows: members.map((i) => i + 1),
    weights: members.map((i) => String(parts.get(i))),
    marginSquared: fraction(norm, (total * scale.one) ** 2n),
  };
}

function* positionsOf({ offsets }: ExactBatch, members: readonly number[]): Generator<number> {
  for (const i of members) for (let at = offsets[i]!; at < offsets[i + 1]!; at++) yield at;
}
