// libsvm / svmlight text: one example per line, `label index:value …`, indices rising; `#` starts a comment.
//
// Only complete lines are read, unless no more bytes will come: an incomplete line is left for the next call. A line
// feed is stored after the last byte during the call, so no loop needs to test for the end of the text.

import * as layout from '../src/kernels/layout';
import { get, set, wordAt } from './memory';
import { isDigit, numberEnd, numberFault, parseNumber } from './number';
import { digitsOfSix, foursOfSix, leastSix, notSix, twoOfSix } from './six-decimals';
import {
  blanks, digitsOf, distanceTo, divisorOf, fourNumbers, notDigits, shapeOf, spaces, twoNumbers,
} from './tokens';

// @ts-ignore: decorator
@inline
function skipBlanks(p: usize): usize {
  let c = load<u8>(p);
  while (c == 32 || c == 9 || c == 13) c = load<u8>(++p);
  return p;
}

// @ts-ignore: decorator
@inline
function endsToken(c: u32): bool {
  return c == 32 || c == 10 || c == 9 || c == 13;
}

function findLineEnd(p: usize): usize {
  while (load<u8>(p) != 10) p++;
  return p;
}

// Results of readFeature.
let featureIndex: i64 = 0;
let featureValue: f64 = 0;
let featureEnd: usize = 0;
let featureFaultFrom: usize = 0;

// Reads index:value of any shape at p, and finds the fault.
function readFeature(p: usize, previous: i64, first: bool): i32 {
  let c: u32 = load<u8>(p);
  let q = p;
  let index: i64 = 0;
  while (isDigit(c)) {
    index = index * 10 + (c - 48);
    c = load<u8>(++q);
    if (q - p > 10) break;
  }
  featureFaultFrom = p;
  featureEnd = q;
  if (q == p || c != 58) {
    if (c < 9) return layout.statusBinary;
    if (q == p) return c == 113 ? layout.statusQid : c == 44 && first ? layout.statusManyLabels : layout.statusIndex;
    return q - p > 10 ? layout.statusIndexRange : layout.statusColon;
  }
  if (index > 0xffffffff) return layout.statusIndexRange;
  if (index <= previous) return layout.statusIndexOrder;
  featureIndex = index;
  featureValue = parseNumber(++q);
  featureFaultFrom = q;
  featureEnd = numberEnd;
  if (numberFault) return numberFault;
  c = load<u8>(numberEnd);
  return c == 58 || c == 124 ? layout.statusNumber : layout.statusDone;
}

