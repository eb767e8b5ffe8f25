/*
 * Mixes the learners with which shards end a round.
 *
 * Symbols: w₀ the weights from which all shards went on, wₖ those of shard k at its end, T₀ and Tₖ their clocks.
 *
 * Weights:  w = Σ μₖwₖ with μₖ = 1/K, or the share of updates (McDonald, Hall & Mann 2010). Rules that keep how much
 * was learned about each weight, p, mix each weight by what its shards learned in the round, dₖ = pₖ − p₀:
 * w = Σ dₖwₖ / Σ dₖ, and p = p₀ + Σ dₖ. For adaptive sgd p is Σg² (Agarwal, Chapelle, Dudík & Langford 2014, who
 * mix once); for arow the precision 1/σ. If no shard learned, w = Σ wₖ / K.
 *
 * The mean over time counts the weights after every row of every shard. Most rules keep u with w̄ = w − u/T. Then
 *
 *   T = T₀ + Σ (Tₖ − T₀),   u = T·(w − w₀) + u₀ + Σ (uₖ − u₀ − Tₖ·(wₖ − w₀)).
 *
 * sgd keeps S with w̄ = S/T², as later rows weigh more. The times of shards are stretched so that they fill the time of
 * all: S = S₀ + (T² − T₀²)/Σ (Tₖ² − T₀²) · Σ (Sₖ − S₀).
 *
 * All sums over shards are exact and rounded once, so neither their order nor a tree of partial sums changes a bit.
 */
import { decodeValue, encodeValue, type Plain, scalars } from 'halfspace/internal';
import { ExactSums, product, roundedSum } from './exact-sums.ts';
import { type LinearState, stateOf, type Weights, weightsOf } from './linear-state.ts';

/** Counters that are added up, and then products of them. */
const counters = [scalars.clock, scalars.updates, scalars.mistakes, scalars.examples, scalars.penaltyClock] as const;
const squaredClock = counters.length;
const counts = squaredClock + 1;
const shards = counts + 1;

type LearnerState = LinearState | { readonly machines: readonly LinearState[] };

/** Exact sums over the learners of shards, for one class against the others or for each of several. */
export class Mixture {
  readonly #before: LearnerState;
  readonly #machines: readonly LinearMixture[];

  /** @param before the learner from which all shards went on. */
  constructor(before: object) {
    this.#before = before as LearnerState;
    this.#machines = machinesOf(this.#before).map((machine) => new LinearMixture(machine));
  }

