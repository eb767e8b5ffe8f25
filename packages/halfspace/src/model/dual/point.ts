import type { StoredBatch } from '../../batch.ts';
import { BatchView } from '../../kernels/batch-view.ts';
import type { Block } from '../../kernels/block.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { fourLanes } from '../../kernels/lanes.ts';
import type { FeaturePlaces } from './feature-places.ts';

/**
 * One example as a dense vector, so that one kernel call computes its inner products with many stored rows. Its
 * features are also kept as a rising list without repeats and zeros, so that a row has the same bits in any layout.
 */
export class Point {
  /** Values at the places of their features after {@link write}; 0 elsewhere. Skips features without a place. */
  readonly vector: Block<Float64Array>;
  /** Features, rising, and their values; the first `count` of each are valid. */
  indices: Uint32Array = new Uint32Array(64);
  values: Float64Array = new Float64Array(64);
  count = 0;
  readonly #places: FeaturePlaces;
  readonly #divisor: number;

  /** @param divisor number above 0 by which every x is divided. */
  constructor(kernels: Kernels, places: FeaturePlaces, divisor = 1) {
    this.vector = kernels.float64(0);
    this.#places = places;
    this.#divisor = divisor;
  }

  /** Replaces the example by example `i` of the batch. */
  place(batch: StoredBatch, i: number): void {
    this.#write(() => 0);
    const row = new BatchView(batch).open(i);
    if (this.values.length < row.count) {
      this.indices = new Uint32Array(2 * row.count);
      this.values = new Float64Array(2 * row.count);
    }
    const { indices, values } = this;
    let count = 0;
    let rising = true;
    for (let k = 0; k < row.count; k++) {
      const x = row.value(k) / this.#divisor;
      if (x === 0) continue;
      const j = row.feature(k);
      if (count > 0 && j <= indices[count - 1]!) rising = false;
      indices[count] = j;
      values[count++] = x;
    }
    this.count = rising ? count : this.#sort(count);
  }

  /** Writes the values into the vector, which grows to hold all places. */
  write(): void {
    const { length } = this.#places;
    if (length > this.vector.length)
      this.vector.resize(Math.max(length, Math.min(2 * this.vector.length, 1 << 20), 64));
    this.#write((k) => this.values[k]!);
  }

  /** ‖x‖², in the summation order of the kernels. */
  squaredNorm(): number {
    const { values } = this;
    return fourLanes(this.count, (k) => values[k]! * values[k]!);
  }

  free(): void {
    this.vector.free();
  }

  #write(number: (k: number) => number): void {
    const vector = this.vector.array;
    for (let k = 0; k < this.count; k++) {
      const place = this.#places.placeOf(this.indices[k]!);
      if (place !== -1 && place < vector.length) vector[place] = number(k);
    }
  }

  /** Sorts the first `count` values by feature, adds up those of equal features, and returns the number that remain. */
  #sort(count: number): number {
    const { indices, values } = this;
    const sums = new Map<number, number>();
    for (let k = 0; k < count; k++) sums.set(indices[k]!, (sums.get(indices[k]!) ?? 0) + values[k]!);
    let left = 0;
    for (const [j, sum] of [...sums].sort(([a], [b]) => a - b)) {
      if (sum === 0) continue;
      indices[left] = j;
      values[left++] = sum;
    }
    return left;
  }
}
