import { checkBatch, checkScored, type StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { fitsIn, scoreRows } from './answer.ts';
import type {
  LearnerLimits,
  LearnerProgress,
  LearnerState,
  LinearLearner,
  LinearLearnerState,
  LinearParameters,
} from './learner.ts';
import type { GivenOptions, OptionSpecs } from './rule-options.ts';
import type { Recordable, UpdateLog, UpdateMarks } from './update-log.ts';

/** The options that all rules of this family share. Plain data. */
export interface SharedOptions {
  /** Value of the constant feature whose weight is the bias; 0 for no bias. Default 1. */
  readonly biasConstant?: number;
  /** Class of score 0. Default −1. */
  readonly tie?: -1 | 1;
}

export const updateOptions = {
  updateWhen: {
    kind: 'choice',
    values: ['at-most-zero', 'below-zero', 'sign-differs'],
    default: 'at-most-zero',
    about: 'condition of an update',
  },
} as const satisfies OptionSpecs;

/**
 * The options of the rules that update by the class alone, the perceptron and its mean. `updateWhen`: when an example makes an update;
 * τ = 0; default `at-most-zero`.
 */
export type MistakeDrivenOptions = SharedOptions & GivenOptions<typeof updateOptions>;

/** `at-most-zero`: y·a ≤ 0; `below-zero`: y·a < 0; `sign-differs`: y ≠ sgn(a) with sgn(0) = +1. */
export type UpdateWhen = 'at-most-zero' | 'below-zero' | 'sign-differs';

const conditions: Record<UpdateWhen, number> = {
  'at-most-zero': layout.updateAtMost,
  'below-zero': layout.updateBelow,
  'sign-differs': layout.updateSignDiffers,
};

/** For several classes, `sign-differs`, which is about score 0 of two classes, asks for what `at-most-zero` asks for. */
export const multiclassConditions: Readonly<Record<UpdateWhen, number>> = {
  ...conditions,
  'sign-differs': layout.updateAtMost,
};

/** Returns the clock after examples [from, to), whose importance is added one by one as learning adds it. */
export function clockAfter(clock: number, { importance }: StoredBatch, from: number, to: number): number {
  // Whole numbers are exact, however they are added.
  if (importance === null && Number.isInteger(clock)) return clock + (to - from);
  let sum = clock;
  for (let i = from; i < to; i++) sum += importance === null ? 1 : importance[i]!;
  return sum;
}

/** More features than this cannot be held as dense weights. */
export const largestDimension = 1 << 28;

/** @throws HalfspaceError `index-invalid` for more features than memory can hold. */
export function checkDimension(dimension: number): void {
  if (dimension <= largestDimension) return;
  throw new HalfspaceError(
    'index-invalid',
    `expected feature positions below ${largestDimension}; got ${dimension - 1}: hash the features or keep them by name`,
  );
}

/** @throws HalfspaceError `option-invalid` for the state of another rule. */
export function checkRuleOfState(state: LearnerState, rule: string): void {
  if (state.rule !== rule)
    throw new HalfspaceError('option-invalid', `expected the state of rule ${rule}; got ${state.rule}`);
}

/** The common part of the rules that learn from mistakes: weights, bias and counters in kernel memory, which grow with the features. */
export abstract class MistakeDriven implements LinearLearner, Recordable {
  abstract readonly rule: string;
  readonly outputs = 1;
  protected readonly kernels: Kernels;
  protected readonly weights: Block<Float64Array>;
  protected readonly sums: Block<Float64Array> | null;
  protected readonly scalars: Block<Float64Array>;
  /** Exclusive bound of the features seen; blocks are at least as long. */
  protected dimension = 0;
  #log: UpdateLog | null = null;
  /** Memory into which kernels write updates; made when a log is attached. */
  #entries: Block<Float64Array> | null = null;

  constructor(kernels: Kernels, options: MistakeDrivenOptions, averaging: boolean) {
    this.kernels = kernels;
    this.weights = kernels.float64(0);
    this.sums = averaging ? kernels.float64(0) : null;
    this.scalars = kernels.float64(layout.stateSize);
    const scalars = this.scalars.array;
    scalars[layout.biasConstant] = options.biasConstant ?? 1;
    scalars[layout.cleanStreakLimit] = Infinity;
    scalars[layout.updateLimit] = Infinity;
    scalars[layout.condition] = conditions[options.updateWhen ?? 'at-most-zero'];
    scalars[layout.tie] = options.tie ?? -1;
  }

  learn(batch: StoredBatch, from = 0, to = batch?.rows): number {
    checkBatch(batch, from, to);
    if (this.stopped) return 0;
    this.reserve(batch.dimension);
    if (this.#log !== null) return this.#learnLogged(batch, from, to, this.#log);
    const { weights, sums, scalars: state } = this;
    return this.kernels.learn(batch, from, to, { kind: 'mistake-driven', weights, sums, state });
  }

  record(log: UpdateLog | null): void {
    this.#log = log;
  }

  skip(batch: StoredBatch, from: number, to: number): number {
    if (to <= from || this.stopped) return 0;
    this.reserve(batch.dimension);
    const state = this.scalars.array;
    const count = Math.min(to - from, state[layout.cleanStreakLimit]! - state[layout.cleanStreak]!);
    state[layout.clock] = clockAfter(state[layout.clock]!, batch, from, from + count);
    state[layout.examples]! += count;
    state[layout.cleanStreak]! += count;
    return count;
  }

  follow(batch: StoredBatch, from: number, to: number, { rows }: UpdateMarks): number {
    if (to <= from || this.stopped) return 0;
    this.reserve(batch.dimension);
    const scalars = this.scalars.array;
    const quietLimit = scalars[layout.cleanStreakLimit]!;
    let cleanStreak = scalars[layout.cleanStreak]!;
    let at = from;
    let marks = 0;
    // Up to the first gap that is too long.
    for (; marks < rows.length && cleanStreak + rows[marks]! - at < quietLimit; marks++) {
      at = rows[marks]! + 1;
      cleanStreak = 0;
    }
    this.#learnMarked(batch, from, Uint32Array.from(rows.slice(0, marks)));
    return at - from + this.skip(batch, at, to);
  }

  /** Scores by the present weights. */
  scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    this.scoreBy(this.weights, this.scalars.array[layout.bias]!, batch, out);
  }

  /** Returns a copy of the present weights. */
  parameters(): LinearParameters {
    return { weights: this.weights.array.slice(0, this.dimension), bias: this.scalars.array[layout.bias]! };
  }

  functions(): readonly LinearParameters[] {
    return [this.parameters()];
  }

  /** Starts from given weights instead of zero: w = `weights`, b = `bias` (of the constant feature). Only before learning. */
  start(weights: Float64Array, bias: number): void {
    this.reserve(weights.length);
    this.weights.array.set(weights);
    this.scalars.array[layout.bias] = bias;
  }

  get progress(): LearnerProgress {
    const state = this.scalars.array;
    return {
      examples: state[layout.examples]!,
      updates: state[layout.updates]!,
      mistakes: state[layout.mistakes]!,
      cleanStreak: state[layout.cleanStreak]!,
      clock: state[layout.clock]!,
    };
  }

  limit({ cleanStreak = Infinity, updates = Infinity }: LearnerLimits): void {
    this.scalars.array[layout.cleanStreakLimit] = cleanStreak;
    this.scalars.array[layout.updateLimit] = updates;
  }

  state(): LinearLearnerState {
    return {
      rule: this.rule,
      weights: this.weights.array.slice(0, this.dimension),
      sums: this.sums?.array.slice(0, this.dimension) ?? null,
      scalars: this.scalars.array.slice(),
    };
  }

  #learnLogged(batch: StoredBatch, from: number, to: number, tell: UpdateLog): number {
    const { weights, sums, scalars: state } = this;
    const log = this.#room(to - from);
    const shown = this.kernels.learn(batch, from, to, { kind: 'mistake-driven', weights, sums, state, log });
    this.#tell(batch, null, tell);
    return shown;
  }

  /** Shows the examples with these numbers and skips those between them, from `from` on. Ignores the limit of the clean streak. */
  #learnMarked(batch: StoredBatch, from: number, order: Uint32Array): void {
    if (order.length === 0) return;
    const { weights, sums, scalars: state } = this;
    const log = this.#room(order.length);
    const before = state.array.slice();
    let clock = before[layout.clock]!;
    let at = from;
    order.forEach((row, k) => {
      clock = clockAfter(clock, batch, at, row);
      at = row;
      log.array[layout.entrySize * (k + 1)] = clock;
    });
    state.array[layout.cleanStreakLimit] = Infinity;
    this.kernels.learn(batch, 0, order.length, {
      kind: 'mistake-driven',
      weights,
      sums,
      state,
      order,
      log,
      timed: true,
    });
    state.array[layout.cleanStreakLimit] = before[layout.cleanStreakLimit]!;
    state.array[layout.examples] = before[layout.examples]! + at + 1 - from;
    if (this.#log !== null) this.#tell(batch, order, this.#log);
  }

  /** Returns memory for the updates of this many examples. */
  #room(examples: number): Block<Float64Array> {
    const length = 1 + layout.entrySize * examples;
    this.#entries ??= this.kernels.float64(length);
    if (this.#entries.length < length) this.#entries.resize(Math.max(length, 2 * this.#entries.length));
    return this.#entries;
  }

  #tell({ labels }: StoredBatch, order: Uint32Array | null, tell: UpdateLog): void {
    const entries = this.#entries!.array;
    for (let k = 0, e = 1; k < entries[0]!; k++, e += layout.entrySize) {
      const place = entries[e]!;
      const row = order === null ? place : order[place]!;
      const [a, g] = [entries[e + 1]!, entries[e + 2]!];
      if (labels[row]! > 0) tell(row, 1, 0, a, g);
      else tell(row, 0, 1, -a, -g);
    }
  }

  /** Whether a limit is already reached; kernels check limits only after an example. */
  protected get stopped(): boolean {
    const state = this.scalars.array;
    return (
      state[layout.cleanStreak]! >= state[layout.cleanStreakLimit]! ||
      state[layout.updates]! >= state[layout.updateLimit]!
    );
  }

  /** Restores a state that {@link state} returned. */
  protected restore(given: LearnerState): void {
    const state = given as LinearLearnerState;
    checkRuleOfState(state, this.rule);
    this.reserve(state.weights.length);
    this.weights.array.set(state.weights);
    if (this.sums !== null && state.sums !== null) this.sums.array.set(state.sums);
    this.scalars.array.set(state.scalars);
  }

  /** Scores by weights as long as the learner's. Features that it does not have count 0 and are not added. */
  protected scoreBy(weights: Block<Float64Array>, bias: number, batch: StoredBatch, out: Float64Array): void {
    const biasConstant = this.scalars.array[layout.biasConstant]!;
    const { dimension } = this;
    if (batch.dimension > weights.length && fitsIn(batch, dimension)) this.makeRoom(batch.dimension);
    if (batch.dimension <= weights.length) this.kernels.scoreInto(batch, weights, bias, biasConstant, out);
    else {
      const reader = () => {
        const w = weights.array;
        return (j: number) => w[j]!;
      };
      scoreRows(batch, { dimension, bias, biasConstant, weights: reader }, out);
    }
  }

  /** Adds the features in [0, dimension); new weights are 0. */
  protected reserve(dimension: number): void {
    if (dimension <= this.dimension) return;
    this.makeRoom(dimension);
    this.dimension = dimension;
  }

  /** Makes blocks long enough for features in [0, dimension). They double, so growth costs little in all. */
  protected makeRoom(dimension: number): void {
    if (dimension <= this.weights.length) return;
    checkDimension(dimension);
    const length = Math.max(dimension, 2 * this.weights.length, 64);
    this.weights.resize(length);
    this.sums?.resize(length);
  }

  /** Gives kernel memory back. The learner must not be used again. */
  free(): void {
    this.#entries?.free();
    this.weights.free();
    this.sums?.free();
    this.scalars.free();
  }
}
