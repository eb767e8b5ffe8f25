// The name table: names numbered in order of appearance. Memory: `NameTableMemory` of src/kernels/kernels.ts.
//
// Open addressing with linear probing. A slot is two words: the hash, and 1 + the name's position in the arena (0:
// free). The arena holds the names in order, each as its number, its length, and its bytes. So a successful search
// reads memory in two places, and removing the last names needs only the arena.
//
// Names of one to five digits in one namespace have a second table, by their key (runs.ts): 1 + the number, or 0. It
// is filled when a name is looked up by its key.

import {
  decimalNames, lacksBytes, lacksSlots, nameBytes, nameCount, nameDecimal, nameHeaderBytes, nameLacking,
} from '../src/kernels/layout';
import { firstBytes, keyHash, keyOf, lowBytes, nameHash, startNames } from './hash';
import { isDigit } from './number';
import { namedKeys } from './runs';

/** Result instead of an entry: the table is full. */
export const noRoom: usize = 1;

const headerBytes: usize = nameHeaderBytes;

let slots: usize = 0;
let mask: u32 = 0;
let arena: usize = 0;
let arenaBytes: usize = 0;
let state: usize = 0;
/** The table of decimal names. */
export let decimals: usize = 0;
/** True if it is for the current prefix. */
export let hasDecimals = false;
let names: u32 = 0;
let used: usize = 0;

// The prefix of the names that are looked up: the bytes [startFrom, startTo) and '^', or nothing.
let startFrom: usize = 0;
let startTo: usize = 0;

/** Selects a table for the calls that follow. */
export function openNames(
  slotsAt: usize, slotCount: i32, arenaAt: usize, bytes: i32, decimalsAt: usize, stateAt: usize,
): void {
  slots = slotsAt;
  mask = <u32>slotCount - 1;
  arena = arenaAt;
  arenaBytes = <usize>bytes;
  decimals = decimalsAt;
  state = stateAt;
  names = load<u32>(state, nameCount << 2);
  used = load<u32>(state, nameBytes << 2);
  store<u32>(state, 0, nameLacking << 2);
  beginNames(0, 0);
}

/** Sets the prefix of names to the bytes [from, to) and '^', or to nothing if from == to. */
export function beginNames(from: usize, to: usize): void {
  startFrom = from;
  startTo = to;
  startNames(from, to);
  const decimal = <usize>load<u32>(state, nameDecimal << 2);
  hasDecimals = decimal == 0 || hasStart(arena + decimal - 1);
}

/** Returns true if an entry's name is the prefix and digits. */
function hasStart(name: usize): bool {
  const start = startTo - startFrom;
  const bytes = name + headerBytes;
  const rest = bytes + start + (start != 0 ? 1 : 0);
  const end = bytes + <usize>load<u32>(name, 4);
  return rest < end && digitsFrom(rest, end) == rest &&
    (start == 0 || (sameBytes(bytes, startFrom, startTo) && load<u8>(bytes + start) == 94));
}

/** Returns the start of the digits at the end of [from, to). */
function digitsFrom(from: usize, to: usize): usize {
  while (to > from && isDigit(load<u8>(to - 1))) to--;
  return to;
}

export function countNames(): u32 {
  return names;
}

// @ts-ignore: decorator
@inline
function sameBytes(a: usize, from: usize, to: usize): bool {
  let p = from;
  for (; p + 8 <= to; p += 8, a += 8) if (load<u64>(a) != load<u64>(p)) return false;
  return lowBytes(load<u64>(a) ^ load<u64>(p), to - p) == 0;
}

/** Returns the entry of the name of `length` bytes, at most 16, whose feature begins `text`; 0 if there is none. */
// @ts-ignore: decorator
@inline
export function findShort(text: v128, length: usize): usize {
  const key = keyOf(text, length);
  const hash = keyHash(key);
  let at = hash & mask;
  while (true) {
    const slot = load<u64>(slots + (<usize>at << 3));
    const begin = <usize>(slot >> 32);
    if (begin == 0) return 0;
    if (<u32>slot == hash) {
      const name = arena + begin - 1;
      const bytes = firstBytes(v128.load(name + headerBytes), length);
      if (load<u32>(name, 4) == <u32>length && !v128.any_true(v128.xor(bytes, key))) return name;
    }
    at = (at + 1) & mask;
  }
}

/**
 * Returns the entry of the name prefix + [from, to). A new name is added. The first word of an entry is its
 * number; the third belongs to the caller.
 */
export function internName(from: usize, to: usize): usize {
  const hash = nameHash(from, to);
  const start = startTo - startFrom;
  const before = start + (start != 0 ? 1 : 0);
  const length = <u32>(before + (to - from));
  let at = hash & mask;
  while (true) {
    const slot = slots + (<usize>at << 3);
    const begin = <usize>load<u32>(slot, 4);
    if (begin == 0) return addName(slot, hash, before, length, from, to);
    if (load<u32>(slot) == hash) {
      const name = arena + begin - 1;
      const bytes = name + headerBytes;
      if (
        load<u32>(name, 4) == length && sameBytes(bytes + before, from, to) &&
        (start == 0 || (sameBytes(bytes, startFrom, startTo) && load<u8>(bytes + start) == 94))
      ) return name;
    }
    at = (at + 1) & mask;
  }
}

