/**
 * Stochastic gradient descent on a regularised loss: linear SVM, logistic regression and others.
 *
 * Objective: F(w, b) = Σ hᵢ·L(mᵢ) / Σ hᵢ + α·R(w), with mᵢ = yᵢ(w·xᵢ + b·c); objective.ts computes it.
 *   L(m)   perceptron max(0, −m); hinge max(0, 1 − m); squared-hinge max(0, 1 − m)²; logistic ln(1 + e^−m);
 *          modified-huber max(0, 1 − m)² for m ≥ −1, −4m below; multinomial: multinomial.ts, here logistic
 *   R(w)   none 0; l2 ½‖w‖²; l1 ‖w‖₁; elastic-net ρ‖w‖₁ + (1 − ρ)½‖w‖². The bias is not penalised.
 * Update:   w ← w + η·h·f·y·x,   b ← b + η·h·f·y·c   with f = −L′(m); then, for the penalty, each weight becomes the w′
 * that minimises ½(w′ − w)² + η·h·α·R(w′).
 *   η      constant η₀; inverse-scaling η₀/(1 + T)^p, T the importance shown before; adaptive η₀/√Σg² for each weight,
 *          where the sum is over its gradients g = h·f·y·xⱼ so far, including this one
 * Answer: w̄ = Σₜ (Tₜ² − Tₜ₋₁²)·wₜ / T², a mean over examples in which later ones weigh more; or the last w.
 * Symbols: h importance of the example; c value of the constant feature; ρ share of L1.
 * Source: Bottou 2010, Large-scale machine learning with stochastic gradient descent; the penalty's step is Duchi &
 * Singer 2009 (FOBOS, JMLR 10), equation 3; adaptive is Duchi, Hazan & Singer 2011 (AdaGrad, JMLR 12), section 1.1 with
 * the diagonal; the mean is Lacoste-Julien, Schmidt & Bach 2012 (arXiv 1212.2002), section 2; modified Huber is Zhang
 * 2004.
 * Differences: the penalty is lazy, so that a sparse example costs its nonzeros only. While a feature is absent, its
 * penalty steps are postponed; when it occurs again, one step uses the sum of their h·η·α. For L1 that gives the same
 * weight, for L2 nearly the same; gradients always use up-to-date weights. In the mean, the weight after that step
 * counts for the whole time. Adaptive steps store u = w·q with q = √Σg², so that a nonzero costs one root and one
 * quotient: q ← √(q² + g²), u ← w·q + η₀·g, and after the penalty w = u/(q + κ), with κ = η₀·α times the time since.
 * Like Σg², q accumulates rounding errors: after n steps at most n·2⁻⁵² of it. At a constant rate with 2η(‖x‖² + c²) >
 * 2, squared hinge overshoots: each step multiplies errors along x by up to 2η(‖x‖² + c²) − 1. This includes rounding
 * errors, so implementations with another order of summation diverge, none nearer to exact arithmetic
 * (test/rounding.test.ts). At their kinks, perceptron and hinge have f = 1, because the perceptron starts from 0.
 * scikit-learn has the same losses and α; its penalty ignores h, and its L2 shrinks before the step.
 */
import { checkScored, type StoredBatch } from '../batch.ts';
import { type Members, members, number } from '../json.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels, TwoClassMemory } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { penalised, sgdMean } from '../kernels/steps.ts';
import { Answer, type Answering } from './answer.ts';
import { KernelMemoryLearner } from './kernel-memory-learner.ts';
import type { LearnerState, LinearLearnerState, LinearParameters } from './learner.ts';
import { checkCounts, checkDoubles, checkScalars, checkSums, checkWeights } from './learner-state.ts';
import { checkMultinomialState, Multinomial } from './multinomial.ts';
import type { RuleDefinition } from './rule-definition.ts';
import { checkLearnerOptions } from './rule-options.ts';
import { checkSgdScalars, completeSgd, type SgdOptions, sgdOptions, writeOptions } from './sgd-options.ts';

const size = layout.recordSize;

export class Sgd extends KernelMemoryLearner {
  readonly rule = 'sgd';
  readonly #records: Block<Float64Array>;
  readonly #answer: Answer;

