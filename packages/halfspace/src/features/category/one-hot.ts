import type { ReadFeatures } from '../column-features.ts';

/** Base of categories, intervals and crosses: a row has at most one of their features, with value 1. */
export abstract class OneHotFeatures implements ReadFeatures {
  abstract readonly name: string;
  /** Position of the first feature. */
  readonly first: number;
  /** Number of features, the indicator of a missing value included. */
  readonly width: number;
  isEven = false;
  /** The feature of each row that was read; below 0: none. */
  features: Int32Array = new Int32Array(0);

  constructor(first: number, width: number) {
    this.first = first;
    this.width = width;
  }

  /** Makes room for this number of rows. */
  protected begin(rows: number): Int32Array {
    if (this.features.length < rows) this.features = new Int32Array(rows);
    return this.features;
  }

  count(counts: Uint32Array, rows: number): void {
    const { features } = this;
    for (let i = 0; i < rows; i++) if (features[i]! >= 0) counts[i + 1]!++;
  }

  appendEvenly(indices: Uint32Array, values: Float64Array, at: number, stride: number, rows: number): void {
    const { features } = this;
    for (let i = 0, k = at; i < rows; i++, k += stride) {
      indices[k] = features[i]!;
      values[k] = 1;
    }
  }

  append(ends: Uint32Array, indices: Uint32Array, values: Float64Array, rows: number): void {
    const { features } = this;
    for (let i = 0; i < rows; i++) {
      if (features[i]! < 0) continue;
      const k = ends[i + 1]!++;
      indices[k] = features[i]!;
      values[k] = 1;
    }
  }
}
