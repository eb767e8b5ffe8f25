// Loops of Newton's method of the rule `logistic`. The same loops, easier to read: src/kernels/reference-newton.ts.

import { exponential, logOnePlus } from './exponential';
import { addTo, get, set, wordAt } from './memory';

/** Returns the sum of four lanes, with the products of the numbers from `from` to n at two places in lane 0. */
function total(front: v128, back: v128, a: usize, b: usize, from: i32, n: i32): f64 {
  let first = f64x2.extract_lane(front, 0);
  for (let m = from; m < n; m++) first += get(a, m) * get(b, m);
  return first + f64x2.extract_lane(front, 1) + (f64x2.extract_lane(back, 0) + f64x2.extract_lane(back, 1));
}

/** Returns the inner product of the first n numbers at two places. */
function product(a: usize, b: usize, n: i32): f64 {
  let front = f64x2.splat(0), back = front;
  let m = 0;
  for (; m + 3 < n; m += 4) {
    const at = <usize>m << 3;
    front = f64x2.add(front, f64x2.mul(v128.load(a + at), v128.load(b + at)));
    back = f64x2.add(back, f64x2.mul(v128.load(a + at, 16), v128.load(b + at, 16)));
  }
  return total(front, back, a, b, m, n);
}

/** Writes the entry of a row of the factor in column j; `below` has row j. */
function divide(row: usize, j: i32, product: f64, below: usize): void {
  set(row, j, (get(row, j) - product) / get(below, j));
}

function finishRow(matrix: usize, width: i32, i: i32, from: i32): void {
  const size = <usize>width << 3, row = matrix + <usize>i * size;
  for (let j = from; j < i; j++) {
    const below = matrix + <usize>j * size;
    divide(row, j, product(row, below, j), below);
  }
  const own = get(row, i), pivot = own - product(row, row, i);
  set(row, i, own > 0 ? sqrt(max(pivot, own * 1e-13)) : 1);
}

/** Replaces the lower triangle of a matrix by its Cholesky factor. */
export function factorise(matrix: usize, width: i32): void {
  const size = <usize>width << 3;
  let i = 0;
  // Four rows at a time, because they read the same rows of the factor.
  for (; i + 3 < width; i += 4) {
    const r0 = matrix + <usize>i * size, r1 = r0 + size, r2 = r1 + size, r3 = r2 + size;
    for (let j = 0; j < i; j++) {
      const below = matrix + <usize>j * size;
      let f0 = f64x2.splat(0), f1 = f0, f2 = f0, f3 = f0, b0 = f0, b1 = f0, b2 = f0, b3 = f0;
      let m = 0;
      for (; m + 3 < j; m += 4) {
        const at = <usize>m << 3;
        const x = v128.load(below + at), y = v128.load(below + at, 16);
        f0 = f64x2.add(f0, f64x2.mul(v128.load(r0 + at), x));
        b0 = f64x2.add(b0, f64x2.mul(v128.load(r0 + at, 16), y));
        f1 = f64x2.add(f1, f64x2.mul(v128.load(r1 + at), x));
        b1 = f64x2.add(b1, f64x2.mul(v128.load(r1 + at, 16), y));
        f2 = f64x2.add(f2, f64x2.mul(v128.load(r2 + at), x));
        b2 = f64x2.add(b2, f64x2.mul(v128.load(r2 + at, 16), y));
        f3 = f64x2.add(f3, f64x2.mul(v128.load(r3 + at), x));
        b3 = f64x2.add(b3, f64x2.mul(v128.load(r3 + at, 16), y));
      }
      divide(r0, j, total(f0, b0, r0, below, m, j), below);
      divide(r1, j, total(f1, b1, r1, below, m, j), below);
      divide(r2, j, total(f2, b2, r2, below, m, j), below);
      divide(r3, j, total(f3, b3, r3, below, m, j), below);
    }
    for (let k = i; k < i + 4; k++) finishRow(matrix, width, k, i);
  }
  for (; i < width; i++) finishRow(matrix, width, i, 0);
}

