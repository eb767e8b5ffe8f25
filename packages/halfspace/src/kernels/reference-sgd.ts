import type { StoredBatch } from '../batch.ts';
import { exponential, power } from './exponential.ts';
import { classOf } from './kernels.ts';
import { fourLanes } from './lanes.ts';
import { listNonzeros } from './reference-nonzeros.ts';
import { penalised, type SgdMemory, sgdLoss, sgdRecord, sgdSchedule, sgdSlot } from './sgd.ts';

const { scaled, second, sum, settled, size } = sgdRecord;

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

  let i = from;
  while (i < to) {
    const y = batch.labels[i]!;
    const h = batch.importance === null ? 1 : batch.importance[i]!;
    const { features, values } = listNonzeros(batch, i);
    i++;

    // The weights as of now, and the score.
    const clock = state[sgdSlot.clock]!;
    const time = adaptive ? clock : state[sgdSlot.penaltyClock]!;
    const looked = features.map((j) => {
      const at = j * size;
      const kappa = (time - records[at + settled]!) * strength;
      return penalised(records[at + scaled]!, kappa, adaptive ? records[at + second]! : 1, l1Ratio);
    });
    const a = fourLanes(values.length, (k) => values[k]! * looked[k]!) + state[sgdSlot.bias]! * c;

    if (classOf(a, state[sgdSlot.tie]!) !== y) state[sgdSlot.mistakes]! += 1;
    const f = lossStep(state[sgdSlot.loss]!, y * a);
    const update = h > 0 && f > 0;
    const eta =
      schedule === sgdSchedule.inverseScaling && h > 0 ? rate / power(1 + clock, state[sgdSlot.power]!) : rate;
    const age = clock * clock;
    const g = update ? h * f * y : 0;
    if (update) {
      const constant = g * c;
      if (adaptive) {
        state[sgdSlot.biasSquares]! += constant * constant;
        const biasSquares = state[sgdSlot.biasSquares]!;
        if (biasSquares > 0) state[sgdSlot.bias]! += (rate * constant) / Math.sqrt(biasSquares);
      } else state[sgdSlot.bias]! += eta * g * c;
    }

    // The step. Where neither it nor a penalty changes weights, their records can wait.
    if (update || (h > 0 && strength > 0))
      features.forEach((j, n) => {
        const at = j * size;
        const w = looked[n]!;
        const before = records[at + settled]!;
        records[at + sum]! += w * (age - (adaptive ? before * before : records[at + second]!));
        records[at + settled] = time;
        if (adaptive) {
          const step = g * values[n]!;
          const root = records[at + second]!;
          const q = update ? Math.sqrt(root * root + step * step) : root;
          records[at + second] = q;
          records[at + scaled] = !(q > 0) ? w : update ? w * q + rate * step : w * q;
        } else {
          records[at + second] = age;
          records[at + scaled] = update ? w + eta * g * values[n]! : w;
        }
      });
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
