/**
 * The multiclass update: one learner for K classes. A mistake raises the true class and lowers the predicted one.
 *
 * Objective: f_y(x) > f_r(x) for every example (x, y) and every other class r, where fₖ(x) = wₖ·x + bₖ·c.
 * Construction: with W = (w₁, …, w_K), the example (x, y) against class r is a vector z of Rᵏᵈ with x at block y and −x
 * at block r, so that W·z = f_y(x) − f_r(x) and ‖z‖² = 2(‖x‖² + c²). A rule of two classes is applied to z with label
 * +1, where r is the class other than y with the highest score (the first of equal ones).
 * Update, when the rule asks for one at the score a = f_y(x) − f_r(x) and the label +1, with its step τ:
 *   w_y ← w_y + τ·x,   w_r ← w_r − τ·x,   b_y ← b_y + τ·c,   b_r ← b_r − τ·c
 * Symbols: c value of the constant feature (1, or 0 for no bias); τ is the importance h for `perceptron`, `averaged`
 * and `margin`; for passive-aggressive.ts it follows from ‖z‖² and 1 − a.
 * Bound: Novikoff's for the constructed vectors: at most 2R²/γ² mistakes, if a W of length 1 has f_y − f_r ≥ γ
 * throughout.
 * Source: Kesler's construction in Nilsson 1965, Learning Machines, section 5.1, and Duda & Hart 1973, section 5.12;
 * Crammer et al. 2006 (JMLR 7), section 8, for the passive-aggressive step with the highest of the other classes.
 * Rounding: scores that are equal in exact arithmetic may differ by rounding, which then decides on r. So an
 * implementation with another order of summation may choose another r at such a tie and then learn other, equally good
 * weights. They were seen to differ at exact ties only (test/rounding.test.ts).
 * Differences: classes may appear at any time. A class that is not known from the start competes from its first example
 * (of importance above 0) on, with weights 0; averages count its earlier weights as 0. A training run knows all classes
 * from the start.
 */
