// Arithmetic on the values of a row: inner products, sums w += g·x, norms. Sums run in four lanes, element k in lane
// k mod 4, folded as (s0 + s1) + (s2 + s3), for sparse and dense rows alike.

// @ts-ignore: decorator
@inline
export function dotSparse(indices: usize, values: usize, count: i32, weights: usize): f64 {
  let s0: f64 = 0, s1: f64 = 0, s2: f64 = 0, s3: f64 = 0;
  const whole = count & ~3;
  let k = 0;
  for (; k < whole; k += 4) {
    const at = indices + ((<usize>k) << 2);
    const v = values + ((<usize>k) << 3);
    s0 += load<f64>(weights + ((<usize>load<u32>(at)) << 3)) * load<f64>(v);
    s1 += load<f64>(weights + ((<usize>load<u32>(at, 4)) << 3)) * load<f64>(v, 8);
    s2 += load<f64>(weights + ((<usize>load<u32>(at, 8)) << 3)) * load<f64>(v, 16);
    s3 += load<f64>(weights + ((<usize>load<u32>(at, 12)) << 3)) * load<f64>(v, 24);
  }
  if (k < count) {
    s0 += load<f64>(weights + ((<usize>load<u32>(indices + ((<usize>k) << 2))) << 3)) * load<f64>(values + ((<usize>k) << 3));
    if (++k < count) {
      s1 += load<f64>(weights + ((<usize>load<u32>(indices + ((<usize>k) << 2))) << 3)) * load<f64>(values + ((<usize>k) << 3));
      if (++k < count)
        s2 += load<f64>(weights + ((<usize>load<u32>(indices + ((<usize>k) << 2))) << 3)) * load<f64>(values + ((<usize>k) << 3));
    }
  }
  return (s0 + s1) + (s2 + s3);
}

// @ts-ignore: decorator
@inline
export function dotDense(a: usize, b: usize, count: i32): f64 {
  let low = f64x2.splat(0), high = f64x2.splat(0);
  const whole = count & ~3;
  let k = 0;
  for (; k < whole; k += 4) {
    const at = (<usize>k) << 3;
    low = f64x2.add(low, f64x2.mul(v128.load(a + at), v128.load(b + at)));
    high = f64x2.add(high, f64x2.mul(v128.load(a + at, 16), v128.load(b + at, 16)));
  }
  let s0 = f64x2.extract_lane(low, 0), s1 = f64x2.extract_lane(low, 1), s2 = f64x2.extract_lane(high, 0);
  const s3 = f64x2.extract_lane(high, 1);
  if (k < count) {
    s0 += load<f64>(a + ((<usize>k) << 3)) * load<f64>(b + ((<usize>k) << 3));
    if (++k < count) {
      s1 += load<f64>(a + ((<usize>k) << 3)) * load<f64>(b + ((<usize>k) << 3));
      if (++k < count) s2 += load<f64>(a + ((<usize>k) << 3)) * load<f64>(b + ((<usize>k) << 3));
    }
  }
  return (s0 + s1) + (s2 + s3);
}

/** Same as dotDense, with `a` in 32-bit floats, widened exactly before the products. */
// @ts-ignore: decorator
@inline
export function dotSingle(a: usize, b: usize, count: i32): f64 {
  let low = f64x2.splat(0), high = f64x2.splat(0);
  let p = a, q = b;
  for (const end = a + ((<usize>count & ~3) << 2); p < end; p += 16, q += 32) {
    low = f64x2.add(low, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(p)), v128.load(q)));
    high = f64x2.add(high, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(p, 8)), v128.load(q, 16)));
  }
  let s0 = f64x2.extract_lane(low, 0), s1 = f64x2.extract_lane(low, 1), s2 = f64x2.extract_lane(high, 0);
  const s3 = f64x2.extract_lane(high, 1);
  const rest = count & 3;
  if (rest != 0) {
    s0 += <f64>load<f32>(p) * load<f64>(q);
    if (rest > 1) {
      s1 += <f64>load<f32>(p, 4) * load<f64>(q, 8);
      if (rest > 2) s2 += <f64>load<f32>(p, 8) * load<f64>(q, 16);
    }
  }
  return (s0 + s1) + (s2 + s3);
}

