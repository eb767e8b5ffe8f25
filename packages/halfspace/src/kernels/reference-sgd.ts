import type { StoredBatch } from '../batch.ts';
import { exponential, power } from './exponential.ts';
import { classOf } from './kernels.ts';
import { fourLanes } from './lanes.ts';
import { listNonzeros } from './reference-nonzeros.ts';
import { penalised, type SgdMemory, sgdLoss, sgdRecord, sgdSchedule, sgdSlot } from './sgd.ts';

const { weight, sum, penalised: last, squares, size } = sgdRecord;

/** f = −∂L/∂m of a loss at m = y·a. */
export function lossStep(loss: number, m: number): number {
  if (loss === sgdLoss.perceptron) return m <= 0 ? 1 : 0;
  if (loss === sgdLoss.hinge) return m <= 1 ? 1 : 0;
  if (loss === sgdLoss.logistic) return 1 / (1 + exponential(m));
  if (!(m < 1)) return 0;
  return loss === sgdLoss.squaredHinge || m >= -1 ? 2 * (1 - m) : 4;
}

/** `Kernels.learnSgd` in plain TypeScript. */
export function learnSgdReference(batch: StoredBatch, from: number, to: number, memory: SgdMemory): number {
  const records = memory.records.array;
  const state = memory.state.array;
  const c = state[sgdSlot.biasConstant]!;
  const schedule = state[sgdSlot.schedule]!;
  const rate = state[sgdSlot.rate]!;
  const l1Ratio = state[sgdSlot.l1Ratio]!;
  const averaging = state[sgdSlot.averaging] !== 0;
  const adaptive = schedule === sgdSchedule.adaptive;
  const strength = state[sgdSlot.alpha]! * (adaptive ? rate : 1);
  const lazy = strength > 0 || averaging;

  let i = from;
  while (i < to) {
    const y = batch.labels[i]!;
    const h = batch.importance === null ? 1 : batch.importance[i]!;
    const { features, values } = listNonzeros(batch, i);
    i++;

    // The weights as of now.
    const clock = state[sgdSlot.clock]!;
    const time = adaptive ? clock : state[sgdSlot.penaltyClock]!;
    const age = clock * clock;
    const looked = features.map((j) => {
      const at = j * size;
      let w = records[at + weight]!;
      if (!lazy) return w;
      const before = records[at + last]!;
      w = penalised(w, (time - before) * strength, adaptive ? Math.sqrt(records[at + squares]!) : 1, l1Ratio);
      if (h > 0) {
        if (averaging) {
          records[at + sum]! += w * (age - (adaptive ? before * before : records[at + squares]!));
          if (!adaptive) records[at + squares] = age;
        }
        records[at + weight] = w;
        records[at + last] = time;
      }
      return w;
    });
    const a = fourLanes(values.length, (k) => values[k]! * looked[k]!) + state[sgdSlot.bias]! * c;

    if (classOf(a, state[sgdSlot.tie]!) !== y) state[sgdSlot.mistakes]! += 1;
    const f = lossStep(state[sgdSlot.loss]!, y * a);
    const update = h > 0 && f > 0;
    const eta =
      schedule === sgdSchedule.inverseScaling && h > 0 ? rate / power(1 + clock, state[sgdSlot.power]!) : rate;
    if (update) {
      const g = h * f * y;
      if (adaptive) {
        const constant = g * c;
        state[sgdSlot.biasSquares]! += constant * constant;
        const biasSquares = state[sgdSlot.biasSquares]!;
        if (biasSquares > 0) state[sgdSlot.bias]! += (rate * constant) / Math.sqrt(biasSquares);
        features.forEach((j, n) => {
          const at = j * size;
          const step = g * values[n]!;
          const total = records[at + squares]! + step * step;
          records[at + squares] = total;
          if (total > 0) records[at + weight]! += (rate * step) / Math.sqrt(total);
        });
      } else {
        const step = eta * g;
        state[sgdSlot.bias]! += step * c;
        features.forEach((j, n) => {
          records[j * size + weight]! += step * values[n]!;
        });
      }
    }
    state[sgdSlot.penaltyClock]! += eta * h;
    const after = clock + h;
    state[sgdSlot.clock] = after;
    if (averaging) state[sgdSlot.biasSum]! += state[sgdSlot.bias]! * (after * after - age);
    if (update) {
      state[sgdSlot.updates]! += 1;
      state[sgdSlot.quiet] = 0;
      if (state[sgdSlot.updates]! >= state[sgdSlot.updateLimit]!) break;
    } else {
      state[sgdSlot.quiet]! += 1;
      if (state[sgdSlot.quiet]! >= state[sgdSlot.quietLimit]!) break;
    }
  }
  state[sgdSlot.examples]! += i - from;
  return i - from;
}
