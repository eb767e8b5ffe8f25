/*
 * Mixes learners: w = Σ μₖwₖ, with μₖ ≥ 0 and Σ μₖ = 1.
 *
 * A learner of clock T keeps sums u so that the mean of its weights over time is w − u/T. So S = T·w − u is the sum
 * of the weights over time. Each shard goes on from the mixed learner (w₀, u₀, T₀) and ends with (wₖ, uₖ, Tₖ). The
 * mixed sum is that of the time before and of the time of all shards, S = S₀ + Σ (Sₖ − S₀), at the clock
 * T = T₀ + Σ (Tₖ − T₀). Hence
 *
 *   u = T·w − S = T·w − Σ Tₖ·wₖ + Σ uₖ + (K − 1)(T₀·w₀ − u₀).
 *
 * Products and sums are exact and rounded once, so the order of the shards cannot change a bit; and for one shard with
 * w = w₁ and T = T₁ the result is u₁.
 */
import type { TrainState } from 'halfspace';
import { exactSum, scalars } from 'halfspace/internal';

interface Linear {
  readonly rule: string;
  readonly weights: Float64Array;
  readonly sums: Float64Array | null;
  readonly scalars: Float64Array;
}

/**
 * @param before the state from which all shards went on.
 * @param states of the shards with rows, at least one.
 * @param counts by which shards are weighed: whole numbers ≥ 0, not all 0.
 */
export function mixStates(before: TrainState, states: readonly TrainState[], counts: readonly number[]): TrainState {
  const learners = states.map(({ learner }) => learner);
  return { ...before, passes: before.passes + 1, learner: mixLearners(before.learner, learners, counts) as never };
}

function mixLearners(before: object, learners: readonly object[], counts: readonly number[]): object {
  if (!('machines' in before)) return mixLinear(before as Linear, learners as readonly Linear[], counts);
  const machinesOf = (learner: object) => (learner as { machines: readonly object[] }).machines;
  const [first] = learners;
  const machines = machinesOf(before).map((machine, m) =>
    mixLearners(
      machine,
      learners.map((learner) => machinesOf(learner)[m]!),
      counts,
    ),
  );
  return learners.length === 1 ? first! : { ...first!, machines };
}

function mixLinear(before: Linear, ends: readonly Linear[], counts: readonly number[]): Linear {
  const [first] = ends;
  if (ends.length === 1) return first!;
  const at = (position: number) => ({
    start: before.scalars[position]!,
    ends: ends.map((each) => each.scalars[position]!),
  });
  const added = (position: number) => {
    const { start, ends: all } = at(position);
    return start + all.reduce((sum, end) => sum + (end - start), 0);
  };
  const clocks = { ...at(scalars.clock), all: added(scalars.clock) };
  const mixed = first!.scalars.slice();
  for (const position of [scalars.clock, scalars.updates, scalars.mistakes, scalars.examples])
    mixed[position] = added(position);
  mixed[scalars.cleanStreak] = 0;
  const bias = at(scalars.bias);
  mixed[scalars.bias] = weightOf(bias.ends, counts);
  if (first!.sums !== null) mixed[scalars.biasSum] = sumOf(mixed[scalars.bias]!, bias, at(scalars.biasSum), clocks);

  const dimension = Math.max(before.weights.length, ...ends.map(({ weights }) => weights.length));
  const weights = new Float64Array(dimension);
  const sums = first!.sums === null ? null : new Float64Array(dimension);
  const w = { start: 0, ends: ends.map(() => 0) };
  const u = { start: 0, ends: ends.map(() => 0) };
  for (let j = 0; j < dimension; j++) {
    w.start = before.weights[j] ?? 0;
    u.start = before.sums?.[j] ?? 0;
    let touched = false;
    ends.forEach((end, k) => {
      w.ends[k] = end.weights[j] ?? 0;
      u.ends[k] = end.sums?.[j] ?? 0;
      touched ||= w.ends[k] !== w.start || u.ends[k] !== u.start;
    });
    // No shard changed it.
    weights[j] = touched ? weightOf(w.ends, counts) : w.start;
    if (sums !== null) sums[j] = touched ? sumOf(weights[j]!, w, u, clocks) : u.start;
  }
  return { ...first!, weights, sums, scalars: mixed };
}

function weightOf(weights: readonly number[], counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return exactSum(weights.flatMap((weight, k) => product(counts[k]!, weight))) / total;
}

interface Numbers {
  readonly start: number;
  readonly ends: readonly number[];
}

function sumOf(mixed: number, w: Numbers, u: Numbers, clocks: Numbers & { readonly all: number }): number {
  const others = w.ends.length - 1;
  return exactSum([
    ...product(clocks.all, mixed),
    ...w.ends.flatMap((weight, k) => product(-clocks.ends[k]!, weight)),
    ...u.ends,
    ...product(others * clocks.start, w.start),
    ...product(-others, u.start),
  ]);
}

/** Returns two doubles whose exact sum is a·b, if nothing overflows or underflows (Dekker 1971). */
function product(a: number, b: number): readonly [number, number] {
  const value = a * b;
  const [high, low] = split(a);
  const [otherHigh, otherLow] = split(b);
  return [value, low * otherLow - (value - high * otherHigh - low * otherHigh - high * otherLow)];
}

function split(value: number): readonly [high: number, low: number] {
  const scaled = 134217729 * value; // 2²⁷ + 1
  const high = scaled - (scaled - value);
  return [high, value - high];
}
