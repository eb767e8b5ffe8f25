// Reads decimals of up to eight digits without a branch that depends on them: `12`, `0.0432`, `.5`.
//
// A decimal's shape is two numbers: the distance of its point, and its size in bytes. A table has an entry per shape,
// as in tokens.ts: positions that move the digits right-aligned to bytes 8 … 15 and the point to byte 0, bytes to
// subtract, the divisor of the digits, and their factor for millionths (0: they may not fit into 32 bits).

import { tenTo } from './number';
import { place } from './tokens';

const entryBytes: usize = 48;
const longest = 9, mostDigits = 8;

const shapes = memory.data(16 * 16 * 48, 16);
fillShapes();

function fillShapes(): void {
  for (let point = 0; point < 16; point++)
    for (let size = 0; size < 16; size++) {
      const entry = decimalShape(point, size);
      const digits = size - <i32>(point < size);
      // Without a point, `point` is `size`. All other entries are wrong: 0 − 1 is not a digit.
      const isShape = point <= size && digits >= 1 && digits <= mostDigits && size <= longest;
      memory.fill(entry, 0x80, 16);
      memory.fill(entry + 16, isShape ? 0 : 1, 16);
      if (!isShape) continue;
      const places = digits - min(point, digits);
      for (let i = 0; i < digits; i++) place(entry, 16 - digits + i, i + <i32>(i >= point), 48);
      if (point < size) place(entry, 0, point, 46);
      store<f64>(entry, tenTo(places), 32);
      store<i32>(entry, places <= 6 && point <= 3 ? <i32>tenTo(6 - places) : 0, 40);
    }
}

/** Returns the entry of a shape, `point` and `size` in [0, 15]; entries of tokens.ts begin alike. */
// @ts-ignore: decorator
@inline
export function decimalShape(point: i32, size: i32): usize {
  return shapes + <usize>(point << 4 | size) * entryBytes;
}

// @ts-ignore: decorator
@inline
export function divisorAt(shape: usize): f64 {
  return load<f64>(shape, 32);
}

// @ts-ignore: decorator
@inline
export function factorOf(shape: usize): i32 {
  return load<i32>(shape, 40);
}
