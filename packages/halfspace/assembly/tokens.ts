// Text, many bytes at a time.

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

// Where the digits of a token `index:value` lie, for each width of the index (up to 6) and length of the value (1, or 3 to
// 9: a digit, a point, digits): byte positions for i8x16.swizzle that put the index's digits right-aligned into bytes
// 0 … 7 and the value's, its point left out, into bytes 8 … 15. Positions from 16 on give 0. A value of length 2 has no such
// shape: its row points at the colon, which is no digit.
const positions = memory.data(8 * 16 * 16, 16);
fillPositions();

function fillPositions(): void {
  memory.fill(positions, 0x80, 8 * 16 * 16);
  for (let width = 1; width <= 6; width++)
    for (let length = 1; length <= 9; length++) {
      const row = positionsFor(width, length);
      for (let i = 0; i < width; i++) store<u8>(row + <usize>(8 - width + i), <u8>i);
      if (length == 2) {
        store<u8>(row, <u8>width);
        continue;
      }
      const digits = length == 1 ? 1 : length - 1;
      store<u8>(row + <usize>(16 - digits), <u8>(width + 1));
      for (let i = 1; i < digits; i++) store<u8>(row + <usize>(16 - digits + i), <u8>(width + 2 + i));
    }
}

// What the digits of a value of each length are to be divided by.
const places = memory.data<f64>([1, 1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7]);

// @ts-ignore: decorator
@inline
export function placesOf(length: i32): f64 {
  return load<f64>(places + ((<usize>length) << 3));
}

// @ts-ignore: decorator
@inline
export function positionsFor(width: i32, length: i32): usize {
  return positions + ((<usize>width << 8) | (<usize>length << 4));
}

/** Sixteen bytes as digits, moved to the given positions: 0 … 9 where a digit stood, 0 where nothing is wanted. */
// @ts-ignore: decorator
@inline
export function digitsAt(text: v128, row: usize): v128 {
  return i8x16.swizzle(v128.xor(text, i8x16.splat(48)), v128.load(row));
}

/** Whether all sixteen bytes are 0 … 9. */
// @ts-ignore: decorator
@inline
export function allDigits(digits: v128): bool {
  return i8x16.bitmask(i8x16.add_sat_u(digits, i8x16.splat(0x76))) == 0;
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
