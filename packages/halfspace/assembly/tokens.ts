// Tokens `index:value`, sixteen bytes at a time.
//
// Two numbers describe a token: how far its colon is (`width`), and how far the blank or line end behind it (`size`). For the
// shapes that nearly all tokens have, a table tells where each digit lies and which bytes have to be what, so that a token
// is checked and turned into two numbers without a branch that depends on it.
//
// An entry of the table: positions for i8x16.swizzle that put the index's digits right-aligned into bytes 2 … 7 and the
// value's, its point left out, into bytes 8 … 15, and the point into byte 0 (positions from 16 on give 0); the bytes to be
// taken away then, '0' from digits and '.' from the point: what is left is 0 … 9, and 0 of the point, unless the token is of another
// kind; and what the value's digits are to be divided by.
//
// There is a second table for values in millionths: there, longer values are of another kind, and digits are to be multiplied.

import { tenTo } from './number';

const entryBytes: usize = 48;
/** Entries for each width: sizes 0 … 16, and some that are not used. */
const sizes: usize = 32;
const longestIndex = 6, longestValue = 9, longestMillionths = 8, longest = 15;

const shapes = memory.data(17 * 32 * 48, 16);
const millionthShapes = memory.data(17 * 32 * 48, 16);
fillShapes(shapes, longestValue, false);
fillShapes(millionthShapes, longestMillionths, true);

function fillShapes(table: usize, longestValue: i32, millionths: bool): void {
  // Every shape is wrong until it is known: 0 − 1 is no digit.
  for (let at: usize = 0; at < 17 * sizes * entryBytes; at += entryBytes) {
    memory.fill(table + at, 0x80, 16);
    memory.fill(table + at + 16, 1, 16);
  }
  for (let width = 1; width <= longestIndex; width++)
    for (let length = 1; length <= longestValue; length++) {
      const size = width + 1 + length;
      // A value of two bytes is no digit and a point; sixteen bytes without a blank are not all of the token.
      if (length == 2 || size > longest) continue;
      const entry = table + entryAt(width, size);
      memory.fill(entry + 16, 0, 16);
      const places = length == 1 ? 0 : length - 2;
      if (millionths) store<i32>(entry, <i32>tenTo(6 - places), 32);
      else store<f64>(entry, tenTo(places), 32);
      for (let i = 0; i < width; i++) place(entry, 8 - width + i, i, 48);
      const digits = length == 1 ? 1 : length - 1;
      place(entry, 16 - digits, width + 1, 48);
      for (let i = 1; i < digits; i++) place(entry, 16 - digits + i, width + 2 + i, 48);
      if (length > 1) place(entry, 0, width + 2, 46);
    }
}

function place(entry: usize, lane: i32, position: i32, base: u8): void {
  store<u8>(entry + <usize>lane, <u8>position);
  store<u8>(entry + 16 + <usize>lane, base);
}

// @ts-ignore: decorator
@inline
function entryAt(width: i32, size: i32): usize {
  return (<usize>width * sizes + <usize>size) * entryBytes;
}

/** The entry of a token's shape. */
// @ts-ignore: decorator
@inline
export function shapeOf(width: i32, size: i32, millionths: bool): usize {
  return (millionths ? millionthShapes : shapes) + entryAt(width, size);
}

/** How far the first byte equal to `c` is; 16: it is not among these. */
// @ts-ignore: decorator
@inline
export function distanceTo(text: v128, c: i8): i32 {
  return <i32>ctz(i8x16.bitmask(i8x16.eq(text, i8x16.splat(c))) | 0x10000);
}

/** Bit i tells whether byte i of the 64 at `p` is a blank, a line end or another control byte. */
// @ts-ignore: decorator
@inline
export function blanks(p: usize): u64 {
  const space = i8x16.splat(32);
  const a = <u64>(<u32>i8x16.bitmask(i8x16.le_u(v128.load(p), space)));
  const b = <u64>(<u32>i8x16.bitmask(i8x16.le_u(v128.load(p, 16), space)));
  const c = <u64>(<u32>i8x16.bitmask(i8x16.le_u(v128.load(p, 32), space)));
  const d = <u64>(<u32>i8x16.bitmask(i8x16.le_u(v128.load(p, 48), space)));
  return a | (b << 16) | (c << 32) | (d << 48);
}

/** The digits of a token of this shape; {@link allDigits} tells whether it has the shape. */
// @ts-ignore: decorator
@inline
export function digitsOf(text: v128, shape: usize): v128 {
  return i8x16.sub(i8x16.swizzle(text, v128.load(shape)), v128.load(shape, 16));
}

// @ts-ignore: decorator
@inline
export function divisorOf(shape: usize): f64 {
  return load<f64>(shape, 32);
}

/** What the digits are to be multiplied by to count millionths. */
// @ts-ignore: decorator
@inline
export function millionthsOf(shape: usize): i32 {
  return load<i32>(shape, 32);
}

/** Whether all sixteen bytes are 0 … 9, and the first, where a point may have stood, is 0. */
// @ts-ignore: decorator
@inline
export function allDigits(digits: v128): bool {
  return i8x16.bitmask(i8x16.add_sat_u(digits, i8x16(0x7f, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76))) == 0;
}

/** The numbers that bytes 0 … 7 and 8 … 15 write, in 32-bit lanes 0 and 1: pairs of digits, then fours, then eights. */
// @ts-ignore: decorator
@inline
export function twoNumbers(digits: v128): v128 {
  const tens = i16x8.mul(v128.and(digits, i16x8.splat(0xff)), i16x8.splat(10));
  const pairs = i16x8.add(tens, i16x8.shr_u(digits, 8));
  const fours = i32x4.dot_i16x8_s(pairs, i32x4.splat(0x00010064));
  return i32x4.dot_i16x8_s(i16x8.narrow_i32x4_s(fours, fours), i32x4.splat(0x00012710));
}
