import type { ReadFeatures } from '../column-features.ts';

/** What categories, intervals and crosses share: a row has one feature of theirs, which is 1, or none. */
export abstract class OneHotFeatures implements ReadFeatures {
  abstract readonly name: string;
  /** Number of the first feature. */
  readonly first: number;
  /** How many there are, that of a missing value included. */
  readonly width: number;
  isEven = false;
  /** Features of the rows that were read, −1 for none. */
  features = new Int32Array(0);

  constructor(first: number, width: number) {
    this.first = first;
    this.width = width;
  }

  /** Makes room for the features of so many rows. */
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
