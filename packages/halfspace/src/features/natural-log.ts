/**
 * The natural logarithm of a number from 1 on, from +, −, × and ÷ alone, so that every engine gives the same bits, which
 * `Math.log` does not promise. Within 2 ulp of the true value for the arguments that features have.
 *
 * x = 2ᵏ·m with m in (√½, √2]; ln m = 2·artanh(s) = 2·(s + s³/3 + s⁵/5 + …) with s = (m − 1) / (m + 1), |s| < 0.172.
 *
 * @param x in [1, ∞).
 */
export function naturalLog(x: number): number {
  let m = x;
  let k = 0;
  while (m > Math.SQRT2) {
    m /= 2; // exact
    k++;
  }
  const s = (m - 1) / (m + 1);
  const square = s * s;
  // After s²³/23 the next term is below 2⁻⁶² of the sum.
  let tail = 0;
  for (let odd = 23; odd >= 3; odd -= 2) tail = square * (1 / odd + tail);
  // ln 2 in two parts: k · high is exact for k < 2²⁰.
  return k * ln2High + (2 * s + (2 * s * tail + k * ln2Low));
}

const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;
