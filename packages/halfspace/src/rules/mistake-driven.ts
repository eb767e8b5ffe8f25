import { checkScored, type StoredBatch } from '../batch.ts';
import type { Members } from '../json.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels, TwoClassMemory } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { meanOf } from '../kernels/steps.ts';
import { Answer, type Answering, fitsIn, scoreRows } from './answer.ts';
import { clockAfter, skipExamples } from './counts.ts';
import { KernelMemoryLearner, type SharedOptions } from './kernel-memory-learner.ts';
import type { LearnerState, LinearLearnerState, LinearParameters } from './learner.ts';
import { checkLinearState } from './learner-state.ts';
import type { RuleDefinition, UpdateStep } from './rule-definition.ts';
import {
  checkLearnerOptions,
  completeOptions,
  type GivenOptions,
  type OptionSpecs,
  type OptionValue,
  type ValueOf,
} from './rule-options.ts';
import type { Recordable, UpdateLog, UpdateMarks } from './update-log.ts';

export const updateOptions = {
  /** Condition of an update on y·score. Default `at-most-zero`. */
  updateWhen: {
    kind: 'choice',
    values: ['at-most-zero', 'below-zero', 'sign-differs'],
    default: 'at-most-zero',
    about: 'condition of an update',
  },
} as const satisfies OptionSpecs;

/** The option of rules that answer with their last weights by default. */
export const averageOption = { kind: 'flag', about: 'predict with the mean of the weights over time' } as const;

/** `at-most-zero`: y·a ≤ 0; `below-zero`: y·a < 0; `sign-differs`: y ≠ sgn(a) with sgn(0) = +1. */
export type UpdateWhen = ValueOf<(typeof updateOptions)['updateWhen']>;

export const conditions: Readonly<Record<UpdateWhen, number>> = {
  'at-most-zero': layout.updateAtMost,
  'below-zero': layout.updateBelow,
  'sign-differs': layout.updateSignDiffers,
};

/**
 * Defines a rule that learns from mistakes by the kernels' loop over the examples: its file has its options, and how
 * they determine the step.
 *
 * @param step of complete options. For several classes `sign-differs`, which concerns score 0 of two classes, means
 *   `at-most-zero`.
 */
export function mistakeDriven<const S extends OptionSpecs>(rule: {
  readonly name: string;
  readonly summary: string;
  readonly options: S;
  readonly complete?: (given: GivenOptions<S>) => Record<string, OptionValue>;
  readonly answersBy: NonNullable<RuleDefinition['answersBy']>;
  readonly step: (options: { readonly [K in keyof S]: ValueOf<S[K]> }) => UpdateStep;
}) {
  const { name, step, ...definition } = rule;
  const complete = definition.complete ?? ((given: object) => completeOptions(rule.options, given));
  const stepOf = (options: object) => step(complete(options as GivenOptions<S>) as Parameters<typeof step>[0]);
  return {
    ...definition,
    recordable: true,
    create(kernels: Kernels, options: SharedOptions & GivenOptions<S> = {}, state?: LearnerState) {
      checkLearnerOptions(name, rule.options, options);
      return new MistakeDriven(kernels, name, options, stepOf(options), state as LinearLearnerState | undefined);
    },
    checkState: (state: Members) => {
      checkLinearState(state, rule.answersBy === 'mean' || (rule.answersBy !== 'last' && state.sums !== null));
    },
    multiclass(options: object): UpdateStep {
      const given = stepOf(options);
      return given.condition === layout.updateSignDiffers ? { ...given, condition: layout.updateAtMost } : given;
    },
  } as const satisfies RuleDefinition;
}

/** Learner of two classes that learns from mistakes: weights, bias, and their mean if the rule scores with it. */
export class MistakeDriven extends KernelMemoryLearner implements Recordable {
  readonly rule: string;
  protected readonly weights: Block<Float64Array>;
  /** Null for rules without a mean. */
  protected readonly sums: Block<Float64Array> | null;
  /** Scores with the mean over time; null: the current weights score. */
  readonly #mean: Answer | null;
  #log: UpdateLog | null = null;
  /** Memory in which kernels record updates; allocated when a log is attached. */
  #entries: Block<Float64Array> | null = null;

  /** @param state to continue from; if given, mean and step are those of the state. */
  constructor(kernels: Kernels, rule: string, shared: SharedOptions, step: UpdateStep, state?: LinearLearnerState) {
    super(kernels, shared, layout.stateSize);
    this.rule = rule;
    const averaging = state === undefined ? step.averaging === true : state.sums !== null;
    this.weights = kernels.float64(0);
    this.sums = averaging ? kernels.float64(0) : null;
    this.#mean = averaging ? new Answer(kernels, () => this.#meanNow()) : null;
    const scalars = this.scalars.array;
    scalars[layout.condition] = step.condition ?? layout.updateAtMost;
    scalars[layout.threshold] = step.threshold ?? 0;
    scalars[layout.stepKind] = step.stepKind ?? layout.stepPerceptron;
    scalars[layout.aggressiveness] = step.aggressiveness ?? 0;
    if (state !== undefined) this.restore(state);
  }

  protected override memory(): TwoClassMemory {
    const { weights, sums, scalars: state } = this;
    return { kind: 'mistake-driven', weights, sums, state };
  }

