// Stochastic gradient steps with lazy penalties and means; slots, records and losses are those of src/kernels/sgd.ts, and
// src/kernels/reference-sgd.ts has the same loop to read. Here it goes by two features at once: what a nonzero costs is one quotient and one
// square root, and of these the processor does two in the time of one.

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

/** `penalised` of src/kernels/sgd.ts, of two. */
// @ts-ignore: decorator
@inline
function penalised(u: v128, kappa: v128, q: v128, l1Ratio: f64): v128 {
  const zero = f64x2.splat(0);
  const hasRate = f64x2.gt(q, zero);
  if (l1Ratio == 0) return v128.bitselect(f64x2.div(u, f64x2.add(q, kappa)), u, hasRate);
  const left = f64x2.sub(f64x2.abs(u), f64x2.mul(f64x2.splat(l1Ratio), kappa));
  const size = f64x2.div(left, f64x2.add(q, f64x2.mul(f64x2.splat(1 - l1Ratio), kappa)));
  const signed = v128.or(size, v128.and(u, f64x2.splat(-0.0)));
  return v128.bitselect(v128.andnot(signed, f64x2.le(left, zero)), u, hasRate);
}

/** The weights of two features as of now. */
// @ts-ignore: decorator
@inline
function lookAtTwo(
  one: usize, other: usize, isAdaptive: bool, times: v128, strengths: v128, l1Ratio: f64,
): v128 {
  const a = v128.load(one), b = v128.load(other);
  const before = v128.shuffle<f64>(v128.load(one, 16), v128.load(other, 16), 1, 3);
  const kappa = f64x2.mul(f64x2.sub(times, before), strengths);
  const q = isAdaptive ? v128.shuffle<f64>(a, b, 1, 3) : f64x2.splat(1);
  return penalised(v128.shuffle<f64>(a, b, 0, 2), kappa, q, l1Ratio);
}

/** `list` is as nonzeros.ts says. */
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
  const tiePositive = <i32>(load<f64>(state, 96) > 0);
  const rate = load<f64>(state, 104);
  const p = load<f64>(state, 112);
  const l1Ratio = load<f64>(state, 128);
  const averaging = load<f64>(state, 152) != 0;
  const isAdaptive = schedule == adaptive;
  const strength = load<f64>(state, 120) * (isAdaptive ? rate : 1);
  const column = (<usize>capacity) << 3;
  const places = list + (column << 1);
  const zero = f64x2.splat(0), rates = f64x2.splat(rate), strengths = f64x2.splat(strength);
  let bias = load<f64>(state);
  let biasSum = load<f64>(state, 8);
  let clock = load<f64>(state, 24);
  let updates = load<f64>(state, 32);
  let mistaken = 0;
  let quiet = load<f64>(state, 56);
  let penaltyClock = load<f64>(state, 136);
  let biasSquares = load<f64>(state, 144);
  v128.store(list + (<usize>capacity) * 20, zero);
  v128.store(list + (<usize>capacity) * 20, zero, 16);

  let i = from;
  while (i < to) {
    const y = load<f64>(labels + ((<usize>i) << 3));
    const h = importance ? load<f64>(importance + ((<usize>i) << 3)) : 1.0;
    const count = listNonzeros(layout, i, offsets, indices, values, dimension, high, low, list, capacity, records, 5);
    const end = list + ((<usize>(count + 3) & ~3) << 3);
    i++;

    // The weights as of now, and the score.
    const time = isAdaptive ? clock : penaltyClock;
    const times = f64x2.splat(time);
    let front = zero, back = zero;
    for (let x = list, at = places; x < end; x += 32, at += 16) {
      let w = lookAtTwo(<usize>load<u32>(at), <usize>load<u32>(at, 4), isAdaptive, times, strengths, l1Ratio);
      v128.store(x + column, w);
      front = f64x2.add(front, f64x2.mul(v128.load(x), w));
      w = lookAtTwo(<usize>load<u32>(at, 8), <usize>load<u32>(at, 12), isAdaptive, times, strengths, l1Ratio);
      v128.store(x + column, w, 16);
      back = f64x2.add(back, f64x2.mul(v128.load(x, 16), w));
    }
    const a = (f64x2.extract_lane(front, 0) + f64x2.extract_lane(front, 1)) +
      (f64x2.extract_lane(back, 0) + f64x2.extract_lane(back, 1)) + bias * c;

    mistaken += (<i32>(a > 0) | (tiePositive & ~<i32>(a < 0))) ^ <i32>(y > 0); // no branch, see learn.ts
    const f = lossStep(loss, y * a);
    const update = h > 0 && f > 0;
    const eta = schedule == inverseScaling && h > 0 ? rate / power(1 + clock, p) : rate;
    const age = clock * clock;
    const g = update ? h * f * y : 0;
    if (update) {
      const constant = g * c;
      if (isAdaptive) {
        biasSquares += constant * constant;
        if (biasSquares > 0) bias += (rate * constant) / sqrt(biasSquares);
      } else bias += eta * g * c;
    }

    // The step. Where neither it nor a penalty changes weights, their records can wait.
    if (update || (h > 0 && strength > 0)) {
      const ages = f64x2.splat(age);
      const steps = f64x2.splat(isAdaptive ? g : eta * g);
      for (let x = list, at = places; x < end; x += 16, at += 8) {
        const one = <usize>load<u32>(at), other = <usize>load<u32>(at, 4);
        const w = v128.load(x + column);
        const second = v128.shuffle<f64>(v128.load(one), v128.load(other), 1, 3);
        const a = v128.load(one, 16), b = v128.load(other, 16);
        const before = v128.shuffle<f64>(a, b, 1, 3);
        const counted = isAdaptive ? f64x2.mul(before, before) : second;
        const sum = f64x2.add(v128.shuffle<f64>(a, b, 0, 2), f64x2.mul(w, f64x2.sub(ages, counted)));
        let u = w, q = ages;
        if (isAdaptive) {
          q = second;
          if (update) {
            const step = f64x2.mul(steps, v128.load(x));
            q = f64x2.sqrt(f64x2.add(f64x2.mul(q, q), f64x2.mul(step, step)));
            u = f64x2.add(f64x2.mul(w, q), f64x2.mul(rates, step));
          } else u = f64x2.mul(w, q);
          u = v128.bitselect(u, w, f64x2.gt(q, zero));
        } else if (update) u = f64x2.add(w, f64x2.mul(steps, v128.load(x)));
        v128.store(one, v128.shuffle<f64>(u, q, 0, 2));
        v128.store(one, v128.shuffle<f64>(sum, times, 0, 2), 16);
        v128.store(other, v128.shuffle<f64>(u, q, 1, 3));
        v128.store(other, v128.shuffle<f64>(sum, times, 1, 3), 16);
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
  store<f64>(state, load<f64>(state, 40) + <f64>mistaken, 40);
  store<f64>(state, load<f64>(state, 48) + <f64>(i - from), 48);
  store<f64>(state, quiet, 56);
  store<f64>(state, penaltyClock, 136);
  store<f64>(state, biasSquares, 144);
  return i - from;
}
