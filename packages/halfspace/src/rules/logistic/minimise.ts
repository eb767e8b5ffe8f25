import type { Chain } from '../../features/number/bend.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { LinearParameters } from '../learner.ts';
import type { LogisticExamples } from './examples.ts';
import { type Preconditioner, preconditionerOf } from './preconditioner.ts';
import { Problem } from './problem.ts';

export interface ProblemOptions {
  /** Features whose increments are penalised, not their weights. Default none. */
  readonly chains?: readonly Chain[] | undefined;
  /** Value of the constant feature; 0: no bias. Default 1. */
  readonly biasConstant?: number | undefined;
}

export interface MinimiseOptions {
  /** α, in [0, ∞). Default 1 / n, n the sum of the importance. */
  readonly alpha?: number | undefined;
  /** Functions to start from, one for each output. Default zero. They are not changed. */
  readonly start?: readonly LinearParameters[] | undefined;
  /**
   * Largest relative distance of the objective from its minimum, estimated before the last step. Default 1e-9. If it is
   * given, the last step is only as precise as it needs.
   */
  readonly tolerance?: number | undefined;
  /** Awaited often; may throw to end the search. */
  readonly breathe: () => Promise<void>;
}

export interface Minimum {
  /** One for two classes, else one for each class, whose sum is 0. Not finite if numbers overflow. */
  readonly functions: readonly LinearParameters[];
  readonly objective: number;
  /** Number of Newton steps. */
  readonly iterations: number;
}

/** Largest number of Newton steps, and of products of the Hessian for one of them. */
const mostIterations = 100;
const mostProducts = 250;
const precise = 1e-9;
/** An objective that makes no difference to predictions. */
const negligible = 1e-6;
/** Smallest number of products of a step after which the approximation of the Hessian is computed again. */
const stale = 10;
/** Largest number of features for which it is computed at each step, if there are two classes. */
const narrow = 200;

/** Minimises the objective of rules/logistic.ts, as described there. Frees the examples. */
export async function minimise(
  kernels: Kernels,
  examples: LogisticExamples,
  { chains, biasConstant, ...options }: ProblemOptions & MinimiseOptions,
): Promise<Minimum> {
  const minimiser = new Minimiser(kernels, examples, { chains, biasConstant });
  try {
    return await minimiser.minimise(options);
  } finally {
    minimiser.free();
  }
}

/** Minimises the objective for several penalties in turn; what approximates the Hessian of one serves the next. */
export class Minimiser {
  readonly #examples: LogisticExamples;
  readonly #biasConstant: number;
  readonly #problem: Problem;
  readonly #M: Preconditioner;
  /** True if squares of the data overflow. */
  readonly #isTooLarge: boolean;
  /** Number of products in the last step; ∞ before the first one. */
  #products = Infinity;

