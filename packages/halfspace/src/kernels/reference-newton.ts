import type { Block } from './block.ts';
import { exponential } from './exponential.ts';
import type { Kernels } from './kernels.ts';
import { logOnePlus } from './natural-log.ts';

/** The hot loops of the rule `logistic`, on blocks of {@link Kernels}. Both implementations give the same bits. */
export interface NewtonKernels {
  /**
   * Replaces the lower triangle of a square matrix, row by row, by its Cholesky factor L. Where rounding leaves no
   * pivot, it is 10⁻¹³ of the entry; 1 if the entry is not positive.
   */
  factorise(matrix: Block<Float64Array>, width: number): void;

  /** Replaces x by (L·Lᵀ)⁻¹·x. */
  substitute(factor: Block<Float64Array>, width: number, x: Block<Float64Array>): void;

  /** Adds the product of the Hessian of the mean softmax loss and `weights` to `out`. */
  softmaxProduct(memory: SoftmaxMemory): void;

  /** For two classes: writes the scores by `weights`. */
  scores(memory: RowMemory, out: Block<Float64Array>): void;

  /** Adds the rows times `slopes` to `out`. */
  addRows(memory: RowMemory): void;

  /** Adds the product of the Hessian of the mean loss and `weights` to `out`. */
  product(memory: RowMemory): void;

  /** Returns the mean loss at scores + t·change. */
  loss(memory: RowMemory, scores: Block<Float64Array>, change: Block<Float64Array>, t: number): number;

  /** Writes `slopes` and `curvatures` at scores. */
  derive(memory: RowMemory, scores: Block<Float64Array>): void;

  /**
   * For any number of classes: adds x·xᵀ times `curvatures` to the lower triangle of a square matrix of the first
   * features and the bias, whose x is 1. Only rows whose curvature is at least `least` are added, of these each
   * `every`-th, times `every`.
   */
  addSquares(
    memory: RowMemory,
    matrix: Block<Float64Array>,
    rows: { readonly features: number; readonly least: number; readonly every: number },
  ): void;
}

/** Examples in compressed sparse rows, and vectors of a number for each feature and class, those of the bias last. */
export interface RowMemory {
  readonly rows: number;
  /** Number of features and the bias. */
  readonly width: number;
  readonly offsets: Block<Uint32Array>;
  readonly indices: Block<Uint32Array>;
  readonly values: Block<Float64Array>;
  /** Class of each row. */
  readonly labels: Block<Uint32Array>;
  /** Share of each row in the sum of the importance. */
  readonly shares: Block<Float64Array>;
  readonly weights: Block<Float64Array>;
  readonly out: Block<Float64Array>;
  /** By row: derivatives of the loss by the score, times the share. For two classes only. */
  readonly slopes: Block<Float64Array>;
  /** By row: second derivatives, times the share. */
  readonly curvatures: Block<Float64Array>;
}

/** Examples of more classes, and their state, for Newton's method on the softmax loss (rules/logistic.ts). */
export interface SoftmaxMemory extends RowMemory {
  readonly classes: number;
  /** By row and class. */
  readonly probabilities: Block<Float64Array>;
  /** The class of the highest score, by row. */
  readonly likeliest: Block<Uint32Array>;
  /** Room for a number for each class. */
  readonly row: Block<Float64Array>;
}

/** The kernels of Newton's method in plain TypeScript, with the bits of assembly/newton.ts. */
export const referenceNewton: NewtonKernels = {
  ...{ factorise, substitute, softmaxProduct },
  ...{ scores, addRows, product: binaryProduct, loss, derive, addSquares },
};

function factorise({ array: matrix }: Block<Float64Array>, width: number): void {
  for (let i = 0; i < width; i++) {
    const row = i * width;
    for (let j = 0; j < i; j++) {
      const other = j * width;
      matrix[row + j] = (matrix[row + j]! - product(matrix, row, other, j)) / matrix[other + j]!;
    }
    const own = matrix[row + i]!;
    const pivot = own - product(matrix, row, row, i);
    matrix[row + i] = own > 0 ? Math.sqrt(Math.max(pivot, own * 1e-13)) : 1;
  }
}

/** Returns the product of the first n numbers at two places, in four lanes; the rest is in lane 0. */
function product(matrix: Float64Array, a: number, b: number, n: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let m = 0;
  for (; m + 3 < n; m += 4) {
    s0 += matrix[a + m]! * matrix[b + m]!;
    s1 += matrix[a + m + 1]! * matrix[b + m + 1]!;
    s2 += matrix[a + m + 2]! * matrix[b + m + 2]!;
    s3 += matrix[a + m + 3]! * matrix[b + m + 3]!;
  }
  for (; m < n; m++) s0 += matrix[a + m]! * matrix[b + m]!;
  return s0 + s1 + (s2 + s3);
}

function substitute({ array: factor }: Block<Float64Array>, width: number, { array: x }: Block<Float64Array>): void {
  for (let i = 0; i < width; i++) {
    let sum = x[i]!;
    for (let j = 0; j < i; j++) sum -= factor[i * width + j]! * x[j]!;
    x[i] = sum / factor[i * width + i]!;
  }
  for (let i = width - 1; i >= 0; i--) {
    const value = x[i]! / factor[i * width + i]!;
    x[i] = value;
    for (let j = 0; j < i; j++) x[j]! -= factor[i * width + j]! * value;
  }
}

