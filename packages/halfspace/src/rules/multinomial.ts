/**
 * The multinomial logistic loss of `sgd` (softmax regression): one learner for K ≥ 3 classes.
 *
 * Objective: F(W, b) = Σ hᵢ·Lᵢ / Σ hᵢ + α·Σₖ R(wₖ), with the scores fₖ(x) = wₖ·x + bₖ·c, pₖ = e^fₖ(x) / Σᵣ e^fᵣ(x), and
 *   Lᵢ     −ln p_y(xᵢ), the cross-entropy of the class y of example i
 *   R(w)   as in sgd.ts. Biases are not penalised.
 * Update, for every class k:   wₖ ← wₖ + η·h·fₖ·x,   bₖ ← bₖ + η·h·fₖ·c   with fₖ = [k = y] − pₖ; then the penalty.
 *   η      as in sgd.ts; adaptive η₀/√Σg² for each weight of each class, g = h·fₖ·xⱼ
 * Answer: the mean of the weights, weighted as in sgd.ts, or the last. The class with the highest score is predicted.
 * Symbols: h importance of the example; c value of the constant feature.
 * Source: Bishop 2006, Pattern Recognition and Machine Learning, section 4.3.4: equation 4.109 is the gradient; Bottou
 * 2012, Stochastic Gradient Descent Tricks (LNCS 7700), for the steps. Penalties, adaptive steps and mean: see sgd.ts.
 * Two classes: W = (−w/2, w/2) has the probabilities of the logistic loss with w, so it is learned with one vector.
 * Rounding: f_y is computed as the sum of the other pₖ, which keeps its digits when p_y is near 1. There is no
 * update if that sum is 0.
 * Differences: penalties are lazy, as in sgd.ts; all classes of a feature are settled together. Classes may appear at
 * any time: until its first example (of importance above 0), or that of a class with a higher position, a class takes
 * no part; averages count its weights before as 0. A training run knows all classes from the start.
 */
