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
import * as scalars from '../kernels/layout.ts';
import { decodeValue, encodeValue } from '../rules/learner-file.ts';
import { ExactSums, product, roundedSum } from './exact-sums.ts';
import { type LinearState, stateOf, type Weights, weightsOf } from './linear-state.ts';

type Plain = ReturnType<typeof encodeValue>;

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
    const all = decodeValue(value) as Sums<Float64Array[]>[];
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

/**
 * Sums over shards. `numbers`: of counters; by position: `change`, Σ countₖ(wₖ − w₀); `times`, Σ of what changes the
 * mean; `moved`, Σ dₖ(wₖ − w₀); `gained`, Σ dₖ.
 */
const names = ['numbers', 'change', 'times', 'moved', 'gained'] as const;
type Sums<T> = { readonly [name in (typeof names)[number]]: T };
const sumsOf = <T>(of: (name: (typeof names)[number]) => T) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Sums<T>;

class LinearMixture {
  readonly #before: LinearState;
  readonly #start: Weights;
  readonly #sums: Sums<ExactSums>;

  constructor(before: LinearState) {
    this.#before = before;
    this.#start = weightsOf(before);
    const { length } = this.#start.values;
    this.#sums = sumsOf((name) => new ExactSums(name === 'numbers' ? shards + 1 : length));
  }

  add(end: LinearState, count: number): void {
    const start = this.#start;
    const { values, sums, learned } = weightsOf(end);
    const { length } = values;
    const { numbers, ...byPosition } = this.#sums;
    const { change, times, moved, gained } = byPosition;
    for (const all of Object.values(byPosition)) all.grow(length);
    const clock = end.scalars[scalars.clock]!;
    const clockBefore = this.#before.scalars[scalars.clock]!;
    counters.forEach((position, c) => {
      numbers.add(c, end.scalars[position] ?? 0);
      numbers.add(c, -(this.#before.scalars[position] ?? 0));
    });
    numbers.addProduct(squaredClock, clock, clock);
    numbers.addProduct(squaredClock, -clockBefore, clockBefore);
    numbers.add(counts, count);
    numbers.add(shards, 1);
    const isTotal = end.rule === 'sgd';
    for (let p = 0; p < length; p++) {
      const [w, w0] = [values[p]!, start.values[p] ?? 0];
      if (w !== w0) {
        change.addProduct(p, count, w);
        change.addProduct(p, -count, w0);
      }
      if (sums !== null) {
        const [u, u0] = [sums[p]!, start.sums![p] ?? 0];
        if (u !== u0) {
          times.add(p, u);
          times.add(p, -u0);
        }
        if (!isTotal && w !== w0) {
          times.addProduct(p, -clock, w);
          times.addProduct(p, clock, w0);
        }
      }
      if (learned === null) continue;
      const gain = Math.max(0, learned[p]! - (start.learned![p] ?? this.#unlearned));
      if (gain === 0) continue;
      gained.add(p, gain);
      moved.addProduct(p, gain, w);
      moved.addProduct(p, -gain, w0);
    }
  }

  /** The start of what was learned about a weight, before any row. */
  get #unlearned(): number {
    return this.#before.rule === 'arow' ? 1 : 0;
  }

  sums(): Sums<readonly Float64Array[]> {
    return sumsOf((name) => this.#sums[name].parts);
  }

  addSums(sums: Sums<Float64Array[]>): void {
    for (const name of names) this.#sums[name].addAll(new ExactSums(sums[name][0]?.length ?? 0, sums[name]));
  }

  mixed(): LinearState {
    const { numbers, change, times, moved, gained } = this.#sums;
    const before = this.#before;
    const start = this.#start;
    const length = Math.max(change.length, times.length, gained.length);
    const mixed = before.scalars.slice();
    counters.forEach((position, c) => {
      // Only sgd has a penalty clock.
      if (position < mixed.length) mixed[position] = roundedSum([before.scalars[position]!, ...numbers.terms(c)]);
    });
    mixed[scalars.cleanStreak] = 0;
    const total = roundedSum(numbers.terms(counts));
    const clock = mixed[scalars.clock]!;
    const clockBefore = before.scalars[scalars.clock]!;
    const filled = roundedSum([...product(clock, clock), ...product(-clockBefore, clockBefore)]);
    const stretch = filled / roundedSum(numbers.terms(squaredClock));

    const values = new Float64Array(length);
    const sums = start.sums && new Float64Array(length);
    const learned = start.learned && new Float64Array(length);
    for (let p = 0; p < length; p++) {
      const w0 = start.values[p] ?? 0;
      const gain = roundedSum(gained.terms(p));
      const changes = change.terms(p);
      if (gain > 0) values[p] = w0 + roundedSum(moved.terms(p)) / gain;
      else values[p] = changes.length === 0 ? w0 : roundedSum([...changes, ...product(total, w0)]) / total;
      if (learned !== null) learned[p] = (start.learned![p] ?? this.#unlearned) + gain;
      if (sums === null) continue;
      const u0 = start.sums![p] ?? 0;
      const terms = times.terms(p);
      const w = values[p]!;
      if (before.rule === 'sgd') sums[p] = terms.length === 0 ? u0 : u0 + stretch * roundedSum(terms);
      else if (terms.length === 0 && w === w0) sums[p] = u0;
      else sums[p] = roundedSum([...product(clock, w), ...product(-clock, w0), u0, ...terms]);
    }
    return stateOf(before, { values, sums, learned }, mixed);
  }
}
