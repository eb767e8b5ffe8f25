// Scores and norms of whole batches.

import { dotCompact, squaredNormCompact } from './compact';
import { dotDense, dotSingle, dotSparse, squaredNorm, squaredNormSingle } from './dot';

export function scoreSparse(
  rows: i32, offsets: usize, indices: usize, values: usize, weights: usize, offset: f64, out: usize,
): void {
  for (let i = 0; i < rows; i++) {
    const start = load<u32>(offsets + ((<usize>i) << 2));
    const count = <i32>(load<u32>(offsets + ((<usize>i) << 2), 4) - start);
    const a = dotSparse(indices + ((<usize>start) << 2), values + ((<usize>start) << 3), count, weights) + offset;
    store<f64>(out + ((<usize>i) << 3), a);
  }
}

export function scoreDense(
  rows: i32, values: usize, dimension: i32, weights: usize, offset: f64, out: usize,
): void {
  for (let i = 0; i < rows; i++) {
    const a = dotDense(values + ((<usize>i * <usize>dimension) << 3), weights, dimension) + offset;
    store<f64>(out + ((<usize>i) << 3), a);
  }
}

export function scoreSingle(
  rows: i32, values: usize, dimension: i32, weights: usize, offset: f64, out: usize,
): void {
  for (let i = 0; i < rows; i++) {
    const a = dotSingle(values + ((<usize>i * <usize>dimension) << 2), weights, dimension) + offset;
    store<f64>(out + ((<usize>i) << 3), a);
  }
}

export function squaredNormsSparse(rows: i32, offsets: usize, values: usize, out: usize): void {
  for (let i = 0; i < rows; i++) {
    const start = load<u32>(offsets + ((<usize>i) << 2));
    const count = <i32>(load<u32>(offsets + ((<usize>i) << 2), 4) - start);
    const x = values + ((<usize>start) << 3);
    store<f64>(out + ((<usize>i) << 3), squaredNorm(x, count));
  }
}

export function squaredNormsDense(rows: i32, values: usize, dimension: i32, out: usize): void {
  for (let i = 0; i < rows; i++) {
    const x = values + ((<usize>i * <usize>dimension) << 3);
    store<f64>(out + ((<usize>i) << 3), squaredNorm(x, dimension));
  }
}

export function squaredNormsSingle(rows: i32, values: usize, dimension: i32, out: usize): void {
  for (let i = 0; i < rows; i++) {
    const x = values + ((<usize>i * <usize>dimension) << 2);
    store<f64>(out + ((<usize>i) << 3), squaredNormSingle(x, dimension));
  }
}

export function scoreCompact(
  rows: i32, offsets: usize, indices: usize, values: usize, high: f64, low: f64, weights: usize, offset: f64, out: usize,
): void {
  for (let i = 0; i < rows; i++) {
    const start = load<u32>(offsets + ((<usize>i) << 2));
    const count = <i32>(load<u32>(offsets + ((<usize>i) << 2), 4) - start);
    const a = dotCompact(indices + ((<usize>start) << 1), values + ((<usize>start) << 2), count, high, low, weights) + offset;
    store<f64>(out + ((<usize>i) << 3), a);
  }
}

export function squaredNormsCompact(rows: i32, offsets: usize, values: usize, high: f64, low: f64, out: usize): void {
  for (let i = 0; i < rows; i++) {
    const start = load<u32>(offsets + ((<usize>i) << 2));
    const count = <i32>(load<u32>(offsets + ((<usize>i) << 2), 4) - start);
    store<f64>(out + ((<usize>i) << 3), squaredNormCompact(values + ((<usize>start) << 2), count, high, low));
  }
}
