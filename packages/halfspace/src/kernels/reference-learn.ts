import type { StoredBatch } from '../batch.ts';
import { BatchView } from './batch-view.ts';
import { power } from './exponential.ts';
import { type ArowMemory, classOf, type LearnerMemory, type MistakeDrivenMemory, type SgdMemory } from './kernels.ts';
import { fourLanes } from './lanes.ts';
import * as layout from './layout.ts';
import { lossStep, penalised, stepSize } from './steps.ts';

/** The two steps of a rule at an example. */
interface ExampleSteps {
  /** Returns the score of the open row. */
  score(): number;
  /** Learns from the open row of score a, label y and importance h, and returns whether that was an update. */
  update(a: number, y: number, h: number): boolean;
}

/** `Kernels.learn` in plain TypeScript. */
export function learnReference(batch: StoredBatch, from: number, to: number, memory: LearnerMemory): number {
  const row = new BatchView(batch);
  const state = memory.state.array;
  const order = (memory.kind === 'mistake-driven' && memory.order) || null;
  const log = (memory.kind === 'mistake-driven' && memory.log?.array) || null;
  let place = from;
  if (log !== null) log[0] = 0;
  const steps =
    memory.kind === 'sgd'
      ? sgdSteps(row, memory)
      : memory.kind === 'arow'
        ? arowSteps(row, memory)
        : mistakeDrivenSteps(row, memory, (a, g) => log?.set([place, a, g], 1 + layout.entrySize * log[0]!++));
  while (place < to) {
    const i = order === null ? place : order[place]!;
    // The log is input here: entry k still holds the clock of example k, because at most k entries were written.
    if (log !== null && (memory as MistakeDrivenMemory).timed === true)
      state[layout.clock] = log[1 + layout.entrySize * (place - from) + layout.entryStep]!;
    const y = batch.labels[i]!;
    const h = batch.importance === null ? 1 : batch.importance[i]!;
    row.open(i);
    const a = steps.score();
    if (classOf(a, state[layout.tie]!) !== y) state[layout.mistakes]! += 1;
    const updated = steps.update(a, y, h);
    state[layout.clock]! += h;
    place++;
    if (updated) state[layout.updates]! += 1;
    state[layout.cleanStreak] = updated ? 0 : state[layout.cleanStreak]! + 1;
    const [reached, limit] = updated
      ? [layout.updates, layout.updateLimit]
      : [layout.cleanStreak, layout.cleanStreakLimit];
    if (state[reached]! >= state[limit]!) break;
  }
  state[layout.examples]! += place - from;
  return place - from;
}

/** @param onUpdate receives the score before an update, and the signed step. */
function mistakeDrivenSteps(
  row: BatchView,
  memory: MistakeDrivenMemory,
  onUpdate: (a: number, g: number) => void,
): ExampleSteps {
  const weights = memory.weights.array;
  const sums = memory.sums?.array ?? null;
  const state = memory.state.array;
  const c = state[layout.biasConstant]!;
  const condition = state[layout.condition]!;
  const threshold = state[layout.threshold]!;
  const kind = state[layout.stepKind]!;
  return {
    score: () => dot(row, weights) + state[layout.bias]! * c,
    update(a, y, h) {
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
        const n = squaredNorm(row) + c * c;
        const step = n > 0 || hasValue(row) ? stepSize(kind, m, n, h, state[layout.aggressiveness]!) : 0;
        if (step === 0) return false;
        g = step * y;
      }
      state[layout.bias]! += g * c;
      add(row, g, weights);
      if (sums !== null) {
        const s = state[layout.clock]! * g;
        state[layout.biasSum]! += s * c;
        add(row, s, sums);
      }
      onUpdate(a, g);
      return true;
    },
  };
}

