// Parses tokens `index:value` of up to sixteen bytes.
//
// A token's shape is two numbers: the distance of its colon (`width`), and of the blank or line end after it (`size`).
// For nearly all shapes a table stores the place of each digit and the other bytes. So a token is checked and converted
// to two numbers without a branch that depends on it.
//
// An entry of the table has three parts. First, positions for i8x16.swizzle: they move the index's digits right-aligned
// to bytes 2 … 7, the value's digits to bytes 8 … 15, and the point to byte 0 (positions ≥ 16 give 0). Second, bytes to
// subtract: '0' from digits, '.' from the point. The result is 0 … 9 for digits and 0 for the point, unless the token
// has another shape. Third, the divisor of the value's digits.
//
// A second table is for values in millionths: it accepts only shorter values, and has a factor instead of the divisor.

import { tenTo } from './number';

const entryBytes: usize = 48;
/** The number of entries for each width: sizes 0 … 16, and unused ones. */
const sizes: usize = 32;
const longestIndex = 6, longestValue = 9, longestMillionths = 8, longest = 15;

const shapes = memory.data(17 * 32 * 48, 16);
const millionthShapes = memory.data(17 * 32 * 48, 16);
fillShapes(shapes, longestValue, false);
fillShapes(millionthShapes, longestMillionths, true);

function fillShapes(table: usize, longestValue: i32, millionths: bool): void {
  // All entries start as wrong: 0 − 1 is not a digit.
  for (let at: usize = 0; at < 17 * sizes * entryBytes; at += entryBytes) {
    memory.fill(table + at, 0x80, 16);
    memory.fill(table + at + 16, 1, 16);
  }
  for (let width = 1; width <= longestIndex; width++)
    for (let length = 1; length <= longestValue; length++) {
      const size = width + 1 + length;
      // A value of two bytes has no digit after its point. Sixteen bytes without a blank are not the whole token.
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

/** Returns the entry of a shape. */
// @ts-ignore: decorator
@inline
export function shapeOf(width: i32, size: i32, millionths: bool): usize {
  return (millionths ? millionthShapes : shapes) + entryAt(width, size);
}

/** Returns the distance of the first byte equal to `c`; 16 if there is none. */
// @ts-ignore: decorator
@inline
export function distanceTo(text: v128, c: i8): i32 {
  return <i32>ctz(i8x16.bitmask(i8x16.eq(text, i8x16.splat(c))) | 0x10000);
}

/** Returns a bit mask of the 64 bytes at `p`: bit i is 1 if byte i is a blank, a line end or another control byte. */
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

/** Returns the digits of a token of this shape; {@link allDigits} tests if it has the shape. */
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

/** Returns the factor that converts the digits to millionths. */
// @ts-ignore: decorator
@inline
export function millionthsOf(shape: usize): i32 {
  return load<i32>(shape, 32);
}

/** Returns true if all sixteen bytes are 0 … 9, and the first, the place of the point, is 0. */
// @ts-ignore: decorator
@inline
export function allDigits(digits: v128): bool {
  return i8x16.bitmask(i8x16.add_sat_u(digits, i8x16(0x7f, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76))) == 0;
}

/** Returns the numbers of bytes 0 … 7 and 8 … 15 in 32-bit lanes 0 and 1: pairs of digits, then fours, then eights. */
// @ts-ignore: decorator
@inline
export function twoNumbers(digits: v128): v128 {
  const tens = i16x8.mul(v128.and(digits, i16x8.splat(0xff)), i16x8.splat(10));
  const pairs = i16x8.add(tens, i16x8.shr_u(digits, 8));
  const fours = i32x4.dot_i16x8_s(pairs, i32x4.splat(0x00010064));
  return i32x4.dot_i16x8_s(i16x8.narrow_i32x4_s(fours, fours), i32x4.splat(0x00012710));
}