// @ts-ignore: decorator
@inline
function parse(compactly: bool, text: usize, room: usize, report: usize): i32 {
  const rowCapacity = <i32>wordAt(room, layout.batchRows), capacity = <i32>wordAt(room, layout.batchStored);
  const offsets = wordAt(room, layout.batchOffsets), indices = wordAt(room, layout.batchIndices);
  const values = wordAt(room, layout.batchValues), labels = wordAt(room, layout.batchLabels);
  const scale = wordAt(room, layout.batchScale);
  const high = get(scale, 0), low = get(scale, 1);
  let p = text + <usize>get(report, layout.reportFrom);
  let to = text + <usize>get(report, layout.reportTo);
  if (get(report, layout.reportLast) == 0) while (to > p && load<u8>(to - 1) != 10) to--;
  const behind = load<u8>(to);
  store<u8>(to, 10);

  let line = p;
  let rows = 0;
  let stored = 0;
  let lines = 0;
  let dimension: i64 = 0;
  let zeroIndex = 0;
  /** True if the last value had six decimals, so that others probably have. */
  let sixes = false;
  let result = layout.statusDone;
  let faultFrom: usize = 0;
  let faultTo: usize = 0;
  store<u32>(offsets, 0);

  while (true) {
    line = p;
    if (p >= to) break;

    // Blank lines and comments.
    p = skipBlanks(p);
    let c: u32 = load<u8>(p);
    if (c == 10 || c == 35) {
      p = findLineEnd(p);
      p++;
      lines++;
      continue;
    }
    if (rows == rowCapacity) {
      result = layout.statusFull;
      break;
    }

    // The label. A line may have none: its first number is then followed by a colon.
    let label = parseNumber(p);
    let q = numberEnd;
    if (numberFault) {
      result = numberFault != layout.statusNumber ? numberFault
        : q > p && load<u8>(q) == 44 ? layout.statusManyLabels
        : layout.statusLabel;
      faultFrom = p;
      faultTo = q;
    } else if (load<u8>(q) == 58) {
      label = NaN;
    } else {
      p = q;
    }

    // The features: four at a time, and after four that are not as usual, some one by one. For these, `ends` has a bit
    // for every blank or line end from p on within the 64 bytes at `block`. So the end of a token costs one count of
    // trailing zeros, and the processor can run ahead of the digits.
    let k = stored;
    let previous: i64 = -1;
    /** True if a value cannot be stored compactly. */
    let wide = false;
    let block = p;
    let ends: u64 = 0;
    let singles = 0;
    if (load<u8>(p) == 32) p++;
    while (result == layout.statusDone) {
      if (singles == 0) {
        singles = 4;
        let last = i32x4.splat(<i32>min<i64>(previous, 0x7fffffff));
        while (k + 4 <= capacity) {
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
          /** The widths, which only doubles need. */
          let width0 = 0, width1 = 0, width2 = 0, width3 = 0;
          if (sixes) {
            const at0 = size0 - leastSix, at1 = size1 - leastSix, at2 = size2 - leastSix, at3 = size3 - leastSix;
            if (<u32>(at0 | at1 | at2 | at3) > 7) break;
            const digits0 = digitsOfSix(p1 - 1, at0), digits1 = digitsOfSix(p2 - 1, at1);
            const digits2 = digitsOfSix(p3 - 1, at2), digits3 = digitsOfSix(p + <usize>end3, at3);
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
            const digits0 = digitsOf(text0, shapeOf(width0, min(size0, 16), compactly));
            const digits1 = digitsOf(text1, shapeOf(width1, min(size1, 16), compactly));
            const digits2 = digitsOf(text2, shapeOf(width2, min(size2, 16), compactly));
            const digits3 = digitsOf(text3, shapeOf(width3, min(size3, 16), compactly));
            front = twoNumbers(fourNumbers(digits0), fourNumbers(digits1));
            back = twoNumbers(fourNumbers(digits2), fourNumbers(digits3));
            wrong = v128.or(
              v128.or(notDigits(digits0), notDigits(digits1)),
              v128.or(notDigits(digits2), notDigits(digits3)),
            );
          }
          const numbers = i8x16.shuffle(front, back, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
          const amounts = i8x16.shuffle(front, back, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
          const before = i8x16.shuffle(last, numbers, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
          wrong = v128.or(wrong, i32x4.le_s(numbers, before));
          if (i8x16.bitmask(wrong) != 0) break;
          if (compactly) {
            v128.store64_lane(indices + ((<usize>k) << 1), i16x8.narrow_i32x4_u(numbers, numbers), 0);
            v128.store(values + ((<usize>k) << 2), amounts);
          } else {
            v128.store(indices + ((<usize>k) << 2), numbers);
            const at = values + ((<usize>k) << 3);
            const upper = i8x16.shuffle(amounts, amounts, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
            const first = f64x2.replace_lane(f64x2.splat(divisorOf(size0 - width0 - 1)), 1, divisorOf(size1 - width1 - 1));
            const second = f64x2.replace_lane(f64x2.splat(divisorOf(size2 - width2 - 1)), 1, divisorOf(size3 - width3 - 1));
            v128.store(at, f64x2.div(f64x2.convert_low_i32x4_s(amounts), first));
            v128.store(at, f64x2.div(f64x2.convert_low_i32x4_s(upper), second), 16);
          }
          last = numbers;
          k += 4;
          p = p3 + <usize>size3 + 1;
        }
        previous = <i64>i32x4.extract_lane(last, 3);
        block = p;
        ends = blanks(p);
      }
      singles--;
      while (ends == 0) {
        block += 64;
        ends = blanks(block);
      }
      const text = v128.load(p);
      const width = distanceTo(text, 58);
      const end = block + <usize>ctz(ends);
      const size = <i32>min<usize>(end - p, 16);
      const digits = digitsOf(text, shapeOf(width, size, compactly));
      c = load<u8>(end);
      let index: i64;
      let value: f64 = 0;
      let m: i32 = 0;
      if (i8x16.bitmask(notDigits(digits)) == 0 && endsToken(c)) {
        const fours = fourNumbers(digits);
        const numbers = twoNumbers(fours, fours);
        index = <i64>i32x4.extract_lane(numbers, 0);
        m = i32x4.extract_lane(numbers, 1);
        if (!compactly) value = <f64>m / divisorOf(size - width - 1);
        else sixes = size - width == 9;
        if (index <= previous) {
          result = layout.statusIndexOrder;
          faultFrom = p;
          faultTo = p + width;
          break;
        }
        p = end;
      } else {
        c = load<u8>(p);
        if (c == 10) break;
        if (endsToken(c)) {
          p++;
          ends &= ends - 1;
          continue;
        }
        if (c == 35) {
          p = findLineEnd(p);
          break;
        }
        result = readFeature(p, previous, k == stored);
        if (result != layout.statusDone) {
          faultFrom = featureFaultFrom;
          faultTo = featureEnd;
          break;
        }
        index = featureIndex;
        value = featureValue;
        if (compactly) {
          m = <i32>i32x4.extract_lane(i32x4.trunc_sat_f64x2_s_zero(f64x2.splat(nearest(value * 1e6))), 0);
          if (reinterpret<u64>(<f64>m * high + <f64>m * low) != reinterpret<u64>(value)) wide = true;
        }
        p = featureEnd;
        c = load<u8>(p);
        block = p;
        ends = blanks(p);
      }

      previous = index;
      if (k == capacity) {
        result = stored == 0 ? layout.statusEnlarge : layout.statusFull;
        break;
      }
      if (compactly) {
        store<u16>(indices + ((<usize>k) << 1), <u16>index);
        store<i32>(values + ((<usize>k) << 2), m);
      } else {
        store<u32>(indices + ((<usize>k) << 2), <u32>index);
        store<f64>(values + ((<usize>k) << 3), value);
      }
      k++;

      // A token is nearly always followed by one blank or the line's end.
      if (c == 32) {
        p++;
        ends &= ends - 1;
      }
      else if (c == 10) break;
    }

    // Indices rise, so the last one is the largest.
    if (compactly && result == layout.statusDone && (wide || previous > 0xffff)) result = layout.statusNotCompact;
    if (result != layout.statusDone) break;
    if (previous >= dimension) dimension = previous + 1;
    if (k > stored) {
      const first = compactly
        ? <u32>load<u16>(indices + ((<usize>stored) << 1))
        : load<u32>(indices + ((<usize>stored) << 2));
      if (first == 0) zeroIndex = 1;
    }
    set(labels, rows, label);
    rows++;
    stored = k;
    store<u32>(offsets + ((<usize>rows) << 2), stored);
    p++;
    lines++;
  }

  store<u8>(to, behind);
  set(report, layout.reportConsumed, <f64>((line < to ? line : to) - text));
  set(report, layout.reportRows, <f64>rows);
  set(report, layout.reportStored, <f64>stored);
  set(report, layout.reportLines, <f64>lines);
  set(report, layout.reportDimension, <f64>dimension);
  set(report, layout.reportFaultFrom, <f64>(faultFrom - text));
  set(report, layout.reportFaultTo, <f64>(faultTo - text));
  set(report, layout.reportWeighted, 0);
  set(report, layout.reportZeroIndex, <f64>zeroIndex);
  return result;
}

/** Reads lines into the arrays described by `room`, as sparse or compact rows by its layout. */
export function parseLibsvm(text: usize, room: usize, report: usize): i32 {
  return <i32>wordAt(room, layout.batchLayout) == layout.compactRows
    ? parseCompact(text, room, report)
    : parse(false, text, room, report);
}

function parseCompact(text: usize, room: usize, report: usize): i32 {
  return parse(true, text, room, report);
}
