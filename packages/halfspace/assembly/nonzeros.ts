// Converts a row of any layout to a list of its nonzero values and the places of their features. Kernels that read a
// row several times are then written once for all layouts; zeros cost nothing, and compact values are decoded once.
//
// A list has three columns of `capacity` entries: values (f64), room for a number of the kernel (f64), places (u32);
// then 32 bytes. `capacity` is a multiple of 4, and at least 4 more than the longest row. The place of feature j is
// base + (j << shift): an address, or an offset. The list is filled up to a multiple of 4 with values 0 whose place is
// these 32 bytes, so that kernels can step by two or four; a sum starts at +0, which a product 0 does not change. Lists
// are written and read sixteen bytes at a time, because a load must wait for stores that only overlap it.

import * as layout from '../src/kernels/layout';
import { twoValues } from './compact';
import { get, wordAt } from './memory';

/** Returns the column of places. */
// @ts-ignore: decorator
@inline
export function placesOf(list: usize, capacity: i32): usize {
  return list + (<usize>capacity << 4);
}

/** Returns the place that belongs to no feature. */
// @ts-ignore: decorator
@inline
export function nowhereOf(list: usize, capacity: i32): usize {
  return list + <usize>capacity * layout.listPlaceBytes;
}

/** Lists row i of a batch. Returns the number of its nonzero values. */
export function listNonzeros(batch: usize, i: i32, list: usize, capacity: i32, base: usize, shift: i32): i32 {
  const kind = <i32>wordAt(batch, layout.batchLayout);
  const values = wordAt(batch, layout.batchValues);
  const columns = placesOf(list, capacity);
  const nowhere = <u32>nowhereOf(list, capacity);
  let count: usize;
  if (kind == layout.denseRows || kind == layout.singleRows) {
    const dimension = <i32>wordAt(batch, layout.batchDimension);
    const start = <usize>i * <usize>dimension;
    count = kind == layout.denseRows
      ? listDense(3, values + (start << 3), dimension, list, columns, base, shift)
      : listDense(2, values + (start << 2), dimension, list, columns, base, shift);
  } else {
    const offset = wordAt(batch, layout.batchOffsets) + (<usize>i << 2);
    const k = load<u32>(offset), end = load<u32>(offset, 4);
    const scale = wordAt(batch, layout.batchScale);
    const high = get(scale, 0), low = get(scale, 1);
    count = listSparse(kind, k, end, wordAt(batch, layout.batchIndices), values, high, low, list, columns, base, shift, nowhere);
    if ((count & 3) == 0 || count == end - k) return <i32>count; // filled up already
  }
  for (let n = count; (n & 3) != 0; n++) {
    store<f64>(list + (n << 3), 0);
    store<u32>(columns + (n << 2), nowhere);
  }
  return <i32>count;
}

/** Takes four values at a time; usually none of them is 0. */
// @ts-ignore: decorator
@inline
function listSparse(
  kind: i32, k: usize, end: usize, indices: usize, values: usize, high: f64, low: f64,
  list: usize, columns: usize, base: usize, shift: i32, nowhere: u32,
): usize {
  const highs = f64x2.splat(high), lows = f64x2.splat(low), bases = i32x4.splat(<i32>base), zero = f64x2.splat(0);
  let x = list, place = columns;
  for (; k < end; k += 4) {
    let front: v128, back: v128, j: v128;
    if (kind == layout.compactRows) {
      const m = v128.load(values + (k << 2));
      front = twoValues(m, highs, lows);
      back = twoValues(v128.shuffle<i32>(m, m, 2, 3, 2, 3), highs, lows);
      j = i32x4.extend_low_i16x8_u(v128.load64_zero(indices + (k << 1)));
    } else {
      front = v128.load(values + (k << 3));
      back = v128.load(values + (k << 3), 16);
      j = v128.load(indices + (k << 2));
    }
    let places = i32x4.add(i32x4.shl(j, shift), bases);
    let missing = v128.or(f64x2.eq(front, zero), f64x2.eq(back, zero));
    let here: usize = 4;
    if (k + 4 > end) {
      // Bytes beyond the row are readable (readBeyond of src/kernels/wasm.ts), but meaningless.
      here = end - k;
      const isPart = i32x4.gt_s(i32x4.splat(<i32>here), i32x4(0, 1, 2, 3));
      const inFront = i64x2.extend_low_i32x4_s(isPart), inBack = i64x2.extend_high_i32x4_s(isPart);
      missing = v128.or(v128.and(f64x2.eq(front, zero), inFront), v128.and(f64x2.eq(back, zero), inBack));
      front = v128.and(front, inFront);
      back = v128.and(back, inBack);
      places = v128.bitselect(places, i32x4.splat(nowhere), isPart);
    }
    v128.store(x, front);
    v128.store(x, back, 16);
    v128.store(place, places);
    if (!v128.any_true(missing)) {
      x += here << 3;
      place += here << 2;
      continue;
    }
    const x0 = x, place0 = place;
    for (let n: usize = 0; n < here; n++) {
      const value = load<f64>(x0 + (n << 3));
      store<f64>(x, value);
      store<u32>(place, load<u32>(place0 + (n << 2)));
      x += <usize>(value != 0) << 3;
      place += <usize>(value != 0) << 2;
    }
  }
  return (x - list) >> 3;
}

/** Marks the nonzeros among up to 64 values of 2^size bytes each, then visits the marks. */
// @ts-ignore: decorator
@inline
function listDense(
  size: usize, row: usize, dimension: i32, list: usize, columns: usize, base: usize, shift: i32,
): usize {
  let x = list, place = columns;
  const zero = f64x2.splat(0);
  for (let first = 0; first < dimension; first += 64) {
    const here = min(64, dimension - first);
    const start = row + ((<usize>first) << size);
    let marks: u64 = 0;
    for (let k = 0; k < here; k += 4) {
      const at = start + ((<usize>k) << size);
      let four: v128;
      if (size == 2) four = f32x4.ne(v128.load(at), zero);
      else four = v128.shuffle<i32>(f64x2.ne(v128.load(at), zero), f64x2.ne(v128.load(at, 16), zero), 0, 2, 4, 6);
      marks |= (<u64>i32x4.bitmask(four)) << k;
    }
    if (here < 64) marks &= ((<u64>1) << here) - 1; // values beyond the row
    for (; marks != 0; marks &= marks - 1) {
      const k = <usize>ctz(marks);
      store<f64>(x, size == 2 ? <f64>load<f32>(start + (k << size)) : load<f64>(start + (k << size)));
      store<u32>(place, <u32>(base + ((<usize>first + k) << shift)));
      x += 8;
      place += 4;
    }
  }
  return (x - list) >> 3;
}
