import type { Chain } from '../../features/number/bend.ts';
import { exponential } from '../../kernels/exponential.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { logOnePlus, naturalLog } from '../../kernels/natural-log.ts';
import { newtonKernels } from '../../kernels/newton.ts';
import type { NewtonKernels, SoftmaxMemory } from '../../kernels/reference-newton.ts';
import { Steps } from './chains.ts';
import type { LogisticExamples } from './examples.ts';

/**
 * The objective of rules/logistic.ts with its derivatives.
 *
 * A vector has K numbers for each feature and, last, K for the bias; K = 1 for two classes. For chains they are
 * increments. Scores have K numbers for each row.
 */
export class Problem {
  readonly examples: LogisticExamples;
  readonly outputs: number;
  /** Number of features and the bias. */
  readonly width: number;
  readonly steps: Steps;
  readonly hasChains: boolean;
  readonly chains: readonly Chain[];
  /** The sign that each number of a vector must have, or be 0; 0: any. Null: all are free. Only for two classes. */
  readonly signs: Int8Array | null;
  readonly hasBias: boolean;
  /** Factor of α for each feature; 0 for the bias. */
  readonly penalties: Float64Array;
  /** May be changed between calls. */
  alpha: number;
  readonly newton: NewtonKernels;
  /** At the scores of {@link evaluate}: the derivatives of the loss by the scores. */
  readonly #slopes: Float64Array;
  /** For two classes: share times second derivative, by row. */
  readonly #curvatures: Float64Array;
  /** For more classes: the examples, and the probabilities at these scores. */
  readonly #softmax: SoftmaxMemory | null;
  /** Vector of weights, for {@link product}. */
  readonly #weights: Float64Array;

  /** @param chains of positions in `examples.features`. */
  constructor(
    kernels: Kernels,
    examples: LogisticExamples,
    {
      alpha,
      chains: given,
      hasBias,
    }: { readonly alpha: number; readonly chains: readonly Chain[]; readonly hasBias: boolean },
  ) {
    const { rows, outputs, features } = examples;
    this.newton = newtonKernels(kernels);
    this.examples = examples;
    this.outputs = outputs;
    this.width = features.length + 1;
    const chains = given.filter(({ length }) => length > 1);
    this.signs = given.some(({ sign }) => sign) ? new Int8Array(this.width) : null;
    for (const { first, length, sign = 0 } of given)
      this.signs?.fill(sign, length > 1 ? first + 1 : first, first + length);
    this.steps = new Steps(chains, outputs);
    this.hasChains = chains.length > 0;
    this.chains = chains;
    this.hasBias = hasBias;
    this.alpha = alpha;
    this.penalties = new Float64Array(this.width).fill(1);
    for (const { first, length } of chains) this.penalties.fill((length - 1) / 16, first, first + length);
    this.penalties[this.width - 1] = 0;
    this.#slopes = new Float64Array(rows * outputs);
    this.#curvatures = new Float64Array(outputs === 1 ? rows : 0);
    this.#softmax = outputs === 1 ? null : softmaxMemory(kernels, examples, this.width);
    this.#weights = new Float64Array(this.width * outputs);
  }

