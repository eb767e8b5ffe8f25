import type { Chain } from '../../features/number/bend.ts';
import type { Block } from '../../kernels/block.ts';
import { exponential } from '../../kernels/exponential.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { logOnePlus, naturalLog } from '../../kernels/natural-log.ts';
import { newtonKernels } from '../../kernels/newton.ts';
import type { NewtonKernels, RowMemory, SoftmaxMemory } from '../../kernels/reference-newton.ts';
import { penaltiesOf, Steps } from './chains.ts';
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
  /** The examples, and at the scores of {@link evaluate} the derivatives of the loss by them. */
  readonly memory: RowMemory;
  /** For more than two classes: that, and the probabilities. */
  readonly #softmax: SoftmaxMemory | null;
  /** Scores of all rows, and their change by a step. */
  readonly scores: Block<Float64Array>;
  readonly change: Block<Float64Array>;
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
    for (const chain of chains) this.penalties.set(penaltiesOf(chain), chain.first);
    this.penalties[this.width - 1] = 0;
    const doubles = (length: number) => kernels.float64(length, false);
    this.memory = {
      ...examples,
      width: this.width,
      weights: doubles(this.width * outputs),
      out: doubles(this.width * outputs),
      slopes: doubles(rows * outputs),
      curvatures: doubles(rows),
    };
    const softmax = () => ({
      classes: outputs,
      probabilities: doubles(rows * outputs),
      likeliest: kernels.uint32(rows, false),
      row: doubles(outputs),
    });
    this.#softmax = outputs === 1 ? null : { ...this.memory, ...softmax() };
    this.scores = doubles(rows * outputs);
    this.change = doubles(rows * outputs);
    this.#weights = this.vector();
  }

  /** Frees the examples, too. */
  free(): void {
    const parts = [...Object.values(this.#softmax ?? this.memory), this.scores, this.change];
    for (const part of parts) if (typeof part === 'object' && 'free' in part) part.free();
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
  scoresInto(vector: Float64Array, block: Block<Float64Array>): void {
    const { outputs: K, memory } = this;
    const w = this.#weightsOf(vector);
    if (K === 1) {
      memory.weights.array.set(w);
      this.newton.scores(memory, block);
      return;
    }
    const out = block.array;
    const add = this.#adderOfScores(w, out);
    const bias = w.subarray(w.length - K);
    for (let i = 0; i < memory.rows; i++) {
      out.set(bias, i * K);
      add(i);
    }
  }

  /** Returns the mean loss at scores + t·change. */
  loss(t = 0): number {
    const { rows, labels, shares } = this.examples;
    const K = this.outputs;
    if (K === 1) return this.newton.loss(this.memory, this.scores, this.change, t);
    const [scores, change, classes, shareOf] = [this.scores.array, this.change.array, labels.array, shares.array];
    const row = new Float64Array(K);
    let sum = 0;
    for (let i = 0; i < rows; i++) {
      const at = i * K;
      for (let k = 0; k < K; k++) row[k] = t === 0 ? scores[at + k]! : scores[at + k]! + t * change[at + k]!;
      let best = 0;
      for (let k = 1; k < K; k++) if (row[k]! > row[best]!) best = k;
      let others = 0;
      for (let k = 0; k < K; k++) if (k !== best) others += exponential(row[k]! - row[best]!);
      const more = others < 1 ? logOnePlus(others) : naturalLog(1 + others);
      sum += shareOf[i]! * (row[best]! - row[classes[i]!]! + more);
    }
    return sum;
  }

  /** Computes the derivatives at the scores, for {@link gradientInto}, {@link productInto} and {@link curvatures}. */
  evaluate(): void {
    const { memory } = this;
    if (this.#softmax === null) {
      this.newton.derive(memory, this.scores);
      return;
    }
    const K = this.outputs;
    const [labels, shares, scores] = [memory.labels.array, memory.shares.array, this.scores.array];
    const slopes = memory.slopes.array;
    const [p, likeliest] = [this.#softmax.probabilities.array, this.#softmax.likeliest.array];
    for (let i = 0; i < memory.rows; i++) {
      const h = shares[i]!;
      const y = labels[i]!;
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
      likeliest[i] = best - at;
    }
  }

  /** Writes the gradient of the objective. */
  gradientInto(vector: Float64Array, out: Float64Array): void {
    const { memory, outputs: K } = this;
    const { array: sums } = memory.out;
    sums.fill(0);
    if (K === 1) this.newton.addRows(memory);
    else {
      const add = this.#adderOfRows(sums);
      for (let i = 0; i < memory.rows; i++) add(i);
    }
    out.set(sums);
    this.#finish(vector, out);
  }

  /** Writes the product of the Hessian and a vector. */
  productInto(vector: Float64Array, out: Float64Array): void {
    const { memory } = this;
    memory.weights.array.set(this.#weightsOf(vector));
    memory.out.array.fill(0);
    if (this.#softmax === null) this.newton.product(memory);
    else this.newton.softmaxProduct(this.#softmax);
    out.set(memory.out.array);
    this.#finish(vector, out);
  }

  /** Writes and returns the second derivative of each row's loss by its score of class k, times the row's share. */
  curvatures(k: number): Float64Array {
    const { outputs: K, memory } = this;
    const { array: out } = memory.curvatures;
    if (this.#softmax === null) return out;
    const [p, shares] = [this.#softmax.probabilities.array, memory.shares.array];
    for (let i = 0, at = k; i < memory.rows; i++, at += K) out[i] = shares[i]! * p[at]! * (1 - p[at]!);
    return out;
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

  /** Returns a function that adds the scores of row i for each class; two features at a time, for speed. */
  #adderOfScores(w: Float64Array, out: Float64Array): (i: number) => void {
    const { outputs: K, memory } = this;
    const [offsets, indices, values] = [memory.offsets.array, memory.indices.array, memory.values.array];
    return (i) => {
      const [at, end] = [i * K, offsets[i + 1]!];
      let n = offsets[i]!;
      for (; n + 1 < end; n += 2) {
        const [x, x2] = [values[n]!, values[n + 1]!];
        const [from, from2] = [indices[n]! * K, indices[n + 1]! * K];
        for (let k = 0; k < K; k++) out[at + k]! += x * w[from + k]! + x2 * w[from2 + k]!;
      }
      if (n < end) for (let k = 0; k < K; k++) out[at + k]! += values[n]! * w[indices[n]! * K + k]!;
    };
  }

  /** Returns a function that adds row i times its slope of each class. */
  #adderOfRows(out: Float64Array): (i: number) => void {
    const { outputs: K, width, memory } = this;
    const [offsets, indices, values] = [memory.offsets.array, memory.indices.array, memory.values.array];
    const slopes = memory.slopes.array;
    const bias = (width - 1) * K;
    return (i) => {
      const [at, end] = [i * K, offsets[i + 1]!];
      for (let n = offsets[i]!; n < end; n++)
        for (let k = 0, to = indices[n]! * K; k < K; k++) out[to + k]! += values[n]! * slopes[at + k]!;
      for (let k = 0; k < K; k++) out[bias + k]! += slopes[at + k]!;
    };
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
