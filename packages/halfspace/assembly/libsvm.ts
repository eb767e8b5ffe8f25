// libsvm / svmlight text: one example per line, `label index:value …`, indices rising; `#` starts a comment.
//
// Only complete lines are read, unless no more bytes will come: an incomplete line is left for the next call. A line
// feed is stored after the last byte during the call, so no loop needs to test for the end of the text.

import * as layout from '../src/kernels/layout';
import { get, set, wordAt } from './memory';
import { isDigit, numberEnd, numberFault, parseNumber } from './number';
import { allDigits, digitsOf, distanceTo, blanks, divisorOf, millionthsOf, shapeOf, twoNumbers } from './tokens';

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

    // The features. `ends` has a bit for every blank or line end from p on within the 64 bytes at `block`. So the end
    // of a token costs one count of trailing zeros, and the processor can run ahead of the digits.
    let k = stored;
    let previous: i64 = -1;
    /** True if a value cannot be stored compactly. */
    let wide = false;
    let block = p;
    let ends: u64 = blanks(p);
    while (result == layout.statusDone) {
      while (ends == 0) {
        block += 64;
        ends = blanks(block);
      }
      const text = v128.load(p);
      const width = distanceTo(text, 58);
      const end = block + <usize>ctz(ends);
      const size = <i32>min<usize>(end - p, 16);
      const shape = shapeOf(width, size, compactly);
      const digits = digitsOf(text, shape);
      c = load<u8>(end);
      let index: i64;
      let value: f64 = 0;
      let m: i32 = 0;
      if (allDigits(digits) && endsToken(c)) {
        const numbers = twoNumbers(digits);
        index = <i64>i32x4.extract_lane(numbers, 0);
        if (compactly) m = i32x4.extract_lane(numbers, 1) * millionthsOf(shape);
        else value = <f64>i32x4.extract_lane(numbers, 1) / divisorOf(shape);
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
