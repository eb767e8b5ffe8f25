// Scores and norms of whole batches, described by the batch… positions of src/kernels/layout.ts.

import * as layout from '../src/kernels/layout';
import { set, wordAt } from './memory';
import {
  dimensionOf, dot, highOf, indicesFrom, indicesOf, layoutOf, lowOf, offsetsOf, rowCount, rowStart, squaredNorm, valuesFrom,
} from './rows';

function scoreRows<Index, Value>(batch: usize, weights: usize, offset: f64, out: usize): void {
  const kind = layoutOf<Index, Value>();
  const rows = <i32>wordAt(batch, layout.batchRows), dimension = dimensionOf(kind, batch);
  const offsets = offsetsOf(kind, batch), indices = indicesOf(kind, batch);
  const values = wordAt(batch, layout.batchValues);
  const high = highOf(kind, batch), low = lowOf(kind, batch);
  for (let i = 0; i < rows; i++) {
    const start = rowStart(kind, i, offsets, dimension), count = rowCount(kind, i, start, offsets, dimension);
    const at = indicesFrom(kind, indices, start), x = valuesFrom(kind, values, start);
    set(out, i, dot(kind, at, x, count, high, low, weights) + offset);
  }
}

/** Writes out[i] = w·xᵢ + offset. */
export function score(batch: usize, weights: usize, offset: f64, out: usize): void {
  const kind = <i32>wordAt(batch, layout.batchLayout);
  if (kind == layout.sparseRows) scoreRows<u32, f64>(batch, weights, offset, out);
  else if (kind == layout.compactRows) scoreRows<u16, i32>(batch, weights, offset, out);
  else if (kind == layout.singleRows) scoreRows<void, f32>(batch, weights, offset, out);
  else scoreRows<void, f64>(batch, weights, offset, out);
}

function normRows<Index, Value>(batch: usize, out: usize): void {
  const kind = layoutOf<Index, Value>();
  const rows = <i32>wordAt(batch, layout.batchRows), dimension = dimensionOf(kind, batch);
  const offsets = offsetsOf(kind, batch), values = wordAt(batch, layout.batchValues);
  const high = highOf(kind, batch), low = lowOf(kind, batch);
  for (let i = 0; i < rows; i++) {
    const start = rowStart(kind, i, offsets, dimension), count = rowCount(kind, i, start, offsets, dimension);
    set(out, i, squaredNorm(kind, valuesFrom(kind, values, start), count, high, low));
  }
}

/** Writes out[i] = ‖xᵢ‖². */
export function squaredNorms(batch: usize, out: usize): void {
  const kind = <i32>wordAt(batch, layout.batchLayout);
  if (kind == layout.sparseRows) normRows<u32, f64>(batch, out);
  else if (kind == layout.compactRows) normRows<u16, i32>(batch, out);
  else if (kind == layout.singleRows) normRows<void, f32>(batch, out);
  else normRows<void, f64>(batch, out);
}
