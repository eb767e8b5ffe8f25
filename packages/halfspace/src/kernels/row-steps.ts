import { power } from './exponential.ts';
import { type ArowMemory, classOf, type MistakeDrivenMemory, type SgdMemory, type TwoClassMemory } from './kernels.ts';
import * as layout from './layout.ts';
import { addRow, dotLists, dotRow, hasNonzero, type PlainRow, squaredNormOf } from './plain-row.ts';
import { lossStep, meanOf, penalised, sgdMean, stepSize } from './steps.ts';

/**
 * The steps of a learner at single rows, in plain TypeScript: the loop of the reference kernels, and of learning one
 * row at a time. The bits are those of `Kernels.learn` and `Kernels.scoreInto`.
 *
 * Call {@link score}, then {@link update} with the same row. The arrays are read when the steps are made: call
 * {@link reopen} after the memory was resized.
 */
export interface RowSteps {
  /** Scalars of the learner, at the positions of layout.ts. */
  readonly state: Float64Array;
  /** The score before the last update of a mistake-driven rule, and its signed step. */
  readonly scored: number;
  readonly step: number;
  /** Reads the arrays of the memory again. */
  reopen(): void;
  /** Returns the score of a row by the current weights, by which the learner decides on its step. */
  score(row: PlainRow): number;
  /** Learns from the row scored last, with its score a, label y and importance h. Returns true if it was an update. */
  update(row: PlainRow, a: number, y: number, h: number): boolean;
  /**
   * Returns the score of a row by the weights that answer: the current ones, or their mean over time. Sums over all
   * values of the row, zeros included, as `Kernels.scoreInto` does. Leaves what {@link score} would return in
   * {@link prepared}, as if that had been called.
   *
   * @param last true: by the current weights, also if their mean answers. For sgd only.
   */
  answer(row: PlainRow, last?: boolean): number;
  prepared: number;
  /**
   * Takes over the state of another learner of the same kind and `dimension` features, as if it had learned from the
   * opposite labels: every sum changes its sign. Both have room for these features.
   */
  mirror(other: RowSteps, dimension: number): void;
}

/** Makes the steps of a learner in its memory. */
export function rowSteps(memory: TwoClassMemory): RowSteps {
  if (memory.kind === 'sgd') return new SgdSteps(memory);
  return memory.kind === 'arow' ? new ArowSteps(memory) : new MistakeDrivenSteps(memory);
}

/**
 * Shows a row with label y and importance h to a learner: scores, learns, and counts all but `examples`, as the loop of
 * the kernels does for each example.
 *
 * @param a the score of the row by {@link RowSteps.score}, the last call before this one.
 * @returns true if there was an update.
 */
export function learnRow(steps: RowSteps, row: PlainRow, a: number, y: number, h: number): boolean {
  const { state } = steps;
  if (classOf(a, state[layout.tie]!) !== y) state[layout.mistakes]! += 1;
  const updated = steps.update(row, a, y, h);
  state[layout.clock]! += h;
  if (updated) state[layout.updates]! += 1;
  state[layout.cleanStreak] = updated ? 0 : state[layout.cleanStreak]! + 1;
  return updated;
}

class MistakeDrivenSteps implements RowSteps {
  readonly #memory: MistakeDrivenMemory;
  state!: Float64Array;
  scored = 0;
  step = 0;
  prepared = 0;
  #weights!: Float64Array;
  #sums!: Float64Array | null;

  constructor(memory: MistakeDrivenMemory) {
    this.#memory = memory;
    this.reopen();
  }

  reopen(): void {
    this.state = this.#memory.state.array;
    this.#weights = this.#memory.weights.array;
    this.#sums = this.#memory.sums?.array ?? null;
  }