/** Replaces x by (L·Lᵀ)⁻¹·x. */
export function substitute(factor: usize, width: i32, x: usize): void {
  const size = <usize>width << 3;
  let i = 0;
  // Four rows at a time: the differences of one row wait for each other.
  for (; i + 3 < width; i += 4) {
    const r0 = factor + <usize>i * size, r1 = r0 + size, r2 = r1 + size, r3 = r2 + size;
    let s0 = get(x, i), s1 = get(x, i + 1), s2 = get(x, i + 2), s3 = get(x, i + 3);
    for (let j = 0; j < i; j++) {
      const known = get(x, j);
      s0 -= get(r0, j) * known;
      s1 -= get(r1, j) * known;
      s2 -= get(r2, j) * known;
      s3 -= get(r3, j) * known;
    }
    s0 /= get(r0, i);
    s1 = (s1 - get(r1, i) * s0) / get(r1, i + 1);
    s2 = (s2 - get(r2, i) * s0 - get(r2, i + 1) * s1) / get(r2, i + 2);
    s3 = (s3 - get(r3, i) * s0 - get(r3, i + 1) * s1 - get(r3, i + 2) * s2) / get(r3, i + 3);
    set(x, i, s0);
    set(x, i + 1, s1);
    set(x, i + 2, s2);
    set(x, i + 3, s3);
  }
  for (; i < width; i++) {
    const row = factor + <usize>i * size;
    let sum = get(x, i);
    for (let j = 0; j < i; j++) sum -= get(row, j) * get(x, j);
    set(x, i, sum / get(row, i));
  }
  for (i = width - 1; i >= 0; i--) {
    const row = factor + <usize>i * size;
    const value = get(x, i) / get(row, i), values = f64x2.splat(value);
    set(x, i, value);
    let j = 0;
    for (; j + 1 < i; j += 2) {
      const at = <usize>j << 3;
      v128.store(x + at, f64x2.sub(v128.load(x + at), f64x2.mul(v128.load(row + at), values)));
    }
    if (j < i) set(x, j, get(x, j) - get(row, j) * value);
  }
}

// For two classes: rows [from, to), of values at places of a vector that ends with the bias.

// @ts-ignore: decorator
@inline
function scoreOf(i: i32, bias: i32, offsets: usize, indices: usize, values: usize, weights: usize): f64 {
  const end = wordAt(offsets, i + 1);
  let score = get(weights, bias);
  for (let n = wordAt(offsets, i); n < end; n++) score += get(values, n) * get(weights, wordAt(indices, n));
  return score;
}

// @ts-ignore: decorator
@inline
function addRow(i: i32, bias: i32, factor: f64, offsets: usize, indices: usize, values: usize, out: usize): void {
  const end = wordAt(offsets, i + 1);
  for (let n = wordAt(offsets, i); n < end; n++) addTo(out, wordAt(indices, n), factor * get(values, n));
  addTo(out, bias, factor);
}

export function scores(
  from: i32, to: i32, bias: i32, offsets: usize, indices: usize, values: usize, weights: usize, out: usize,
): void {
  for (let i = from; i < to; i++) set(out, i, scoreOf(i, bias, offsets, indices, values, weights));
}

/** Adds rows times factors to `out`. */
export function addRows(
  from: i32, to: i32, bias: i32, offsets: usize, indices: usize, values: usize, factors: usize, out: usize,
): void {
  for (let i = from; i < to; i++) addRow(i, bias, get(factors, i), offsets, indices, values, out);
}

/** Adds the product of the Hessian of the loss and weights to `out`. */
export function binaryProduct(
  from: i32, to: i32, bias: i32, offsets: usize, indices: usize, values: usize,
  curvatures: usize, weights: usize, out: usize,
): void {
  for (let i = from; i < to; i++) {
    const factor = scoreOf(i, bias, offsets, indices, values, weights) * get(curvatures, i);
    addRow(i, bias, factor, offsets, indices, values, out);
  }
}

/** Adds the losses at scores + t·change, times shares, to a sum. */
export function loss(
  from: i32, to: i32, sum: f64, labels: usize, shares: usize, scores: usize, change: usize, t: f64,
): f64 {
  for (let i = from; i < to; i++) {
    const score = t == 0 ? get(scores, i) : get(scores, i) + t * get(change, i);
    const margin = wordAt(labels, i) == 1 ? score : -score;
    sum += get(shares, i) * (max<f64>(0, -margin) + logOnePlus(exponential(-abs(margin))));
  }
  return sum;
}

