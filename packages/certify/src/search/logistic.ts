import type { SparseBatch } from 'halfspace/rules';
import { exponential } from 'halfspace/runs';
import { type Clock, inTime, OutOfTime } from '../clock.ts';
import { solveNormalEquations } from './normal-equations.ts';

/** The state of a fit. */
export interface LogisticFit {
  /** λᵢ = 1/(1 + e^mᵢ), with mᵢ = yᵢ(w·xᵢ + b). */
  readonly lambda: Float64Array;
  readonly w: Float64Array;
  readonly bias: number;
  /** True if every mᵢ is positive, up to rounding. */
  readonly separates: boolean;
  /** True if Σ λᵢyᵢ(xᵢ, 1) is nearly as small as rounding allows. */
  readonly ended: boolean;
}

/** Maximum numbers of Newton steps, and of conjugate gradient steps in one of them. */
const mostSteps = 40;
const mostInner = 300;

/** Maximum number of features for factorisations: their matrix takes 36 MB, and its factorisation about 4 seconds. */
const mostFactored = 3000;

/**
 * Minimises Σ log(1 + e^(−mᵢ)), the logistic loss. At the minimum Σ λᵢyᵢ(xᵢ, 1) = 0: all examples contradict each
 * other, each with a weight. There is no minimum if some line errs on no example; then the weights grow.
 *
 * Newton's method; the linear systems are solved by conjugate gradients with the diagonal as preconditioner, more
 * exactly towards the end (Lin, Weng and Keerthi 2008). If these do not end, the features are nearly dependent; then
 * the systems are solved by factorisations, unless there are too many features. A step is shortened while the slope
 * along it has become steeper on the other side.
 *
 * @param examples with features of about the same size.
 */
