import type { StoredBatch } from '../batch.ts';
import { type ArowMemory, arowSlot } from './arow.ts';
import { classOf } from './kernels.ts';
import { fourLanes } from './lanes.ts';
import { listNonzeros } from './reference-nonzeros.ts';

/** `Kernels.learnArow` in plain TypeScript. */
export function learnArowReference(batch: StoredBatch, from: number, to: number, memory: ArowMemory): number {
  const weights = memory.weights.array;
  const variances = memory.variances.array;
  const sums = memory.sums?.array ?? null;
  const state = memory.state.array;
  const c = state[arowSlot.biasConstant]!;

  let i = from;
  while (i < to) {
    const y = batch.labels[i]!;
    const h = batch.importance === null ? 1 : batch.importance[i]!;
    const { features, values } = listNonzeros(batch, i);
    i++;
    const a = fourLanes(values.length, (n) => values[n]! * weights[features[n]!]!) + state[arowSlot.bias]! * c;
    if (classOf(a, state[arowSlot.tie]!) !== y) state[arowSlot.mistakes]! += 1;

    const m = y * a;
    let update = h > 0 && !(m >= 1);
    if (update) {
      // Σx, and the variance of the score.
      const along = features.map((j, n) => variances[j]! * values[n]!);
      const constant = state[arowSlot.biasVariance]! * c;
      const v = fourLanes(values.length, (n) => values[n]! * along[n]!) + constant * c;
      update = features.length > 0 || c !== 0;
      if (update) {
        const share = state[arowSlot.r]! / h;
        // NaN where v is beyond the range of doubles: a step of 0 would hide that.
        const beta = v < Infinity ? 1 / (v + share) : Number.NaN;
        // Where a variance may lose all its digits in one step.
        const steep = share < v * 2 ** -40;
        const step = (1 - m) * beta * y;
        const s = state[arowSlot.clock]! * step;
        state[arowSlot.bias]! += step * constant;
        if (sums !== null) state[arowSlot.biasSum]! += s * constant;
        const variance = state[arowSlot.biasVariance]!;
        state[arowSlot.biasVariance] = lessVariance(variance, beta * constant * constant, share * beta);
        features.forEach((j, n) => {
          weights[j]! += step * along[n]!;
          if (sums !== null) sums[j]! += s * along[n]!;
          const taken = beta * along[n]! * along[n]!;
          variances[j] = steep ? lessVariance(variances[j]!, taken, share * beta) : variances[j]! - taken;
        });
      }
    }
    state[arowSlot.clock]! += h;
    if (update) {
      state[arowSlot.updates]! += 1;
      state[arowSlot.quiet] = 0;
      if (state[arowSlot.updates]! >= state[arowSlot.updateLimit]!) break;
    } else {
      state[arowSlot.quiet]! += 1;
      if (state[arowSlot.quiet]! >= state[arowSlot.quietLimit]!) break;
    }
  }
  state[arowSlot.examples]! += i - from;
  return i - from;
}

/** σ − `taken`, which is never below σ·`least` but by rounding. */
function lessVariance(variance: number, taken: number, least: number): number {
  const less = variance - taken;
  const floor = variance * least;
  return less < 0.5 * floor ? floor : less;
}
