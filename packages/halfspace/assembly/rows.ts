// A row of any layout. Callers pass `layout` as a constant, so only the code of this layout remains.

import {
  batchDimension, batchIndices, batchOffsets, batchScale, compactRows, denseRows, singleRows, sparseRows,
} from '../src/kernels/layout';
import { addCompact, dotCompact, squaredNormCompact } from './compact';
import { addDense, addSparse, dotDense, dotSingle, dotSparse, squaredNormDouble, squaredNormSingle } from './vectors';
import { get, wordAt } from './memory';

/** Returns the layout of these types; `Index` is `void` for dense rows. One compiled loop per pair. */
// @ts-ignore: decorator
@inline
export function layoutOf<Index, Value>(): i32 {
  if (isVoid<Index>()) return sizeof<Value>() == 4 ? singleRows : denseRows;
  else return sizeof<Value>() == 4 ? compactRows : sparseRows;
}

// @ts-ignore: decorator
@inline
function isDense(layout: i32): bool {
  return layout == denseRows || layout == singleRows;
}

// Fields that a layout does not use are not read: the compiler never drops a load, because it may trap.

/** Returns the batch's offsets; 0 for dense rows. */
// @ts-ignore: decorator
@inline
export function offsetsOf(layout: i32, batch: usize): usize {
  return isDense(layout) ? 0 : wordAt(batch, batchOffsets);
}

/** Returns the batch's indices; 0 for dense rows. */
// @ts-ignore: decorator
@inline
export function indicesOf(layout: i32, batch: usize): usize {
  return isDense(layout) ? 0 : wordAt(batch, batchIndices);
}

/** Returns the length of dense rows, else 0. */
// @ts-ignore: decorator
@inline
export function dimensionOf(layout: i32, batch: usize): i32 {
  return isDense(layout) ? <i32>wordAt(batch, batchDimension) : 0;
}

// @ts-ignore: decorator
@inline
export function highOf(layout: i32, batch: usize): f64 {
  return layout == compactRows ? load<f64>(wordAt(batch, batchScale)) : 1;
}

// @ts-ignore: decorator
@inline
export function lowOf(layout: i32, batch: usize): f64 {
  return layout == compactRows ? load<f64>(wordAt(batch, batchScale), 8) : 0;
}

/** Returns the position of row i's first value. */
// @ts-ignore: decorator
@inline
export function rowStart(layout: i32, i: i32, offsets: usize, dimension: i32): usize {
  return isDense(layout) ? <usize>i * <usize>dimension : <usize>load<u32>(offsets + (<usize>i << 2));
}

/** Returns the number of values of row i, which starts at position `start`. */
// @ts-ignore: decorator
@inline
export function rowCount(layout: i32, i: i32, start: usize, offsets: usize, dimension: i32): i32 {
  return isDense(layout) ? dimension : <i32>(load<u32>(offsets + (<usize>i << 2), 4) - <u32>start);
}

/** Returns the address of the value at a position. */
// @ts-ignore: decorator
@inline
export function valuesFrom(layout: i32, values: usize, position: usize): usize {
  return values + (position << (layout == compactRows || layout == singleRows ? 2 : 3));
}

/** Returns the address of the index at a position; meaningless for dense rows. */
// @ts-ignore: decorator
@inline
export function indicesFrom(layout: i32, indices: usize, position: usize): usize {
  return indices + (position << (layout == compactRows ? 1 : 2));
}

/** Returns w·x for the `count` values at x with the indices at `at`. */
// @ts-ignore: decorator
@inline
export function dot(layout: i32, at: usize, x: usize, count: i32, high: f64, low: f64, weights: usize): f64 {
  if (layout == sparseRows) return dotSparse(at, x, count, weights);
  if (layout == compactRows) return dotCompact(at, x, count, high, low, weights);
  if (layout == singleRows) return dotSingle(x, weights, count);
  return dotDense(x, weights, count);
}

/** Computes w += g·x, and u += s·x if there are sums u. */
// @ts-ignore: decorator
@inline
export function add(
  layout: i32, at: usize, x: usize, count: i32, high: f64, low: f64, g: f64, weights: usize, s: f64, sums: usize,
): void {
  if (layout == sparseRows) addSparse(at, x, count, g, weights, s, sums);
  else if (layout == compactRows) addCompact(at, x, count, high, low, g, weights, s, sums);
  else if (layout == singleRows) addDense<f32>(x, count, g, weights, s, sums);
  else addDense<f64>(x, count, g, weights, s, sums);
}

/** Returns ‖x‖². */
// @ts-ignore: decorator
@inline
export function squaredNorm(layout: i32, x: usize, count: i32, high: f64, low: f64): f64 {
  if (layout == compactRows) return squaredNormCompact(x, count, high, low);
  if (layout == singleRows) return squaredNormSingle(x, count);
  return squaredNormDouble(x, count);
}
