import type { StoredBatch } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import { valueReader } from '../kernels/decimal-places.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { fourLanes } from '../kernels/lanes.ts';

/**
 * One example, laid out so that its inner products with many stored rows are one call of the kernels: its numbers stand in a dense
 * vector, where weights otherwise stand. Its list of numbers is rising by feature, each once and without zeros, so that a row has
 * the same bits from whatever layout it came.
 */
export class Point {
  /** The numbers by feature, 0 elsewhere. At least as long as asked for by {@link reserve}. */
  readonly vector: Block<Float64Array>;
  /** Features, rising, and their values; the first `count` of each are this example's. */
  indices = new Uint32Array(64);
  values = new Float64Array(64);
  count = 0;
  readonly #divisor: number;

  /** @param divisor > 0: what every x is divided by. */
  constructor(kernels: Kernels, divisor = 1) {
    this.vector = kernels.float64(0);
    this.#divisor = divisor;
  }

  /** Puts example `i` of the batch in the place of the one before. */
  place(batch: StoredBatch, i: number): void {
    this.reserve(batch.dimension);
    const vector = this.vector.array;
    for (let k = 0; k < this.count; k++) vector[this.indices[k]!] = 0;
    const dense = batch.kind === 'dense';
    const from = dense ? i * batch.dimension : batch.offsets[i]!;
    const to = dense ? from + batch.dimension : batch.offsets[i + 1]!;
    if (this.values.length < to - from) {
      this.indices = new Uint32Array(2 * (to - from));
      this.values = new Float64Array(2 * (to - from));
    }
    const { indices, values } = this;
    const value = valueReader(batch);
    let count = 0;
    let rising = true;
    for (let k = from; k < to; k++) {
      const x = value(k) / this.#divisor;
      if (x === 0) continue;
      const j = dense ? k - from : batch.indices[k]!;
      if (count > 0 && j <= indices[count - 1]!) rising = false;
      indices[count] = j;
      values[count++] = x;
      vector[j]! += x;
    }
    this.count = rising ? count : this.#sort(count);
  }

  /** ‖x‖², summed as the kernels sum. */
  squaredNorm(): number {
    const { values } = this;
    return fourLanes(this.count, (k) => values[k]! * values[k]!);
  }

  /** Makes room for features in [0, dimension). */
  reserve(dimension: number): void {
    if (dimension > this.vector.length) this.vector.resize(Math.max(dimension, 2 * this.vector.length, 64));
  }

  free(): void {
    this.vector.free();
  }

  /** Brings the first `count` numbers in order, those of the same feature added up, and returns how many are left. */
  #sort(count: number): number {
    const { indices, values } = this;
    const vector = this.vector.array;
    indices.subarray(0, count).sort();
    let left = 0;
    for (let k = 0; k < count; k++) {
      const j = indices[k]!;
      if (vector[j] === 0 || (left > 0 && indices[left - 1] === j)) continue;
      indices[left] = j;
      values[left++] = vector[j]!;
    }
    return left;
  }
}
