// Leads are stored for people and as a check, because replay computes them anew. So 16 bits are enough: sign, exponent
// and the first 7 bits of the significand of a 32-bit float (bfloat16), between two and three decimal digits.

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Returns the nearest bfloat16, ties to even. */
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
