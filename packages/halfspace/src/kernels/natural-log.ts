/**
 * Returns the natural logarithm of x in (0, ∞), by +, −, × and ÷ alone, so that every engine gives the same bits;
 * `Math.log` may not. Within 2 ulp for x in [1, ∞).
 *
 * x = 2ᵏ·m with m in (√½, √2]; ln m = 2·artanh(s) = 2·(s + s³/3 + s⁵/5 + …) with s = (m − 1) / (m + 1), |s| < 0.172.
 *
 * @returns −∞ for 0, ∞ for ∞, NaN for NaN and below 0.
 */
export function naturalLog(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x === Infinity ? x : Number.NaN;
  let m = x;
  let k = 0;
  for (; m > Math.SQRT2; k++) m /= 2; // exact
  for (; m <= Math.SQRT1_2; k--) m *= 2; // exact
  const s = (m - 1) / (m + 1);
  const square = s * s;
  // After s²³/23 the next term is below 2⁻⁶² of the sum.
  let tail = 0;
  for (let odd = 23; odd >= 3; odd -= 2) tail = square * (1 / odd + tail);
  // k·ln 2 in two parts, the first of which is exact.
  return k * ln2High + (2 * s + (2 * s * tail + k * ln2Low));
}

/**
 * Returns ln(1 + x) for x in [−1, ∞), also precise for small x. Goldberg, "What every computer scientist should know
 * about floating-point arithmetic", 1991, theorem 4; here the lost part is added, not divided by.
 */
export function logOnePlus(x: number): number {
  const sum = 1 + x;
  if (sum === 0 || sum === Infinity) return naturalLog(sum);
  return naturalLog(sum) + (x - (sum - 1)) / sum;
}

const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;
