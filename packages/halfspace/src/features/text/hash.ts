const utf8 = new TextEncoder();

/** Computes the feature of a term: the low bits of the MurmurHash3 of its UTF-8 bytes. */
export class TermHash {
  readonly #mask: number;
  #bytes = new Uint8Array(256);

  constructor(bits: number) {
    this.#mask = 2 ** bits - 1;
  }

  of(term: string): number {
    // A UTF-16 unit takes at most three bytes.
    if (this.#bytes.length < term.length * 3) this.#bytes = new Uint8Array(term.length * 6);
    const { written } = utf8.encodeInto(term, this.#bytes);
    return (murmur3(this.#bytes, 0, written, 0) & this.#mask) >>> 0;
  }
}

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