  /** Adds the learner of a shard. @param count by which the shard is weighed: a whole number of at least 0. */
  add(end: object, count: number): void {
    const ends = machinesOf(end as LearnerState);
    this.#machines.forEach((machine, m) => {
      machine.add(ends[m]!, count);
    });
  }

  /** Adds what {@link encode} returned for other shards. */
  addEncoded(value: Plain): void {
    const all = decodeValue(value) as Sums[];
    this.#machines.forEach((machine, m) => {
      machine.addSums(all[m]!);
    });
  }

  encode(): Plain {
    return encodeValue(this.#machines.map((machine) => machine.sums()));
  }

  /** Returns the learner from which the next round goes on. */
  mixed(): object {
    const machines = this.#machines.map((machine) => machine.mixed());
    const [first] = machines;
    if (!('machines' in this.#before)) return first!;
    // All machines see every row.
    const [examples, clock] = [first!.scalars[scalars.examples], first!.scalars[scalars.clock]];
    return { ...this.#before, machines, examples, clock };
  }
}

function machinesOf(state: LearnerState): readonly LinearState[] {
  return 'machines' in state ? state.machines : [state];
}

/** The sums of {@link LinearMixture} by name, as the parts of exact sums. */
type Sums = { readonly [name in 'numbers' | 'change' | 'times' | 'moved' | 'gained']: Float64Array[] };

class LinearMixture {
  readonly #before: LinearState;
  readonly #start: Weights;
  readonly #numbers = new ExactSums(shards + 1);
  /** By position: Σ countₖ(wₖ − w₀); Σ of what changes the mean; Σ dₖ(wₖ − w₀); Σ dₖ. */
  readonly #change: ExactSums;
  readonly #times: ExactSums;
  readonly #moved: ExactSums;
  readonly #gained: ExactSums;

  constructor(before: LinearState) {
    this.#before = before;
    this.#start = weightsOf(before);
    const { length } = this.#start.values;
    this.#change = new ExactSums(length);
    this.#times = new ExactSums(length);
    this.#moved = new ExactSums(length);
    this.#gained = new ExactSums(length);
  }

  add(end: LinearState, count: number): void {
    const start = this.#start;
    const { values, sums, learned } = weightsOf(end);
    const { length } = values;
    for (const all of [this.#change, this.#times, this.#moved, this.#gained]) all.grow(length);
    const clock = end.scalars[scalars.clock]!;
    const clockBefore = this.#before.scalars[scalars.clock]!;
    counters.forEach((position, c) => {
      this.#numbers.add(c, end.scalars[position] ?? 0);
      this.#numbers.add(c, -(this.#before.scalars[position] ?? 0));
    });
    this.#numbers.addProduct(squaredClock, clock, clock);
    this.#numbers.addProduct(squaredClock, -clockBefore, clockBefore);
    this.#numbers.add(counts, count);
    this.#numbers.add(shards, 1);
    const isTotal = end.rule === 'sgd';
    for (let p = 0; p < length; p++) {
      const [w, w0] = [values[p]!, start.values[p] ?? 0];
      if (w !== w0) {
        this.#change.addProduct(p, count, w);
        this.#change.addProduct(p, -count, w0);
      }
      if (sums !== null) {
        const [u, u0] = [sums[p]!, start.sums![p] ?? 0];
        if (u !== u0) {
          this.#times.add(p, u);
          this.#times.add(p, -u0);
        }
        if (!isTotal && w !== w0) {
          this.#times.addProduct(p, -clock, w);
          this.#times.addProduct(p, clock, w0);
        }
      }
      if (learned === null) continue;
      const gain = Math.max(0, learned[p]! - (start.learned![p] ?? this.#unlearned));
      if (gain === 0) continue;
      this.#gained.add(p, gain);
      this.#moved.addProduct(p, gain, w);
      this.#moved.addProduct(p, -gain, w0);
    }
  }

  /** The start of what was learned about a weight, before any row. */
  get #unlearned(): number {
    return this.#before.rule === 'arow' ? 1 : 0;
  }

  sums(): Sums {
    const all = {
      numbers: this.#numbers,
      change: this.#change,
      times: this.#times,
      moved: this.#moved,
      gained: this.#gained,
    };
    return Object.fromEntries(Object.entries(all).map(([name, { parts }]) => [name, parts])) as unknown as Sums;
  }

  addSums({ numbers, change, times, moved, gained }: Sums): void {
    const add = (to: ExactSums, parts: Float64Array[]) => to.addAll(new ExactSums(parts[0]?.length ?? 0, parts));
    add(this.#numbers, numbers);
    add(this.#change, change);
    add(this.#times, times);
    add(this.#moved, moved);
    add(this.#gained, gained);
  }

  mixed(): LinearState {
    const before = this.#before;
    const start = this.#start;
    const length = Math.max(this.#change.length, this.#times.length, this.#gained.length);
    const mixed = before.scalars.slice();
    counters.forEach((position, c) => {
      // Only sgd has a penalty clock.
      if (position < mixed.length) mixed[position] = roundedSum([before.scalars[position]!, ...this.#numbers.terms(c)]);
    });
    mixed[scalars.cleanStreak] = 0;
    const total = roundedSum(this.#numbers.terms(counts));
    const clock = mixed[scalars.clock]!;
    const clockBefore = before.scalars[scalars.clock]!;
    const filled = roundedSum([...product(clock, clock), ...product(-clockBefore, clockBefore)]);
    const stretch = filled / roundedSum(this.#numbers.terms(squaredClock));

    const values = new Float64Array(length);
    const sums = start.sums && new Float64Array(length);
    const learned = start.learned && new Float64Array(length);
    for (let p = 0; p < length; p++) {
      const w0 = start.values[p] ?? 0;
      const gain = roundedSum(this.#gained.terms(p));
      const change = this.#change.terms(p);
      if (gain > 0) values[p] = w0 + roundedSum(this.#moved.terms(p)) / gain;
      else values[p] = change.length === 0 ? w0 : roundedSum([...change, ...product(total, w0)]) / total;
      if (learned !== null) learned[p] = (start.learned![p] ?? this.#unlearned) + gain;
      if (sums === null) continue;
      const u0 = start.sums![p] ?? 0;
      const times = this.#times.terms(p);
      const w = values[p]!;
      if (before.rule === 'sgd') sums[p] = times.length === 0 ? u0 : u0 + stretch * roundedSum(times);
      else if (times.length === 0 && w === w0) sums[p] = u0;
      else sums[p] = roundedSum([...product(clock, w), ...product(-clock, w0), u0, ...times]);
    }
    return stateOf(before, { values, sums, learned }, mixed);
  }
}
