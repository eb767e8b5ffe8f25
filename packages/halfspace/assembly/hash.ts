// Hashes of short byte strings. Both read whole words, so up to eight bytes after the string must be readable.

/** Returns the low `bytes` bytes of a word, `bytes` in [0, 7]. */
// @ts-ignore: decorator
@inline
export function lowBytes(word: u64, bytes: usize): u64 {
  return word & ((<u64>1 << (<u64>bytes << 3)) - 1);
}

// @ts-ignore: decorator
@inline
function scrambled(word: u32): u32 {
  return rotl<u32>(word * 0xcc9e2d51, 15) * 0x1b873593;
}

/**
 * Returns MurmurHash3_x86_32 (Austin Appleby, public domain, 2011) of the bytes [from, to). The tail of 0 to 3 bytes is
 * mixed in as a word filled up with zeros. An empty tail is the word 0, which changes nothing, so it needs no branch.
 */
// @ts-ignore: decorator
@inline
export function murmur3(from: usize, to: usize, seed: u32): u32 {
  let h = seed;
  let p = from;
  for (; p + 4 <= to; p += 4) h = rotl<u32>(h ^ scrambled(load<u32>(p)), 13) * 5 + 0xe6546b64;
  h ^= scrambled(<u32>lowBytes(<u64>load<u32>(p), to - p));
  h ^= <u32>(to - from);
  h = (h ^ (h >> 16)) * 0x85ebca6b;
  h = (h ^ (h >> 13)) * 0xc2b2ae35;
  return h ^ (h >> 16);
}

// The hash of the name table: 64-bit words in turn, the last one filled up with zeros, then the length. A feature's
// name is its namespace, '^' and the feature. The hash is computed in two steps, because the namespace changes seldom.
// The first step stores the hash of whole words and the bytes of the unfinished word.
let startHash: u64 = 0;
let startWord: u64 = 0;
let startBits: u64 = 0;
let startLength: u32 = 0;

// @ts-ignore: decorator
@inline
function mixed(h: u64, word: u64): u64 {
  h = (h ^ word) * 0x9e3779b97f4a7c15;
  return h ^ (h >> 32);
}

/** Starts names with no prefix. */
export function startEmpty(): void {
  startHash = 0;
  startWord = 0;
  startBits = 0;
  startLength = 0;
}

/** Starts names with the prefix [from, to) and '^'. */
export function startNames(from: usize, to: usize): void {
  let h: u64 = 0;
  let p = from;
  for (; p + 8 <= to; p += 8) h = mixed(h, load<u64>(p));
  const rest = to - p;
  let word = lowBytes(load<u64>(p), rest) | (<u64>94 << (<u64>rest << 3));
  let bits = (<u64>rest + 1) << 3;
  if (bits == 64) {
    h = mixed(h, word);
    word = 0;
    bits = 0;
  }
  startHash = h;
  startWord = word;
  startBits = bits;
  startLength = <u32>(to - from) + 1;
}

/** Returns the hash of a name: the prefix, then the bytes [from, to). */
// @ts-ignore: decorator
@inline
export function nameHash(from: usize, to: usize): u32 {
  const bits = startBits;
  let h = startHash;
  let word = startWord;
  let p = from;
  for (; p + 8 <= to; p += 8) {
    const next = load<u64>(p);
    h = mixed(h, word | (next << bits));
    word = (next >> 1) >> (63 - bits);
  }
  const next = lowBytes(load<u64>(p), to - p);
  word |= next << bits;
  if (bits + (<u64>(to - p) << 3) >= 64) {
    h = mixed(h, word);
    word = (next >> 1) >> (63 - bits);
  }
  h = mixed(h, word ^ (<u64>(startLength + <u32>(to - from)) << 56));
  h = mixed(h, 0x2545f4914f6cdd1d);
  return <u32>(h >> 32);
}