  protected override show(batch: StoredBatch, from: number, to: number): number {
    if (this.#log === null) return this.kernels.learn(batch, from, to, this.memory());
    const { weights, sums, scalars: state } = this;
    const log = this.#logRoom(to - from);
    const shown = this.kernels.learn(batch, from, to, { kind: 'mistake-driven', weights, sums, state, log });
    this.#report(batch, null, this.#log);
    return shown;
  }

  record(log: UpdateLog | null): void {
    this.#log = log;
  }

  skip(batch: StoredBatch, from: number, to: number): number {
    if (to <= from || this.stopped) return 0;
    this.reserve(batch.dimension);
    const state = this.scalars.array;
    const count = Math.min(to - from, state[layout.cleanStreakLimit]! - state[layout.cleanStreak]!);
    skipExamples(state, batch, from, count);
    return count;
  }

  follow(batch: StoredBatch, from: number, to: number, { rows }: UpdateMarks): number {
    if (to <= from || this.stopped) return 0;
    this.reserve(batch.dimension);
    const scalars = this.scalars.array;
    const limit = scalars[layout.cleanStreakLimit]!;
    let cleanStreak = scalars[layout.cleanStreak]!;
    let at = from;
    let marks = 0;
    // Stops before the first update that comes after too long a clean streak.
    for (; marks < rows.length && cleanStreak + rows[marks]! - at < limit; marks++) {
      at = rows[marks]! + 1;
      cleanStreak = 0;
    }
    this.#learnMarked(batch, from, Uint32Array.from(rows.slice(0, marks)));
    return at - from + this.skip(batch, at, to);
  }

  /** Scores with the weights of {@link parameters}. */
  override scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    if (this.#mean === null) this.scoreBy(this.weights, this.scalars.array[layout.bias]!, batch, out);
    else this.#mean.scoreInto(batch, out);
  }

  /** Returns a copy of the mean of the weights over time if the rule scores with it, else of the current weights. */
  override parameters(): LinearParameters {
    return this.#mean === null ? this.latest() : this.#mean.parameters();
  }

  override latest(): LinearParameters {
    return { weights: this.weights.array.slice(0, this.dimension), bias: this.scalars.array[layout.bias]! };
  }

  presentFunctions(): readonly LinearParameters[] | null {
    return this.#mean === null ? null : [this.latest()];
  }

  survive(importance: number): void {
    if (this.sums !== null) this.scalars.array[layout.clock]! += importance;
  }

  /** Starts from given weights: w = `weights`, b = `bias` (of the constant feature). Call it before learning. */
  start(weights: Float64Array, bias: number): void {
    this.reserve(weights.length);
    this.weights.array.set(weights);
    this.scalars.array[layout.bias] = bias;
    this.#mean?.forget();
  }

  override state(): LinearLearnerState {
    return {
      rule: this.rule,
      weights: this.weights.array.slice(0, this.dimension),
      sums: this.sums?.array.slice(0, this.dimension) ?? null,
      scalars: this.scalars.array.slice(),
    };
  }

  /** Shows the examples in `order`, skips those between, from `from` on. Ignores the limit of the clean streak. */
  #learnMarked(batch: StoredBatch, from: number, order: Uint32Array): void {
    if (order.length === 0) return;
    const { weights, sums, scalars: state } = this;
    const log = this.#logRoom(order.length);
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
    if (this.#log !== null) this.#report(batch, order, this.#log);
  }

  /** Returns memory for the updates of this number of examples. */
  #logRoom(examples: number): Block<Float64Array> {
    const length = 1 + layout.entrySize * examples;
    this.#entries ??= this.kernels.float64(length);
    if (this.#entries.length < length) this.#entries.resize(Math.max(length, 2 * this.#entries.length));
    return this.#entries;
  }

  #report({ labels }: StoredBatch, order: Uint32Array | null, log: UpdateLog): void {
    const entries = this.#entries!.array;
    for (let k = 0, e = 1; k < entries[0]!; k++, e += layout.entrySize) {
      const place = entries[e]!;
      const row = order === null ? place : order[place]!;
      const [a, g] = [entries[e + 1]!, entries[e + 2]!];
      if (labels[row]! > 0) log(row, 1, 0, a, g);
      else log(row, 0, 1, -a, -g);
    }
  }

  protected override restore(state: LinearLearnerState): void {
    super.restore(state);
    this.weights.array.set(state.weights);
    if (this.sums !== null && state.sums !== null) this.sums.array.set(state.sums);
  }

  /** Scores with weights as long as the learner's. Unknown features count 0 and are not added to the learner. */
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

  protected override get room(): number {
    return this.weights.length;
  }

  protected override resize(dimension: number): void {
    this.weights.resize(dimension);
    this.sums?.resize(dimension);
  }

  override free(): void {
    this.#mean?.free();
    this.#entries?.free();
    this.weights.free();
    this.sums?.free();
    super.free();
  }

  #meanNow(): Answering {
    const state = this.scalars.array;
    const clock = state[layout.clock]!;
    return {
      dimension: this.dimension,
      bias: meanOf(state[layout.bias]!, state[layout.biasSum]!, clock),
      biasConstant: state[layout.biasConstant]!,
      examples: state[layout.examples]!,
      clock,
      weights: () => {
        const [w, u] = [this.weights.array, this.sums!.array];
        return (j) => meanOf(w[j]!, u[j]!, clock);
      },
    };
  }
}
