// Parses tokens `index:value` of up to fifteen bytes, one or four at a time.
//
// A token's shape is two numbers: the distance of its colon (`width`), and of the blank or line end after it (`size`).
// For nearly all shapes a table stores the place of each digit and the other bytes. So a token is checked and converted
// to two numbers without a branch that depends on it.
//
// An entry of the table has two parts. First, positions for i8x16.swizzle: they move the index's digits right-aligned
// to bytes 2 … 7, the value's digits to bytes 8 … 15, and the point to byte 0 (positions ≥ 16 give 0). Second, bytes to
// subtract: '0' from digits, '.' from the point. The result is 0 … 9 for digits and 0 for the point, unless the token
// has another shape.
//
// The value's digits are right-aligned and have a divisor. A second table is for values in millionths: it accepts only
// shorter values, and places the digits so that bytes 9 … 15 are the millionths.

import { tenTo } from './number';

const entryShift: usize = 5;
/** The number of entries for each width: sizes 0 … 16, and unused ones. */
const sizeShift: usize = 5;
const longestIndex = 6, longestValue = 9, longestMillionths = 8, longest = 15;

const tableBytes: usize = 17 << (sizeShift + entryShift);
const shapes = memory.data(17 << 10, 16);
const millionthShapes = memory.data(17 << 10, 16);
/** The divisor of the digits of a value of 0 … 15 bytes. */
const divisors = memory.data(16 << 3, 16);
fillShapes(shapes, longestValue, false);
fillShapes(millionthShapes, longestMillionths, true);
for (let length = 0; length < 16; length++) store<f64>(divisors + (<usize>length << 3), tenTo(max(length - 2, 0)));

function fillShapes(table: usize, longestValue: i32, millionths: bool): void {
  // All entries start as wrong: 0 − 1 is not a digit.
  for (let at: usize = 0; at < tableBytes; at += 1 << entryShift) {
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
      for (let i = 0; i < width; i++) place(entry, 8 - width + i, i, 48);
      const digits = length == 1 ? 1 : length - 1;
      const first = millionths ? 9 : 16 - digits;
      place(entry, first, width + 1, 48);
      for (let i = 1; i < digits; i++) place(entry, first + i, width + 2 + i, 48);
      if (length > 1) place(entry, 0, width + 2, 46);
    }
}

/** Moves byte `position` of the token to byte `lane`, and subtracts `base`. */
export function place(entry: usize, lane: i32, position: i32, base: u8): void {
  store<u8>(entry + <usize>lane, <u8>position);
  store<u8>(entry + 16 + <usize>lane, base);
}

// @ts-ignore: decorator
@inline
function entryAt(width: i32, size: i32): usize {
  return (((<usize>width) << sizeShift) + <usize>size) << entryShift;
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

/** Returns a bit mask of the 64 bytes at `p`: bit i is 1 if byte i is a blank. */
// @ts-ignore: decorator
@inline
export function spaces(p: usize): u64 {
  const space = i8x16.splat(32);
  const a = <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(p), space)));
  const b = <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(p, 16), space)));
  const c = <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(p, 32), space)));
  const d = <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(p, 48), space)));
  return a | (b << 16) | (c << 32) | (d << 48);
}

/** Returns a bit mask of the 64 bytes at `p`: bit i is 1 if byte i is a blank, a control byte or '|'. */
// @ts-ignore: decorator
@inline
export function stops(p: usize): u64 {
  const a = <u64>stopsOf(v128.load(p)), b = <u64>stopsOf(v128.load(p, 16));
  const c = <u64>stopsOf(v128.load(p, 32)), d = <u64>stopsOf(v128.load(p, 48));
  return a | (b << 16) | (c << 32) | (d << 48);
}

/** Returns the same of sixteen bytes. */
// @ts-ignore: decorator
@inline
export function stopsOf(text: v128): u32 {
  return <u32>i8x16.bitmask(v128.or(i8x16.le_u(text, i8x16.splat(32)), i8x16.eq(text, i8x16.splat(124))));
}

/** Returns the digits of a token of this shape; {@link notDigits} tests if it has the shape. */
// @ts-ignore: decorator
@inline
export function digitsOf(text: v128, shape: usize): v128 {
  return i8x16.sub(i8x16.swizzle(text, v128.load(shape)), v128.load(shape, 16));
}

/** Returns the divisor of the digits of a value of `length` (0 … 15) bytes. */
// @ts-ignore: decorator
@inline
export function divisorOf(length: i32): f64 {
  return load<f64>(divisors + (<usize>length << 3));
}

/** Returns bytes with a highest bit unless all sixteen bytes are 0 … 9, and the first, the place of the point, is 0. */
// @ts-ignore: decorator
@inline
export function notDigits(digits: v128): v128 {
  return i8x16.add_sat_u(digits, i8x16(0x7f, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76));
}

/** Returns the numbers of each four digits in 32-bit lanes. */
// @ts-ignore: decorator
@inline
export function fourNumbers(digits: v128): v128 {
  const tens = i16x8.mul(v128.and(digits, i16x8.splat(0xff)), i16x8.splat(10));
  const pairs = i16x8.add(tens, i16x8.shr_u(digits, 8));
  return i32x4.dot_i16x8_s(pairs, i32x4.splat(0x00010064));
}

/** Returns the numbers of bytes 0 … 7 and 8 … 15 of two tokens in 32-bit lanes, from their {@link fourNumbers}. */
// @ts-ignore: decorator
@inline
export function twoNumbers(first: v128, second: v128): v128 {
  return i32x4.dot_i16x8_s(i16x8.narrow_i32x4_s(first, second), i32x4.splat(0x00012710));
}