  constructor(kernels: Kernels, examples: LogisticExamples, { chains = [], biasConstant = 1 }: ProblemOptions) {
    const places = new Map(Array.from(examples.features, (feature, place) => [feature, place]));
    this.#examples = examples;
    this.#biasConstant = biasConstant;
    this.#problem = new Problem(kernels, examples, {
      alpha: 0,
      chains: chains.map((chain) => ({ ...chain, first: places.get(chain.first)! })),
      hasBias: biasConstant !== 0,
    });
    this.#M = preconditionerOf(kernels, this.#problem);
    const stored = examples.offsets.array[examples.rows]!;
    this.#isTooLarge = examples.values.array.subarray(0, stored).some((x) => x * x === Infinity);
  }

  /** Frees the examples, too. */
  free(): void {
    this.#problem.free();
    this.#M.free();
  }

  async minimise({
    alpha = 1 / this.#examples.importance,
    start,
    tolerance,
    breathe,
  }: MinimiseOptions): Promise<Minimum> {
    const problem = this.#problem;
    problem.alpha = alpha;
    const u = start === undefined ? problem.vector() : startOf(start, problem, this.#biasConstant);
    const g = problem.vector();
    if (this.#isTooLarge) u.fill(Number.NaN);
    const { signs } = problem;
    if (signs !== null) clip(u, signs);
    problem.scoresInto(u, problem.scores);
    let objective = problem.loss() + problem.penalty(u, u);
    let iterations = 0;
    while (iterations < mostIterations) {
      problem.evaluate();
      problem.gradientInto(u, g);
      if (this.#products >= stale || (problem.outputs === 1 && problem.width <= narrow)) this.#M.update();
      const held = signs === null ? null : heldBy(signs, u, g);
      const step = await newtonStep(problem, this.#M, g, { held, objective, tolerance, breathe });
      const decrease = -dot(g, step.vector);
      this.#products = step.products;
      if (Number.isNaN(decrease)) u.fill(Number.NaN);
      if (!(decrease > 0)) break;
      const search = signs === null ? lineSearch : boundedSearch;
      const length = search(problem, { u, step: step.vector, decrease, objective });
      if (length === null) break;
      for (let at = 0; at < u.length; at++) u[at]! += length.t * step.vector[at]!;
      const [scores, change] = [problem.scores.array, problem.change.array];
      for (let at = 0; at < scores.length; at++) scores[at]! += length.t * change[at]!;
      if (signs !== null) clip(u, signs);
      objective = length.objective;
      iterations++;
      // Newton's step lowers the objective by about half of that. Losses near 0 may fall forever.
      if (decrease / 2 <= (tolerance ?? precise) * (objective + negligible)) break;
    }
    return { functions: functionsOf(u, problem, this.#biasConstant), objective, iterations };
  }
}

interface NewtonOptions {
  /** 1 for numbers that do not change. Null: all may. */
  readonly held: Uint8Array | null;
  readonly objective: number;
  readonly tolerance?: number | undefined;
  readonly breathe: () => Promise<void>;
}

/**
 * Solves H·s = −g by conjugate gradients, as precisely as Newton's method needs it there: the nearer the minimum, the
 * more precisely.
 */
async function newtonStep(
  problem: Problem,
  M: Preconditioner,
  g: Float64Array,
  { held, objective, tolerance = 0, breathe }: NewtonOptions,
): Promise<{ readonly vector: Float64Array; readonly products: number }> {
  const s = problem.vector();
  const r = g.map((number) => -number);
  const z = problem.vector();
  const free = (vector: Float64Array) => {
    if (held !== null) for (let at = 0; at < held.length; at++) if (held[at] === 1) vector[at] = 0;
  };
  free(r);
  M.solve(r, z);
  free(z);
  const p = z.slice();
  const Hp = problem.vector();
  const first = dot(r, z);
  // What is left of r·M⁻¹·r is about twice what further products could lower the objective by.
  const enough = Math.max(first * Math.min(0.01, first / objective), (tolerance / 10) * objective);
  let square = first;
  let products = 0;
  while (square > enough && products < mostProducts) {
    await breathe();
    problem.productInto(p, Hp);
    free(Hp);
    products++;
    const curvature = dot(p, Hp);
    if (!(curvature > 0)) {
      if (Number.isNaN(curvature) || products === 1) s.set(p);
      break;
    }
    const length = square / curvature;
    for (let at = 0; at < s.length; at++) {
      s[at]! += length * p[at]!;
      r[at]! -= length * Hp[at]!;
    }
    M.solve(r, z);
    free(z);
    const next = dot(r, z);
    const ratio = next / square;
    for (let at = 0; at < p.length; at++) p[at] = z[at]! + ratio * p[at]!;
    square = next;
  }
  if (Number.isNaN(square)) s.fill(square);
  return { vector: s, products };
}

interface Searched {
  readonly u: Float64Array;
  readonly step: Float64Array;
  /** Minus the product of gradient and step. */
  readonly decrease: number;
  readonly objective: number;
}

/** Halves a step until the objective is less by enough (Armijo); null if rounding leaves no such step. */
function lineSearch(
  problem: Problem,
  { u, step, decrease, objective }: Searched,
): { readonly t: number; readonly objective: number } | null {
  problem.scoresInto(step, problem.change);
  const constant = problem.penalty(u, u);
  const linear = 2 * problem.penalty(u, step);
  const squared = problem.penalty(step, step);
  for (let t = 1; t > 1e-12; t /= 2) {
    const reached = problem.loss(t) + (constant + t * (linear + t * squared));
    if (reached <= objective - 1e-4 * t * decrease) return { t, objective: reached };
  }
  return null;
}

/** Does the same along the path that ends at the bounds of signs. Replaces the step by that to the point found. */
function boundedSearch(problem: Problem, { u, step, objective }: Searched): ReturnType<typeof lineSearch> {
  const reached = u.slice();
  for (let t = 1; t > 1e-12; t /= 2) {
    for (let at = 0; at < u.length; at++) reached[at] = u[at]! + t * step[at]!;
    clip(reached, problem.signs!);
    const penalty = problem.penalty(reached, reached);
    for (let at = 0; at < u.length; at++) reached[at]! -= u[at]!;
    problem.scoresInto(reached, problem.change);
    const next = problem.loss(1) + penalty;
    if (next < objective) {
      step.set(reached);
      return { t: 1, objective: next };
    }
  }
  return null;
}

/** Returns 1 for numbers at the bound of a sign that would go beyond it. */
function heldBy(signs: Int8Array, u: Float64Array, g: Float64Array): Uint8Array {
  return Uint8Array.from(signs, (sign, at) => (sign !== 0 && u[at] === 0 && sign * g[at]! > 0 ? 1 : 0));
}

/** Replaces numbers of the wrong sign by 0. */
function clip(u: Float64Array, signs: Int8Array): void {
  for (let at = 0; at < u.length; at++) if (u[at]! * signs[at]! < 0) u[at] = 0;
}

function startOf(functions: readonly LinearParameters[], problem: Problem, biasConstant: number): Float64Array {
  const { outputs: K, width, examples, steps } = problem;
  const u = problem.vector();
  functions.forEach(({ weights, bias }, k) => {
    examples.features.forEach((feature, j) => {
      u[j * K + k] = weights[feature] ?? 0;
    });
    u[(width - 1) * K + k] = bias * biasConstant;
  });
  steps.toIncrements(u);
  problem.centre(u);
  return u;
}

function functionsOf(u: Float64Array, problem: Problem, biasConstant: number): LinearParameters[] {
  const { outputs: K, width, examples, steps } = problem;
  const all = u.slice();
  steps.toWeights(all);
  return Array.from({ length: K }, (_, k) => {
    const weights = new Float64Array(examples.dimension);
    examples.features.forEach((feature, j) => {
      weights[feature] = all[j * K + k]!;
    });
    return { weights, bias: biasConstant === 0 ? 0 : all[(width - 1) * K + k]! / biasConstant };
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}
