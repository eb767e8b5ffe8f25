// Vowpal Wabbit text: one example a line, `[label [importance [0]]] ['tag | tag]|namespace[:scale] feature[:value] …|…`.
// src/kernels/reference-vw.ts tells what is refused and where we differ from Vowpal Wabbit; it reads the same.
//
// Only whole lines are read: a line without its line feed is left for the next call, unless no more bytes will come; then a
// line feed is put behind the last byte, and taken away again. So no loop asks whether the text has ended.

import * as layout from '../src/kernels/layout';
import { allDigits, digitsValue, lastDigits } from './digits';
import { murmur3 } from './hash';
import { get, set, wordAt } from './memory';
import { beginNames, countNames, forgetNames, internName, namesEnd, noRoom, openNames, unknownName } from './names';
import { isDigit, numberEnd, numberFault, parseNumber } from './number';
import { utf8Fault } from './utf8';

const lineFeed: u32 = 10;
const quote: u32 = 39;
const colon: u32 = 58;
const bar: u32 = 124;

// The refusal of a line. Functions that read on return where they ended, or 0 when they refuse.
let fault: i32 = 0;
let faultFrom: usize = 0;
let faultTo: usize = 0;

function refuse(why: i32, from: usize, to: usize): usize {
  fault = why;
  faultFrom = from;
  faultTo = to;
  return 0;
}

// Refuses the rest of a word, or the byte in it that no text has.
function refuseWord(why: i32, from: usize): usize {
  const to = wordEnd(from);
  return load<u8>(to) < 9 ? refuse(layout.statusBinary, to, to + 1) : refuse(why, from, to);
}

// @ts-ignore: decorator
@inline
function isBlank(c: u32): bool {
  return c == 32 || c == 9 || c == 13;
}

// @ts-ignore: decorator
@inline
function endsWord(c: u32): bool {
  return isBlank(c) || c == lineFeed || c == bar;
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

/** Whether a name read since this was last cleared has bytes outside ASCII. */
let foreign = false;

/** The end of the name at `p`: a blank, a line feed, ':', '|' or a byte that no text has. Reads 16 bytes at a time. */
// @ts-ignore: decorator
@inline
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
    p++; // a control character that may stand in a name
  }
}

/** Vowpal Wabbit's `--hash strings` of a name that is not empty. */
// @ts-ignore: decorator
@inline
function featureHash(from: usize, to: usize, seed: u32): u32 {
  const length = to - from;
  if (isDigit(load<u8>(from)) && length <= 8) {
    const word = lastDigits(load<u64>(from), length);
    if (allDigits(word)) return digitsValue(word) + seed;
  }
  return generalHash(from, to, seed);
}

