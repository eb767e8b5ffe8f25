// e^x and t^p by sums, products and quotients, with the bits of src/kernels/exponential.ts, which explains method and
// accuracy.

const reciprocalLn2: f64 = 1.4426950408889634;
const ln2High: f64 = 0.6931471803691238; // its last 32 bits are 0, so that k · ln2High is exact
const ln2Low: f64 = 1.9082149292705877e-10;
const sqrt2: f64 = 1.4142135623730951;

/** Returns 2^k for whole k in [−1022, 1023]. */
// @ts-ignore: decorator
@inline
function powerOfTwo(k: i32): f64 {
  return reinterpret<f64>(<u64>(k + 1023) << 52);
}

// Returns e^r for |r| ≤ ln(2)/2.
// @ts-ignore: decorator
@inline
function series(r: f64): f64 {
  const z = r * r, z2 = z * z;
  const front = 0.5 + (1.0 / 6.0) * r + (1.0 / 24.0 + (1.0 / 120.0) * r) * z;
  const middle = 1.0 / 720.0 + (1.0 / 5040.0) * r + (1.0 / 40320.0 + (1.0 / 362880.0) * r) * z;
  const back = 1.0 / 3628800.0 + (1.0 / 39916800.0) * r + (1.0 / 479001600.0 + (1.0 / 6227020800.0) * r) * z;
  const sum = front + middle * z2 + back * (z2 * z2);
  return 1 + (r + z * sum);
}

export function exponential(x: f64): f64 {
  if (x != x) return x;
  if (x > 709) return Infinity;
  if (x < -708.25) return 0;
  const k = floor(x * reciprocalLn2 + 0.5);
  const r = x - k * ln2High - k * ln2Low;
  return series(r) * powerOfTwo(<i32>k);
}

/** Returns ln(1 + x) for x in [0, 1], with the bits of src/kernels/natural-log.ts. */
export function logOnePlus(x: f64): f64 {
  const sum = 1 + x, isLarge = sum > sqrt2;
  const m = isLarge ? sum / 2 : sum;
  const s = (m - 1) / (m + 1), square = s * s;
  let tail = square * (1.0 / 23.0);
  tail = square * (1.0 / 21.0 + tail);
  tail = square * (1.0 / 19.0 + tail);
  tail = square * (1.0 / 17.0 + tail);
  tail = square * (1.0 / 15.0 + tail);
  tail = square * (1.0 / 13.0 + tail);
  tail = square * (1.0 / 11.0 + tail);
  tail = square * (1.0 / 9.0 + tail);
  tail = square * (1.0 / 7.0 + tail);
  tail = square * (1.0 / 5.0 + tail);
  tail = square * (1.0 / 3.0 + tail);
  const k: f64 = isLarge ? 1 : 0;
  return k * ln2High + (2 * s + (2 * s * tail + k * ln2Low)) + (x - (sum - 1)) / sum;
}

/** Returns t^p for t ≥ 1, p in [0, 1]. */
export function power(t: f64, p: f64): f64 {
  const word = reinterpret<u64>(t);
  let e = <f64>(<i32>(word >> 52) - 1023);
  let m = reinterpret<f64>((word & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (m > sqrt2) {
    m *= 0.5;
    e += 1;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let sum: f64 = 1.0 / 23.0;
  sum = sum * z + 1.0 / 21.0;
  sum = sum * z + 1.0 / 19.0;
  sum = sum * z + 1.0 / 17.0;
  sum = sum * z + 1.0 / 15.0;
  sum = sum * z + 1.0 / 13.0;
  sum = sum * z + 1.0 / 11.0;
  sum = sum * z + 1.0 / 9.0;
  sum = sum * z + 1.0 / 7.0;
  sum = sum * z + 1.0 / 5.0;
  sum = sum * z + 1.0 / 3.0;
  const lnM = 2 * (s + s * z * sum);
  const pHigh = <f64><f32>p;
  const whole = floor(e * pHigh + 0.5);
  const rest = e * pHigh - whole + e * (p - pHigh);
  return exponential(p * lnM + rest * (ln2High + ln2Low)) * powerOfTwo(<i32>whole);
}
