// Vowpal Wabbit text: one example per line, `[label [importance [0]]] ['tag | tag]|namespace[:scale] feature[:value]
// …|…`. Blanks are spaces, tabs and carriage returns; blank lines are skipped. A tag begins with `'` or touches the
// first bar. A missing label is NaN; importance and values default to 1; a namespace may be unnamed (`| a b`). A
// feature is named `namespace^feature`, or `feature` in an unnamed namespace. The k-th feature without a name (`:3`) of
// a namespace is named k = 0, 1, …, because Vowpal Wabbit hashes it like this number.
//
// Differences from Vowpal Wabbit 9. Refused, where it warns and guesses: words that are not numbers, a second colon, a
// missing bar, …. Also refused: values that are words (`city:paris`), a base (initial prediction) other than 0, a
// negative importance, and names that are not UTF-8. A tab does not hide the text before it; numbers are doubles;
// features with the value 0 are kept, and repeated features are added up.
//
// Only complete lines are read: an incomplete line is left for the next call, unless no more bytes will come. A line
// feed is stored after the last byte during the call, so no loop needs to test for the end of the text.

import * as layout from '../src/kernels/layout';
import { twoValues } from './compact';
import { decimalShape, divisorAt, factorOf } from './decimals';
import { allDigits, digitsValue, lastDigits } from './digits';
import { firstBytes, murmur3, shortMurmur3, startSize } from './hash';
import { get, set, wordAt } from './memory';
import {
  beginNames, countNames, decimals, findShort, forgetNames, hasDecimals, internDecimal, internName, namesEnd, noRoom,
  openNames,
} from './names';
import { isDigit, numberEnd, numberFault, parseNumber } from './number';
import { hashedKeys, longestRun, namedKeys, readRun, runAmounts, runKeys, runRises, runSize } from './runs';
import { digitsOf, distanceTo, fourNumbers, notDigits, stops, twoNumbers } from './tokens';
import { endsWord, isBlank } from './words';
import { utf8Fault } from './utf8';

const lineFeed: u32 = 10;
const quote: u32 = 39;
const colon: u32 = 58;
const bar: u32 = 124;

// The fault of a refused line. Functions that read return the end of what they read, or 0 if they refuse.
let fault: i32 = 0;
let faultFrom: usize = 0;
let faultTo: usize = 0;

function refuse(why: i32, from: usize, to: usize): usize {
  fault = why;
  faultFrom = from;
  faultTo = to;
  return 0;
}

// Refuses the rest of a word, or a binary byte in it.
function refuseWord(why: i32, from: usize): usize {
  const to = wordEnd(from);
  return load<u8>(to) < 9 ? refuse(layout.statusBinary, to, to + 1) : refuse(why, from, to);
}

// @ts-ignore: decorator
@inline
function skipBlanks(p: usize): usize {
  while (isBlank(load<u8>(p))) p++;
  return p;
}

function wordEnd(p: usize): usize {
  let c: u32 = load<u8>(p);
  while (c >= 9 && !endsWord(c)) c = load<u8>(++p);
  return p;
}

/** True if a name since the last reset has bytes outside ASCII. */
let foreign = false;

/** Returns the end of the name at `p`: a blank, a line feed, ':', '|' or a binary byte. Reads 16 bytes at a time. */
function nameEnd(p: usize): usize {
  while (true) {
    const block = v128.load(p);
    const stops = i8x16.bitmask(v128.or(
      i8x16.le_u(block, i8x16.splat(32)),
      v128.or(i8x16.eq(block, i8x16.splat(<i8>colon)), i8x16.eq(block, i8x16.splat(<i8>bar))),
    ));
    const high = i8x16.bitmask(block);
    if (stops == 0) {
      if (high != 0) foreign = true;
      p += 16;
      continue;
    }
    if ((high & (stops - 1) & ~stops) != 0) foreign = true;
    p += <usize>ctz(stops);
    const c: u32 = load<u8>(p);
    if (c >= 32 || c < 11 || c == 13) return p;
    p++; // a control character that names may contain
  }
}

/**
 * Returns Vowpal Wabbit's `--hash strings` of a name that is not empty. It ignores control characters at the ends; a
 * name of digits is a number.
 */
