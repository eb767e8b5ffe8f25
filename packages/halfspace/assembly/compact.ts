// Sparse rows in six bytes per value: 16-bit indices, and integers m that stand for m / 10^p. If a value was read from
// a decimal of p places, m / 10^p is the same double, so nothing is lost and a pass reads half the bytes. The quotient
// is computed as m·high + m·low (src/kernels/decimal-places.ts), which is as exact and much faster. Lanes and their
// order: vectors.ts.

// @ts-ignore: decorator
@inline
export function dotCompact(indices: usize, values: usize, count: i32, high: f64, low: f64, weights: usize): f64 {
  let front = f64x2.splat(0), back = f64x2.splat(0);
  const highs = f64x2.splat(high), lows = f64x2.splat(low);
  const whole = count & ~3;
  let k = 0;
  for (; k < whole; k += 4) {
    const at = indices + ((<usize>k) << 1);
    const m = v128.load(values + ((<usize>k) << 2));
    const upper = i8x16.shuffle(m, m, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
    let w = v128.load64_zero(weights + ((<usize>load<u16>(at)) << 3));
    w = v128.load64_lane(weights + ((<usize>load<u16>(at, 2)) << 3), w, 1);
    let v = v128.load64_zero(weights + ((<usize>load<u16>(at, 4)) << 3));
    v = v128.load64_lane(weights + ((<usize>load<u16>(at, 6)) << 3), v, 1);
    front = f64x2.add(front, f64x2.mul(w, twoValues(m, highs, lows)));
    back = f64x2.add(back, f64x2.mul(v, twoValues(upper, highs, lows)));
  }
  let s0 = f64x2.extract_lane(front, 0), s1 = f64x2.extract_lane(front, 1), s2 = f64x2.extract_lane(back, 0);
  const s3 = f64x2.extract_lane(back, 1);
  if (k < count) {
    s0 += weightAt(weights, indices, k) * valueAt(values, k, high, low);
    if (++k < count) {
      s1 += weightAt(weights, indices, k) * valueAt(values, k, high, low);
      if (++k < count) s2 += weightAt(weights, indices, k) * valueAt(values, k, high, low);
    }
  }
  return (s0 + s1) + (s2 + s3);
}

// @ts-ignore: decorator
@inline
function weightAt(weights: usize, indices: usize, k: i32): f64 {
  return load<f64>(weights + ((<usize>load<u16>(indices + ((<usize>k) << 1))) << 3));
}

// @ts-ignore: decorator
@inline
function valueAt(values: usize, k: i32, high: f64, low: f64): f64 {
  const m = <f64>load<i32>(values + ((<usize>k) << 2));
  return m * high + m * low;
}

/** Returns the values of the two lower 32-bit lanes. */
// @ts-ignore: decorator
@inline
export function twoValues(m: v128, highs: v128, lows: v128): v128 {
  const whole = f64x2.convert_low_i32x4_s(m);
  return f64x2.add(f64x2.mul(whole, highs), f64x2.mul(whole, lows));
}

/** Computes w += g·x, and u += s·x if there are sums u. One element after the other, because indices may repeat. */
export function addCompact(
  indices: usize, values: usize, count: i32, high: f64, low: f64, g: f64, weights: usize, s: f64, sums: usize,
): void {
  if (sums) addEach(true, indices, values, count, high, low, g, weights, s, sums);
  else addEach(false, indices, values, count, high, low, g, weights, s, sums);
}

// @ts-ignore: decorator
@inline
function addEach(
  twice: bool, indices: usize, values: usize, count: i32, high: f64, low: f64, g: f64, weights: usize, s: f64, sums: usize,
): void {
  for (let k = 0; k < count; k++) {
    const at = (<usize>load<u16>(indices + ((<usize>k) << 1))) << 3;
    const x = valueAt(values, k, high, low);
    store<f64>(weights + at, load<f64>(weights + at) + g * x);
    if (twice) store<f64>(sums + at, load<f64>(sums + at) + s * x);
  }
}

/** Returns ‖x‖² of a row. */
export function squaredNormCompact(values: usize, count: i32, high: f64, low: f64): f64 {
  let s0: f64 = 0, s1: f64 = 0, s2: f64 = 0, s3: f64 = 0;
  for (let k = 0; k < count; k++) {
    const x = valueAt(values, k, high, low);
    const lane = k & 3;
    if (lane == 0) s0 += x * x;
    else if (lane == 1) s1 += x * x;
    else if (lane == 2) s2 += x * x;
    else s3 += x * x;
  }
  return (s0 + s1) + (s2 + s3);
}

/** Writes rows compactly. Returns 0 if a 32-bit m does not reproduce some value to the bit, else 1. */
export function compact(
  indices: usize, values: usize, count: i32, ten: f64, high: f64, low: f64, outIndices: usize, outValues: usize,
): i32 {
  const tens = f64x2.splat(ten), highs = f64x2.splat(high), lows = f64x2.splat(low);
  let k = 0;
  while (k < count) {
    // Tests the results once per 64 values.
    const end = min(count, k + 64);
    let right = i64x2.splat(-1);
    for (; k + 2 <= end; k += 2) {
      const x = v128.load(values + ((<usize>k) << 3));
      const m = i32x4.trunc_sat_f64x2_s_zero(f64x2.nearest(f64x2.mul(x, tens)));
      right = v128.and(right, i64x2.eq(twoValues(m, highs, lows), x));
      v128.store64_lane(outValues + ((<usize>k) << 2), m, 0);
      const at = load<u64>(indices + ((<usize>k) << 2));
      store<u32>(outIndices + ((<usize>k) << 1), <u32>at | <u32>(at >> 16));
    }
    if (!i64x2.all_true(right)) return 0;
    if (k < end) {
      const x = load<f64>(values + ((<usize>k) << 3));
      const m = <i32>i32x4.extract_lane(i32x4.trunc_sat_f64x2_s_zero(f64x2.splat(nearest(x * ten))), 0);
      if (reinterpret<u64>(<f64>m * high + <f64>m * low) != reinterpret<u64>(x)) return 0;
      store<i32>(outValues + ((<usize>k) << 2), m);
      store<u16>(outIndices + ((<usize>k) << 1), <u16>load<u32>(indices + ((<usize>k) << 2)));
      k++;
    }
  }
  return 1;
}
