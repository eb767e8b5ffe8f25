// Stochastic gradient steps with lazy penalties and means; slots, records and losses are those of src/kernels/sgd.ts, and
// src/kernels/reference-sgd.ts has the same loop to read.

import { dotDense } from './dot';
import { exponential, power } from './exponential';
import { listNonzeros } from './nonzeros';

const perceptron = 0, hinge = 1, squaredHinge = 2, logistic = 3;
const inverseScaling = 1, adaptive = 2;

/** −∂L/∂m. */
function lossStep(loss: i32, m: f64): f64 {
  if (loss == perceptron) return m <= 0 ? 1 : 0;
  if (loss == hinge) return m <= 1 ? 1 : 0;
  if (loss == logistic) return 1 / (1 + exponential(m));
  if (!(m < 1)) return 0;
  return loss == squaredHinge || m >= -1 ? 2 * (1 - m) : 4;
}

// @ts-ignore: decorator
@inline
function penalised(w: f64, kappa: f64, q: f64, l1Ratio: f64): f64 {
  if (w == 0 || !(kappa > 0) || !(q > 0)) return w;
  const left = abs(w) * q - l1Ratio * kappa;
  if (!(left > 0)) return 0;
  const size = left / (q + (1 - l1Ratio) * kappa);
  return w < 0 ? -size : size;
}

/** `list` has three columns of `capacity` places, see nonzeros.ts. */
export function learnSgd(
  layout: i32, from: i32, to: i32,
  offsets: usize, indices: usize, values: usize, dimension: i32, high: f64, low: f64, labels: usize, importance: usize,
  list: usize, capacity: i32, records: usize, state: usize,
): i32 {
  const c = load<f64>(state, 16);
  const quietLimit = load<f64>(state, 64);
  const updateLimit = load<f64>(state, 72);
  const loss = <i32>load<f64>(state, 80);
  const schedule = <i32>load<f64>(state, 88);
  const tie = load<f64>(state, 96);
  const rate = load<f64>(state, 104);
  const p = load<f64>(state, 112);
  const l1Ratio = load<f64>(state, 128);
  const averaging = load<f64>(state, 152) != 0;
  const isAdaptive = schedule == adaptive;
  const strength = load<f64>(state, 120) * (isAdaptive ? rate : 1);
  const lazy = strength > 0 || averaging;
  const looked = list + ((<usize>capacity) << 3);
  const features = list + ((<usize>capacity) << 4);
  let bias = load<f64>(state);
  let biasSum = load<f64>(state, 8);
  let clock = load<f64>(state, 24);
  let updates = load<f64>(state, 32);
  let mistakes = load<f64>(state, 40);
  let quiet = load<f64>(state, 56);
  let penaltyClock = load<f64>(state, 136);
  let biasSquares = load<f64>(state, 144);

  let i = from;
  while (i < to) {
    const y = load<f64>(labels + ((<usize>i) << 3));
    const h = importance ? load<f64>(importance + ((<usize>i) << 3)) : 1.0;
    const count = listNonzeros(layout, i, offsets, indices, values, dimension, high, low, list, capacity);
    i++;

    // The weights as of now.
    const time = isAdaptive ? clock : penaltyClock;
    const age = clock * clock;
    for (let n: usize = 0; n < <usize>count; n++) {
      const record = records + ((<usize>load<u32>(features + (n << 2))) << 5);
      let w = load<f64>(record);
      if (lazy) {
        const last = load<f64>(record, 16);
        w = penalised(w, (time - last) * strength, isAdaptive ? sqrt(load<f64>(record, 24)) : 1, l1Ratio);
        if (h > 0) {
          if (averaging) {
            const lastAge = isAdaptive ? last * last : load<f64>(record, 24);
            store<f64>(record, load<f64>(record, 8) + w * (age - lastAge), 8);
            if (!isAdaptive) store<f64>(record, age, 24);
          }
          store<f64>(record, w);
          store<f64>(record, time, 16);
        }
      }
      store<f64>(looked + (n << 3), w);
    }
    const a = dotDense(list, looked, count) + bias * c;

    if ((a > 0 ? 1.0 : a < 0 ? -1.0 : tie) != y) mistakes += 1;
    const f = lossStep(loss, y * a);
    const update = h > 0 && f > 0;
    const eta = schedule == inverseScaling && h > 0 ? rate / power(1 + clock, p) : rate;
    if (update) {
      const g = h * f * y;
      if (isAdaptive) {
        const constant = g * c;
        biasSquares += constant * constant;
        if (biasSquares > 0) bias += (rate * constant) / sqrt(biasSquares);
        for (let n: usize = 0; n < <usize>count; n++) {
          const record = records + ((<usize>load<u32>(features + (n << 2))) << 5);
          const step = g * load<f64>(list + (n << 3));
          const squares = load<f64>(record, 24) + step * step;
          store<f64>(record, squares, 24);
          if (squares > 0) store<f64>(record, load<f64>(record) + (rate * step) / sqrt(squares));
        }
      } else {
        const step = eta * g;
        bias += step * c;
        for (let n: usize = 0; n < <usize>count; n++) {
          const record = records + ((<usize>load<u32>(features + (n << 2))) << 5);
          store<f64>(record, load<f64>(record) + step * load<f64>(list + (n << 3)));
        }
      }
    }
    penaltyClock += eta * h;
    clock += h;
    if (averaging) biasSum += bias * (clock * clock - age);
    if (update) {
      updates += 1;
      quiet = 0;
      if (updates >= updateLimit) break;
    } else {
      quiet += 1;
      if (quiet >= quietLimit) break;
    }
  }

  store<f64>(state, bias);
  store<f64>(state, biasSum, 8);
  store<f64>(state, clock, 24);
  store<f64>(state, updates, 32);
  store<f64>(state, mistakes, 40);
  store<f64>(state, load<f64>(state, 48) + <f64>(i - from), 48);
  store<f64>(state, quiet, 56);
  store<f64>(state, penaltyClock, 136);
  store<f64>(state, biasSquares, 144);
  return i - from;
}
