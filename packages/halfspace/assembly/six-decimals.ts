// Parses tokens `index:d.dddddd` with one to five digits of index. Many programs write all values with six decimals.
// Then the places of colon and point are known from the token's end, so nothing needs to be searched or moved.
//
// The sixteen bytes before the end have the index's digits in bytes 2 … 6, the colon in byte 7 and the value from byte
// 8 on. An entry of the table, by size, has a mask for the bytes of the token, and the bytes to subtract.

/** The size of the shortest such token. */
export const leastSix = 10;

const entries = memory.data(8 << 5, 16);
fillEntries();

function fillEntries(): void {
  for (let width = 1; width <= 8; width++) {
    const entry = entries + ((<usize>width - 1) << 5);
    // Entries of longer tokens stay wrong: 0 − 1 is not a digit.
    for (let i = 0; i < 16; i++) {
      const inside = i >= 7 - width;
      store<u8>(entry + <usize>i, width <= 5 && inside ? 0xff : 0);
      store<u8>(entry + <usize>i, width > 5 ? 1 : !inside ? 0 : i == 7 ? 58 : i == 9 ? 46 : 48, 16);
    }
  }
}

/** Returns the digits of a token that ends before `end`, by its size above the least (0 … 7). */
// @ts-ignore: decorator
@inline
export function digitsOfSix(end: usize, size: i32): v128 {
  const entry = entries + (<usize>size << 5);
  return i8x16.sub(v128.and(v128.load(end - 16), v128.load(entry)), v128.load(entry, 16));
}

/** Returns bytes with a highest bit unless the digits are 0 … 9, and 0 in the places of colon and point. */
// @ts-ignore: decorator
@inline
export function notSix(digits: v128): v128 {
  return i8x16.add_sat_u(digits, i8x16(0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x7f, 0x76, 0x7f, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76));
}

/** Returns the index's upper two and lower three digits, the value's upper three and lower four, in 32-bit lanes. */
// @ts-ignore: decorator
@inline
export function foursOfSix(digits: v128): v128 {
  const tens = i16x8.mul(v128.and(digits, i16x8.splat(0xff)), i16x8(10, 10, 10, 1, 10, 10, 10, 10));
  const pairs = i16x8.add(tens, i16x8.shr_u(digits, 8));
  return i32x4.dot_i16x8_s(pairs, i16x8(0, 1, 10, 1, 10, 1, 100, 1));
}

/** Returns index and millionths of two tokens. */
// @ts-ignore: decorator
@inline
export function twoOfSix(first: v128, second: v128): v128 {
  return i32x4.dot_i16x8_s(i16x8.narrow_i32x4_s(first, second), i16x8(1000, 1, 10000, 1, 1000, 1, 10000, 1));
}
