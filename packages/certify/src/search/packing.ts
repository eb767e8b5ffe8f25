import { Random } from 'halfspace/runs';
import type { Highs, Model } from 'highs';
import type { Contradiction } from '../certificate.ts';
import { type Clock, within } from '../clock.ts';
import { contradictionAmong } from '../exact/contradiction.ts';
import type { Frame } from './frame.ts';
import { runModel } from './run-model.ts';
import { signedVectors } from './signed-vectors.ts';

/** Contradictions with prices in units of 1/unit; the prices of those that an example is in add up to at most 1. */
export interface Packing {
  readonly contradictions: readonly Contradiction[];
  readonly prices: readonly bigint[];
  readonly unit: bigint;
  /** Σ prices / unit, rounded up: every line has at least so many errors. */
  readonly atLeast: number;
}

/** Maximum number of nonzeros for the programme. */
const mostValues = 400_000;

/** Maximum number of seconds for one programme. */
const patience = 4;

/** Rounds without a new contradiction after which the search ends, by the number of examples. */
const mostIdle = (rows: number) => Math.min(24, 4 + rows / 8);

/** Contradictions that are searched in one round. */
const perRound = 12;

/**
 * Searches for contradictions whose prices add up to as much as possible:
 *
 *   maximise  Σ p_C    subject to  Σ_{C ∋ i} p_C ≤ 1 for each example i, p ≥ 0.
 *
 * Disjoint contradictions are the case p = 1. The dual values z of the examples tell which contradiction to add: one
 * with Σ_{i ∈ C} z_i < 1. It is searched by a linear programme for λ ≥ 0 with Σ λᵢyᵢ(xᵢ, 1) = 0 and Σ λᵢ = 1, which
 * minimises Σ cᵢλᵢ for costs that favour small z. Its basic solutions are contradictions.
 *
 * @param known contradictions to begin with.
 * @param wrong examples that a line of few errors misclassifies; every contradiction has one.
 * @param enough the search ends when every line has so many errors.
 * @returns null if the data are too large, or if nothing is found in time.
 *
 * @see Parker & Ryan (1996), Finding the minimum weight IIS cover of an infeasible system of linear inequalities.
 */
export async function packContradictions(
  highs: Highs,
  frame: Frame,
  known: readonly Contradiction[],
  wrong: readonly number[],
  enough: number,
  clock: Clock,
): Promise<Packing | null> {
  if (frame.examples.values.length > mostValues) return null;
  const master = new Master(highs, frame.examples.rows);
  const pricing = new Pricing(highs, frame);
  const random = new Random(1);
  // Making the contradictions exact takes time too.
  const reserve = clock.left() / 4;
  const isTime = () => clock.left() > reserve;
  const exact = new Map<string, Contradiction>();
  try {
    for (const each of known) {
      const rows = each.rows.map((row) => row - 1);
      exact.set(rows.join(), each);
      master.add(rows);
    }
    for (let idle = 0, next = 0; idle < mostIdle(frame.examples.rows) && isTime(); ) {
      if (!(await master.solve(within(patience, clock))) || Math.ceil(master.value - 1e-6) >= enough) break;
      clock.tell('errors', `every line errs on ${Math.ceil(master.value - 1e-6)} to ${enough} examples`);
      const { z } = master;
      let found = 0;
      for (let turn = 0; turn < perRound && isTime(); turn++) {
        const own = wrong.length === 0 ? -1 : wrong[next++ % wrong.length]!;
        const costs = z.map((each) => (each + 0.001) * (0.7 + 0.6 * random.uniform()));
        // A contradiction with one misclassified example only overlaps with few others.
        if (turn % 2 === 1) for (const i of wrong) costs[i]! += i === own ? 0 : 1;
        for (let again = 0; again < 3; again++) {
          const weights = await pricing.cheapest(costs, within(patience, clock));
          if (weights === null) break;
          const rows = [...weights.keys()].sort((a, b) => a - b);
          if (rows.reduce((sum, i) => sum + z[i]!, 0) < 0.999 && master.add(rows)) found++;
          // Costs per unit of weight, so that the next sum counts examples rather than weights.
          const largest = Math.max(...weights.values());
          for (let i = 0; i < costs.length; i++) costs[i] = (z[i]! + 0.01) / ((weights.get(i) ?? 0) / largest + 0.05);
        }
      }
      idle = found === 0 ? idle + 1 : 0;
    }
    return await proved(frame, master, exact, clock);
  } finally {
    master.dispose();
    pricing.dispose();
  }
}

/** Makes the contradictions of positive price exact. Those that cannot be made exact in time get the price 0. */
async function proved(
  frame: Frame,
  master: Master,
  exact: Map<string, Contradiction>,
  clock: Clock,
): Promise<Packing | null> {
  for (let attempt = 0; attempt < 20 && (await master.solve(null)); attempt++) {
    const chosen = master.chosen();
    const failed: number[] = [];
    for (const { rows, at } of chosen) {
      const key = rows.join();
      const found = exact.get(key) ?? (await contradictionAmong(frame.examples, rows, clock));
      if (found === null) failed.push(at);
      else exact.set(key, found);
    }
    if (failed.length > 0) {
      master.forbid(failed);
      continue;
    }
    return chosen.length === 0
      ? null
      : wholePrices(
          chosen.map(({ rows }) => exact.get(rows.join())!),
          chosen.map(({ price }) => price),
        );
  }
  return null;
}

/** Denominators for prices: small ones first, then a fine one. */
const units = [...Array.from({ length: 12 }, (_, k) => k + 1), 60, 2520, 2 ** 30];

