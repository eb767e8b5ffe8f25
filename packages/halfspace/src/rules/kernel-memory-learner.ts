import { checkBatch, type StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels, TwoClassMemory } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { isStopped, limitBy, progressOf } from './counts.ts';
import type {
  LearnerLimits,
  LearnerProgress,
  LearnerState,
  LinearLearner,
  LinearLearnerState,
  LinearParameters,
} from './learner.ts';

/** The options that all rules share. Plain data. */
export interface SharedOptions {
  /** Value of the constant feature whose weight is the bias; 0 for no bias. Default 1. */
  readonly biasConstant?: number;
  /** Class of score 0. Default −1. */
  readonly tie?: -1 | 1;
}

/** Largest number of features for dense weights. */
export const largestDimension = 1 << 28;

/** @throws HalfspaceError `option-invalid` for the state of another rule. */
export function checkRuleOfState(state: LearnerState, rule: string): void {
  if (state.rule !== rule)
    throw new HalfspaceError('option-invalid', `expected the state of rule ${rule}; got ${state.rule}`);
}

/** A linear learner with weights and scalars in kernel memory. */
export abstract class KernelMemoryLearner implements LinearLearner {
  abstract readonly rule: string;
  readonly outputs = 1;
  protected readonly kernels: Kernels;
  /** At the positions of kernels/layout.ts. */
  protected readonly scalars: Block<Float64Array>;
  /** Exclusive upper bound of the features seen; blocks are at least as long. */
  protected dimension = 0;

  constructor(kernels: Kernels, options: SharedOptions, stateSize: number) {
    this.kernels = kernels;
    this.scalars = kernels.float64(stateSize);
    this.scalars.array[layout.biasConstant] = options.biasConstant ?? 1;
    this.scalars.array[layout.tie] = options.tie ?? -1;
    limitBy(this.scalars.array, {});
  }

  /** Learns from a checked batch, with room for its features, until a limit is reached. Returns the number shown. */
  protected abstract show(batch: StoredBatch, from: number, to: number): number;

  /** Number of features that the blocks have room for. */
  protected abstract get room(): number;

  /** Resizes blocks for this number of features; new weights are 0. */
  protected abstract resize(dimension: number): void;

  /** Returns the memory that the kernels learn in. */
  protected abstract memory(): TwoClassMemory;

  /**
   * Returns the memory that the kernels learn in, with room for features in [0, dimension), for steps at single rows
   * (kernels/row-steps.ts). Its arrays are valid until it grows.
   *
   * @throws HalfspaceError `index-invalid` if there are too many features; `memory-exhausted`.
   */
  memoryFor(dimension: number): TwoClassMemory {
    this.reserve(dimension);
    return this.memory();
  }

  abstract scoreInto(batch: StoredBatch, out: Float64Array): void;
  abstract parameters(): LinearParameters;
  /** Returns a copy of the current weights, also if {@link parameters} returns their mean over time. */
  abstract latest(): LinearParameters;
  abstract state(): LinearLearnerState;

  learn(batch: StoredBatch, from = 0, to = batch?.rows): number {
    checkBatch(batch, from, to);
    if (this.stopped) return 0;
    this.reserve(batch.dimension);
    return this.show(batch, from, to);
  }

  functions(): readonly LinearParameters[] {
    return [this.parameters()];
  }

  get progress(): LearnerProgress {
    return progressOf(this.scalars.array);
  }

  limit(limits: LearnerLimits): void {
    limitBy(this.scalars.array, limits);
  }

  free(): void {
    this.scalars.free();
  }

  protected get stopped(): boolean {
    return isStopped(this.scalars.array);
  }

  /** Restores the rule, the features and the scalars of a state from {@link state}. */
  protected restore(state: LinearLearnerState): void {
    checkRuleOfState(state, this.rule);
    this.reserve(state.weights.length);
    this.scalars.array.set(state.scalars);
  }

  /** Extends the learner's features to [0, dimension). */
  protected reserve(dimension: number): void {
    if (dimension <= this.dimension) return;
    this.makeRoom(dimension);
    this.dimension = dimension;
  }

  /**
   * Makes room for features in [0, dimension). Doubles the blocks, so that growth takes linear time in all.
   *
   * @throws HalfspaceError `index-invalid` if there are too many features.
   */
  protected makeRoom(dimension: number): void {
    if (dimension <= this.room) return;
    if (dimension > largestDimension)
      throw new HalfspaceError(
        'index-invalid',
        `expected feature positions below ${largestDimension}; got ${dimension - 1}: hash the features or keep them by name`,
      );
    this.resize(Math.max(dimension, 2 * this.room, 64));
  }
}