import { checkBatch, checkScored, type StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import { type Members, number, unfit, whole } from '../json.ts';
import type { Block } from '../kernels/block.ts';
import { freedMemory, type Kernels, strideOf } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { penalised, sgdMean } from '../kernels/steps.ts';
import { Answer, type Answering } from './answer.ts';
import { isStopped, limitBy, progressOf } from './counts.ts';
import { checkRuleOfState, largestDimension } from './kernel-memory-learner.ts';
import type { Learner, LearnerLimits, LearnerProgress, LearnerState, LinearParameters } from './learner.ts';
import { checkCounts, checkDoubles, checkScalars } from './learner-state.ts';
import { checkLearnerOptions } from './rule-options.ts';
import { checkSgdScalars, completeSgd, type SgdOptions, sgdOptions, writeOptions } from './sgd-options.ts';

/** Its lists are without the padding of classes in kernel memory. */
export interface MultinomialState extends LearnerState {
  /** Number of classes. */
  readonly outputs: number;
  readonly dimension: number;
  readonly scalars: Float64Array;
  /** The biases by class, then their sums over time, then their Σg². */
  readonly biases: Float64Array;
  /** By feature: the settled time, and the squared clock then. */
  readonly times: Float64Array;
  /** By feature: the scaled weights by class, then their roots, then their sums. */
  readonly columns: Float64Array;
}

export class Multinomial implements Learner {
  readonly rule = 'sgd';
  readonly #kernels: Kernels;
  readonly #scalars: Block<Float64Array>;
  readonly #records: Block<Float64Array>;
  readonly #biases: Block<Float64Array>;
  /** One for each class. */
  readonly #answers: Answer[] = [];
  #column = new Float64Array(0);
  #dimension = 0;
  #freed = false;

  /**
   * @param classes number of classes known from the start.
   * @param state to continue from; if given, the options are those of the state.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: SgdOptions, classes: number, state?: LearnerState) {
    checkLearnerOptions('sgd', sgdOptions, options);
    this.#kernels = kernels;
    this.#scalars = kernels.float64(layout.sgdStateSize);
    this.#records = kernels.float64(0);
    this.#biases = kernels.float64(0);
    const scalars = this.#scalars.array;
    writeOptions(scalars, completeSgd(options));
    scalars[layout.biasConstant] = options.biasConstant ?? 1;
    scalars[layout.tie] = options.tie ?? -1;
    limitBy(scalars, {});
    if (state === undefined) this.#join(classes);
    else this.#restore(state as MultinomialState);
  }

  get outputs(): number {
    return this.#answers.length;
  }

  learn(batch: StoredBatch, from = 0, to = batch?.rows): number {
    checkBatch(batch, from, to);
    this.#check();
    if (isStopped(this.#scalars.array)) return 0;
    this.#reserve(batch.dimension);
    let at = from;
    while (at < to) {
      const { labels, importance } = batch;
      if (!(labels[at]! < this.outputs) && (importance === null || importance[at]! > 0)) {
        this.#join(labels[at]! + 1);
        continue;
      }
      let end = at + 1;
      while (end < to && (labels[end]! < this.outputs || importance?.[end] === 0)) end++;
      const shown = this.#kernels.learn(batch, at, end, {
        kind: 'multinomial',
        classes: this.outputs,
        records: this.#records,
        biases: this.#biases,
        state: this.#scalars,
      });
      at += shown;
      if (isStopped(this.#scalars.array)) break;
    }
    return at - from;
  }

  scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    this.#check();
    const { rows } = batch;
    const { outputs } = this;
    if (this.#column.length < rows) this.#column = new Float64Array(rows);
    const column = this.#column;
    this.#answers.forEach((answer, k) => {
      answer.scoreInto(batch, column);
      for (let i = 0, at = k; i < rows; i++, at += outputs) out[at] = column[i]!;
    });
  }

  functions(): readonly LinearParameters[] {
    this.#check();
    return this.#answers.map((answer) => answer.parameters());
  }

  get progress(): LearnerProgress {
    return progressOf(this.#scalars.array);
  }

  limit(limits: LearnerLimits): void {
    limitBy(this.#scalars.array, limits);
  }

  state(): MultinomialState {
    this.#check();
    const { outputs } = this;
    const dimension = this.#dimension;
    const times = new Float64Array(2 * dimension);
    const columns = new Float64Array(layout.jointColumns * outputs * dimension);
    this.#eachColumn((from, length, kind, to) => {
      const target = kind === 'times' ? times : columns;
      target.set(this.#records.array.subarray(from, from + length), to);
    });
    const biases = new Float64Array(3 * outputs);
    const stride = strideOf(outputs);
    for (let part = 0; part < 3; part++)
      biases.set(this.#biases.array.subarray(part * stride, part * stride + outputs), part * outputs);
    return { rule: this.rule, outputs, dimension, scalars: this.#scalars.array.slice(), biases, times, columns };
  }

  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    for (const answer of this.#answers) answer.free();
    this.#records.free();
    this.#biases.free();
    this.#scalars.free();
  }

  #check(): void {
    if (this.#freed) throw freedMemory();
  }

  #restore(state: MultinomialState): void {
    checkRuleOfState(state, this.rule);
    if (!('outputs' in state))
      throw new HalfspaceError('option-invalid', 'expected a state of sgd by joint; got one of other learners');
    this.#join(state.outputs);
    this.#reserve(state.dimension);
    this.#scalars.array.set(state.scalars);
    const { outputs, times, columns, biases } = state;
    this.#eachColumn((to, length, kind, from) => {
      const source = kind === 'times' ? times : columns;
      this.#records.array.set(source.subarray(from, from + length), to);
    });
    for (let part = 0; part < 3; part++)
      this.#biases.array.set(biases.subarray(part * outputs, (part + 1) * outputs), part * strideOf(outputs));
  }

  /** Visits the parts of all records: `at` of the records, `place` in the list of a state. */
  #eachColumn(visit: (at: number, length: number, kind: 'times' | 'columns', place: number) => void): void {
    const { outputs } = this;
    const size = sizeOf(outputs);
    for (let j = 0; j < this.#dimension; j++) {
      visit(j * size, 2, 'times', 2 * j);
      for (let part = 0; part < layout.jointColumns; part++) {
        const at = j * size + layout.jointHead + part * strideOf(outputs);
        visit(at, outputs, 'columns', (j * layout.jointColumns + part) * outputs);
      }
    }
  }

  /** Adds classes up to a number of them, with weights 0. */
  #join(classes: number): void {
    const before = this.outputs;
    if (classes <= before) return;
    const [narrow, wide] = [strideOf(before), strideOf(classes)];
    if (narrow !== wide) {
      this.#biases.resize(3 * wide);
      moveColumns(this.#biases.array, { count: 1, head: 0, parts: 3, narrow, wide });
      const [size, larger] = [sizeOf(before), sizeOf(classes)];
      this.#records.resize((this.#records.length / size) * larger);
      const shape = { head: layout.jointHead, parts: layout.jointColumns, narrow, wide };
      moveColumns(this.#records.array, { count: this.#dimension, ...shape });
    }
    while (this.outputs < classes) {
      const k = this.outputs;
      this.#answers.push(new Answer(this.#kernels, () => this.#now(k)));
    }
  }

  /** Makes room for features in [0, dimension). @throws HalfspaceError `index-invalid`, `memory-exhausted`. */
  #reserve(dimension: number): void {
    if (dimension <= this.#dimension) return;
    if (dimension > largestDimension)
      throw new HalfspaceError(
        'index-invalid',
        `expected feature positions below ${largestDimension}; got ${dimension - 1}: hash the features or keep them by name`,
      );
    const size = sizeOf(this.outputs);
    if (dimension * size > this.#records.length)
      this.#records.resize(Math.max(dimension * size, 2 * this.#records.length));
    this.#dimension = dimension;
  }

  /** Returns the current weights of class k with all penalty steps applied, or their mean if that answers. */
  #now(k: number): Answering {
    const state = this.#scalars.array;
    const biases = this.#biases.array;
    const stride = strideOf(this.outputs);
    const size = sizeOf(this.outputs);
    const clock = state[layout.clock]!;
    const adaptive = state[layout.schedule] === layout.scheduleAdaptive;
    const averaging = state[layout.averaging] === 1 && clock > 0;
    const strength = state[layout.alpha]! * (adaptive ? state[layout.rate]! : 1);
    const time = adaptive ? clock : state[layout.penaltyClock]!;
    const l1Ratio = state[layout.l1Ratio]!;
    const age = clock * clock;
    return {
      dimension: this.#dimension,
      bias: averaging ? biases[stride + k]! / age : biases[k]!,
      biasConstant: state[layout.biasConstant]!,
      examples: state[layout.examples]!,
      clock,
      weights: () => {
        const records = this.#records.array;
        return (j) => {
          const at = j * size;
          const own = at + layout.jointHead + k;
          const before = records[at + layout.jointSettled]!;
          const kappa = (time - before) * strength;
          const root = adaptive ? records[own + layout.jointRoot * stride]! : 1;
          const w = penalised(records[own + layout.jointScaled * stride]!, kappa, root, l1Ratio);
          if (!averaging) return w;
          const counted = adaptive ? before * before : records[at + layout.jointAge]!;
          return sgdMean(w, records[own + layout.jointSum * stride]!, counted, age);
        };
      },
    };
  }
}

/** Returns the length of a feature's record. */
function sizeOf(classes: number): number {
  return layout.jointHead + layout.jointColumns * strideOf(classes);
}

/** Moves records to the places that they have with a wider stride, the last first. What is new becomes 0. */
function moveColumns(
  array: Float64Array,
  shape: { count: number; head: number; parts: number; narrow: number; wide: number },
): void {
  const { count, head, parts, narrow, wide } = shape;
  const [size, larger] = [head + parts * narrow, head + parts * wide];
  for (let j = count - 1; j >= 0; j--) {
    for (let part = parts - 1; part >= 0; part--) {
      const to = j * larger + head + part * wide;
      const from = j * size + head + part * narrow;
      array.copyWithin(to, from, from + narrow);
      array.fill(0, to + narrow, to + wide);
    }
    array.copyWithin(j * larger, j * size, j * size + head);
  }
}

/** Checks the numbers of a {@link MultinomialState}. */
export function checkMultinomialState(state: Members): void {
  const dimension = whole(state.dimension, 'dimension', 0, largestDimension);
  const outputs = whole(state.outputs, 'outputs', 0, largestDimension);
  const scalars = checkScalars(state.scalars, layout.sgdStateSize, checkCounts);
  checkSgdScalars(scalars);
  checkDoubles(state.biases, 'biases', 3 * outputs).forEach((value, k) => {
    if (k >= 2 * outputs) number(value, 'biases', 0);
  });
  const clock = scalars[layout.clock]!;
  const adaptive = scalars[layout.schedule] === layout.scheduleAdaptive;
  // No feature may be settled later than now.
  const latest = [adaptive ? clock : scalars[layout.penaltyClock]!, clock * clock];
  checkDoubles(state.times, 'times', 2 * dimension).forEach((time, k) => {
    number(time, 'times', 0, latest[k & 1]!);
  });
  const columns = checkDoubles(state.columns, 'columns', layout.jointColumns * outputs * dimension);
  columns.forEach((value, place) => {
    const part = Math.floor(place / outputs) % layout.jointColumns;
    if (part === layout.jointRoot && !(value >= 0)) throw unfit('columns', 'roots of at least 0', value);
  });
}
