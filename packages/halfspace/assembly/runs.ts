// Reads runs of features `number:value`, four at a time: numbers of up to six digits, values as in tokens.ts and
// six-decimals.ts. Text made from numbered features consists of such runs.
//
// A number is written as its key: the number, and for named features the count of shorter names of digits. Then
// different names have different keys, also 7 and 07, and longer names have larger keys.

import { decimalNames } from '../src/kernels/layout';
import { digitsOfSix, foursOfSix, leastSix, notSix, twoOfSix } from './six-decimals';
import { digitsOf, distanceTo, fourNumbers, notDigits, shapeOf, spaces, stopsOf, twoNumbers } from './tokens';
import { endsWord } from './words';

/** From this size on, a run is interrupted. */
export const longestRun: usize = 256;
/** The keys and the millionths of the run that was read last. */
export const runKeys = memory.data((256 + 4) << 2, 16);
export const runAmounts = memory.data((256 + 4) << 2, 16);
export let runSize: usize = 0;
/** True if its keys rise, and are above the one given. */
export let runRises = false;

// For each width of a number (0 … 16), its key if all digits are 0; entry 0 is the largest key that is read.
export const hashedKeys = memory.data(17 << 2, 16);
export const namedKeys = memory.data(17 << 2, 16);
store<u32>(hashedKeys, 0x7fffffff);
store<u32>(namedKeys, decimalNames - 1);
for (let width: usize = 2, start: u32 = 10; width <= 6; width++, start = 10 * start + 10)
  store<u32>(namedKeys + (width << 2), start);

/** True if the last feature had six decimals, so that others probably have. */
let sixes = false;

/** Reads features from `p` on, which follow the key `last`. Returns the end: of a feature, or of the blank after it. */
export function readRun(p: usize, keys: usize, last: i32): usize {
  const largest = i32x4.splat(load<i32>(keys));
  let previous = i32x4.splat(last);
  let falls = i32x4.splat(0);
  let size: usize = 0;
  while (size < longestRun) {
    while (size + 4 <= longestRun) {
      let after = spaces(p);
      const end0 = <i32>ctz(after);
      after &= after - 1;
      const end1 = <i32>ctz(after);
      after &= after - 1;
      const end2 = <i32>ctz(after);
      after &= after - 1;
      if (after == 0) break;
      const end3 = <i32>ctz(after);
      const p1 = p + <usize>end0 + 1, p2 = p + <usize>end1 + 1, p3 = p + <usize>end2 + 1;
      const size0 = end0, size1 = end1 - end0 - 1, size2 = end2 - end1 - 1, size3 = end3 - end2 - 1;
      let front: v128, back: v128, wrong: v128;
      let width0: i32, width1: i32, width2: i32, width3: i32;
      if (sixes) {
        const at0 = size0 - leastSix, at1 = size1 - leastSix, at2 = size2 - leastSix, at3 = size3 - leastSix;
        if (<u32>(at0 | at1 | at2 | at3) > 7) break;
        const digits0 = digitsOfSix(p1 - 1, at0), digits1 = digitsOfSix(p2 - 1, at1);
        const digits2 = digitsOfSix(p3 - 1, at2), digits3 = digitsOfSix(p + <usize>end3, at3);
        width0 = at0 + 1;
        width1 = at1 + 1;
        width2 = at2 + 1;
        width3 = at3 + 1;
        front = twoOfSix(foursOfSix(digits0), foursOfSix(digits1));
        back = twoOfSix(foursOfSix(digits2), foursOfSix(digits3));
        wrong = v128.or(
          v128.or(notSix(digits0), notSix(digits1)),
          v128.or(notSix(digits2), notSix(digits3)),
        );
      } else {
        const text0 = v128.load(p), text1 = v128.load(p1), text2 = v128.load(p2), text3 = v128.load(p3);
        width0 = distanceTo(text0, 58);
        width1 = distanceTo(text1, 58);
        width2 = distanceTo(text2, 58);
        width3 = distanceTo(text3, 58);
        const digits0 = digitsOf(text0, shapeOf(width0, min(size0, 16), true));
        const digits1 = digitsOf(text1, shapeOf(width1, min(size1, 16), true));
        const digits2 = digitsOf(text2, shapeOf(width2, min(size2, 16), true));
        const digits3 = digitsOf(text3, shapeOf(width3, min(size3, 16), true));
        front = twoNumbers(fourNumbers(digits0), fourNumbers(digits1));
        back = twoNumbers(fourNumbers(digits2), fourNumbers(digits3));
        wrong = v128.or(
          v128.or(notDigits(digits0), notDigits(digits1)),
          v128.or(notDigits(digits2), notDigits(digits3)),
        );
      }
      let starts = v128.load32_zero(keys + (<usize>width0 << 2));
      starts = v128.load32_lane(keys + (<usize>width1 << 2), starts, 1);
      starts = v128.load32_lane(keys + (<usize>width2 << 2), starts, 2);
      starts = v128.load32_lane(keys + (<usize>width3 << 2), starts, 3);
      const numbers = i8x16.shuffle(front, back, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
      const amounts = i8x16.shuffle(front, back, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
      const found = i32x4.add(numbers, starts);
      wrong = v128.or(wrong, i32x4.gt_s(found, largest));
      if (i8x16.bitmask(wrong) != 0) break;
      const before = i8x16.shuffle(previous, found, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
      falls = v128.or(falls, i32x4.le_s(found, before));
      v128.store(runKeys + (size << 2), found);
      v128.store(runAmounts + (size << 2), amounts);
      previous = found;
      size += 4;
      p = p3 + <usize>size3 + 1;
    }

    // Features that end a line, or that are not as usual, one by one.
    let c: u32 = 32;
    let singles = 0;
    for (; singles < 4 && c == 32; singles++) {
      const text = v128.load(p);
      const width = distanceTo(text, 58);
      const length = <i32>ctz(stopsOf(text) | 0x10000);
      const digits = digitsOf(text, shapeOf(width, length, true));
      const fours = fourNumbers(digits);
      const numbers = twoNumbers(fours, fours);
      const found = i32x4.add(i32x4.splat(i32x4.extract_lane(numbers, 0)), i32x4.splat(load<i32>(keys + (<usize>width << 2))));
      c = load<u8>(p + <usize>length);
      const isUsual = i8x16.bitmask(v128.or(notDigits(digits), i32x4.gt_s(found, largest))) == 0;
      if (!isUsual || !(c == 32 || endsWord(c))) {
        c = 0;
        break;
      }
      sixes = length - width == 9;
      if (i32x4.extract_lane(found, 3) <= i32x4.extract_lane(previous, 3)) falls = i32x4.splat(-1);
      store<i32>(runKeys + (size << 2), i32x4.extract_lane(found, 3));
      store<i32>(runAmounts + (size << 2), i32x4.extract_lane(numbers, 1));
      previous = found;
      size++;
      p += <usize>length + <usize>(c == 32);
    }
    if (c != 32) break;
  }
  runSize = size;
  runRises = !v128.any_true(falls);
  return p;
}