  score(row: PlainRow): number {
    const { state } = this;
    return dotRow(row, this.#weights) + state[layout.bias]! * state[layout.biasConstant]!;
  }

  update(row: PlainRow, a: number, y: number, h: number): boolean {
    const { state } = this;
    const c = state[layout.biasConstant]!;
    const condition = state[layout.condition]!;
    const threshold = state[layout.threshold]!;
    const kind = state[layout.stepKind]!;
    const m = y * a;
    const due =
      condition === layout.updateAtMost
        ? !(m > threshold)
        : condition === layout.updateBelow
          ? !(m >= threshold)
          : (a >= 0 ? 1 : -1) !== y;
    if (!due || !(h > 0)) return false;
    let g = h * y;
    if (kind !== layout.stepPerceptron) {
      const n = squaredNormOf(row) + c * c;
      const step = n > 0 || hasNonzero(row) ? stepSize(kind, m, n, h, state[layout.aggressiveness]!) : 0;
      if (step === 0) return false;
      g = step * y;
    }
    state[layout.bias]! += g * c;
    addRow(row, g, this.#weights);
    if (this.#sums !== null) {
      const s = state[layout.clock]! * g;
      state[layout.biasSum]! += s * c;
      addRow(row, s, this.#sums);
    }
    this.scored = a;
    this.step = g;
    return true;
  }

  answer(row: PlainRow): number {
    const a = this.score(row);
    this.prepared = a;
    return this.#sums === null ? a : meanScore(row, this.#weights, this.#sums, this.state);
  }

  mirror(other: MistakeDrivenSteps, dimension: number): void {
    mirrorScalars(this.state, other.state);
    negateInto(this.#weights, other.#weights, dimension);
    if (this.#sums !== null) negateInto(this.#sums, other.#sums!, dimension);
  }
}

class SgdSteps implements RowSteps {
  readonly #memory: SgdMemory;
  state!: Float64Array;
  scored = 0;
  step = 0;
  prepared = 0;
  #records!: Float64Array;
  readonly #nonzeros = new Nonzeros();
  #time = 0;
  #strength = 0;

  constructor(memory: SgdMemory) {
    this.#memory = memory;
    this.reopen();
  }

  reopen(): void {
    this.state = this.#memory.state.array;
    this.#records = this.#memory.records.array;
  }

  score(row: PlainRow): number {
    this.#read(row, false);
    return this.#bySteps();
  }

  /**
   * Reads the nonzeros of a row and their current weights; with `answering` also the weights that answer: the current
   * ones with `last`.
   */
  #read({ indices, values, count }: PlainRow, answering: boolean, last = false): void {
    const { state } = this;
    const records = this.#records;
    const nonzeros = this.#nonzeros.makeRoom(count);
    const { indices: features, values: nonzero, weights, answers } = nonzeros;
    const adaptive = state[layout.schedule] === layout.scheduleAdaptive;
    const strength = state[layout.alpha]! * (adaptive ? state[layout.rate]! : 1);
    const l1Ratio = state[layout.l1Ratio]!;
    const clock = state[layout.clock]!;
    const age = clock * clock;
    const averaging = answering && !last && clock > 0 && state[layout.averaging] === 1;
    const time = adaptive ? clock : state[layout.penaltyClock]!;
    let kept = 0;
    for (let k = 0; k < count; k++) {
      const x = values[k]!;
      if (x === 0 && !answering) continue;
      const j = indices[k]!;
      const at = j * layout.recordSize;
      const settled = records[at + layout.recordSettled]!;
      const second = records[at + layout.recordSecond]!;
      const kappa = (time - settled) * strength;
      const w = penalised(records[at + layout.recordScaled]!, kappa, adaptive ? second : 1, l1Ratio);
      if (averaging)
        answers[k] = sgdMean(w, records[at + layout.recordSum]!, adaptive ? settled * settled : second, age);
      else answers[k] = w;
      if (x === 0) continue;
      features[kept] = j;
      nonzero[kept] = x;
      weights[kept++] = w;
    }
    nonzeros.count = kept;
    this.#time = time;
    this.#strength = strength;
  }

  /** Returns the score of the row that was read by the current weights. */
  #bySteps(): number {
    const { state } = this;
    const { values, weights, count } = this.#nonzeros;
    return dotLists(values, weights, count) + state[layout.bias]! * state[layout.biasConstant]!;
  }

  update(_row: PlainRow, a: number, y: number, h: number): boolean {
    const { state } = this;
    const records = this.#records;
    const time = this.#time;
    const c = state[layout.biasConstant]!;
    const schedule = state[layout.schedule]!;
    const rate = state[layout.rate]!;
    const adaptive = schedule === layout.scheduleAdaptive;
    const clock = state[layout.clock]!;
    const f = lossStep(state[layout.loss]!, y * a);
    const update = h > 0 && f > 0;
    const eta =
      schedule === layout.scheduleInverseScaling && h > 0 ? rate / power(1 + clock, state[layout.power]!) : rate;
    const age = clock * clock;
    const g = update ? h * f * y : 0;
    if (update) {
      const constant = g * c;
      if (adaptive) {
        state[layout.biasSquares]! += constant * constant;
        const biasSquares = state[layout.biasSquares]!;
        if (biasSquares > 0) state[layout.bias]! += (rate * constant) / Math.sqrt(biasSquares);
      } else state[layout.bias]! += eta * g * c;
    }

    // The step. Records are updated lazily: not while neither a step nor a penalty changes their weights.
    if (update || (h > 0 && this.#strength > 0)) {
      const { indices, values, weights, count } = this.#nonzeros;
      for (let k = 0; k < count; k++) {
        const at = indices[k]! * layout.recordSize;
        const x = values[k]!;
        const w = weights[k]!;
        const before = records[at + layout.recordSettled]!;
        records[at + layout.recordSettled] = time;
        if (adaptive) {
          records[at + layout.recordSum]! += w * (age - before * before);
          const step = g * x;
          const root = records[at + layout.recordSecond]!;
          const q = update ? Math.sqrt(root * root + step * step) : root;
          records[at + layout.recordSecond] = q;
          records[at + layout.recordScaled] = !(q > 0) ? w : update ? w * q + rate * step : w * q;
        } else {
          records[at + layout.recordSum]! += w * (age - records[at + layout.recordSecond]!);
          records[at + layout.recordSecond] = age;
          records[at + layout.recordScaled] = update ? w + eta * g * x : w;
        }
      }
    }
    state[layout.penaltyClock]! += eta * h;
    const after = clock + h;
    if (state[layout.averaging] !== 0) state[layout.biasSum]! += state[layout.bias]! * (after * after - age);
    return update;
  }

  answer(row: PlainRow, last = false): number {
    const { state } = this;
    this.#read(row, true, last);
    this.prepared = this.#bySteps();
    const clock = state[layout.clock]!;
    const averaging = !last && clock > 0 && state[layout.averaging] === 1;
    const { answers, count } = this.#nonzeros;
    if (!averaging && count === row.count) return this.prepared;
    const bias = averaging ? state[layout.biasSum]! / (clock * clock) : state[layout.bias]!;
    return dotLists(answers, row.values, row.count) + bias * state[layout.biasConstant]!;
  }

  mirror(other: SgdSteps, dimension: number): void {
    mirrorScalars(this.state, other.state);
    const [to, from] = [this.#records, other.#records];
    to.set(from.subarray(0, dimension * layout.recordSize));
    for (let at = 0; at < dimension * layout.recordSize; at += layout.recordSize) {
      to[at + layout.recordScaled] = -from[at + layout.recordScaled]!;
      to[at + layout.recordSum] = -from[at + layout.recordSum]!;
    }
  }
}

class ArowSteps implements RowSteps {
  readonly #memory: ArowMemory;
  state!: Float64Array;
  scored = 0;
  step = 0;
  prepared = 0;
  #weights!: Float64Array;
  #variances!: Float64Array;
  #sums!: Float64Array | null;
  readonly #nonzeros = new Nonzeros();

  constructor(memory: ArowMemory) {
    this.#memory = memory;
    this.reopen();
  }

  reopen(): void {
    this.state = this.#memory.state.array;
    this.#weights = this.#memory.weights.array;
    this.#variances = this.#memory.variances.array;
    this.#sums = this.#memory.sums?.array ?? null;
  }

  score(row: PlainRow): number {
    const { state } = this;
    const nonzeros = this.#nonzeros;
    nonzeros.read(row);
    const { indices, weights, count } = nonzeros;
    for (let k = 0; k < count; k++) weights[k] = this.#weights[indices[k]!]!;
    return dotLists(nonzeros.values, weights, count) + state[layout.bias]! * state[layout.biasConstant]!;
  }

  update(_row: PlainRow, a: number, y: number, h: number): boolean {
    const { state } = this;
    const { indices, values, weights: along, count } = this.#nonzeros;
    const variances = this.#variances;
    const weights = this.#weights;
    const sums = this.#sums;
    const c = state[layout.biasConstant]!;
    const m = y * a;
    if (!(h > 0) || m >= 1 || (count === 0 && c === 0)) return false;
    // Σx, and the variance of the score.
    for (let k = 0; k < count; k++) along[k] = variances[indices[k]!]! * values[k]!;
    const constant = state[layout.biasVariance]! * c;
    const v = dotLists(values, along, count) + constant * c;
    const share = state[layout.r]! / h;
    // NaN if v overflows: a step of 0 would hide that.
    const beta = v < Infinity ? 1 / (v + share) : Number.NaN;
    // Here a variance may lose all its digits in one step.
    const steep = share < v * 2 ** -40;
    const step = (1 - m) * beta * y;
    const s = state[layout.clock]! * step;
    state[layout.bias]! += step * constant;
    if (sums !== null) state[layout.biasSum]! += s * constant;
    const variance = state[layout.biasVariance]!;
    state[layout.biasVariance] = lessVariance(variance, beta * constant * constant, share * beta);
    for (let k = 0; k < count; k++) {
      const j = indices[k]!;
      const reach = along[k]!;
      weights[j]! += step * reach;
      if (sums !== null) sums[j]! += s * reach;
      const taken = beta * reach * reach;
      variances[j] = steep ? lessVariance(variances[j]!, taken, share * beta) : variances[j]! - taken;
    }
    return true;
  }

  answer(row: PlainRow): number {
    const { state } = this;
    this.prepared = this.score(row);
    if (this.#sums !== null) return meanScore(row, this.#weights, this.#sums, state);
    if (this.#nonzeros.count === row.count) return this.prepared;
    return dotRow(row, this.#weights) + state[layout.bias]! * state[layout.biasConstant]!;
  }

  mirror(other: ArowSteps, dimension: number): void {
    mirrorScalars(this.state, other.state);
    negateInto(this.#weights, other.#weights, dimension);
    if (this.#sums !== null) negateInto(this.#sums, other.#sums!, dimension);
    this.#variances.set(other.#variances.subarray(0, dimension));
  }
}

/** The nonzero values of a row, with room for a weight of each and for the weights that answer. */
class Nonzeros {
  indices = new Uint32Array(64);
  values = new Float64Array(64);
  weights = new Float64Array(64);
  /** The weights that answer, of all values of the row. */
  answers = new Float64Array(64);
  count = 0;

  read({ indices, values, count }: PlainRow): void {
    this.makeRoom(count);
    const own = this.indices;
    const nonzero = this.values;
    let kept = 0;
    for (let k = 0; k < count; k++) {
      const x = values[k]!;
      if (x === 0) continue;
      own[kept] = indices[k]!;
      nonzero[kept++] = x;
    }
    this.count = kept;
  }

  makeRoom(count: number): this {
    if (count > this.indices.length) {
      const { indices, values, weights } = this;
      this.indices = new Uint32Array(2 * count);
      this.values = new Float64Array(2 * count);
      this.weights = new Float64Array(2 * count);
      this.answers = new Float64Array(2 * count);
      this.indices.set(indices);
      this.values.set(values);
      this.weights.set(weights);
    }
    return this;
  }
}

/** Returns the score of a row by the mean of weights over time. */
function meanScore(row: PlainRow, weights: Float64Array, sums: Float64Array, state: Float64Array): number {
  const clock = state[layout.clock]!;
  const bias = meanOf(state[layout.bias]!, state[layout.biasSum]!, clock);
  return (clock === 0 ? dotRow(row, weights) : dotMean(row, weights, sums, clock)) + bias * state[layout.biasConstant]!;
}

/** Returns w̄·x for w̄ = {@link meanOf} of each weight, clock > 0, in the kernels' order of summation. */
function dotMean(
  { indices, values, count }: PlainRow,
  weights: Float64Array,
  sums: Float64Array,
  clock: number,
): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const whole = count - (count & 3);
  for (let k = 0; k < whole; k += 4) {
    const i = indices[k]!;
    const j = indices[k + 1]!;
    const l = indices[k + 2]!;
    const m = indices[k + 3]!;
    s0 += (weights[i]! - sums[i]! / clock) * values[k]!;
    s1 += (weights[j]! - sums[j]! / clock) * values[k + 1]!;
    s2 += (weights[l]! - sums[l]! / clock) * values[k + 2]!;
    s3 += (weights[m]! - sums[m]! / clock) * values[k + 3]!;
  }
  for (let k = whole; k < count; k++) {
    const j = indices[k]!;
    const term = (weights[j]! - sums[j]! / clock) * values[k]!;
    if (k === whole) s0 += term;
    else if (k === whole + 1) s1 += term;
    else s2 += term;
  }
  return s0 + s1 + (s2 + s3);
}

/** Copies scalars; the bias and its sum change their sign. */
function mirrorScalars(to: Float64Array, from: Float64Array): void {
  to.set(from);
  to[layout.bias] = -from[layout.bias]!;
  to[layout.biasSum] = -from[layout.biasSum]!;
}

function negateInto(to: Float64Array, from: Float64Array, count: number): void {
  for (let j = 0; j < count; j++) to[j] = -from[j]!;
}

/** Returns σ − `taken`. It is at least σ·`least` in exact arithmetic; a smaller result of rounding is corrected. */
function lessVariance(variance: number, taken: number, least: number): number {
  const less = variance - taken;
  const floor = variance * least;
  return less < 0.5 * floor ? floor : less;
}
