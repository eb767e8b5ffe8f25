/**
 * Returns MurmurHash3_x86_32 (Austin Appleby, public domain, 2011) of the bytes [from, to), as in Vowpal Wabbit.
 *
 * @returns an integer in [0, 2³²).
 */
export function murmur3(bytes: Uint8Array, from: number, to: number, seed: number): number {
  let h = seed | 0;
  let p = from;
  for (; p + 4 <= to; p += 4) {
    const word = bytes[p]! | (bytes[p + 1]! << 8) | (bytes[p + 2]! << 16) | (bytes[p + 3]! << 24);
    h = Math.imul(rotated(h ^ scrambled(word), 13), 5) + 0xe6546b64;
  }
  let tail = 0;
  for (let q = to - 1; q >= p; q--) tail = (tail << 8) | bytes[q]!;
  h ^= scrambled(tail) ^ (to - from);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function scrambled(word: number): number {
  return Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