function softmaxProduct(memory: SoftmaxMemory): void {
  const { rows, classes: K, width } = memory;
  const [offsets, indices, likeliest] = [memory.offsets.array, memory.indices.array, memory.likeliest.array];
  const [values, shares, p] = [memory.values.array, memory.shares.array, memory.probabilities.array];
  const [weights, out, row] = [memory.weights.array, memory.out.array, memory.row.array];
  const bias = (width - 1) * K;
  for (let i = 0; i < rows; i++) {
    const end = offsets[i + 1]!;
    for (let k = 0; k < K; k++) row[k] = weights[bias + k]!;
    let n = offsets[i]!;
    for (; n + 1 < end; n += 2) {
      const [x, x2] = [values[n]!, values[n + 1]!];
      const [from, from2] = [indices[n]! * K, indices[n + 1]! * K];
      for (let k = 0; k < K; k++) row[k]! += x * weights[from + k]! + x2 * weights[from2 + k]!;
    }
    if (n < end) for (let k = 0; k < K; k++) row[k]! += values[n]! * weights[indices[n]! * K + k]!;
    const at = i * K;
    // Relative to the likeliest class, because differences to the mean cancel where it has nearly all probability.
    const origin = row[likeliest[i]!]!;
    let mean = 0;
    for (let k = 0; k < K; k++) mean += p[at + k]! * (row[k]! - origin);
    for (let k = 0; k < K; k++) row[k] = shares[i]! * p[at + k]! * (row[k]! - origin - mean);
    for (n = offsets[i]!; n < end; n++)
      for (let k = 0, to = indices[n]! * K; k < K; k++) out[to + k]! += values[n]! * row[k]!;
    for (let k = 0; k < K; k++) out[bias + k]! += row[k]!;
  }
}

/** Returns a function of the scores of rows by `weights`. */
function scorerOf({ width, ...blocks }: RowMemory): (i: number) => number {
  const [offsets, indices] = [blocks.offsets.array, blocks.indices.array];
  const [values, weights] = [blocks.values.array, blocks.weights.array];
  return (i) => {
    const end = offsets[i + 1]!;
    let score = weights[width - 1]!;
    for (let n = offsets[i]!; n < end; n++) score += values[n]! * weights[indices[n]!]!;
    return score;
  };
}

/** Returns a function that adds row i times a factor to `out`. */
function adderOf({ width, ...blocks }: RowMemory): (i: number, factor: number) => void {
  const [offsets, indices] = [blocks.offsets.array, blocks.indices.array];
  const [values, out] = [blocks.values.array, blocks.out.array];
  return (i, factor) => {
    const end = offsets[i + 1]!;
    for (let n = offsets[i]!; n < end; n++) out[indices[n]!]! += factor * values[n]!;
    out[width - 1]! += factor;
  };
}

function scores(memory: RowMemory, { array: out }: Block<Float64Array>): void {
  const scoreOf = scorerOf(memory);
  for (let i = 0; i < memory.rows; i++) out[i] = scoreOf(i);
}

function addRows(memory: RowMemory): void {
  const add = adderOf(memory);
  const slopes = memory.slopes.array;
  for (let i = 0; i < memory.rows; i++) add(i, slopes[i]!);
}

function binaryProduct(memory: RowMemory): void {
  const [scoreOf, add] = [scorerOf(memory), adderOf(memory)];
  const curvatures = memory.curvatures.array;
  for (let i = 0; i < memory.rows; i++) add(i, scoreOf(i) * curvatures[i]!);
}

function loss(
  { rows, ...memory }: RowMemory,
  { array: scores }: Block<Float64Array>,
  { array: change }: Block<Float64Array>,
  t: number,
): number {
  const [labels, shares] = [memory.labels.array, memory.shares.array];
  let sum = 0;
  for (let i = 0; i < rows; i++) {
    const score = t === 0 ? scores[i]! : scores[i]! + t * change[i]!;
    const margin = labels[i] === 1 ? score : -score;
    sum += shares[i]! * (Math.max(0, -margin) + logOnePlus(exponential(-Math.abs(margin))));
  }
  return sum;
}

function derive({ rows, ...memory }: RowMemory, { array: scores }: Block<Float64Array>): void {
  const [labels, shares] = [memory.labels.array, memory.shares.array];
  const [slopes, curvatures] = [memory.slopes.array, memory.curvatures.array];
  for (let i = 0; i < rows; i++) {
    const h = shares[i]!;
    const e = exponential(-Math.abs(scores[i]!));
    const [less, more] = [e / (1 + e), 1 / (1 + e)];
    const isLow = scores[i]! < 0;
    curvatures[i] = h * less * more;
    slopes[i] = labels[i] === 1 ? -h * (isLow ? more : less) : h * (isLow ? less : more);
  }
}

function addSquares(
  { rows, ...memory }: RowMemory,
  { array: matrix }: Block<Float64Array>,
  { features, least, every }: { readonly features: number; readonly least: number; readonly every: number },
): void {
  const [offsets, indices] = [memory.offsets.array, memory.indices.array];
  const [values, curvatures] = [memory.values.array, memory.curvatures.array];
  const width = features + 1;
  const bias = features * width;
  let near = 0;
  for (let i = 0; i < rows; i++) {
    if (curvatures[i]! < least || near++ % every > 0) continue;
    const curvature = every * curvatures[i]!;
    const from = offsets[i]!;
    let to = offsets[i + 1]!;
    while (to > from && indices[to - 1]! >= features) to--;
    for (let a = from; a < to; a++) {
      const x = curvature * values[a]!;
      const at = indices[a]! * width;
      for (let b = from; b <= a; b++) matrix[at + indices[b]!]! += x * values[b]!;
      matrix[bias + indices[a]!]! += x;
    }
    matrix[bias + features]! += curvature;
  }
}
