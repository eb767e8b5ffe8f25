// Scores are for people and for checks, as replay computes them anew: 16 bits of them are kept, sign, exponent and the
// first 7 bits of the significand of a 32-bit float (bfloat16), which is between two and three decimal digits.

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The 16 bits nearest to a number, of two as near ones the even one. */
export function toShortFloat(value: number): number {
  float[0] = value;
  const word = bits[0]!;
  if ((word & 0x7fff_ffff) > 0x7f80_0000) return 0x7fc0; // not a number
  return ((word + 0x7fff + ((word >>> 16) & 1)) >>> 16) & 0xffff;
}

export function fromShortFloat(short: number): number {
  bits[0] = (short << 16) >>> 0;
  return float[0]!;
}