/** Returns the prices in whole numbers that add up to the most, in the smallest unit. */
export function wholePrices(contradictions: readonly Contradiction[], prices: readonly number[]): Packing | null {
  let best: Packing | null = null;
  for (const unit of units) {
    for (const slack of [1e-6, 0, -1e-6]) {
      const whole = prices.map((price) => BigInt(Math.max(0, Math.floor((price + slack) * unit))));
      const ofRow = new Map<number, bigint>();
      contradictions.forEach(({ rows }, k) => {
        for (const row of rows) ofRow.set(row, (ofRow.get(row) ?? 0n) + whole[k]!);
      });
      const size = BigInt(unit);
      if ([...ofRow.values()].some((sum) => sum > size)) continue;
      const kept = contradictions.map((_, k) => k).filter((k) => whole[k]! > 0n);
      const sum = whole.reduce((a, b) => a + b, 0n);
      const atLeast = Number((sum + size - 1n) / size);
      if (best !== null && best.atLeast >= atLeast) continue;
      best = {
        contradictions: kept.map((k) => contradictions[k]!),
        prices: kept.map((k) => whole[k]!),
        unit: size,
        atLeast,
      };
    }
  }
  return best;
}

/** The programme of the prices: one row per example, one column per contradiction. */
class Master {
  readonly #model: Model;
  readonly #infinity: number;
  readonly #rows: number;
  readonly #columns: number[][] = [];
  readonly #keys = new Set<string>();
  value = 0;
  /** The price of each example. */
  z: Float64Array;

  constructor(highs: Highs, rows: number) {
    this.#infinity = highs.infinity;
    this.#rows = rows;
    this.z = new Float64Array(rows);
    this.#model = highs.createModel();
    this.#model.passModel({
      numCols: 0,
      numRows: rows,
      colCost: new Float64Array(0),
      colLower: new Float64Array(0),
      colUpper: new Float64Array(0),
      rowLower: new Float64Array(rows).fill(-highs.infinity),
      rowUpper: new Float64Array(rows).fill(1),
      matrix: {
        format: 'csc',
        numRows: rows,
        numCols: 0,
        starts: Int32Array.of(0),
        indices: new Int32Array(0),
        values: new Float64Array(0),
      },
    });
    this.#model.options.set({ output_flag: false });
  }

  /** Returns false if it is there already. @param rows positions of examples, rising. */
  add(rows: number[]): boolean {
    const key = rows.join();
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    this.#columns.push(rows);
    this.#model.addCols({
      cost: Float64Array.of(-1),
      lower: Float64Array.of(0),
      upper: Float64Array.of(this.#infinity),
      matrix: {
        format: 'csc',
        numRows: this.#rows,
        numCols: 1,
        starts: Int32Array.of(0, rows.length),
        indices: Int32Array.from(rows),
        values: new Float64Array(rows.length).fill(1),
      },
    });
    return true;
  }

  forbid(columns: readonly number[]): void {
    for (const at of columns) this.#model.changeColBounds(at, 0, 0);
  }

  /** @param clock null: the time for the end. */
  async solve(clock: Clock | null): Promise<boolean> {
    if (!(await runModel(this.#model, clock))) return false;
    this.value = -this.#model.getObjectiveValue();
    this.z = this.#model.getSolution().rowDual.map((dual) => Math.max(0, -dual));
    return true;
  }

  /** Returns the contradictions of positive price. */
  chosen(): { readonly rows: number[]; readonly price: number; readonly at: number }[] {
    const { colValue } = this.#model.getSolution();
    return this.#columns.map((rows, at) => ({ rows, price: colValue[at]!, at })).filter(({ price }) => price > 1e-7);
  }

  dispose(): void {
    this.#model.dispose();
  }
}

/** The programme of the weights λ of a contradiction. */
class Pricing {
  readonly #model: Model;
  readonly #rows: number;

  constructor(highs: Highs, frame: Frame) {
    const { rows, dimension } = frame.examples;
    const members = Array.from({ length: rows }, (_, i) => i);
    // One equation for each feature and the constant, and Σλ = 1.
    const right = new Float64Array(dimension + 2);
    right[dimension + 1] = 1;
    this.#rows = rows;
    this.#model = highs.createModel();
    this.#model.passModel({
      numCols: rows,
      numRows: dimension + 2,
      colCost: new Float64Array(rows),
      colLower: new Float64Array(rows),
      colUpper: new Float64Array(rows).fill(highs.infinity),
      rowLower: right,
      rowUpper: right,
      matrix: {
        format: 'csc',
        numRows: dimension + 2,
        numCols: rows,
        ...signedVectors(frame, members, (label) => [dimension, label, dimension + 1, 1]),
      },
    });
    this.#model.options.set({
      output_flag: false,
      presolve: 'off',
      solver: 'simplex',
      primal_feasibility_tolerance: 1e-9,
    });
  }

  /** Returns the λ > 0 of the least Σ costs·λ by example; null if the solver fails. */
  async cheapest(costs: Float64Array, clock: Clock): Promise<Map<number, number> | null> {
    this.#model.changeColsCost({ kind: 'range', from: 0, to: this.#rows - 1 }, costs);
    if (!(await runModel(this.#model, clock))) return null;
    const weights = new Map<number, number>();
    this.#model.getSolution().colValue.forEach((weight, i) => {
      if (weight > 1e-9) weights.set(i, weight);
    });
    return weights.size === 0 ? null : weights;
  }

  dispose(): void {
    this.#model.dispose();
  }
}
