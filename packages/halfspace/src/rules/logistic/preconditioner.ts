import type { Chain } from '../../features/number/bend.ts';
import type { Block } from '../../kernels/block.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { Steps } from './chains.ts';
import type { Problem } from './problem.ts';

/** Largest number of features for blocks, and of their numbers. */
const mostWide = 1200;
const mostNumbers = 2 ** 23;
/** Number of rows for each column that are enough for a block of one of several classes. */
const enoughRows = 10;
/** Largest cost of blocks, in products of the Hessian and a vector. */
const mostProducts = 250;

/** An approximation of the Hessian that is easy to invert. */
export interface Preconditioner {
  /** Approximates the Hessian of the last {@link Problem.evaluate}. */
  update(): void;
  /** Writes M⁻¹·r. */
  solve(r: Float64Array, out: Float64Array): void;
  free(): void;
}

/**
 * Creates the approximation: a block for each class if these cost little, else a block of the features up to the last
 * chain, which depend on each other most, with the diagonal of the others, else the diagonal. For two classes the block
 * of all features is the whole Hessian.
 */
export function preconditionerOf(kernels: Kernels, problem: Problem): Preconditioner {
  const { width, outputs, chains, examples } = problem;
  const columnChains = chains.filter(({ pair }) => pair === undefined);
  const chainsEnd = columnChains.reduce((end, { first, length }) => Math.max(end, first + length), 0);
  const { rows } = examples;
  const offsets = examples.offsets.array;
  let pairs = 0;
  for (let i = 0; i < rows; i++) pairs += ((offsets[i + 1]! - offsets[i]!) * (offsets[i + 1]! - offsets[i]!)) / 2;
  const affordable = mostProducts * 2 * (offsets[rows]! + rows) - pairs;
  const fits = (size: number) =>
    size <= mostWide && outputs * size * size <= mostNumbers && (size * size * size) / 6 <= affordable;
  const diagonal = new Diagonal(problem);
  if (fits(width)) return new Blocks(kernels, problem, width - 1, diagonal);
  return chainsEnd > 0 && fits(chainsEnd + 1) ? new Blocks(kernels, problem, chainsEnd, diagonal) : diagonal;
}

/**
 * The diagonal of the Hessian; for a chain the whole block of its increments. That block is simple in the weights of
 * the intervals: of a row at most one is 1, so the loss gives a diagonal, and the penalty of increments a tridiagonal
 * matrix. The level is left to the bias, which no penalty holds.
 */
class Diagonal implements Preconditioner {
  readonly #problem: Problem;
  /** That of the last update. */
  #alpha = 0;
  /** By feature and class; for a chain the pivots of the tridiagonal matrix. */
  readonly #diagonal: Float64Array;
  /** Of columns, without rings. */
  readonly #chains: readonly Chain[];
  /** Of pairs and rings. */
  readonly #others: Steps;

  constructor(problem: Problem) {
    const { chains, outputs } = problem;
    const isPlain = ({ pair, isRing }: Chain) => pair === undefined && isRing === undefined;
    this.#problem = problem;
    this.#diagonal = problem.vector();
    this.#chains = chains.filter(isPlain);
    this.#others = new Steps(
      chains.filter((chain) => !isPlain(chain)),
      outputs,
    );
  }

  update(): void {
    const { alpha, examples, outputs: K, width, penalties } = this.#problem;
    const chains = this.#chains;
    this.#alpha = alpha;
    const { rows } = examples;
    const [offsets, indices, values] = [examples.offsets.array, examples.indices.array, examples.values.array];
    const diagonal = this.#diagonal.fill(0);
    for (let k = 0; k < K; k++) {
      const curvatures = this.#problem.curvatures(k);
      for (let i = 0; i < rows; i++) {
        for (let n = offsets[i]!; n < offsets[i + 1]!; n++)
          diagonal[indices[n]! * K + k]! += curvatures[i]! * values[n]! * values[n]!;
        diagonal[(width - 1) * K + k]! += curvatures[i]!;
      }
    }
    this.#others.deriveDiagonal(diagonal);
    for (const { first, length } of chains) {
      const penalty = alpha * penalties[first]!;
      for (let k = 0; k < K; k++) {
        let before = 0;
        for (let i = 0; i < length; i++) {
          const at = (first + i) * K + k;
          const neighbours = i === 0 || i === length - 1 ? 1 : 2;
          // Intervals without rows in a chain without rows would leave a pivot of 0.
          const own = diagonal[at]! + penalty * (neighbours + 1e-9);
          diagonal[at] = i === 0 ? own : own - (penalty * penalty) / before;
          before = diagonal[at]!;
        }
      }
    }
    const inChains = new Uint8Array(width);
    for (const { first, length } of chains) inChains.fill(1, first, first + length);
    for (let j = 0; j < width; j++)
      if (inChains[j] === 0) for (let k = 0; k < K; k++) diagonal[j * K + k]! += alpha * penalties[j]!;
  }

  solve(r: Float64Array, out: Float64Array): void {
    const { outputs: K, penalties } = this.#problem;
    for (let at = 0; at < r.length; at++) {
      const d = this.#diagonal[at]!;
      out[at] = d > 0 ? r[at]! / d : r[at]!;
    }
    for (const { first, length } of this.#chains)
      for (let k = 0; k < K; k++)
        this.#solveChain(r, out, { first, length, k, penalty: this.#alpha * penalties[first]! });
    this.#problem.centre(out);
  }

  free(): void {}

  /** Writes the increments of the weights w with T·w = Δᵀr, where Δ takes weights to increments. */
  #solveChain(
    r: Float64Array,
    out: Float64Array,
    { first, length, k, penalty }: { first: number; length: number; k: number; penalty: number },
  ): void {
    const K = this.#problem.outputs;
    const pivots = this.#diagonal;
    const place = (i: number) => (first + i) * K + k;
    for (let i = 0; i < length; i++) {
      const at = place(i);
      const own = (i === 0 ? 0 : r[at]!) - (i + 1 < length ? r[at + K]! : 0);
      out[at] = i === 0 ? own : own + (penalty / pivots[at - K]!) * out[at - K]!;
    }
    let above = 0;
    for (let i = length - 1; i >= 0; i--) {
      const at = place(i);
      const w = (out[at]! + penalty * above) / pivots[at]!;
      // The increment of the next interval is known now.
      if (i + 1 < length) out[at + K] = above - w;
      above = w;
    }
    out[place(0)] = 0;
  }
}

