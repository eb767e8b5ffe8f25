// The mistake-driven loop. One template for all layouts; slots and conditions are those of src/kernels/kernels.ts.

import { addCompact, addCompactTwice, dotCompact } from './compact';
import { addDense, addSingle, addSparse, dotDense, dotSingle, dotSparse } from './dot';

// `single`: dense rows of 32-bit floats.
const sparse = 0, dense = 1, compact = 2, single = 3;

// @ts-ignore: decorator
@inline
function learn(
  layout: i32,
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

  let k = from;
  while (k < to) {
    const i = order ? load<u32>(order + ((<usize>k) << 2)) : k;
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
    const update = h > 0
      && (condition == 0 ? m <= threshold : condition == 1 ? m < threshold : (a >= 0 ? 1.0 : -1.0) != y);
    if (update) {
      const g = h * y;
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
  return learn(sparse, order, from, to, offsets, indices, values, 0, 1, 0, labels, importance, weights, sums, state);
}

export function learnDense(
  order: usize, from: i32, to: i32,
  values: usize, dimension: i32, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(dense, order, from, to, 0, 0, values, dimension, 1, 0, labels, importance, weights, sums, state);
}

export function learnSingle(
  order: usize, from: i32, to: i32,
  values: usize, dimension: i32, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(single, order, from, to, 0, 0, values, dimension, 1, 0, labels, importance, weights, sums, state);
}

export function learnCompact(
  order: usize, from: i32, to: i32,
  offsets: usize, indices: usize, values: usize, high: f64, low: f64, labels: usize, importance: usize,
  weights: usize, sums: usize, state: usize,
): i32 {
  return learn(compact, order, from, to, offsets, indices, values, 0, high, low, labels, importance, weights, sums, state);
}