export async function fitLogistic(examples: SparseBatch, clock: Clock): Promise<LogisticFit> {
  const { rows, dimension } = examples;
  const size = dimension + 1;
  const weights = new Float64Array(size);
  const margins = new Float64Array(rows);
  const lambda = new Float64Array(rows).fill(0.5);
  const change = new Float64Array(rows);
  const product = new Float64Array(rows);
  const gradient = new Float64Array(size);
  const curvature = new Float64Array(rows);
  const diagonal = new Float64Array(size);
  const step = new Float64Array(size);
  const rest = new Float64Array(size);
  const direction = new Float64Array(size);
  const image = new Float64Array(size);
  let first = 0;
  let least = Infinity;
  let stalled = 0;
  let factored = false;
  let ended = false;
  let separates = false;
  for (let pass = 1; pass <= mostSteps && clock.left() > 0; pass++) {
    addRows(examples, lambda, gradient);
    for (let i = 0; i < rows; i++) curvature[i] = lambda[i]! * (1 - lambda[i]!);
    addSquares(examples, curvature, diagonal);
    let square = 0;
    for (let j = 0; j < size; j++) {
      // A feature without curvature keeps its weight.
      diagonal[j] = diagonal[j]! > 1e-300 ? diagonal[j]! * (1 + 1e-12) : Infinity;
      square += (gradient[j]! * gradient[j]!) / diagonal[j]!;
    }
    if (pass === 1) first = square;
    clock.tell('programme', `a contradiction of all examples, step ${pass}`);
    if (square < 1e-27 * first || square === 0) ended = true;
    stalled = square < 0.25 * least ? 0 : stalled + 1;
    least = Math.min(least, square);
    if (stalled >= 3 && least < 1e-18 * first) ended = true;
    if (ended) break;
    const isSolved = !factored && (await solve(Math.max(1e-8, Math.min(0.1, Math.sqrt(square / first)))));
    if (!isSolved && size <= mostFactored) factored = await solveByFactors();
    if (clock.left() === 0) break;
    takeStep();
    separates = margins.every((m) => m > 0);
    if (separates) break;
  }
  return { lambda, w: weights.slice(0, dimension), bias: weights[dimension]!, separates, ended };

  /** Writes H⁻¹·gradient to `step`; returns false, with `step` as it was, if the numbers are too far apart for that. */
  async function solveByFactors(): Promise<boolean> {
    const solution = gradient.slice();
    try {
      await solveNormalEquations(examples, curvature, solution, () => inTime(clock));
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof OutOfTime)) throw error;
      return false;
    }
    step.set(solution);
    return true;
  }

  /** Writes H⁻¹·gradient to `step`, to within a share of the gradient; returns false if it is not so near. */
  async function solve(tolerance: number): Promise<boolean> {
    step.fill(0);
    rest.set(gradient);
    let old = 0;
    let begin = 0;
    for (let k = 0; k < mostInner && (await clock.breathe()); k++) {
      let size2 = 0;
      for (let j = 0; j < size; j++) size2 += (rest[j]! * rest[j]!) / diagonal[j]!;
      if (k === 0) begin = size2;
      if (size2 <= tolerance * tolerance * begin) return true;
      const factor = k === 0 ? 0 : size2 / old;
      for (let j = 0; j < size; j++) direction[j] = rest[j]! / diagonal[j]! + factor * direction[j]!;
      scores(examples, direction, product);
      let bend = 0;
      for (let i = 0; i < rows; i++) {
        const c = curvature[i]! * product[i]!;
        bend += c * product[i]!;
        product[i] = c;
      }
      if (!(bend > 0)) break;
      addRows(examples, product, image);
      const length = size2 / bend;
      for (let j = 0; j < size; j++) {
        step[j]! += length * direction[j]!;
        rest[j]! -= length * image[j]!;
      }
      old = size2;
    }
    return false;
  }

  function takeStep(): void {
    scores(examples, step, change);
    const slope = (length: number) => {
      let sum = 0;
      for (let i = 0; i < rows; i++) {
        lambda[i] = 1 / (1 + exponential(margins[i]! + length * change[i]!));
        sum -= lambda[i]! * change[i]!;
      }
      return sum;
    };
    let begin = 0;
    for (let i = 0; i < rows; i++) begin -= lambda[i]! * change[i]!;
    let length = 1;
    while (slope(length) > -0.9 * begin && length > 1e-6) length /= 2;
    for (let i = 0; i < rows; i++) margins[i]! += length * change[i]!;
    for (let j = 0; j < size; j++) weights[j]! += length * step[j]!;
  }
}

/** Writes yᵢ(u·xᵢ + b) of all examples; b is the last number of u. */
function scores({ rows, dimension, offsets, indices, values, labels }: SparseBatch, u: Float64Array, to: Float64Array) {
  for (let i = 0; i < rows; i++) {
    let sum = u[dimension]!;
    for (let at = offsets[i]!, end = offsets[i + 1]!; at < end; at++) sum += u[indices[at]!]! * values[at]!;
    to[i] = labels[i]! * sum;
  }
}

/** Writes Σ cᵢyᵢ(xᵢ, 1). */
function addRows(
  { rows, dimension, offsets, indices, values, labels }: SparseBatch,
  c: Float64Array,
  to: Float64Array,
) {
  to.fill(0);
  for (let i = 0; i < rows; i++) {
    const signed = labels[i]! * c[i]!;
    to[dimension]! += signed;
    for (let at = offsets[i]!, end = offsets[i + 1]!; at < end; at++) to[indices[at]!]! += signed * values[at]!;
  }
}

/** Writes Σ cᵢ(xᵢ, 1)², place by place. */
function addSquares({ rows, dimension, offsets, indices, values }: SparseBatch, c: Float64Array, to: Float64Array) {
  to.fill(0);
  for (let i = 0; i < rows; i++) {
    to[dimension]! += c[i]!;
    for (let at = offsets[i]!, end = offsets[i + 1]!; at < end; at++) {
      const value = values[at]!;
      to[indices[at]!]! += c[i]! * value * value;
    }
  }
}
