// Copies rows of several batches into one. `sources` are batches side by side, described as in src/kernels/layout.ts;
// `picks` are pairs of words: the number of a source, and a row in it.
//
// Rows lie far apart, and a wrong guess of where a row ends costs most if its length still has to come from memory. So
// the lengths of all rows are fetched first, then values, then indices: the processor waits for many rows at a time.

import * as layout from '../src/kernels/layout';
import { get, set, wordAt } from './memory';

// @ts-ignore: decorator
@inline
function sourceOf(sources: usize, pick: usize): usize {
  return sources + <usize>load<u32>(pick) * (layout.batchSize << 2);
}

/** Returns the number of values in the `count` rows of `picks`. */
export function countPicked(sources: usize, picks: usize, count: i32): f64 {
  let stored: u64 = 0;
  for (const end = picks + (<usize>count << 3); picks < end; picks += 8) {
    const source = sourceOf(sources, picks), offsets = <usize>wordAt(source, layout.batchOffsets);
    const at = offsets + (<usize>load<u32>(picks, 4) << 2);
    stored += offsets ? load<u32>(at, 4) - load<u32>(at) : wordAt(source, layout.batchDimension);
  }
  return <f64>stored;
}

function copyBytes(from: usize, to: usize, bytes: usize): void {
  if (bytes < 16) {
    for (; bytes != 0; bytes -= 2) store<u16>(to + bytes - 2, load<u16>(from + bytes - 2));
    return;
  }
  // The last sixteen bytes may overlap those before.
  const last = bytes - 16;
  for (let k: usize = 0; k < last; k += 16) v128.store(to + k, v128.load(from + k));
  v128.store(to + last, v128.load(from + last));
}

/** Copies the values of rows, or their indices: the arrays at position `array` of the batches. */
function copyColumn(
  sources: usize, picks: usize, count: i32, target: usize, array: i32, bytes: usize,
): void {
  const offsets = <usize>wordAt(target, layout.batchOffsets), isIndex = array == layout.batchIndices;
  let to = <usize>wordAt(target, array);
  for (let k = 0; k < count; k++, picks += 8) {
    const source = sourceOf(sources, picks), given = wordAt(source, layout.batchLayout);
    const at = offsets + (<usize>k << 2);
    const n = <usize>(offsets ? load<u32>(at, 4) - load<u32>(at) : wordAt(target, layout.batchDimension));
    const same = given == wordAt(target, layout.batchLayout);
    // Other sources have half the bytes.
    let from = <usize>wordAt(source, array) + <usize>load<u32>(picks, 4) * (same ? bytes : bytes >> 1);
    const end = to + n * bytes;
    if (same) copyBytes(from, to, n * bytes);
    else if (isIndex) for (; to < end; to += 4, from += 2) store<u32>(to, load<u16>(from));
    else {
      const scale = wordAt(source, layout.batchScale), high = get(scale, 0), low = get(scale, 1);
      for (; to < end; to += 8, from += 4) {
        const m = <f64>load<i32>(from);
        store<f64>(to, given == layout.singleRows ? <f64>load<f32>(from) : m * high + m * low);
      }
    }
    to = end;
  }
}

/**
 * Copies the `count` rows of `picks` to `target`, and uses `picks` as scratch memory. A compact target has the scale of
 * all sources; into sparse rows compact values are decoded, into dense rows 32-bit floats widened.
 */
export function copyPicked(sources: usize, picks: usize, count: i32, target: usize): void {
  const kind = <i32>wordAt(target, layout.batchLayout);
  const offsets = <usize>wordAt(target, layout.batchOffsets);
  const labels = wordAt(target, layout.batchLabels), importance = wordAt(target, layout.batchImportance);
  let stored: u32 = 0;
  for (let k = 0, pick = picks; k < count; k++, pick += 8) {
    const source = sourceOf(sources, pick), i = load<u32>(pick, 4);
    set(labels, k, get(wordAt(source, layout.batchLabels), i));
    const weights = wordAt(source, layout.batchImportance);
    if (importance) set(importance, k, weights ? get(weights, i) : 1);
    let start = i * wordAt(source, layout.batchDimension);
    if (offsets) {
      const at = <usize>wordAt(source, layout.batchOffsets) + (<usize>i << 2);
      start = load<u32>(at);
      store<u32>(offsets + (<usize>k << 2), stored);
      stored += load<u32>(at, 4) - start;
    }
    store<u32>(pick, start, 4);
  }
  if (offsets) store<u32>(offsets + (<usize>count << 2), stored);
  const short = kind == layout.compactRows || kind == layout.singleRows;
  copyColumn(sources, picks, count, target, layout.batchValues, short ? 4 : 8);
  if (offsets) copyColumn(sources, picks, count, target, layout.batchIndices, short ? 2 : 4);
}
