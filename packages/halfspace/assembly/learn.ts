// The mistake-driven loop. One template for all layouts, and for steps of the perceptron's kind and others (`sized`), so that the
// perceptron's loop has nothing in it that it does not need; slots and conditions are those of src/kernels/kernels.ts. The loop that
// keeps a log of its updates (`logged`) is one for all layouts and steps: who keeps a ledger pays for it, and the module stays small.

import { addCompact, addCompactTwice, dotCompact, squaredNormCompact } from './compact';
import { addDense, addSingle, addSparse, dotDense, dotSingle, dotSparse, squaredNorm, squaredNormSingle } from './dot';

// `single`: dense rows of 32-bit floats.
const sparse = 0, dense = 1, compact = 2, single = 3;

/**
 * τ of the passive-aggressive step kinds, for the loss 1 − m and the squared norm n ≥ 0 of x and the constant. NaN where n is beyond the range
 * of doubles: a step of 0 would hide that.
 */
function stepSize(kind: i32, m: f64, n: f64, h: f64, aggressiveness: f64): f64 {
  if (n == Infinity) return NaN;
  const loss = 1 - m;
  if (kind == 3) return loss / (n + 0.5 / (h * aggressiveness));
  const whole = loss / n;
  return kind == 2 ? min(h * aggressiveness, whole) : whole;
}

/** Whether a row of doubles has a value other than 0, where the sum of their squares is 0. */
function hasValue(x: usize, count: i32): bool {
  for (let k = 0; k < count; k++) if (load<f64>(x + ((<usize>k) << 3)) != 0) return true;
  return false;
}

// @ts-ignore: decorator
@inline
function learn(
  layout: i32, sized: bool, log: usize, timed: i32,
  order: usize, from: i32, to: i32,
  offsets: usize, indices: usize, values: usize, dimension: i32, high: f64, low: f64, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  const c = load<f64>(state, 16);
  const quietLimit = load<f64>(state, 64);
  const updateLimit = load<f64>(state, 72);
  const condition = <i32>load<f64>(state, 80);
  const threshold = load<f64>(state, 88);
  const tiePositive = <i32>(load<f64>(state, 96) > 0);
  let bias = load<f64>(state);
  let biasSum = load<f64>(state, 8);
  let clock = load<f64>(state, 24);
  let updates = load<f64>(state, 32);
  let mistaken = 0;
  let quiet = load<f64>(state, 56);
  let entry = log;

  let k = from;
  while (k < to) {
    const i = order ? load<u32>(order + ((<usize>k) << 2)) : k;
    // Behind the entries written, of which there are not more than examples before this one.
    if (timed) clock = load<f64>(log + <usize>(k - from) * 24, 24);
    k++;
    const y = load<f64>(labels + ((<usize>i) << 3));
    const h = importance ? load<f64>(importance + ((<usize>i) << 3)) : 1.0;

    let x: usize, at: usize, count: i32;
    let a: f64;
    if (layout == sparse) {
      const start = load<u32>(offsets + ((<usize>i) << 2));
      count = <i32>(load<u32>(offsets + ((<usize>i) << 2), 4) - start);
      x = values + ((<usize>start) << 3);
      at = indices + ((<usize>start) << 2);
      a = dotSparse(at, x, count, weights) + bias * c;
    } else if (layout == compact) {
      const start = load<u32>(offsets + ((<usize>i) << 2));
      count = <i32>(load<u32>(offsets + ((<usize>i) << 2), 4) - start);
      x = values + ((<usize>start) << 2);
      at = indices + ((<usize>start) << 1);
      a = dotCompact(at, x, count, high, low, weights) + bias * c;
    } else if (layout == single) {
      count = dimension;
      x = values + ((<usize>i * <usize>dimension) << 2);
      at = 0;
      a = dotSingle(x, weights, count) + bias * c;
    } else {
      count = dimension;
      x = values + ((<usize>i * <usize>dimension) << 3);
      at = 0;
      a = dotDense(x, weights, count) + bias * c;
    }

    // Comparisons as numbers: a branch on the sign of a score, which is as good as chance, would be foreseen wrongly half the time.
    mistaken += (<i32>(a > 0) | (tiePositive & ~<i32>(a < 0))) ^ <i32>(y > 0);
    const m = y * a;
    let update = h > 0
      && (condition == 0 ? !(m > threshold) : condition == 1 ? !(m >= threshold) : (a >= 0 ? 1.0 : -1.0) != y);
    let g = h * y;
    const kind = sized ? <i32>load<f64>(state, 104) : 0;
    if (sized && update && kind != 0) {
      const n = (layout == compact ? squaredNormCompact(x, count, high, low)
        : layout == single ? squaredNormSingle(x, count)
        : squaredNorm(x, count)) + c * c;
      // Squares of 32-bit floats and of short decimals are never too small for a double.
      const some = n > 0 || ((layout == sparse || layout == dense) && hasValue(x, count));
      const step = some ? stepSize(kind, m, n, h, load<f64>(state, 112)) : 0.0;
      update = step != 0;
      g = step * y;
    }
    if (update) {
      bias += g * c;
      const s = clock * g;
      if (sums) biasSum += s * c;
      if (layout == sparse) {
        addSparse(at, x, count, g, weights);
        if (sums) addSparse(at, x, count, s, sums);
      } else if (layout == compact) {
        if (sums) addCompactTwice(at, x, count, high, low, g, weights, s, sums);
        else addCompact(at, x, count, high, low, g, weights);
      } else if (layout == single) {
        addSingle(x, count, g, weights);
        if (sums) addSingle(x, count, s, sums);
      } else {
        addDense(x, count, g, weights);
        if (sums) addDense(x, count, s, sums);
      }
      if (log) {
        store<f64>(entry, <f64>(k - 1), 8);
        store<f64>(entry, a, 16);
        store<f64>(entry, g, 24);
        entry += 24;
      }
      updates += 1;
      quiet = 0;
      clock += h;
      if (updates >= updateLimit) break;
    } else {
      clock += h;
      quiet += 1;
      if (quiet >= quietLimit) break;
    }
  }

  if (log) store<f64>(log, <f64>((entry - log) / 24));
  store<f64>(state, bias);
  store<f64>(state, biasSum, 8);
  store<f64>(state, clock, 24);
  store<f64>(state, updates, 32);
  store<f64>(state, load<f64>(state, 40) + <f64>mistaken, 40);
  store<f64>(state, load<f64>(state, 48) + <f64>(k - from), 48);
  store<f64>(state, quiet, 56);
  return k - from;
}

