/**
 * Returns log₂ x for x in (0, ∞), by +, −, × and ÷ alone: the same bits in every engine, unlike `Math.log2`.
 *
 * x = 2^e · m with m in [√½, √2), and log m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …), s = (m − 1) / (m + 1), |s| < 0.172.
 * Powers of 2 are exact; otherwise the error is within 2 units in the last place.
 */
export function log2(x: number): number {
  view.setFloat64(0, x);
  let high = view.getUint32(0);
  let exponent = (high >>> 20) - 1023;
  if (exponent === -1023) return log2(x * 2 ** 54) - 54; // subnormal: no leading digit
  high = (high & 0xf_ffff) | 0x3ff0_0000;
  view.setUint32(0, high);
  let m = view.getFloat64(0);
  if (m >= Math.SQRT2) {
    m /= 2;
    exponent++;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let tail = 0;
  for (let k = 23; k >= 3; k -= 2) tail = (tail + 1 / k) * z;
  return exponent + (s + s * tail) * twoOverLog2;
}

const view = new DataView(new ArrayBuffer(8));
/** 2 / ln 2. */
const twoOverLog2 = 2.8853900817779268;