  free(): void {
    for (const part of Object.values(this.#softmax ?? {})) if (typeof part === 'object') part.free();
  }

  vector(): Float64Array {
    return new Float64Array(this.width * this.outputs);
  }

  /** Returns a·S·b/2 with α times the penalties in S. */
  penalty(a: Float64Array, b: Float64Array): number {
    const { penalties, outputs: K } = this;
    let sum = 0;
    for (let j = 0; j < this.width; j++) {
      let part = 0;
      for (let k = j * K; k < j * K + K; k++) part += a[k]! * b[k]!;
      sum += penalties[j]! * part;
    }
    return (this.alpha * sum) / 2;
  }

  /** Writes the scores of all rows. */
  scoresInto(vector: Float64Array, out: Float64Array): void {
    const { rows, offsets, indices, values } = this.examples;
    const K = this.outputs;
    const w = this.#weightsOf(vector);
    const bias = (this.width - 1) * K;
    for (let i = 0; i < rows; i++) {
      const end = offsets[i + 1]!;
      if (K === 1) {
        let score = w[bias]!;
        for (let n = offsets[i]!; n < end; n++) score += values[n]! * w[indices[n]!]!;
        out[i] = score;
        continue;
      }
      const at = i * K;
      for (let k = 0; k < K; k++) out[at + k] = w[bias + k]!;
      this.#addScores(i, w, out, at);
    }
  }

  /** Returns the mean loss at scores + t·change. */
  loss(scores: Float64Array, t = 0, change = scores): number {
    const { rows, labels, shares } = this.examples;
    const K = this.outputs;
    const row = new Float64Array(K);
    let sum = 0;
    for (let i = 0; i < rows; i++) {
      const at = i * K;
      for (let k = 0; k < K; k++) row[k] = t === 0 ? scores[at + k]! : scores[at + k]! + t * change[at + k]!;
      if (K === 1) {
        const margin = labels[i] === 1 ? row[0]! : -row[0]!;
        sum += shares[i]! * (Math.max(0, -margin) + logOnePlus(exponential(-Math.abs(margin))));
        continue;
      }
      let best = 0;
      for (let k = 1; k < K; k++) if (row[k]! > row[best]!) best = k;
      let others = 0;
      for (let k = 0; k < K; k++) if (k !== best) others += exponential(row[k]! - row[best]!);
      sum += shares[i]! * (row[best]! - row[labels[i]!]! + (others < 1 ? logOnePlus(others) : naturalLog(1 + others)));
    }
    return sum;
  }

  /** Computes the derivatives at given scores, for {@link gradientInto}, {@link product} and {@link curvatures}. */
  evaluate(scores: Float64Array): void {
    const { rows, labels, shares } = this.examples;
    const K = this.outputs;
    const slopes = this.#slopes;
    const p = this.#softmax?.probabilities.array ?? slopes;
    const likeliest = this.#softmax?.likeliest.array;
    for (let i = 0; i < rows; i++) {
      const h = shares[i]!;
      const y = labels[i]!;
      if (K === 1) {
        const e = exponential(-Math.abs(scores[i]!));
        const [less, more] = [e / (1 + e), 1 / (1 + e)];
        const isLow = scores[i]! < 0;
        this.#curvatures[i] = h * less * more;
        slopes[i] = y === 1 ? -h * (isLow ? more : less) : h * (isLow ? less : more);
        continue;
      }
      const at = i * K;
      let best = at;
      for (let k = at + 1; k < at + K; k++) if (scores[k]! > scores[best]!) best = k;
      let [total, others] = [0, 0];
      for (let k = 0; k < K; k++) {
        const e = exponential(scores[at + k]! - scores[best]!);
        p[at + k] = e;
        total += e;
        if (k !== y) others += e;
      }
      for (let k = at; k < at + K; k++) {
        p[k]! /= total;
        slopes[k] = h * p[k]!;
      }
      slopes[at + y] = -h * (others / total);
      likeliest![i] = best - at;
    }
  }

  /** Writes the gradient of the objective. */
  gradientInto(vector: Float64Array, out: Float64Array): void {
    out.fill(0);
    const { rows } = this.examples;
    const K = this.outputs;
    for (let i = 0; i < rows; i++) this.#addRow(i, this.#slopes, i * K, out);
    this.#finish(vector, out);
  }

  /** Writes the product of the Hessian and a vector. */
  productInto(vector: Float64Array, out: Float64Array): void {
    const w = this.#weightsOf(vector);
    if (this.#softmax !== null) {
      this.#softmax.weights.array.set(w);
      this.#softmax.out.array.fill(0);
      this.newton.softmaxProduct(this.#softmax);
      out.set(this.#softmax.out.array);
    } else {
      out.fill(0);
      const { rows, offsets, indices, values } = this.examples;
      const bias = this.width - 1;
      for (let i = 0; i < rows; i++) {
        const end = offsets[i + 1]!;
        let change = w[bias]!;
        for (let n = offsets[i]!; n < end; n++) change += values[n]! * w[indices[n]!]!;
        change *= this.#curvatures[i]!;
        for (let n = offsets[i]!; n < end; n++) out[indices[n]!]! += change * values[n]!;
        out[bias]! += change;
      }
    }
    this.#finish(vector, out);
  }

  /** Writes the second derivative of each row's loss by its score of class k, times the row's share. */
  curvaturesInto(k: number, out: Float64Array): void {
    const { rows, shares } = this.examples;
    if (this.outputs === 1) out.set(this.#curvatures);
    else {
      const p = this.#softmax!.probabilities.array;
      for (let i = 0, at = k; i < rows; i++, at += this.outputs) out[i] = shares[i]! * p[at]! * (1 - p[at]!);
    }
  }

  /**
   * Subtracts the mean of the K numbers of each feature. It changes no difference between scores, and the minimum of
   * the penalty has none.
   */
  centre(vector: Float64Array): void {
    const K = this.outputs;
    if (K === 1) return;
    for (let at = 0; at < vector.length; at += K) {
      let mean = 0;
      for (let k = at; k < at + K; k++) mean += vector[k]!;
      mean /= K;
      for (let k = at; k < at + K; k++) vector[k]! -= mean;
    }
  }

  /** Adds the products of row i and the weights of each class to `out[at + k]`; two features at a time, for speed. */
  #addScores(i: number, w: Float64Array, out: Float64Array, at: number): void {
    const { offsets, indices, values } = this.examples;
    const K = this.outputs;
    const end = offsets[i + 1]!;
    let n = offsets[i]!;
    for (; n + 1 < end; n += 2) {
      const x = values[n]!;
      const x2 = values[n + 1]!;
      const from = indices[n]! * K;
      const from2 = indices[n + 1]! * K;
      for (let k = 0; k < K; k++) out[at + k]! += x * w[from + k]! + x2 * w[from2 + k]!;
    }
    if (n < end) for (let k = 0; k < K; k++) out[at + k]! += values[n]! * w[indices[n]! * K + k]!;
  }

  /** Adds row i times `factors[at + k]` for each class k. */
  #addRow(i: number, factors: Float64Array, at: number, out: Float64Array): void {
    const { offsets, indices, values } = this.examples;
    const K = this.outputs;
    const end = offsets[i + 1]!;
    const bias = (this.width - 1) * K;
    if (K === 1) {
      const factor = factors[at]!;
      for (let n = offsets[i]!; n < end; n++) out[indices[n]!]! += factor * values[n]!;
      out[bias]! += factor;
      return;
    }
    let n = offsets[i]!;
    for (; n + 1 < end; n += 2) {
      const x = values[n]!;
      const x2 = values[n + 1]!;
      const to = indices[n]! * K;
      const to2 = indices[n + 1]! * K;
      for (let k = 0; k < K; k++) {
        const factor = factors[at + k]!;
        out[to + k]! += x * factor;
        out[to2 + k]! += x2 * factor;
      }
    }
    if (n < end) for (let k = 0; k < K; k++) out[indices[n]! * K + k]! += values[n]! * factors[at + k]!;
    for (let k = 0; k < K; k++) out[bias + k]! += factors[at + k]!;
  }

  /** Turns derivatives of the loss by weights into those of the objective. */
  #finish(vector: Float64Array, out: Float64Array): void {
    const { penalties, outputs: K } = this;
    this.steps.derive(out);
    if (!this.hasBias) out.fill(0, (this.width - 1) * K);
    for (let j = 0, at = 0; j < this.width; j++)
      for (let k = 0; k < K; k++, at++) out[at]! += this.alpha * penalties[j]! * vector[at]!;
    this.centre(out);
  }

  #weightsOf(vector: Float64Array): Float64Array {
    if (!this.hasChains) return vector;
    this.#weights.set(vector);
    this.steps.toWeights(this.#weights);
    return this.#weights;
  }
}

function softmaxMemory(kernels: Kernels, examples: LogisticExamples, width: number): SoftmaxMemory {
  const { rows, outputs: classes, offsets, indices, values, shares } = examples;
  const integers = (from: Uint32Array) => {
    const block = kernels.uint32(from.length, false);
    block.array.set(from);
    return block;
  };
  const doubles = (from: Float64Array) => {
    const block = kernels.float64(from.length, false);
    block.array.set(from);
    return block;
  };
  return {
    rows,
    classes,
    width,
    offsets: integers(offsets),
    indices: integers(indices),
    values: doubles(values),
    shares: doubles(shares),
    probabilities: kernels.float64(rows * classes),
    likeliest: kernels.uint32(rows),
    weights: kernels.float64(width * classes),
    out: kernels.float64(width * classes),
    row: kernels.float64(classes),
  };
}