/** Computes w += g·x, and u += s·x if there are sums u. One element after the other, because indices may repeat. */
export function addSparse(indices: usize, values: usize, count: i32, g: f64, weights: usize, s: f64, sums: usize): void {
  if (sums) addEach(true, indices, values, count, g, weights, s, sums);
  else addEach(false, indices, values, count, g, weights, s, sums);
}

// @ts-ignore: decorator
@inline
function addEach(
  twice: bool, indices: usize, values: usize, count: i32, g: f64, weights: usize, s: f64, sums: usize,
): void {
  const end = indices + ((<usize>count) << 2);
  for (; indices < end; indices += 4, values += 8) {
    const at = (<usize>load<u32>(indices)) << 3, x = load<f64>(values);
    store<f64>(weights + at, load<f64>(weights + at) + g * x);
    if (twice) store<f64>(sums + at, load<f64>(sums + at) + s * x);
  }
}

/** Computes w += g·x for a dense row, and u += s·x if there are sums u. */
// @ts-ignore: decorator
@inline
export function addDense<Value>(values: usize, count: i32, g: f64, weights: usize, s: f64, sums: usize): void {
  if (sums) addPairs<Value>(true, values, count, g, weights, s, sums);
  else addPairs<Value>(false, values, count, g, weights, s, sums);
}

// @ts-ignore: decorator
@inline
function addPairs<Value>(
  twice: bool, values: usize, count: i32, g: f64, weights: usize, s: f64, sums: usize,
): void {
  const step = f64x2.splat(g), sumStep = f64x2.splat(s);
  let x = values, w = weights, u = sums;
  for (const end = w + ((<usize>count & ~1) << 3); w < end; w += 16, x += 2 * sizeof<Value>()) {
    const v = sizeof<Value>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(x)) : v128.load(x);
    v128.store(w, f64x2.add(v128.load(w), f64x2.mul(step, v)));
    if (twice) {
      v128.store(u, f64x2.add(v128.load(u), f64x2.mul(sumStep, v)));
      u += 16;
    }
  }
  if (count & 1) {
    const v = <f64>load<Value>(x);
    store<f64>(w, load<f64>(w) + g * v);
    if (twice) store<f64>(u, load<f64>(u) + s * v);
  }
}

/** Returns ‖x‖² of a row of doubles, sparse or dense. Norms are not inlined, to keep the learning loop small. */
export function squaredNormDouble(values: usize, count: i32): f64 {
  return dotDense(values, values, count);
}

/** Returns ‖x‖² of a dense row of 32-bit floats. */
export function squaredNormSingle(values: usize, count: i32): f64 {
  let low = f64x2.splat(0), high = f64x2.splat(0);
  const whole = count & ~3;
  let k = 0;
  for (; k < whole; k += 4) {
    const x = f64x2.promote_low_f32x4(v128.load64_zero(values + ((<usize>k) << 2)));
    const z = f64x2.promote_low_f32x4(v128.load64_zero(values + ((<usize>k) << 2), 8));
    low = f64x2.add(low, f64x2.mul(x, x));
    high = f64x2.add(high, f64x2.mul(z, z));
  }
  let s0 = f64x2.extract_lane(low, 0), s1 = f64x2.extract_lane(low, 1), s2 = f64x2.extract_lane(high, 0);
  const s3 = f64x2.extract_lane(high, 1);
  for (; k < count; k++) {
    const x = <f64>load<f32>(values + ((<usize>k) << 2));
    const lane = k & 3;
    if (lane == 0) s0 += x * x;
    else if (lane == 1) s1 += x * x;
    else s2 += x * x;
  }
  return (s0 + s1) + (s2 + s3);
}