function featureHash(from: usize, to: usize, seed: u32): u32 {
  while (from < to && load<u8>(from) <= 32) from++;
  while (from < to && load<u8>(to - 1) <= 32) to--;
  let number: u32 = 0;
  let p = from;
  for (; p < to; p++) {
    const c: u32 = load<u8>(p);
    if (!isDigit(c)) return murmur3(from, to, seed);
    number = number * 10 + (c - 48);
  }
  return number + seed;
}

// A feature without a name is named by its number in the namespace; Vowpal Wabbit hashes it to the same.
const ordinalDigits = memory.data(32);
let ordinal: u32 = 0;

function ordinalName(): usize {
  let p: usize = ordinalDigits + 16;
  let rest = ordinal++;
  do {
    store<u8>(--p, 48 + rest % 10);
    rest /= 10;
  } while (rest != 0);
  return p;
}

let label: f64 = 0;
let weight: f64 = 0;

/** Reads the text before the first bar, and returns the bar's position. */
function readHead(p: usize): usize {
  label = NaN;
  weight = 1;
  let count = 0;
  while (true) {
    p = skipBlanks(p);
    const c: u32 = load<u8>(p);
    if (c == bar) return p;
    if (c == lineFeed) return refuse(layout.statusBar, p, p);
    if (c == quote) {
      p = wordEnd(p);
      if (load<u8>(p) < 9) return refuse(layout.statusBinary, p, p + 1);
      p = skipBlanks(p);
      return load<u8>(p) == bar ? p : refuseWord(layout.statusBar, p);
    }

    // A word that touches the bar is a tag, even if it is a number.
    let x: f64 = 0;
    let isNumber = false;
    let wrong = 0;
    if (count < 3) {
      x = parseNumber(p);
      wrong = numberFault;
      isNumber = wrong == 0 && load<u8>(numberEnd) <= 32;
    }
    if (!isNumber) {
      const end = wordEnd(p);
      if (load<u8>(end) == bar) return end;
      return refuseWord(
        count == 3 ? layout.statusBar
          : wrong == layout.statusNotFinite ? wrong
          : count == 0 ? layout.statusLabel
          : count == 1 ? layout.statusImportance
          : layout.statusBase,
        p,
      );
    }
    if (count == 0) {
      label = x;
    } else if (count == 1) {
      if (x < 0) return refuse(layout.statusImportance, p, numberEnd);
      weight = x;
    } else if (x != 0) {
      return refuse(layout.statusBase, p, numberEnd);
    }
    p = numberEnd;
    count++;
  }
}

let number: f64 = 0;

/** Reads the number after a colon. */
function readNumber(p: usize): usize {
  number = parseNumber(p);
  const end = numberEnd;
  if (numberFault) return refuseWord(numberFault, p);
  const c: u32 = load<u8>(end);
  if (c > 32 && c != bar) return c == colon ? refuseWord(layout.statusColon, end) : refuseWord(layout.statusNumber, p);
  return end;
}

/** Checks that the name [from, to) is UTF-8, and returns its end. */
function checkForeign(from: usize, to: usize): usize {
  foreign = false;
  const at = utf8Fault(from, to);
  return at == to ? to : refuse(layout.statusUtf8, at, at + 1);
}

let scale: f64 = 1;
let spaceHash: u32 = 0;

/** Reads a namespace and its scale, starting after the bar. */
function readSpace(named: bool, p: usize): usize {
  ordinal = 0;
  scale = 1;
  spaceHash = 0;
  let c: u32 = load<u8>(p);
  if (endsWord(c)) {
    if (named) beginNames(0, 0);
    return p;
  }
  const end = nameEnd(p);
  c = load<u8>(end);
  if (c < 9) return refuse(layout.statusBinary, end, end + 1);
  if (end == p) return refuse(layout.statusColon, p, p + 1);
  if (foreign && !checkForeign(p, end)) return 0;
  if (named) beginNames(p, end);
  else spaceHash = featureHash(p, end, 0);
  if (c != colon) return end;
  const next = readNumber(end + 1);
  scale = number;
  return next;
}

let nameFrom: usize = 0;
let nameTo: usize = 0;
let value: f64 = 0;

/** Reads a feature of any form at `p`: its name and its value. */
function readFeature(p: usize): usize {
  const end = nameEnd(p);
  const c: u32 = load<u8>(end);
  let next = end;
  value = scale;
  if (c < 9) return refuse(layout.statusBinary, end, end + 1);
  if (c == colon) {
    next = readNumber(end + 1);
    value *= number;
  }
  if (foreign && !checkForeign(p, end)) return 0;
  if (next == 0) return 0;
  if (!isFinite(value)) return refuseWord(layout.statusNotFinite, end + 1);
  nameFrom = p;
  nameTo = end;
  if (p == end) {
    nameFrom = ordinalName();
    nameTo = ordinalDigits + 16;
  }
  return next;
}

