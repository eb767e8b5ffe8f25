// Stochastic gradient steps with lazy penalties and means. Positions of state and records, and losses:
// src/kernels/layout.ts. The same loop, easier to read: src/kernels/reference-learn.ts. This one takes two features at
// a time: a nonzero costs one division and one square root, and the processor does two of each in the time of one.

import * as layout from '../src/kernels/layout';
import { exponential, power } from './exponential';
import { finish, isMistaken } from './learn';
import { get, set, wordAt } from './memory';
import { listNonzeros, nowhereOf, placesOf } from './nonzeros';

/** A record has 2⁵ bytes: the four doubles of `layout.recordSize`. The loop reads and writes them in pairs. */
const recordShift = 5;

/** Returns −∂L/∂m. */
function lossStep(loss: i32, m: f64): f64 {
  if (loss == layout.lossPerceptron) return m <= 0 ? 1 : 0;
  if (loss == layout.lossHinge) return m <= 1 ? 1 : 0;
  if (loss == layout.lossLogistic) return 1 / (1 + exponential(m));
  if (!(m < 1)) return 0;
  return loss == layout.lossSquaredHinge || m >= -1 ? 2 * (1 - m) : 4;
}

/** Does the same as `penalised` of src/kernels/steps.ts, for two features. */
// @ts-ignore: decorator
@inline
export function penalised(u: v128, kappa: v128, q: v128, l1Ratio: f64): v128 {
  const zero = f64x2.splat(0);
  const hasRate = f64x2.gt(q, zero);
  if (l1Ratio == 0) return v128.bitselect(f64x2.div(u, f64x2.add(q, kappa)), u, hasRate);
  const left = f64x2.sub(f64x2.abs(u), f64x2.mul(f64x2.splat(l1Ratio), kappa));
  const size = f64x2.div(left, f64x2.add(q, f64x2.mul(f64x2.splat(1 - l1Ratio), kappa)));
  const signed = v128.or(size, v128.and(u, f64x2.splat(-0.0)));
  return v128.bitselect(v128.andnot(signed, f64x2.le(left, zero)), u, hasRate);
}

/** Returns the current weights of two features. */
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

/** Shows examples [from, to) to a learner by stochastic gradient descent. `list`: see nonzeros.ts. */
export function learnSgd(
  batch: usize, from: i32, to: i32, list: usize, capacity: i32, records: usize, state: usize,
): i32 {
  const labels = wordAt(batch, layout.batchLabels), importance = wordAt(batch, layout.batchImportance);
  const c = get(state, layout.biasConstant);
  const cleanStreakLimit = get(state, layout.cleanStreakLimit), updateLimit = get(state, layout.updateLimit);
  const loss = <i32>get(state, layout.loss), schedule = <i32>get(state, layout.schedule);
  const tiePositive = <i32>(get(state, layout.tie) > 0);
  const rate = get(state, layout.rate), p = get(state, layout.power), l1Ratio = get(state, layout.l1Ratio);
  const averaging = get(state, layout.averaging) != 0;
  const isAdaptive = schedule == layout.scheduleAdaptive;
  const strength = get(state, layout.alpha) * (isAdaptive ? rate : 1);
  const column = <usize>capacity << 3;
  const places = placesOf(list, capacity);
  const zero = f64x2.splat(0), rates = f64x2.splat(rate), strengths = f64x2.splat(strength);
  let bias = get(state, layout.bias), biasSum = get(state, layout.biasSum);
  let clock = get(state, layout.clock), updates = get(state, layout.updates);
  let cleanStreak = get(state, layout.cleanStreak);
  let mistaken = 0;
  let penaltyClock = get(state, layout.penaltyClock), biasSquares = get(state, layout.biasSquares);
  v128.store(nowhereOf(list, capacity), zero);
  v128.store(nowhereOf(list, capacity), zero, 16);

  let i = from;
  while (i < to) {
    const y = get(labels, i);
    const h = importance ? get(importance, i) : 1.0;
    const count = listNonzeros(batch, i, list, capacity, records, recordShift);
    const end = list + ((<usize>(count + 3) & ~3) << 3);
    i++;

    // The current weights, and the score.
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

    mistaken += isMistaken(a, y, tiePositive);
    const f = lossStep(loss, y * a);
    const update = h > 0 && f > 0;
    const eta = schedule == layout.scheduleInverseScaling && h > 0 ? rate / power(1 + clock, p) : rate;
    const age = clock * clock;
    const g = update ? h * f * y : 0;
    if (update) {
      const constant = g * c;
      if (isAdaptive) {
        biasSquares += constant * constant;
        if (biasSquares > 0) bias += (rate * constant) / sqrt(biasSquares);
      } else bias += eta * g * c;
    }

    // The step. If neither it nor a penalty changes weights, their records can wait.
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
      cleanStreak = 0;
      if (updates >= updateLimit) break;
    } else {
      cleanStreak += 1;
      if (cleanStreak >= cleanStreakLimit) break;
    }
  }

  set(state, layout.penaltyClock, penaltyClock);
  set(state, layout.biasSquares, biasSquares);
  return finish(state, bias, biasSum, clock, updates, mistaken, i - from, cleanStreak);
}