  /**
   * @param state to continue from; if given, the options are those of the state.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: SgdOptions = {}, state?: LearnerState) {
    checkLearnerOptions('sgd', sgdOptions, options);
    super(kernels, options, layout.sgdStateSize);
    this.#records = kernels.float64(0);
    this.#answer = new Answer(kernels, () => this.#now(this.scalars.array[layout.averaging] === 1));
    writeOptions(this.scalars.array, completeSgd(options));
    if (state !== undefined) this.restore(state as LinearLearnerState);
  }

  protected override memory(): TwoClassMemory {
    return { kind: 'sgd', records: this.#records, state: this.scalars };
  }

  protected override show(batch: StoredBatch, from: number, to: number): number {
    return this.kernels.learn(batch, from, to, this.memory());
  }

  override scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    this.#answer.scoreInto(batch, out);
  }

  override parameters(): LinearParameters {
    return this.#answer.parameters();
  }

  override latest(): LinearParameters {
    const { dimension, bias, weights } = this.#now(false);
    const weight = weights();
    return { weights: Float64Array.from({ length: dimension }, (_, j) => weight(j)), bias };
  }

  start(weights: Float64Array, bias: number): void {
    this.reserve(weights.length);
    const records = this.#records.array;
    const adaptive = this.scalars.array[layout.schedule] === layout.scheduleAdaptive;
    for (let j = 0; j < weights.length; j++) {
      const root = adaptive ? records[j * size + layout.recordSecond]! : 1;
      records[j * size + layout.recordScaled] = root > 0 ? weights[j]! * root : weights[j]!;
    }
    this.scalars.array[layout.bias] = bias;
    this.#answer.forget();
  }

  /** Returns the records by column; `weights` are as of when each feature was last settled. */
  override state(): LinearLearnerState {
    const scalars = this.scalars.array.slice();
    const scaled = this.#column(layout.recordScaled);
    const second = this.#column(layout.recordSecond);
    const adaptive = scalars[layout.schedule] === layout.scheduleAdaptive;
    return {
      rule: this.rule,
      weights: scaled.map((u, j) => penalised(u, 0, adaptive ? second[j]! : 1, 0)),
      sums: scalars[layout.averaging] === 1 ? this.#column(layout.recordSum) : null,
      scalars,
      vectors: { scaled, second, settled: this.#column(layout.recordSettled) },
    };
  }

  override free(): void {
    this.#records.free();
    this.#answer.free();
    super.free();
  }

  #column(at: number): Float64Array {
    const records = this.#records.array;
    return Float64Array.from({ length: this.dimension }, (_, j) => records[j * size + at]!);
  }

  protected override restore(state: LinearLearnerState): void {
    super.restore(state);
    const { sums: sum, vectors } = state;
    const records = this.#records.array;
    const { scaled, second, settled } = vectors!;
    const columns = [
      [layout.recordScaled, scaled],
      [layout.recordSecond, second],
      [layout.recordSum, sum],
      [layout.recordSettled, settled],
    ] as const;
    for (const [at, column] of columns)
      column?.forEach((number, j) => {
        records[j * size + at] = number;
      });
  }

  protected override get room(): number {
    return this.#records.length / size;
  }

  protected override resize(dimension: number): void {
    this.#records.resize(dimension * size);
  }

  /** Returns the current weights with all penalty steps applied, or their mean. Does not change the learner. */
  #now(mean: boolean): Answering {
    const state = this.scalars.array;
    const clock = state[layout.clock]!;
    const adaptive = state[layout.schedule] === layout.scheduleAdaptive;
    const averaging = mean && clock > 0;
    const strength = state[layout.alpha]! * (adaptive ? state[layout.rate]! : 1);
    const time = adaptive ? clock : state[layout.penaltyClock]!;
    const l1Ratio = state[layout.l1Ratio]!;
    const age = clock * clock;
    return {
      dimension: this.dimension,
      bias: averaging ? state[layout.biasSum]! / age : state[layout.bias]!,
      biasConstant: state[layout.biasConstant]!,
      examples: state[layout.examples]!,
      clock,
      weights: () => {
        const records = this.#records.array;
        return (j) => {
          const at = j * size;
          const before = records[at + layout.recordSettled]!;
          const second = records[at + layout.recordSecond]!;
          const kappa = (time - before) * strength;
          const w = penalised(records[at + layout.recordScaled]!, kappa, adaptive ? second : 1, l1Ratio);
          if (!averaging) return w;
          return sgdMean(w, records[at + layout.recordSum]!, adaptive ? before * before : second, age);
        };
      },
    };
  }
}

function checkSgdState(state: Members): void {
  const length = checkWeights(state);
  const scalars = checkScalars(state.scalars, layout.sgdStateSize, checkCounts);
  checkSgdScalars(scalars);
  checkSums(state, length, scalars[layout.averaging] === 1);
  const vectors = members(state.vectors, 'vectors');
  checkDoubles(vectors.scaled, 'scaled', length);
  const clock = scalars[layout.clock]!;
  const adaptive = scalars[layout.schedule] === layout.scheduleAdaptive;
  // No feature may be settled later than now.
  for (const settled of checkDoubles(vectors.settled, 'settled', length))
    number(settled, 'settled', 0, adaptive ? clock : scalars[layout.penaltyClock]!);
  for (const second of checkDoubles(vectors.second, 'second', length))
    number(second, 'second', 0, adaptive ? Infinity : clock * clock);
}

export const sgd = {
  summary: 'gradient steps on a regularised loss: linear SVM, logistic regression',
  options: sgdOptions,
  complete: completeSgd,
  create: (kernels, options, state) => new Sgd(kernels, options, state),
  checkState: checkSgdState,
  joint: {
    isFor: (options: SgdOptions) => options.loss === 'multinomial',
    name: 'the loss multinomial',
    create: (kernels, options, classes, state) => new Multinomial(kernels, options, classes, state),
    checkState: checkMultinomialState,
  },
} as const satisfies RuleDefinition;
