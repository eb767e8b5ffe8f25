// Gradient steps on the multinomial loss, for all classes of a row together, two classes at a time. The same loop,
// easier to read: src/kernels/reference-multinomial.ts. Positions of state and records: src/kernels/layout.ts.

import * as layout from '../src/kernels/layout';
import { exponential, power } from './exponential';
import { addTo, get, set, wordAt } from './memory';
import { listNonzeros, placesOf } from './nonzeros';
import { penalised } from './sgd';

/**
 * Shows examples [from, to) to a learner by the multinomial loss. `list`: see nonzeros.ts. `scratch` has a number for
 * each class, padded to an even number, of each nonzero of a row, of four lanes and of the gradient.
 */
export function learnMultinomial(
  batch: usize, from: i32, to: i32, list: usize, capacity: i32,
  scratch: usize, classes: i32, records: usize, biases: usize, state: usize,
): i32 {
  const labels = wordAt(batch, layout.batchLabels), importance = wordAt(batch, layout.batchImportance);
  const c = get(state, layout.biasConstant);
  const cleanStreakLimit = get(state, layout.cleanStreakLimit), updateLimit = get(state, layout.updateLimit);
  const schedule = <i32>get(state, layout.schedule);
  const rate = get(state, layout.rate), p = get(state, layout.power), l1Ratio = get(state, layout.l1Ratio);
  const averaging = get(state, layout.averaging) != 0;
  const isAdaptive = schedule == layout.scheduleAdaptive;
  const strength = get(state, layout.alpha) * (isAdaptive ? rate : 1);
  const stride = <usize>(classes + (classes & 1)) << 3;
  const size = (<usize>layout.jointHead << 3) + <usize>layout.jointColumns * stride;
  const places = placesOf(list, capacity);
  const lanes = scratch, gradient = scratch + 4 * stride, weights = gradient + stride;
  const sums = biases + stride, squares = sums + stride;
  const zero = f64x2.splat(0), one = f64x2.splat(1), rates = f64x2.splat(rate);
  let clock = get(state, layout.clock), updates = get(state, layout.updates);
  let cleanStreak = get(state, layout.cleanStreak), penaltyClock = get(state, layout.penaltyClock);
  let mistaken = 0;

  let i = from;
  while (i < to) {
    const y = <i32>get(labels, i);
    const h = importance ? get(importance, i) : 1.0;
    const count = listNonzeros(batch, i, list, capacity, 0, 0);
    i++;

    // The current weights, and the scores.
    const time = isAdaptive ? clock : penaltyClock;
    memory.fill(lanes, 0, 4 * stride);
    for (let n = 0; n < count; n++) {
      const record = records + <usize>load<u32>(places + (<usize>n << 2)) * size;
      const kappa = f64x2.splat((time - get(record, layout.jointSettled)) * strength);
      const x = f64x2.splat(get(list, n));
      const scaled = record + (<usize>layout.jointHead << 3), root = scaled + <usize>layout.jointRoot * stride;
      const lane = lanes + <usize>(n & 3) * stride, kept = weights + <usize>n * stride;
      for (let k: usize = 0; k < stride; k += 16) {
        const q = isAdaptive ? v128.load(root + k) : one;
        const w = penalised(v128.load(scaled + k), kappa, q, l1Ratio);
        v128.store(kept + k, w);
        v128.store(lane + k, f64x2.add(v128.load(lane + k), f64x2.mul(x, w)));
      }
    }
    let best = -1;
    let highest: f64 = 0;
    for (let k = 0; k < classes; k++) {
      const at = lanes + (<usize>k << 3);
      const front = load<f64>(at) + load<f64>(at + stride);
      const score = front + (load<f64>(at + 2 * stride) + load<f64>(at + 3 * stride)) + get(biases, k) * c;
      set(gradient, k, score);
      if (best < 0 || score > highest) {
        best = k;
        highest = score;
      }
    }
    mistaken += <i32>(best != y);

    // Softmax, and h times the gradient by the scores, downwards.
    let total: f64 = 0, others: f64 = 0;
    for (let k = 0; k < classes; k++) {
      const e = exponential(get(gradient, k) - highest);
      set(gradient, k, e);
      total += e;
      if (k != y) others += e;
    }
    for (let k = 0; k < classes; k++)
      set(gradient, k, k == y ? h * (others / total) : -(h * (get(gradient, k) / total)));
    if (classes & 1) set(gradient, classes, 0);
    const update = h > 0 && others > 0;
    const eta = schedule == layout.scheduleInverseScaling && h > 0 ? rate / power(1 + clock, p) : rate;
    const age = clock * clock;
    if (update)
      for (let k = 0; k < classes; k++) {
        const g = get(gradient, k);
        if (isAdaptive) {
          const constant = g * c;
          const square = get(squares, k) + constant * constant;
          set(squares, k, square);
          if (square > 0) addTo(biases, k, (rate * constant) / sqrt(square));
        } else addTo(biases, k, eta * g * c);
      }

    // The step. If neither it nor a penalty changes weights, their records can wait.
    if (update || (h > 0 && strength > 0)) {
      const etas = f64x2.splat(eta);
      for (let n = 0; n < count; n++) {
        const record = records + <usize>load<u32>(places + (<usize>n << 2)) * size;
        const x = f64x2.splat(get(list, n));
        const settled = get(record, layout.jointSettled);
        const since = f64x2.splat(age - (isAdaptive ? settled * settled : get(record, layout.jointAge)));
        set(record, layout.jointSettled, time);
        set(record, layout.jointAge, age);
        const scaled = record + (<usize>layout.jointHead << 3), root = scaled + <usize>layout.jointRoot * stride;
        const sum = scaled + <usize>layout.jointSum * stride, kept = weights + <usize>n * stride;
        for (let k: usize = 0; k < stride; k += 16) {
          const w = v128.load(kept + k);
          v128.store(sum + k, f64x2.add(v128.load(sum + k), f64x2.mul(w, since)));
          let u = w;
          if (isAdaptive) {
            let q = v128.load(root + k);
            if (update) {
              const step = f64x2.mul(v128.load(gradient + k), x);
              q = f64x2.sqrt(f64x2.add(f64x2.mul(q, q), f64x2.mul(step, step)));
              u = f64x2.add(f64x2.mul(w, q), f64x2.mul(rates, step));
              v128.store(root + k, q);
            } else u = f64x2.mul(w, q);
            u = v128.bitselect(u, w, f64x2.gt(q, zero));
          } else if (update) u = f64x2.add(w, f64x2.mul(f64x2.mul(etas, v128.load(gradient + k)), x));
          v128.store(scaled + k, u);
        }
      }
    }
    penaltyClock += eta * h;
    clock += h;
    if (averaging)
      for (let k = 0; k < classes; k++) addTo(sums, k, get(biases, k) * (clock * clock - age));
    if (update) {
      updates += 1;
      cleanStreak = 0;
      if (updates >= updateLimit) break;
    } else {
      cleanStreak += 1;
      if (cleanStreak >= cleanStreakLimit) break;
    }
  }

  set(state, layout.penaltyClock, penaltyClock);
  set(state, layout.clock, clock);
  set(state, layout.updates, updates);
  set(state, layout.cleanStreak, cleanStreak);
  addTo(state, layout.mistakes, <f64>mistaken);
  addTo(state, layout.examples, <f64>(i - from));
  return i - from;
}