export function learnSparse(
  order: usize, from: i32, to: i32,
  offsets: usize, indices: usize, values: usize, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(sparse, false, 0, 0, order, from, to, offsets, indices, values, 0, 1, 0, labels, importance, weights, sums, state);
}

export function learnDense(
  order: usize, from: i32, to: i32,
  values: usize, dimension: i32, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(dense, false, 0, 0, order, from, to, 0, 0, values, dimension, 1, 0, labels, importance, weights, sums, state);
}

export function learnSingle(
  order: usize, from: i32, to: i32,
  values: usize, dimension: i32, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(single, false, 0, 0, order, from, to, 0, 0, values, dimension, 1, 0, labels, importance, weights, sums, state);
}

export function learnCompact(
  order: usize, from: i32, to: i32,
  offsets: usize, indices: usize, values: usize, high: f64, low: f64, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(compact, false, 0, 0, order, from, to, offsets, indices, values, 0, high, low, labels, importance, weights, sums, state);
}

export function learnSparseSized(
  order: usize, from: i32, to: i32,
  offsets: usize, indices: usize, values: usize, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(sparse, true, 0, 0, order, from, to, offsets, indices, values, 0, 1, 0, labels, importance, weights, sums, state);
}

export function learnDenseSized(
  order: usize, from: i32, to: i32,
  values: usize, dimension: i32, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(dense, true, 0, 0, order, from, to, 0, 0, values, dimension, 1, 0, labels, importance, weights, sums, state);
}

export function learnSingleSized(
  order: usize, from: i32, to: i32,
  values: usize, dimension: i32, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(single, true, 0, 0, order, from, to, 0, 0, values, dimension, 1, 0, labels, importance, weights, sums, state);
}

export function learnCompactSized(
  order: usize, from: i32, to: i32,
  offsets: usize, indices: usize, values: usize, high: f64, low: f64, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(compact, true, 0, 0, order, from, to, offsets, indices, values, 0, high, low, labels, importance, weights, sums, state);
}

export function learnLogged(
  layout: i32, log: usize, timed: i32,
  order: usize, from: i32, to: i32,
  offsets: usize, indices: usize, values: usize, dimension: i32, high: f64, low: f64, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(
    layout, true, log, timed, order, from, to, offsets, indices, values, dimension, high, low, labels, importance, weights, sums, state,
  );
}
