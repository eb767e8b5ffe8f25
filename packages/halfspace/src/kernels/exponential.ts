/**
 * e^x and t^p by sums, products and quotients, because the last bits of `Math.exp` and `Math.pow` differ by engine,
 * and WebAssembly has neither. assembly/exponential.ts computes the same bits.
 *
 * e^x = 2^k · e^r with k = ⌊x/ln 2 + ½⌋, r = x − k·ln 2 and |r| ≤ ln(2)/2; thirteen terms of the series leave less
 * than 2⁻⁵⁷. t = 2^e · m with m in [√½, √2], ln m = 2·artanh((m − 1)/(m + 1)), and t^p = e^(p·ln m) · 2^(e·p).
 */

/** ln 2 in two parts; the first ends in 32 zero bits, so that its products with whole numbers are exact. */
const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;

const odd = [23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3].map((divisor) => 1 / divisor);

const view = new DataView(new ArrayBuffer(8));

/** Returns 2^k for whole k in [−1022, 1023]. */
function powerOfTwo(k: number): number {
  view.setInt32(0, (k + 1023) << 20);
  view.setInt32(4, 0);
  return view.getFloat64(0);
}

/**
 * Returns e^x, within 2 units in the last place; 0 below −708.25, ∞ above 709, slightly before doubles end.
 *
 * @param x any number; NaN gives NaN.
 */
export function exponential(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 709) return Infinity;
  if (x < -708.25) return 0;
  const k = Math.floor(x * Math.LOG2E + 0.5);
  const r = x - k * ln2High - k * ln2Low;
  const z = r * r;
  const z2 = z * z;
  // Sums four terms 1/n! at a time, three times, because independent sums are computed in parallel.
  const front = 1 / 2 + (1 / 6) * r + (1 / 24 + (1 / 120) * r) * z;
  const middle = 1 / 720 + (1 / 5040) * r + (1 / 40320 + (1 / 362880) * r) * z;
  const back = 1 / 3628800 + (1 / 39916800) * r + (1 / 479001600 + (1 / 6227020800) * r) * z;
  const sum = front + middle * z2 + back * (z2 * z2);
  return (1 + (r + z * sum)) * powerOfTwo(k);
}

/**
 * Returns t^p, within 3 units in the last place.
 *
 * @param t in [1, ∞).
 * @param p in [0, 1].
 */
export function power(t: number, p: number): number {
  view.setFloat64(0, t);
  const high = view.getInt32(0);
  let e = (high >> 20) - 1023;
  view.setInt32(0, (high & 0xfffff) | 0x3ff00000);
  let m = view.getFloat64(0);
  if (m > Math.SQRT2) {
    m *= 0.5;
    e += 1;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let sum = odd[0]!;
  for (let i = 1; i < odd.length; i++) sum = sum * z + odd[i]!;
  const lnM = 2 * (s + s * z * sum);
  // Computes e · p exactly, except for its small part.
  const pHigh = Math.fround(p);
  const whole = Math.floor(e * pHigh + 0.5);
  const rest = e * pHigh - whole + e * (p - pHigh);
  return exponential(p * lnM + rest * (ln2High + ln2Low)) * powerOfTwo(whole);
}