// Control characters at the ends do not count; digits alone are a number.
function generalHash(from: usize, to: usize, seed: u32): u32 {
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

// A feature without a name is named by its count in the namespace, because that is also what Vowpal Wabbit hashes it to.
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

/** Reads what stands before the first bar, at which it ends. */
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

    // A word that touches the bar is a tag, whatever it looks like.
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

/** Reads the number behind a colon. */
// @ts-ignore: decorator
@inline
function readNumber(p: usize): usize {
  number = parseNumber(p);
  const end = numberEnd;
  if (numberFault) return refuseWord(numberFault, p);
  const c: u32 = load<u8>(end);
  if (c > 32 && c != bar) return c == colon ? refuseWord(layout.statusColon, end) : refuseWord(layout.statusNumber, p);
  return end;
}

/** Refuses the name [from, to) when it is not what was promised; otherwise its end. */
function checkForeign(from: usize, to: usize): usize {
  foreign = false;
  const at = utf8Fault(from, to);
  return at == to ? to : refuse(layout.statusUtf8, at, at + 1);
}

let scale: f64 = 1;
let spaceHash: u32 = 0;

/** Reads a namespace and its scale, from behind the bar. */
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

// A feature that comes again in its row is added to the first of its kind. Where that one was written is noted with its
// name, or, when hashed, in a table of places at the low bits of its index. Notes are never cleared: one counts when it points
// into the row and the index there is the one looked for (P. Briggs, L. Torczon, "An efficient representation for sparse
// sets", 1993). With more bits than the table has, two features of a row may share a place. That is rare; the second then
// has no note, and the row is merged at its end.
const placeMask: u32 = 0x3ffff;

/** Merges a whole row, with the table of places as a hash table of twice its length or more; returns the row's new end. */
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

// @ts-ignore: decorator
@inline
function parse(named: bool, mask: u32, text: usize, room: usize, places: usize, report: usize): i32 {
  const rowCapacity = <i32>wordAt(room, layout.batchRows), capacity = <usize>wordAt(room, layout.batchStored);
  const offsets = wordAt(room, layout.batchOffsets), indices = wordAt(room, layout.batchIndices);
  const values = wordAt(room, layout.batchValues);
  const labels = wordAt(room, layout.batchLabels), importance = wordAt(room, layout.batchImportance);
  let p = text + <usize>get(report, layout.reportFrom);
  let to = text + <usize>get(report, layout.reportTo);
  if (get(report, layout.reportLast) == 0) while (to > p && load<u8>(to - 1) != lineFeed) to--;
  const behind = load<u8>(to);
  store<u8>(to, lineFeed);

  const exclusive = named || mask <= placeMask;
  let line = p;
  let rows = 0;
  let stored: usize = 0;
  let lines = 0;
  let dimension: i64 = 0;
  let weighted = false;
  let unknown = 0;
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

    // The features, up to the end of the line.
    let k = stored;
    let room = capacity - stored;
    let top: i64 = 0;
    let dropped = 0;
    let shared = false;
    overflow = false;
    while (p != 0) {
      p = skipBlanks(p);
      let c: u32 = load<u8>(p);
      if (c == bar) {
        p = readSpace(named, p + 1);
        continue;
      }
      if (c == lineFeed) break;

      let from = p;
      let end = nameEnd(p);
      c = load<u8>(end);
      p = end;
      let value = scale;
      if (c <= colon) {
        if (c < 9) {
          p = refuse(layout.statusBinary, end, end + 1);
          break;
        }
        if (c == colon) {
          p = readNumber(end + 1);
          value *= number;
        }
      }
      if (foreign && !checkForeign(from, end)) p = 0;
      if (p == 0) break;
      if (!isFinite(value)) {
        p = refuseWord(layout.statusNotFinite, end + 1);
        break;
      }
      if (from == end) {
        from = ordinalName();
        end = ordinalDigits + 16;
      }

      let index: u32, place: usize;
      if (named) {
        const name = internName(from, end);
        if (name == unknownName) {
          dropped++;
          continue;
        }
        if (name == noRoom) {
          result = layout.statusEnlargeNames;
          break;
        }
        index = load<u32>(name);
        place = name + 8;
      } else {
        index = featureHash(from, end, spaceHash) & mask;
        place = places + (<usize>(index & placeMask) << 2);
      }
      if (room == 0) {
        result = stored == 0 ? layout.statusEnlarge : layout.statusFull;
        break;
      }
      room--;
      const earlier = <usize>load<u32>(place);
      if (earlier - stored >= k - stored) {
        store<u32>(place, <u32>k);
      } else if (load<u32>(indices + (earlier << 2)) == index) {
        addTo(values + (earlier << 3), value);
        continue;
      } else if (exclusive) {
        store<u32>(place, <u32>k); // the note is of an earlier call
      } else {
        shared = true;
      }
      store<u32>(indices + (k << 2), index);
      store<f64>(values + (k << 3), value);
      k++;
      if (<i64>index >= top) top = <i64>index + 1;
    }

    if (p != 0 && result == layout.statusDone) {
      if (shared) k = mergeRow(indices, values, stored, k, places);
      if (overflow) p = refuse(layout.statusNotFinite, features, p);
    }
    if (p == 0) result = fault;
    if (result != layout.statusDone) {
      if (named) forgetNames(knownNames, knownBytes);
      break;
    }

    if (top > dimension) dimension = top;
    if (weight != 1) weighted = true;
    unknown += dropped;
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
  set(report, layout.reportUnknown, <f64>unknown);
  return result;
}

/** Reads lines whose features the table numbers by name; `slots` … `frozen` are as for `openNames`. */
export function parseVwNamed(
  text: usize, room: usize, places: usize, report: usize,
  slots: usize, slotCount: i32, arena: usize, arenaBytes: i32, state: usize, frozen: bool,
): i32 {
  openNames(slots, slotCount, arena, arenaBytes, state, frozen);
  return parse(true, 0, text, room, places, report);
}

/** Reads lines whose features are hashed to `bits` bits. */
export function parseVwHashed(text: usize, room: usize, places: usize, report: usize, bits: i32): i32 {
  return parse(false, (1 << bits) - 1, text, room, places, report);
}
