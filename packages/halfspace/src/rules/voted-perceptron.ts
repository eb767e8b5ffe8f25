/**
 * The voted perceptron: learns like the perceptron, and predicts by a vote of all its weight vectors.
 *
 * Objective and update: those of perceptron.ts, bit for bit. Each mistake k ends the current vector vₖ₋₁ and begins vₖ.
 * Answer: s(x) = Σₖ cₖ sgn(vₖ·x) / Σₖ cₖ, the share of the votes for the positive class minus that for the negative
 * one, in [−1, 1].
 * Symbols: v₀ = 0, vₖ the vector (weights and bias) after mistake k; cₖ the importance of the examples shown while vₖ
 * was current, including the one that created it; sgn(0) = 0, so a vector with score 0 does not vote.
 * Computed in dual form: vₖ·x is a prefix sum over the mistakes. So a prediction takes one inner product per distinct
 * row, not per vector, and the memory of the rows. Learning uses the weights and takes as long as the perceptron.
 * Source: Freund & Schapire 1999, Large margin classification using the perceptron algorithm (Machine Learning 37),
 * section 2 and figure 1.
 * Differences: the paper updates on sgn(v·x) ≠ y and leaves sgn(0) open; here y·(v·x) ≤ 0 makes an update, as
 * everywhere. The importance h scales the step and counts in cₖ. Scores are divided by Σ cₖ, so their size is the lead
 * in the vote.
 *
 * All mistakes are kept, so memory and the model grow with their number. `averaged` is nearly as accurate, with one
 * vector.
 */
import { checkBatch, checkScored, type StoredBatch } from '../batch.ts';
import { pack } from '../data/packed.ts';
import { HalfspaceError } from '../errors.ts';
import { members, unfit } from '../json.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { DualExpansion } from '../model/dual/expansion.ts';
import { checkDualState } from '../model/dual/file.ts';
import type { DualFunction } from '../model/dual/function.ts';
import type { DualLearner, DualState } from './dual-learner.ts';
import { largestDimension, type SharedOptions } from './kernel-memory-learner.ts';
import type { LearnerLimits, LearnerProgress, LearnerState, LinearLearnerState, LinearParameters } from './learner.ts';
import { checkLinearState } from './learner-state.ts';
import { type MistakeDriven, updateOptions } from './mistake-driven.ts';
import { perceptron } from './perceptron.ts';
import type { RuleDefinition } from './rule-definition.ts';
import { checkLearnerOptions, type GivenOptions } from './rule-options.ts';

/** See {@link Learner.state}. */
interface VotedPerceptronState extends DualState, LinearLearnerState {}

export class VotedPerceptron implements DualLearner {
  readonly rule = 'voted';
  readonly outputs = 1;
  readonly #kernels: Kernels;
  readonly #perceptron: MistakeDriven;
  readonly #expansion: DualExpansion;
  readonly #staging: Block<Uint8Array>;
  #limits: Required<LearnerLimits> = { cleanStreak: Infinity, updates: Infinity };

  /**
   * @param state to continue from; if given, the options are those of the state.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(
    kernels: Kernels,
    options: SharedOptions & GivenOptions<typeof updateOptions> = {},
    state?: LearnerState,
  ) {
    checkLearnerOptions('voted', updateOptions, options);
    if (state !== undefined && state.rule !== this.rule)
      throw new HalfspaceError('option-invalid', `expected the state of rule ${this.rule}; got ${state.rule}`);
    const from = state as VotedPerceptronState | undefined;
    this.#kernels = kernels;
    this.#staging = kernels.uint8(0);
    const before = from === undefined ? from : { ...from, rule: 'perceptron' };
    this.#perceptron = perceptron.create(kernels, options, before);
    const biasConstant = from?.dual.biasConstant ?? options.biasConstant ?? 1;
    this.#expansion = new DualExpansion(kernels, { kernel: { kind: 'linear' }, biasConstant, divisor: 1 });
    if (from === undefined) return;
    this.#expansion.load(from.dual);
    this.#limits = { cleanStreak: from.scalars[layout.cleanStreakLimit]!, updates: from.scalars[layout.updateLimit]! };
  }

  learn(batch: StoredBatch, from = 0, to = batch?.rows): number {
    checkBatch(batch, from, to);
    // The kernels are called once per mistake, and each call copies a batch that is not in their memory.
    const rows = to - from > 1 ? pack(this.#kernels, batch, this.#staging).packed.batch : batch;
    const perceptron = this.#perceptron;
    const { cleanStreak, updates: most } = this.#limits;
    let at = from;
    while (at < to) {
      const { updates } = perceptron.progress;
      perceptron.limit({ cleanStreak, updates: Math.min(most, updates + 1) });
      const shown = perceptron.learn(rows, at, to);
      if (shown === 0) break;
      this.#record(rows, at, at + shown, perceptron.progress.updates > updates);
      at += shown;
    }
    perceptron.limit(this.#limits);
    return at - from;
  }

  /** Writes scores in [−1, 1]; see {@link VotedPerceptron}. */
  scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    for (let i = 0; i < batch.rows; i++) {
      this.#expansion.place(batch, i);
      out[i] = this.#expansion.score('voted');
    }
  }

  /** Returns a copy of the current vector, which is that of the perceptron. */
  parameters(): LinearParameters {
    return this.#perceptron.parameters();
  }

  dual(): DualFunction {
    return this.#expansion.data('voted');
  }

  /** @throws HalfspaceError `weights-overflow`. */
  functions(): readonly DualFunction[] {
    const { weights, bias } = this.parameters();
    // The scores of a vector that overflowed have no sign, so its votes would be missing silently.
    if (!Number.isFinite(bias) || !weights.every(Number.isFinite))
      throw new HalfspaceError(
        'weights-overflow',
        'expected weights within the range of doubles; got larger ones: scale the data',
      );
    return [this.dual()];
  }

  get progress(): LearnerProgress {
    return this.#perceptron.progress;
  }

  limit({ cleanStreak = Infinity, updates = Infinity }: LearnerLimits): void {
    this.#limits = { cleanStreak, updates };
    this.#perceptron.limit(this.#limits);
  }

  state(): VotedPerceptronState {
    return { ...this.#perceptron.state(), rule: this.rule, dual: this.dual() };
  }

  survive(importance: number): void {
    this.#expansion.survive(importance);
  }

  free(): void {
    this.#expansion.free();
    this.#staging.free();
    this.#perceptron.free();
  }

  /** Records examples [from, to). @param mistaken true if the last of them was a mistake; no other one was. */
  #record(batch: StoredBatch, from: number, to: number, mistaken: boolean): void {
    const expansion = this.#expansion;
    const { importance } = batch;
    const last = to - 1;
    const survived = mistaken ? last : to;
    if (importance === null) expansion.survive(survived - from);
    else for (let i = from; i < survived; i++) expansion.survive(importance[i]!);
    if (!mistaken) return;
    const h = importance === null ? 1 : importance[last]!;
    expansion.place(batch, last);
    expansion.add(h * batch.labels[last]!);
    expansion.survive(h);
  }
}

export const voted = {
  summary: 'the votes of all vectors that the perceptron went through',
  options: updateOptions,
  dual: true,
  create: (kernels, options, state) => new VotedPerceptron(kernels, options, state),
  checkState: (state) => {
    checkLinearState(state, false);
    if (members(state.dual, 'dual').aggregate !== 'voted') throw unfit('dual.aggregate', 'voted', state.dual);
    checkDualState(state.dual, largestDimension, false);
  },
} as const satisfies RuleDefinition;
