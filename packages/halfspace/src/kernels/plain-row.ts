import type { BatchView } from './batch-view.ts';

/** A row in plain arrays: value k belongs to feature `indices[k]`, for k < `count`. The arrays may be longer. */
export interface PlainRow {
  indices: Uint32Array;
  values: Float64Array;
  count: number;
}

/** A row that keeps its arrays and lets them grow. */
export class LoadedRow implements PlainRow {
  indices: Uint32Array = new Uint32Array(64);
  values: Float64Array = new Float64Array(64);
  count = 0;

  add(index: number, value: number): void {
    if (this.count === this.indices.length) this.makeRoom(this.count + 1);
    this.indices[this.count] = index;
    this.values[this.count++] = value;
  }

  /** Makes room for a number of values, in linear time for all calls together. */
  makeRoom(count: number): void {
    if (count <= this.indices.length) return;
    const { indices, values } = this;
    this.indices = new Uint32Array(2 * count);
    this.values = new Float64Array(2 * count);
    this.indices.set(indices);
    this.values.set(values);
  }

  /** Copies the open row of a batch. */
  load(view: BatchView): this {
    const { count } = view;
    this.makeRoom(count);
    this.count = count;
    for (let k = 0; k < count; k++) {
      this.indices[k] = view.feature(k);
      this.values[k] = view.value(k);
    }
    return this;
  }
}

/** Returns w·x, in the kernels' order of summation. */
export function dotRow({ indices, values, count }: PlainRow, weights: Float64Array): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const whole = count - (count & 3);
  for (let k = 0; k < whole; k += 4) {
    s0 += weights[indices[k]!]! * values[k]!;
    s1 += weights[indices[k + 1]!]! * values[k + 1]!;
    s2 += weights[indices[k + 2]!]! * values[k + 2]!;
    s3 += weights[indices[k + 3]!]! * values[k + 3]!;
  }
  if (whole < count) s0 += weights[indices[whole]!]! * values[whole]!;
  if (whole + 1 < count) s1 += weights[indices[whole + 1]!]! * values[whole + 1]!;
  if (whole + 2 < count) s2 += weights[indices[whole + 2]!]! * values[whole + 2]!;
  return s0 + s1 + (s2 + s3);
}

/** Returns u·v of the first `count` elements, in the kernels' order of summation. */
export function dotLists(u: Float64Array, v: Float64Array, count: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const whole = count - (count & 3);
  for (let k = 0; k < whole; k += 4) {
    s0 += u[k]! * v[k]!;
    s1 += u[k + 1]! * v[k + 1]!;
    s2 += u[k + 2]! * v[k + 2]!;
    s3 += u[k + 3]! * v[k + 3]!;
  }
  if (whole < count) s0 += u[whole]! * v[whole]!;
  if (whole + 1 < count) s1 += u[whole + 1]! * v[whole + 1]!;
  if (whole + 2 < count) s2 += u[whole + 2]! * v[whole + 2]!;
  return s0 + s1 + (s2 + s3);
}

/** Returns ‖x‖², in the kernels' order of summation. */
export function squaredNormOf({ values, count }: PlainRow): number {
  return dotLists(values, values, count);
}

/** Computes weights += g·x. */
export function addRow({ indices, values, count }: PlainRow, g: number, weights: Float64Array): void {
  for (let k = 0; k < count; k++) weights[indices[k]!]! += g * values[k]!;
}

/** Tests if some value is not 0. */
export function hasNonzero({ values, count }: PlainRow): boolean {
  for (let k = 0; k < count; k++) if (values[k] !== 0) return true;
  return false;
}
