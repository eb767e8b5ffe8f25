/**
 * Adaptive regularisation of weights (AROW): a Gaussian over weights. Features seen often move less than new ones.
 *
 * Objective, at each example (x, y), y ∈ {−1, +1}: the (μ', Σ') that minimise
 *   KL(N(μ', Σ') ‖ N(μ, Σ)) + (h/2r)·max(0, 1 − y·μ'·x)² + (h/2r)·xᵀΣ'x
 * Update, when y·a < 1 for the score a = μ·x:   β = 1/(xᵀΣx + r/h),   μ ← μ + (1 − y·a)·β·y·Σx,   Σ ← Σ − β·Σx·(Σx)ᵀ
 * Symbols: μ mean of the weights, which gives the scores; Σ their covariance, initially the identity. Only its diagonal
 * σ is kept, so σⱼ ← σⱼ − β(σⱼxⱼ)². r > 0: the larger, the smaller the effect of one example; h importance of the
 * example (default 1). x includes the constant c of the bias.
 * Source: Crammer, Kulesza & Dredze 2009, Adaptive regularization of weight vectors (NIPS 22), figure 1, with a
 * diagonal Σ.
 * Differences: h; the bias; and `average`, the mean of μ over time as in averaged-perceptron.ts. The new σⱼ is computed
 * as at least σⱼ·(r/h)·β, a bound of its exact value, so that rounding leaves it above 0 if xᵀΣx is far above r/h. If
 * xᵀΣx overflows, the weights become NaN, which the run refuses at its end.
 */
import { type Members, members, number, positive } from '../json.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels, TwoClassMemory } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import type { SharedOptions } from './kernel-memory-learner.ts';
import type { LearnerState, LinearLearnerState } from './learner.ts';
import { checkCounts, checkDoubles, checkScalars, checkSums, checkWeights } from './learner-state.ts';
import { averageOption, MistakeDriven } from './mistake-driven.ts';
import type { RuleDefinition } from './rule-definition.ts';
import { checkLearnerOptions, completeOptions, type GivenOptions, type OptionSpecs } from './rule-options.ts';

const arowOptions = {
  /** Regularisation, in (0, ∞): the larger, the smaller the updates. Default 1. */
  r: {
    kind: 'number',
    from: 0,
    open: 'from',
    default: 1,
    about: 'regularisation; the larger, the smaller the updates',
  },
  /** True predicts with the mean of the weights over time. Default false. */
  average: averageOption,
} as const satisfies OptionSpecs;

type ArowOptions = SharedOptions & GivenOptions<typeof arowOptions>;

export class Arow extends MistakeDriven {
  readonly #variances: Block<Float64Array>;

  /**
   * @param state to continue from; if given, the options are those of the state.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: ArowOptions = {}, state?: LearnerState) {
    checkLearnerOptions('arow', arowOptions, options);
    const { r, average } = completeOptions(arowOptions, options);
    const averaging = state === undefined ? average === true : (state as LinearLearnerState).sums !== null;
    super(kernels, 'arow', options, { averaging });
    this.#variances = kernels.float64(0);
    this.scalars.array[layout.r] = r as number;
    this.scalars.array[layout.biasVariance] = 1;
    if (state === undefined) return;
    this.restore(state as LinearLearnerState);
    this.#variances.array.set((state as LinearLearnerState).vectors!.variances!);
  }

  protected override memory(): TwoClassMemory {
    const { weights, sums, scalars: state } = this;
    return { kind: 'arow', weights, variances: this.#variances, sums, state };
  }

  /** Returns a copy of σ, by feature: 1 if nothing was learned, towards 0 as more is learned. */
  variances(): Float64Array {
    return this.#variances.array.slice(0, this.dimension);
  }

  override state(): LinearLearnerState {
    return { ...super.state(), vectors: { variances: this.variances() } };
  }

  protected override resize(dimension: number): void {
    super.resize(dimension);
    const known = this.#variances.length;
    this.#variances.resize(dimension);
    this.#variances.array.fill(1, known);
  }

  override free(): void {
    this.#variances.free();
    super.free();
  }
}

function checkArowState(state: Members): void {
  const length = checkWeights(state);
  checkSums(state, length, state.sums !== null);
  for (const variance of checkDoubles(members(state.vectors, 'vectors').variances, 'variances', length))
    number(variance, 'variances', 0, 1);
  const scalars = checkScalars(state.scalars, layout.stateSize, checkCounts);
  positive(scalars[layout.r], 'r');
  number(scalars[layout.biasVariance], 'biasVariance', 0, 1);
}

export const arow = {
  summary: 'a weight moves the less the more often its feature was learned from',
  options: arowOptions,
  create: (kernels, options, state) => new Arow(kernels, options, state),
  checkState: checkArowState,
} as const satisfies RuleDefinition;