function sgdSteps(row: BatchView, memory: SgdMemory): ExampleSteps {
  const records = memory.records.array;
  const state = memory.state.array;
  const c = state[layout.biasConstant]!;
  const schedule = state[layout.schedule]!;
  const rate = state[layout.rate]!;
  const adaptive = schedule === layout.scheduleAdaptive;
  const strength = state[layout.alpha]! * (adaptive ? rate : 1);
  const { recordScaled: scaled, recordSecond: second, recordSum: sum, recordSettled: settled } = layout;
  let nonzeros: Nonzero[] = [];
  let time = 0;
  return {
    score() {
      // The current weights.
      time = adaptive ? state[layout.clock]! : state[layout.penaltyClock]!;
      nonzeros = nonzerosOf(row, (j) => {
        const at = j * layout.recordSize;
        const kappa = (time - records[at + settled]!) * strength;
        return penalised(records[at + scaled]!, kappa, adaptive ? records[at + second]! : 1, state[layout.l1Ratio]!);
      });
      return fourLanes(nonzeros.length, (k) => nonzeros[k]!.x * nonzeros[k]!.w) + state[layout.bias]! * c;
    },
    update(a, y, h) {
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
      if (update || (h > 0 && strength > 0))
        for (const { j, x, w } of nonzeros) {
          const at = j * layout.recordSize;
          const before = records[at + settled]!;
          records[at + sum]! += w * (age - (adaptive ? before * before : records[at + second]!));
          records[at + settled] = time;
          if (adaptive) {
            const step = g * x;
            const root = records[at + second]!;
            const q = update ? Math.sqrt(root * root + step * step) : root;
            records[at + second] = q;
            records[at + scaled] = !(q > 0) ? w : update ? w * q + rate * step : w * q;
          } else {
            records[at + second] = age;
            records[at + scaled] = update ? w + eta * g * x : w;
          }
        }
      state[layout.penaltyClock]! += eta * h;
      const after = clock + h;
      if (state[layout.averaging] !== 0) state[layout.biasSum]! += state[layout.bias]! * (after * after - age);
      return update;
    },
  };
}

function arowSteps(row: BatchView, memory: ArowMemory): ExampleSteps {
  const weights = memory.weights.array;
  const variances = memory.variances.array;
  const sums = memory.sums?.array ?? null;
  const state = memory.state.array;
  const c = state[layout.biasConstant]!;
  let nonzeros: Nonzero[] = [];
  return {
    score() {
      nonzeros = nonzerosOf(row, (j) => weights[j]!);
      return fourLanes(nonzeros.length, (k) => nonzeros[k]!.x * nonzeros[k]!.w) + state[layout.bias]! * c;
    },
    update(a, y, h) {
      const m = y * a;
      if (!(h > 0) || m >= 1 || (nonzeros.length === 0 && c === 0)) return false;
      // Σx, and the variance of the score.
      const along = nonzeros.map(({ j, x }) => variances[j]! * x);
      const constant = state[layout.biasVariance]! * c;
      const v = fourLanes(nonzeros.length, (k) => nonzeros[k]!.x * along[k]!) + constant * c;
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
      nonzeros.forEach(({ j }, k) => {
        weights[j]! += step * along[k]!;
        if (sums !== null) sums[j]! += s * along[k]!;
        const taken = beta * along[k]! * along[k]!;
        variances[j] = steep ? lessVariance(variances[j]!, taken, share * beta) : variances[j]! - taken;
      });
      return true;
    },
  };
}

/** A nonzero value, its feature, and the feature's weight when the row was scored. */
interface Nonzero {
  readonly j: number;
  readonly x: number;
  readonly w: number;
}

function nonzerosOf(row: BatchView, weight: (j: number) => number): Nonzero[] {
  const nonzeros: Nonzero[] = [];
  for (let k = 0; k < row.count; k++)
    if (row.value(k) !== 0) nonzeros.push({ j: row.feature(k), x: row.value(k), w: weight(row.feature(k)) });
  return nonzeros;
}

/** Returns w·x of the open row. */
export function dot(row: BatchView, weights: Float64Array): number {
  return fourLanes(row.count, (k) => weights[row.feature(k)]! * row.value(k));
}

/** Returns ‖x‖² of the open row. */
export function squaredNorm(row: BatchView): number {
  return fourLanes(row.count, (k) => row.value(k) * row.value(k));
}

function hasValue(row: BatchView): boolean {
  for (let k = 0; k < row.count; k++) if (row.value(k) !== 0) return true;
  return false;
}

/** Computes weights += g·x. */
function add(row: BatchView, g: number, weights: Float64Array): void {
  for (let k = 0; k < row.count; k++) weights[row.feature(k)]! += g * row.value(k);
}

/** Returns σ − `taken`. It is at least σ·`least` in exact arithmetic; a smaller result of rounding is corrected. */
function lessVariance(variance: number, taken: number, least: number): number {
  const less = variance - taken;
  const floor = variance * least;
  return less < 0.5 * floor ? floor : less;
}