// A repeated feature of a row is added to its first occurrence. The position of that one is noted in a table, at the
// number of its name or, for hashes, at the low bits of its index. Notes are never cleared: a note is valid if it
// points into the row and the index there is the one looked for (P. Briggs, L. Torczon, "An efficient representation
// for sparse sets", 1993). With more bits than the table has, two features of a row may share a note, which is rare.
// The second one is then not noted, and the row is merged at its end.
//
// No note is needed while the features of a row are rising numbers in one namespace. So a call starts without notes,
// and takes them from the first row on that is different.
const placeMask: u32 = 0xffff;

/** True if two features of the row share a note. */
let shared = false;

/** Returns the position of the feature's first occurrence in the row from `stored` on, or notes and returns `k`. */
// @ts-ignore: decorator
@inline
function firstPlace(
  compactly: bool, exclusive: bool, note: usize, index: u32, indices: usize, stored: usize, k: usize,
): usize {
  const earlier = <usize>load<u32>(note);
  if (earlier - stored < k - stored) {
    const there = compactly ? <u32>load<u16>(indices + (earlier << 1)) : load<u32>(indices + (earlier << 2));
    if (there == (compactly ? index & 0xffff : index)) return earlier;
    if (!exclusive) {
      shared = true;
      return k;
    }
    // Otherwise the note is from an earlier call.
  }
  store<u32>(note, <u32>k);
  return k;
}

/** Merges repeated features of a row, with `table` as a hash table twice as long. Returns the row's new end. */
function mergeRow(indices: usize, values: usize, from: usize, to: usize, table: usize): usize {
  const bits: u32 = 33 - <u32>clz<u32>(<u32>(to - from - 1));
  const mask: u32 = (1 << bits) - 1;
  memory.fill(table, 0, <usize>4 << <usize>bits);
  let end = from;
  for (let k = from; k < to; k++) {
    const index = load<u32>(indices + (k << 2));
    const value = load<f64>(values + (k << 3));
    let at: u32 = (index * 0x9e3779b1) >> (32 - bits); // Knuth's multiplicative hash: TAOCP 3, 6.4
    while (true) {
      const slot = table + (<usize>at << 2);
      const met = <usize>load<u32>(slot);
      const first = from + met - 1;
      if (met == 0) {
        store<u32>(slot, <u32>(end - from + 1));
        store<u32>(indices + (end << 2), index);
        store<f64>(values + (end << 3), value);
        end++;
        break;
      }
      if (load<u32>(indices + (first << 2)) == index) {
        addTo(values + (first << 3), value);
        break;
      }
      at = (at + 1) & mask;
    }
  }
  return end;
}

let overflow = false;

// @ts-ignore: decorator
@inline
function addTo(at: usize, value: f64): void {
  const sum = load<f64>(at) + value;
  if (!isFinite(sum)) overflow = true;
  store<f64>(at, sum);
}

// What a compact value stands for: m·high + m·low, see compact.ts.
let high: f64 = 0, low: f64 = 0;
/** True if a value of the row, or a sum, cannot be stored compactly. */
let wide = false;

/** Stores a value as millionths. */
function storeCompact(at: usize, value: f64): void {
  const m = <i32>i32x4.extract_lane(i32x4.trunc_sat_f64x2_s_zero(f64x2.splat(nearest(value * 1e6))), 0);
  if (reinterpret<u64>(<f64>m * high + <f64>m * low) != reinterpret<u64>(value)) wide = true;
  store<i32>(at, m);
}

function addToCompact(at: usize, value: f64): void {
  const m = <f64>load<i32>(at);
  storeCompact(at, m * high + m * low + value);
}

/** Returns the key of the feature [from, to), or −1 if it is not a number that runs may have. */
function keyOfNumber(keys: usize, from: usize, to: usize): i32 {
  const width = to - from;
  if (width - 1 >= 6) return -1;
  const digits = lastDigits(load<u64>(from), width);
  if (!allDigits(digits)) return -1;
  const key = load<i32>(keys + (width << 2)) + <i32>digitsValue(digits);
  return key <= load<i32>(keys) ? key : -1;
}