/** Writes the derivatives of the losses by the scores, times shares. */
export function derive(
  from: i32, to: i32, labels: usize, shares: usize, scores: usize, slopes: usize, curvatures: usize,
): void {
  for (let i = from; i < to; i++) {
    const score = get(scores, i), h = get(shares, i);
    const e = exponential(-abs(score)), less = e / (1 + e), more = 1 / (1 + e);
    set(curvatures, i, h * less * more);
    const low = score < 0;
    set(slopes, i, wordAt(labels, i) == 1 ? -h * (low ? more : less) : h * (low ? less : more));
  }
}

/** Adds x·xᵀ times curvatures that are not less than `least`, of each `every`-th row; `near` rows came before. */
export function addSquares(
  from: i32, to: i32, near: i32, every: i32, least: f64, features: u32, offsets: usize, indices: usize, values: usize,
  curvatures: usize, matrix: usize,
): i32 {
  const bias = features * (features + 1);
  for (let i = from; i < to; i++) {
    if (get(curvatures, i) < least || near++ % every > 0) continue;
    const curvature = <f64>every * get(curvatures, i);
    const first = wordAt(offsets, i);
    let end = wordAt(offsets, i + 1);
    while (end > first && wordAt(indices, end - 1) >= features) end--;
    for (let a = first; a < end; a++) {
      const x = curvature * get(values, a), place = wordAt(indices, a);
      const row = matrix + (<usize>(place * (features + 1)) << 3);
      for (let b = first; b <= a; b++) addTo(row, wordAt(indices, b), x * get(values, b));
      addTo(matrix, bias + place, x);
    }
    addTo(matrix, bias + features, curvature);
  }
  return near;
}

/** Adds the Hessian of the softmax loss times weights to `out`. `row` has room for K numbers. */
export function softmaxProduct(
  rows: i32, K: i32, width: i32, offsets: usize, indices: usize, values: usize, shares: usize, probabilities: usize,
  likeliest: usize, weights: usize, out: usize, row: usize,
): void {
  const size = <usize>K << 3, pairs = <usize>(K >> 1) << 4, isOdd = (K & 1) == 1, last = size - 8;
  const bias = <usize>(width - 1) * size;
  for (let i = 0; i < rows; i++) {
    const from = load<u32>(offsets + (<usize>i << 2)), to = load<u32>(offsets + (<usize>i << 2), 4);
    memory.copy(row, weights + bias, size);
    let n = from;
    for (; n + 1 < to; n += 2) {
      const x = get(values, n), x2 = get(values, n + 1);
      const w = weights + <usize>load<u32>(indices + (<usize>n << 2)) * size;
      const w2 = weights + <usize>load<u32>(indices + (<usize>n << 2), 4) * size;
      const xs = f64x2.splat(x), xs2 = f64x2.splat(x2);
      for (let k: usize = 0; k < pairs; k += 16) {
        const both = f64x2.add(f64x2.mul(xs, v128.load(w + k)), f64x2.mul(xs2, v128.load(w2 + k)));
        v128.store(row + k, f64x2.add(v128.load(row + k), both));
      }
      if (isOdd) store<f64>(row + last, load<f64>(row + last) + (x * load<f64>(w + last) + x2 * load<f64>(w2 + last)));
    }
    if (n < to) addTimes(weights + <usize>load<u32>(indices + (<usize>n << 2)) * size, get(values, n), row, pairs, size);

    const p = probabilities + <usize>i * size, h = get(shares, i);
    const origin = get(row, load<u32>(likeliest + (<usize>i << 2)));
    let mean: f64 = 0;
    for (let k = 0; k < K; k++) mean += get(p, k) * (get(row, k) - origin);
    for (let k = 0; k < K; k++) set(row, k, h * get(p, k) * (get(row, k) - origin - mean));

    for (n = from; n < to; n++)
      addTimes(row, get(values, n), out + <usize>load<u32>(indices + (<usize>n << 2)) * size, pairs, size);
    addTimes(row, 1, out + bias, pairs, size);
  }
}

/** Adds x times the numbers at `from` to those at `to`: `pairs` bytes of pairs, and one more if `size` is larger. */
function addTimes(from: usize, x: f64, to: usize, pairs: usize, size: usize): void {
  const xs = f64x2.splat(x);
  for (let k: usize = 0; k < pairs; k += 16)
    v128.store(to + k, f64x2.add(v128.load(to + k), f64x2.mul(xs, v128.load(from + k))));
  if (pairs < size) store<f64>(to + pairs, load<f64>(to + pairs) + x * load<f64>(from + pairs));
}
