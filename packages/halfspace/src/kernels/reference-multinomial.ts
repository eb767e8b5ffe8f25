import type { StoredBatch } from '../batch.ts';
import { BatchView, forEachNonzero } from './batch-view.ts';
import { exponential, power } from './exponential.ts';
import { type MultinomialMemory, strideOf } from './kernels.ts';
import * as layout from './layout.ts';
import { LoadedRow } from './plain-row.ts';
import { penalised } from './steps.ts';

/** `Kernels.learn` of the multinomial loss in plain TypeScript. The steps: rules/multinomial.ts. */
export function learnMultinomial(batch: StoredBatch, from: number, to: number, memory: MultinomialMemory): number {
  const { classes } = memory;
  const [records, biases, state] = [memory.records.array, memory.biases.array, memory.state.array];
  const stride = strideOf(classes);
  const size = layout.jointHead + layout.jointColumns * stride;
  const [bias, biasSum, biasSquares] = [0, stride, 2 * stride];
  const c = state[layout.biasConstant]!;
  const schedule = state[layout.schedule]!;
  const adaptive = schedule === layout.scheduleAdaptive;
  const [rate, l1Ratio] = [state[layout.rate]!, state[layout.l1Ratio]!];
  const strength = state[layout.alpha]! * (adaptive ? rate : 1);
  const view = new BatchView(batch);
  const row = new LoadedRow();
  const lanes = new Float64Array(4 * classes);
  const gradient = new Float64Array(classes);
  let weights = new Float64Array(0);
  let i = from;
  while (i < to) {
    const y = batch.labels[i]!;
    const h = batch.importance === null ? 1 : batch.importance[i]!;
    row.count = 0;
    forEachNonzero(view, i++, (j, x) => row.add(j, x));
    const { indices, values, count } = row;
    if (weights.length < count * classes) weights = new Float64Array(2 * count * classes);

    // The current weights, and the scores.
    const clock = state[layout.clock]!;
    const time = adaptive ? clock : state[layout.penaltyClock]!;
    lanes.fill(0);
    for (let n = 0; n < count; n++) {
      const at = indices[n]! * size;
      const kappa = (time - records[at + layout.jointSettled]!) * strength;
      const scaled = at + layout.jointHead + layout.jointScaled * stride;
      const root = at + layout.jointHead + layout.jointRoot * stride;
      for (let k = 0; k < classes; k++) {
        const w = penalised(records[scaled + k]!, kappa, adaptive ? records[root + k]! : 1, l1Ratio);
        weights[n * classes + k] = w;
        lanes[(n & 3) * classes + k]! += values[n]! * w;
      }
    }
    let best = -1;
    for (let k = 0; k < classes; k++) {
      const [s0, s1, s2, s3] = [0, 1, 2, 3].map((lane) => lanes[lane * classes + k]!) as [
        number,
        number,
        number,
        number,
      ];
      gradient[k] = s0 + s1 + (s2 + s3) + biases[bias + k]! * c;
      if (best < 0 || gradient[k]! > gradient[best]!) best = k;
    }
    if (best !== y) state[layout.mistakes]! += 1;

    // Softmax, and h times the gradient by the scores, downwards.
    const highest = best < 0 ? 0 : gradient[best]!;
    let [total, others] = [0, 0];
    for (let k = 0; k < classes; k++) {
      const e = exponential(gradient[k]! - highest);
      gradient[k] = e;
      total += e;
      if (k !== y) others += e;
    }
    for (let k = 0; k < classes; k++) gradient[k] = k === y ? h * (others / total) : -(h * (gradient[k]! / total));
    const update = h > 0 && others > 0;
    const eta =
      schedule === layout.scheduleInverseScaling && h > 0 ? rate / power(1 + clock, state[layout.power]!) : rate;
    const age = clock * clock;
    if (update)
      for (let k = 0; k < classes; k++) {
        const constant = gradient[k]! * c;
        if (adaptive) {
          const squares = biases[biasSquares + k]! + constant * constant;
          biases[biasSquares + k] = squares;
          if (squares > 0) biases[bias + k]! += (rate * constant) / Math.sqrt(squares);
        } else biases[bias + k]! += eta * gradient[k]! * c;
      }

    // The step. If neither it nor a penalty changes weights, their records can wait.
    if (update || (h > 0 && strength > 0))
      for (let n = 0; n < count; n++) {
        const at = indices[n]! * size;
        const x = values[n]!;
        const settled = records[at + layout.jointSettled]!;
        const since = age - (adaptive ? settled * settled : records[at + layout.jointAge]!);
        records[at + layout.jointSettled] = time;
        records[at + layout.jointAge] = age;
        for (let k = 0; k < classes; k++) {
          const w = weights[n * classes + k]!;
          const scaled = at + layout.jointHead + layout.jointScaled * stride + k;
          const root = at + layout.jointHead + layout.jointRoot * stride + k;
          records[at + layout.jointHead + layout.jointSum * stride + k]! += w * since;
          if (adaptive) {
            const step = gradient[k]! * x;
            const q = update ? Math.sqrt(records[root]! * records[root]! + step * step) : records[root]!;
            records[root] = q;
            records[scaled] = !(q > 0) ? w : update ? w * q + rate * step : w * q;
          } else records[scaled] = update ? w + eta * gradient[k]! * x : w;
        }
      }
    state[layout.penaltyClock]! += eta * h;
    const after = clock + h;
    state[layout.clock] = after;
    if (state[layout.averaging] !== 0)
      for (let k = 0; k < classes; k++) biases[biasSum + k]! += biases[bias + k]! * (after * after - age);
    if (update) state[layout.updates]! += 1;
    state[layout.cleanStreak] = update ? 0 : state[layout.cleanStreak]! + 1;
    const [reached, limit] = update
      ? [layout.updates, layout.updateLimit]
      : [layout.cleanStreak, layout.cleanStreakLimit];
    if (state[reached]! >= state[limit]!) break;
  }
  state[layout.examples]! += i - from;
  return i - from;
}