class Blocks implements Preconditioner {
  readonly #problem: Problem;
  /** Number of features in a block; the bias comes after them. */
  readonly #features: number;
  /** For the other features. */
  readonly #others: Diagonal;
  /** For each class the lower triangle of its Cholesky factor, row by row in a square. */
  readonly #factors: readonly Block<Float64Array>[];
  /** A vector of one class. */
  readonly #vector: Block<Float64Array>;
  /** Of its features. */
  readonly #steps: Steps;

  constructor(kernels: Kernels, problem: Problem, features: number, others: Diagonal) {
    this.#problem = problem;
    this.#features = features;
    this.#others = others;
    this.#steps = new Steps(
      problem.chains.filter(({ first }) => first < features),
      problem.outputs,
    );
    const width = features + 1;
    this.#factors = Array.from({ length: problem.outputs }, () => kernels.float64(width * width));
    this.#vector = kernels.float64(width);
  }

  update(): void {
    const { alpha, outputs, hasChains, hasBias, penalties } = this.#problem;
    const steps = this.#steps;
    const features = this.#features;
    const width = features + 1;
    if (width < this.#problem.width) this.#others.update();
    for (let k = 0; k < outputs; k++) {
      const block = this.#factors[k]!.array.fill(0);
      this.#addRows(k);
      if (hasChains) {
        for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) block[j * width + i] = block[i * width + j]!;
        for (let i = 0; i < width; i++) steps.derive(block, i * width, 1, 1);
        steps.derive(block, 0, width, width);
      }
      if (!hasBias) block.fill(0, (width - 1) * width);
      for (let j = 0; j < features; j++) block[j * width + j]! += alpha * penalties[j]!;
      this.#problem.newton.factorise(this.#factors[k]!, width);
    }
  }

  solve(r: Float64Array, out: Float64Array): void {
    const { outputs: K, width } = this.#problem;
    const features = this.#features;
    const bias = (width - 1) * K;
    if (features < width - 1) this.#others.solve(r, out);
    const x = this.#vector.array;
    for (let k = 0; k < K; k++) {
      for (let j = 0; j < features; j++) x[j] = r[j * K + k]!;
      x[features] = r[bias + k]!;
      this.#problem.newton.substitute(this.#factors[k]!, features + 1, this.#vector);
      for (let j = 0; j < features; j++) out[j * K + k] = x[j]!;
      out[bias + k] = x[features]!;
    }
    this.#problem.centre(out);
  }

  free(): void {
    for (const block of [...this.#factors, this.#vector]) block.free();
  }

  /** Adds x·xᵀ times the curvature of each row for class k. */
  #addRows(k: number): void {
    const { memory, newton, outputs } = this.#problem;
    const { rows } = memory;
    const curvatures = this.#problem.curvatures(k);
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += curvatures[i]!;
    // Rows that are far from the boundary of a class add little to its block. All together are below a hundredth.
    const least = (sum / rows) * 0.01;
    let near = 0;
    for (let i = 0; i < rows; i++) if (curvatures[i]! >= least) near++;
    // With several classes blocks are no more than an approximation, for which a sample of the others is enough.
    const every = outputs === 1 ? 1 : Math.max(1, Math.floor(near / (enoughRows * (this.#features + 1))));
    newton.addSquares(memory, this.#factors[k]!, { features: this.#features, least, every });
  }
}