function parse(named: bool, mask: u32, text: usize, room: usize, places: usize, report: usize): i32 {
  const compactly = <i32>wordAt(room, layout.batchLayout) == layout.compactRows;
  const rowCapacity = <i32>wordAt(room, layout.batchRows), capacity = <usize>wordAt(room, layout.batchStored);
  const offsets = wordAt(room, layout.batchOffsets), indices = wordAt(room, layout.batchIndices);
  const values = wordAt(room, layout.batchValues);
  const labels = wordAt(room, layout.batchLabels), importance = wordAt(room, layout.batchImportance);
  const parts = wordAt(room, layout.batchScale);
  high = get(parts, 0);
  low = get(parts, 1);
  const highs = f64x2.splat(high), lows = f64x2.splat(low);
  let p = text + <usize>get(report, layout.reportFrom);
  let to = text + <usize>get(report, layout.reportTo);
  if (get(report, layout.reportLast) == 0) while (to > p && load<u8>(to - 1) != lineFeed) to--;
  const behind = load<u8>(to);
  store<u8>(to, lineFeed);

  const exclusive = named || mask <= placeMask;
  const keys = named ? namedKeys : hashedKeys;
  let noting = false;
  let line = p;
  let rows = 0;
  let stored: usize = 0;
  let lines = 0;
  let dimension: u32 = 0;
  let weighted = false;
  let result = layout.statusDone;
  let knownNames: u32 = 0;
  let knownBytes: usize = 0;
  fault = 0;
  faultFrom = text;
  faultTo = text;
  foreign = false;
  store<u32>(offsets, 0);

  while (true) {
    line = p;
    if (p >= to) break;
    p = skipBlanks(p);
    if (load<u8>(p) == lineFeed) {
      p++;
      lines++;
      continue;
    }
    if (rows == rowCapacity) {
      result = layout.statusFull;
      break;
    }
    if (named) {
      knownNames = countNames();
      knownBytes = namesEnd();
    }

    p = readHead(p);
    const features = p;

    // The features, up to the end of the line. Without notes, keys must rise in the whole row.
    let k = stored;
    let room = capacity - stored;
    let tops = i32x4.splat(0);
    let top: u32 = 0;
    let first = -1, last = -1;
    let repeats = false;
    shared = false;
    overflow = false;
    wide = false;

    // Features before the next run. For these, `ends` has a bit for every byte that may end a token from p on within
    // the 64 bytes at `block`. So the end of a token costs one count of zeros.
    let singles = 0;
    let block = p;
    let ends = stops(p);
    while (p != 0) {
      if (singles <= 0 && isDigit(load<u8>(p)) && scale == 1 && (!named || hasDecimals)) {
        p = readRun(p, keys, last);
        const size = runSize;
        if (size != 0) {
          if (last < 0) first = load<i32>(runKeys);
          last = load<i32>(runKeys + ((size - 1) << 2));
          if (!noting && !runRises) {
            repeats = true;
            break;
          }
          let i: usize = 0;
          while (i < size) {
            if (!noting && i + 4 <= size && room >= 4) {
              let found = v128.load(runKeys + (i << 2));
              let isKnown = true;
              if (named) {
                const at = runKeys + (i << 2);
                let numbers = v128.load32_zero(decimals + (<usize>load<u32>(at) << 2));
                numbers = v128.load32_lane(decimals + (<usize>load<u32>(at, 4) << 2), numbers, 1);
                numbers = v128.load32_lane(decimals + (<usize>load<u32>(at, 8) << 2), numbers, 2);
                numbers = v128.load32_lane(decimals + (<usize>load<u32>(at, 12) << 2), numbers, 3);
                isKnown = i32x4.all_true(numbers);
                found = i32x4.sub(numbers, i32x4.splat(1));
              } else {
                found = v128.and(i32x4.add(found, i32x4.splat(spaceHash)), i32x4.splat(mask));
              }
              if (isKnown) {
                const amounts = v128.load(runAmounts + (i << 2));
                if (compactly) {
                  v128.store64_lane(indices + (k << 1), i16x8.narrow_i32x4_u(found, found), 0);
                  v128.store(values + (k << 2), amounts);
                } else {
                  const upper = i8x16.shuffle(amounts, amounts, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
                  v128.store(indices + (k << 2), found);
                  v128.store(values + (k << 3), twoValues(amounts, highs, lows));
                  v128.store(values + (k << 3), twoValues(upper, highs, lows), 16);
                }
                tops = i32x4.max_u(tops, found);
                k += 4;
                i += 4;
                room -= 4;
                continue;
              }
            }

            const key = load<u32>(runKeys + (i << 2));
            let index: u32 = 0;
            let note: usize = 0;
            if (named) {
              index = load<u32>(decimals + (<usize>key << 2)) - 1;
              if (index == -1) {
                const name = internDecimal(key);
                if (name == noRoom) {
                  result = layout.statusEnlargeNames;
                  break;
                }
                index = load<u32>(name);
              }
              note = places + (<usize>index << 2);
            } else {
              index = (key + spaceHash) & mask;
              note = places + (<usize>(index & placeMask) << 2);
            }
            if (room == 0) {
              result = stored == 0 ? layout.statusEnlarge : layout.statusFull;
              break;
            }
            room--;
            const m = load<i32>(runAmounts + (i << 2));
            i++;
            top = max(top, index);
            const at = noting ? firstPlace(compactly, exclusive, note, index, indices, stored, k) : k;
            const x = <f64>m * high + <f64>m * low;
            if (at < k) {
              if (compactly) addToCompact(values + (at << 2), x);
              else addTo(values + (at << 3), x);
            } else {
              if (compactly) {
                store<u16>(indices + (k << 1), <u16>index);
                store<i32>(values + (k << 2), m);
              } else {
                store<u32>(indices + (k << 2), index);
                store<f64>(values + (k << 3), x);
              }
              k++;
            }
          }
          if (result != layout.statusDone || load<u8>(p) == lineFeed) break;
          block = p;
          ends = stops(p);
        }
        singles = size == 0 ? 4 : size < longestRun ? 1 : 0;
        if (singles == 0) continue;
      }
      singles--;
      while (ends == 0) {
        block += 64;
        ends = stops(block);
      }
      const token = v128.load(p);
      const from = p;
      const end = block + <usize>ctz(ends);
      const size = end - p;
      let c: u32 = load<u8>(end);
      let width = <usize>distanceTo(token, <i8>colon);

      // The usual form: a known or hashed name of up to sixteen bytes, or fifteen and a short decimal.
      let isUsual = c == 32 || endsWord(c);
      let x = scale;
      if (width < size) {
        let from = p + width + 1;
        const isNegative = load<u8>(from) == 45;
        from += <usize>isNegative;
        const rest = <i32>min<usize>(end - from, 15);
        const decimal = v128.load(from);
        const shape = decimalShape(min(distanceTo(decimal, 46), rest), rest);
        const digits = digitsOf(decimal, shape);
        isUsual = isUsual && width < 16 && i8x16.bitmask(notDigits(digits)) == 0;
        const fours = fourNumbers(digits);
        const whole = i32x4.extract_lane(twoNumbers(fours, fours), 1);
        const factor = factorOf(shape);
        // See compact.ts: the product is the quotient, to the bit, but faster.
        const m = whole * factor;
        x = factor != 0 ? <f64>m * high + <f64>m * low : <f64>whole / divisorAt(shape);
        x = isNegative ? -x : x;
        if (scale != 1) {
          x *= scale;
          isUsual = isUsual && isFinite(x);
        }
      } else {
        width = size;
      }

      let index: u32 = 0;
      let key = -1;
      if (isUsual) {
        if (named && hasDecimals && isDigit(load<u8>(p))) key = keyOfNumber(keys, p, p + width);
        const number = key < 0 ? 0 : load<u32>(decimals + (<usize>key << 2));
        if (number != 0) {
          index = number - 1;
        } else if (named) {
          const length = startSize + width;
          const entry = width != 0 && length <= 16 ? findShort(token, length) : 0;
          isUsual = entry != 0;
          index = load<u32>(entry);
        } else {
          const name = firstBytes(token, min<usize>(width, 16));
          isUsual = width - 1 < 16 && i8x16.bitmask(name) == 0;
          if (!isDigit(load<u8>(p))) {
            index = shortMurmur3(name, <u32>width, spaceHash);
          } else {
            const word = lastDigits(i64x2.extract_lane(name, 0), width);
            index = digitsValue(word) + spaceHash;
            isUsual = isUsual && width <= 8 && allDigits(word);
          }
        }
      }

      if (isUsual) {
        p = end;
        if (c == 32) {
          p++;
          ends &= ends - 1;
        }
        nameFrom = from;
        nameTo = from + width;
      } else {
        c = load<u8>(p);
        if (c == lineFeed) break;
        if (isBlank(c)) {
          p++;
          ends &= ends - 1;
          continue;
        }
        p = c == bar ? readSpace(named, p + 1) : readFeature(p);
        if (p == 0) break;
        if (c == bar) {
          singles = 0;
          if (load<u8>(p) == 32) p++;
          if (k != stored && !noting) {
            repeats = true;
            break;
          }
        }
        block = p;
        ends = stops(p);
        if (c == bar) continue;
        x = value;
        if (named) {
          const entry = internName(nameFrom, nameTo);
          if (entry == noRoom) {
            result = layout.statusEnlargeNames;
            break;
          }
          index = load<u32>(entry);
        } else {
          index = featureHash(nameFrom, nameTo, spaceHash);
        }
      }
      if (!named) index &= mask;
      if (room == 0) {
        result = stored == 0 ? layout.statusEnlarge : layout.statusFull;
        break;
      }
      room--;

      let at = k;
      if (noting) {
        const note = places + (<usize>(named ? index : index & placeMask) << 2);
        at = firstPlace(compactly, exclusive, note, index, indices, stored, k);
      } else {
        if (key < 0) key = keyOfNumber(keys, nameFrom, nameTo);
        if (key <= last) {
          repeats = true;
          break;
        }
        if (last < 0) first = key;
        last = key;
      }
      top = max(top, index);
      if (at < k) {
        if (compactly) addToCompact(values + (at << 2), x);
        else addTo(values + (at << 3), x);
        continue;
      }
      if (compactly) {
        store<u16>(indices + (k << 1), <u16>index);
        storeCompact(values + (k << 2), x);
      } else {
        store<u32>(indices + (k << 2), index);
        store<f64>(values + (k << 3), x);
      }
      k++;
    }

    // Different keys can have the same hash if they are far apart.
    if (!named && !noting && p != 0 && result == layout.statusDone) repeats = repeats || <u32>(last - first) > mask;
    if (repeats) {
      if (named) forgetNames(knownNames, knownBytes);
      noting = true;
      p = line;
      continue;
    }
    if (p != 0 && result == layout.statusDone) {
      if (shared) k = mergeRow(indices, values, stored, k, places);
      if (overflow) p = refuse(layout.statusNotFinite, features, p);
      tops = i32x4.max_u(tops, i32x4.splat(top));
      tops = i32x4.max_u(tops, i8x16.shuffle(tops, tops, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
      top = max<u32>(i32x4.extract_lane(tops, 0), i32x4.extract_lane(tops, 1));
      if (compactly && (wide || top > 0xffff)) result = layout.statusNotCompact;
    }
    if (p == 0) result = fault;
    if (result != layout.statusDone) {
      if (named) forgetNames(knownNames, knownBytes);
      break;
    }

    if (k > stored && top >= dimension) dimension = top + 1;
    if (weight != 1) weighted = true;
    set(labels, rows, label);
    set(importance, rows, weight);
    rows++;
    stored = k;
    store<u32>(offsets + ((<usize>rows) << 2), <u32>stored);
    p++;
    lines++;
  }

  store<u8>(to, behind);
  set(report, layout.reportConsumed, <f64>(min(line, to) - text));
  set(report, layout.reportRows, <f64>rows);
  set(report, layout.reportStored, <f64>stored);
  set(report, layout.reportLines, <f64>lines);
  set(report, layout.reportDimension, <f64>dimension);
  set(report, layout.reportFaultFrom, <f64>(faultFrom - text));
  set(report, layout.reportFaultTo, <f64>(faultTo - text));
  set(report, layout.reportWeighted, weighted ? 1 : 0);
  set(report, layout.reportZeroIndex, 0);
  return result;
}

/** Reads lines whose features are numbered by name. `slots` … `state`: see `openNames`. */
export function parseVwNamed(
  text: usize, room: usize, places: usize, report: usize,
  slots: usize, slotCount: i32, arena: usize, arenaBytes: i32, decimals: usize, state: usize,
): i32 {
  openNames(slots, slotCount, arena, arenaBytes, decimals, state);
  return parse(true, 0, text, room, places, report);
}

/** Reads lines whose features are hashed to `bits` bits. */
export function parseVwHashed(text: usize, room: usize, places: usize, report: usize, bits: i32): i32 {
  return parse(false, (1 << bits) - 1, text, room, places, report);
}