import { checkBatch, checkScored, type StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import { flag, list, type Members, members, number, whole } from '../json.ts';
import { freedMemory } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { meanOf, stepSize } from '../kernels/steps.ts';
import { countExample, isStopped, limitBy, progressOf, skipExamples } from './counts.ts';
import { largestDimension } from './kernel-memory-learner.ts';
import type { Learner, LearnerLimits, LearnerProgress, LearnerState, LinearParameters } from './learner.ts';
import { checkDoubles } from './learner-state.ts';
import { Row } from './row.ts';
import type { UpdateStep } from './rule-definition.ts';
import type { Recordable, UpdateLog, UpdateMarks } from './update-log.ts';

export interface MulticlassPerceptronOptions extends UpdateStep {
  /** Value of the constant feature with the biases as weights; 0 for no bias. Default 1. */
  readonly biasConstant?: number;
  /** Number of classes known from the start. Default 0. */
  readonly classes?: number;
}

const multiclassOptionNames = optionNames<MulticlassPerceptronOptions>()(
  'averaging biasConstant condition threshold stepKind aggressiveness classes',
);

/** Weights and bias of one class, and their sums for averaging. */
interface ClassFunction {
  weights: Float64Array;
  sums: Float64Array;
  bias: number;
  biasSum: number;
  /** True if the class competes: it was known from the start, or an example of it was shown. */
  seen: boolean;
}

export interface MulticlassPerceptronState extends LearnerState {
  readonly options: Required<MulticlassPerceptronOptions>;
  readonly classes: readonly Readonly<ClassFunction>[];
  readonly dimension: number;
  readonly progress: Omit<LearnerProgress, 'cleanStreak'> & { readonly quiet: number };
}

export class MulticlassPerceptron implements Learner, Recordable {
  readonly rule: string;
  readonly #options: Required<MulticlassPerceptronOptions>;
  readonly #classes: ClassFunction[] = [];
  #dimension = 0;
  #room = 0;
  /** Counts and limits, at the positions of kernels/layout.ts. */
  readonly #scalars = new Float64Array(layout.stateSize);
  readonly #row = new Row();
  #log: UpdateLog | null = null;
  #freed = false;

  /**
   * @param rule name of the rule that the options belong to.
   * @param state to continue from; if given, the options are those of the state.
   * @throws HalfspaceError `option-invalid` for a state of another rule or strategy.
   */
  constructor(rule: string, options: MulticlassPerceptronOptions = {}, state?: LearnerState) {
    this.rule = rule;
    checkOptionNames(options, multiclassOptionNames, 'the multiclass update');
    this.#options = {
      averaging: false,
      biasConstant: 1,
      condition: layout.updateAtMost,
      threshold: 0,
      stepKind: layout.stepPerceptron,
      aggressiveness: 1,
      classes: 0,
      ...options,
    };
    limitBy(this.#scalars, {});
    if (state === undefined) {
      for (let k = 0; k < this.#options.classes; k++) this.#appear(k);
      return;
    }
    const from = state as MulticlassPerceptronState;
    if (from.rule !== rule)
      throw new HalfspaceError('option-invalid', `expected the state of rule ${rule}; got ${from.rule}`);
    if (!('progress' in from))
      throw new HalfspaceError('option-invalid', `expected a state of ${rule} by kesler; got one of other learners`);
    this.#options = from.options;
    this.#classes = from.classes.map((each) => structuredClone(each));
    this.#dimension = from.dimension;
    this.#room = from.dimension;
    const { examples, updates, mistakes, quiet, clock } = from.progress;
    const scalars = this.#scalars;
    scalars[layout.examples] = examples;
    scalars[layout.updates] = updates;
    scalars[layout.mistakes] = mistakes!;
    scalars[layout.cleanStreak] = quiet;
    scalars[layout.clock] = clock;
  }

  get outputs(): number {
    return this.#classes.length;
  }

  learn(batch: StoredBatch, from = 0, to = batch?.rows): number {
    checkBatch(batch, from, to);
    if (this.#freed) throw freedMemory();
    if (isStopped(this.#scalars)) return 0;
    this.#reserve(batch.dimension);
    const { averaging, biasConstant: c, condition, threshold } = this.#options;
    const classes = this.#classes;
    const scalars = this.#scalars;
    const row = this.#row;
    row.open(batch);
    // Read once: of packed rows, that takes as long as learning from one.
    const { labels, importance } = batch;
    let i = from;
    while (i < to) {
      const y = labels[i]!;
      const h = importance === null ? 1 : importance[i]!;
      row.load(i++);
      if (h > 0) this.#appear(y);
      const { rival, lead, mistaken } = this.#compare(row, y);
      if (mistaken) scalars[layout.mistakes]! += 1;
      const updates =
        h > 0 && rival !== -1 && (condition === layout.updateAtMost ? !(lead > threshold) : !(lead >= threshold));
      const step = updates ? this.#step(row, lead, h) : 0;
      if (step !== 0) {
        const [right, wrong] = [classes[y]!, classes[rival]!];
        row.add(step, right.weights);
        row.add(-step, wrong.weights);
        right.bias += step * c;
        wrong.bias -= step * c;
        if (averaging) {
          const s = scalars[layout.clock]! * step;
          row.add(s, right.sums);
          row.add(-s, wrong.sums);
          right.biasSum += s * c;
          wrong.biasSum -= s * c;
        }
        this.#log?.(i - 1, y, rival, lead, step);
      }
      countExample(scalars, h, step !== 0);
      if (isStopped(scalars)) break;
    }
    return i - from;
  }

  record(log: UpdateLog | null): void {
    if (this.#freed) throw freedMemory();
    this.#log = log;
  }

  skip(batch: StoredBatch, from: number, to: number): number {
    if (this.#freed) throw freedMemory();
    const scalars = this.#scalars;
    if (to <= from || isStopped(scalars)) return 0;
    this.#reserve(batch.dimension);
    const count = Math.min(to - from, scalars[layout.cleanStreakLimit]! - scalars[layout.cleanStreak]!);
    for (let i = from; i < from + count; i++)
      if (batch.importance === null || batch.importance[i]! > 0) this.#appear(batch.labels[i]!);
    skipExamples(scalars, batch, from, count);
    return count;
  }

  follow(batch: StoredBatch, from: number, to: number, { rows }: UpdateMarks): number {
    let at = from;
    for (const row of rows) {
      at += this.skip(batch, at, row);
      if (at < row) return at - from;
      at += this.learn(batch, row, row + 1);
      if (at === row) return at - from;
    }
    return at + this.skip(batch, at, to) - from;
  }

  scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    if (this.#freed) throw freedMemory();
    const { biasConstant } = this.#options;
    const answers = this.#classes.map((_, k) => this.#answerOf(k));
    const row = this.#row;
    row.open(batch);
    for (let i = 0, at = 0; i < batch.rows; i++) {
      row.load(i);
      for (const { weight, bias } of answers) out[at++] = row.dotWith(weight) + bias * biasConstant;
    }
  }

  functions(): readonly LinearParameters[] {
    if (this.#freed) throw freedMemory();
    return this.#classes.map((_, k) => {
      const { weight, bias } = this.#answerOf(k);
      return { weights: Float64Array.from({ length: this.#dimension }, (_, j) => weight(j)), bias };
    });
  }

  /** Returns the scoring function of class k. Weights are computed on demand; unknown features count 0. */
  #answerOf(k: number): { weight: (j: number) => number; bias: number } {
    const { weights, sums, bias, biasSum } = this.#classes[k]!;
    const dimension = this.#dimension;
    if (!this.#options.averaging) return { weight: (j) => (j < dimension ? weights[j]! : 0), bias };
    const clock = this.#scalars[layout.clock]!;
    return {
      weight: (j) => (j < dimension ? meanOf(weights[j]!, sums[j]!, clock) : 0),
      bias: meanOf(bias, biasSum, clock),
    };
  }

  get progress(): LearnerProgress {
    return progressOf(this.#scalars);
  }

  limit(limits: LearnerLimits): void {
    if (this.#freed) throw freedMemory();
    limitBy(this.#scalars, limits);
  }

  state(): MulticlassPerceptronState {
    if (this.#freed) throw freedMemory();
    const cut = (each: ClassFunction): ClassFunction => ({
      ...each,
      weights: each.weights.slice(0, this.#dimension),
      sums: each.sums.slice(0, this.#dimension),
    });
    const { cleanStreak, clock, ...counts } = this.progress;
    return {
      rule: this.rule,
      options: { ...this.#options },
      classes: this.#classes.map(cut),
      dimension: this.#dimension,
      progress: { ...counts, quiet: cleanStreak, clock },
    };
  }

  survive(importance: number): void {
    if (this.#freed) throw freedMemory();
    if (this.#options.averaging) this.#scalars[layout.clock]! += importance;
  }

  presentFunctions(): readonly LinearParameters[] | null {
    if (this.#freed) throw freedMemory();
    if (!this.#options.averaging) return null;
    return this.#classes.map(({ weights, bias }) => ({ weights: weights.slice(0, this.#dimension), bias }));
  }

  free(): void {
    this.#freed = true;
    this.#classes.length = 0;
  }

  /** Finds the class other than y with the highest score, the lead of y over it, and if y would not be predicted. */
  #compare(row: Row, y: number): { rival: number; lead: number; mistaken: boolean } {
    const { biasConstant } = this.#options;
    const classes = this.#classes;
    let rival = -1;
    let highest = -Infinity;
    let own = 0;
    for (let k = 0; k < classes.length; k++) {
      const { seen, weights, bias } = classes[k]!;
      if (!seen) continue;
      const score = row.dot(weights) + bias * biasConstant;
      if (k === y) own = score;
      else if (score > highest) {
        highest = score;
        rival = k;
      }
    }
    return { rival, lead: own - highest, mistaken: own < highest || (own === highest && rival < y) };
  }

  #step(row: Row, lead: number, h: number): number {
    const { stepKind: kind, aggressiveness, biasConstant: c } = this.#options;
    if (kind === layout.stepPerceptron) return h;
    const n = 2 * (row.squaredNorm() + c * c);
    return n === 0 && !row.hasValue() ? 0 : stepSize(kind, lead, n, h, aggressiveness);
  }

  #appear(y: number): void {
    while (this.#classes.length <= y) {
      const sums = new Float64Array(this.#options.averaging ? this.#room : 0);
      this.#classes.push({ weights: new Float64Array(this.#room), sums, bias: 0, biasSum: 0, seen: false });
    }
    this.#classes[y]!.seen = true;
  }

  #reserve(dimension: number): void {
    if (dimension > this.#room) {
      this.#room = Math.max(dimension, 2 * this.#room, 64);
      for (const each of this.#classes) {
        each.weights = grown(each.weights, this.#room);
        if (this.#options.averaging) each.sums = grown(each.sums, this.#room);
      }
    }
    this.#dimension = Math.max(this.#dimension, dimension);
  }
}

function grown(array: Float64Array, length: number): Float64Array {
  const longer = new Float64Array(length);
  longer.set(array);
  return longer;
}

/** Checks the numbers of a {@link MulticlassPerceptronState}. */
export function checkMulticlassState(state: Members): void {
  const options = members(state.options, 'options');
  flag(options.averaging, 'options.averaging');
  number(options.biasConstant, 'options.biasConstant', 0);
  whole(options.condition, 'options.condition', 0, 1);
  number(options.threshold, 'options.threshold', 0);
  whole(options.stepKind, 'options.stepKind', 0, 3);
  number(options.aggressiveness, 'options.aggressiveness', 0);
  const dimension = whole(state.dimension, 'dimension', 0, largestDimension);
  const classes = list(state.classes, 'classes');
  whole(options.classes, 'options.classes', 0, classes.length);
  for (const each of classes) {
    const own = members(each, 'classes');
    checkDoubles(own.weights, 'weights', dimension);
    checkDoubles(own.sums, 'sums', options.averaging === true ? dimension : 0);
    number(own.bias, 'bias');
    number(own.biasSum, 'biasSum');
    flag(own.seen, 'seen');
  }
  const progress = members(state.progress, 'progress');
  const examples = whole(progress.examples, 'examples');
  for (const name of ['updates', 'mistakes', 'quiet']) whole(progress[name], name, 0, examples);
  number(progress.clock, 'clock', 0);
}