// At most half of the slots are used; a search then reads 1.5 slots if it succeeds and 2.5 if not (D. E. Knuth, The Art
// of Computer Programming 3, section 6.4, theorem K).
function addName(slot: usize, hash: u32, before: usize, length: u32, from: usize, to: usize): usize {
  if (<u64>(names + 1) * 2 > <u64>mask + 1) {
    store<u32>(state, lacksSlots, nameLacking << 2);
    return noRoom;
  }
  if (<u64>used + headerBytes + <u64>length > <u64>arenaBytes) {
    store<u32>(state, lacksBytes, nameLacking << 2);
    return noRoom;
  }
  const name = arena + used;
  const bytes = name + headerBytes;
  store<u32>(name, names);
  store<u32>(name, length, 4);
  if (length <= 16) {
    // Copying so few bytes takes longer than a store, which may go beyond them.
    v128.store(bytes, keyOf(v128.load(from), length));
  } else {
    if (before) {
      memory.copy(bytes, startFrom, before - 1);
      store<u8>(bytes + before - 1, 94);
    }
    memory.copy(bytes + before, from, to - from);
  }
  store<u32>(slot, hash);
  store<u32>(slot, <u32>used + 1, 4);
  used += headerBytes + <usize>length;
  store<u32>(state, ++names, nameCount << 2);
  store<u32>(state, <u32>used, nameBytes << 2);
  return name;
}

const digitsOfKey = memory.data(16);

/** Does the same for a feature of one to five digits, by its key, and enters it into the table of decimal names. */
export function internDecimal(key: u32): usize {
  let width: usize = 1;
  while (width < 5 && key >= load<u32>(namedKeys + ((width + 1) << 2))) width++;
  let rest = key - load<u32>(namedKeys + (width << 2));
  const to = digitsOfKey + 8;
  let p = to;
  for (const from = to - width; p > from; rest /= 10) store<u8>(--p, 48 + rest % 10);
  const name = internName(p, to);
  if (name == noRoom) return name;
  store<u32>(decimals + (<usize>key << 2), load<u32>(name) + 1);
  if (load<u32>(state, nameDecimal << 2) == 0) store<u32>(state, <u32>(name - arena) + 1, nameDecimal << 2);
  return name;
}

/** Removes a name from the table of decimal names. */
function forgetDecimal(name: usize): void {
  const bytes = name + headerBytes;
  const to = bytes + <usize>load<u32>(name, 4);
  const from = digitsFrom(max(bytes, to - 5), to);
  if (from == to) return;
  let key = load<u32>(namedKeys + ((to - from) << 2));
  let number: u32 = 0;
  for (let p = from; p < to; p++) number = number * 10 + (load<u8>(p) - 48);
  const at = decimals + (<usize>(key + number) << 2);
  // Names of other namespaces have other numbers.
  if (load<u32>(at) == load<u32>(name) + 1) store<u32>(at, 0);
}

/**
 * Removes the names from number `kept` on; the first of them is at `begin` in the arena. They were added last, so
 * freeing their slots does not affect the others.
 */
export function forgetNames(kept: u32, begin: usize): void {
  beginNames(0, 0);
  const decimal = load<u32>(state, nameDecimal << 2);
  if (decimal > begin) {
    memory.fill(decimals, 0, decimalNames << 2);
    store<u32>(state, 0, nameDecimal << 2);
  }
  for (let p = begin; p < used;) {
    if (decimal != 0) forgetDecimal(arena + p);
    const end = p + headerBytes + <usize>load<u32>(arena + p, 4);
    let at = nameHash(arena + p + headerBytes, arena + end) & mask;
    while (load<u32>(slots + (<usize>at << 3), 4) != <u32>p + 1) at = (at + 1) & mask;
    store<u32>(slots + (<usize>at << 3), 0, 4);
    p = end;
  }
  names = kept;
  used = begin;
  store<u32>(state, names, nameCount << 2);
  store<u32>(state, <u32>used, nameBytes << 2);
}

/** Returns the position of the next name in the arena. */
export function namesEnd(): usize {
  return used;
}

/** Finds or adds `count` names in the format of the arena, and writes their numbers. The table has room. */
export function internNames(
  entries: usize, count: i32, numbers: usize,
  slotsAt: usize, slotCount: i32, arenaAt: usize, bytes: i32, decimalsAt: usize, stateAt: usize,
): void {
  openNames(slotsAt, slotCount, arenaAt, bytes, decimalsAt, stateAt);
  let p = entries;
  for (let i = 0; i < count; i++, numbers += 4) {
    const name = p + headerBytes;
    const end = name + <usize>load<u32>(p, 4);
    store<u32>(numbers, load<u32>(internName(name, end)));
    p = end;
  }
}

/** Replaces each of `count` indices, 16-bit if `short`, by the number at its place. */
export function renumber(indices: usize, count: i32, short: bool, numbers: usize): void {
  if (short) {
    const end = indices + ((<usize>count) << 1);
    for (; indices < end; indices += 2) store<u16>(indices, load<u16>(numbers + (<usize>load<u16>(indices) << 2)));
  } else {
    const end = indices + ((<usize>count) << 2);
    for (; indices < end; indices += 4) store<u32>(indices, load<u32>(numbers + (<usize>load<u32>(indices) << 2)));
  }
}
