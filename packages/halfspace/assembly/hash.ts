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

/** Sixteen bytes 255, then sixteen bytes 0. */
const ones = memory.data<u64>([-1, -1, 0, 0], 16);

/** Returns the first `bytes` (0 … 16) bytes of `text`, and zeros behind them. */
// @ts-ignore: decorator
@inline
export function firstBytes(text: v128, bytes: usize): v128 {
  return v128.and(text, v128.load(ones + 16 - bytes));
}

// @ts-ignore: decorator
@inline
function mixedIn(h: u32, word: u32, isIn: bool): u32 {
  const next = rotl<u32>(h ^ word, 13) * 5 + 0xe6546b64;
  return isIn ? next : h;
}

/** Returns {@link murmur3} of up to sixteen bytes, with zeros behind them, without a branch that depends on them. */
// @ts-ignore: decorator
@inline
export function shortMurmur3(name: v128, length: u32, seed: u32): u32 {
  const first = i32x4.mul(name, i32x4.splat(0xcc9e2d51));
  const words = i32x4.mul(v128.or(i32x4.shl(first, 15), i32x4.shr_u(first, 17)), i32x4.splat(0x1b873593));
  const a = i32x4.extract_lane(words, 0), b = i32x4.extract_lane(words, 1);
  const c = i32x4.extract_lane(words, 2), d = i32x4.extract_lane(words, 3);
  let h = mixedIn(seed, a, length >= 4);
  h = mixedIn(h, b, length >= 8);
  h = mixedIn(h, c, length >= 12);
  h = mixedIn(h, d, length >= 16);
  let tail: u32 = length < 16 ? d : 0;
  tail = length < 12 ? c : tail;
  tail = length < 8 ? b : tail;
  tail = length < 4 ? a : tail;
  h ^= tail ^ length;
  h = (h ^ (h >> 16)) * 0x85ebca6b;
  h = (h ^ (h >> 13)) * 0xc2b2ae35;
  return h ^ (h >> 16);
}

// The hash of the name table. A feature's name is its namespace, '^' and the feature. The work for the first two, the
// start of the name, is done once per namespace.
//
// A name of up to sixteen bytes is its own key: the start and the feature, moved behind it by i8x16.swizzle. No name in
// text has a byte 0, so zeros fill the key up. A longer name is hashed in 64-bit words, the last one filled up with
// zeros, then its length. For that, the start is stored as the hash of its whole words, and the bytes of the rest.

/** The first sixteen bytes of the start, filled up with zeros, and the positions that move a feature behind it. */
const start = memory.data(32, 16);
/** The length of the start. */
export let startSize: usize = 0;
let startHash: u64 = 0;
let startWord: u64 = 0;
let startBits: u64 = 0;

// @ts-ignore: decorator
@inline
function mixed(h: u64, word: u64): u64 {
  h = (h ^ word) * 0x9e3779b97f4a7c15;
  return h ^ (h >> 32);
}

/** Starts names with the bytes [from, to) and '^', or with nothing if from == to. */
export function startNames(from: usize, to: usize): void {
  startSize = to - from;
  v128.store(start, firstBytes(v128.load(from), min<usize>(startSize, 16)));
  if (startSize != 0) {
    if (startSize < 16) store<u8>(start + startSize, 94);
    startSize++;
  }
  v128.store(start, i8x16.sub(i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), i8x16.splat(<i8>startSize)), 16);

  let h: u64 = 0;
  let p = from;
  for (; p + 8 <= to; p += 8) h = mixed(h, load<u64>(p));
  const rest = to - p;
  let word = lowBytes(load<u64>(p), rest);
  let bits = <u64>rest << 3;
  if (startSize != 0) {
    word |= <u64>94 << bits;
    bits += 8;
  }
  if (bits == 64) {
    h = mixed(h, word);
    word = 0;
    bits = 0;
  }
  startHash = h;
  startWord = word;
  startBits = bits;
}

/** Returns the key of a name of `length` bytes, at most 16; `text` begins with the feature. */
// @ts-ignore: decorator
@inline
export function keyOf(text: v128, length: usize): v128 {
  return v128.or(v128.load(start), firstBytes(i8x16.swizzle(text, v128.load(start, 16)), length));
}

// @ts-ignore: decorator
@inline
export function keyHash(key: v128): u32 {
  const h = mixed(0, <u64>i64x2.extract_lane(key, 0)) + <u64>i64x2.extract_lane(key, 1);
  return <u32>((h * 0xd6e8feb86659fd93) >> 32);
}

/** Returns the hash of a name: the start, then the bytes [from, to). */
export function nameHash(from: usize, to: usize): u32 {
  const length = startSize + (to - from);
  if (length <= 16) return keyHash(keyOf(v128.load(from), length));
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
  h = mixed(h, word ^ (<u64>length << 56));
  h = mixed(h, 0x2545f4914f6cdd1d);
  return <u32>(h >> 32);
}
