import type { SparseBatch } from '../../batch.ts';
import type { Block } from '../../kernels/block.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { FeaturePlaces } from './feature-places.ts';
import type { Point } from './point.ts';

/** Sparse rows as plain data. Row i has `values[k]` at the features `indices[k]`, k in [offsets[i], offsets[i + 1]). */
export interface SupportData {
  /** Exclusive upper bound of the indices. */
  readonly dimension: number;
  /** From 0, not decreasing; one more than there are rows. */
  readonly offsets: Uint32Array;
  readonly indices: Uint32Array;
  /** Finite. */
  readonly values: Float64Array;
}

/** The distinct rows of mistakes in kernel memory. One call computes inner products with all of them. */
export class SupportRows {
  readonly #kernels: Kernels;
  readonly #offsets: Block<Uint32Array>;
  readonly #indices: Block<Uint32Array>;
  readonly #values: Block<Float64Array>;
  /** Row numbers by the hash of the row's bits. */
  readonly #known = new Map<number, number[]>();
  readonly #batch: SparseBatch;
  /** Places of the features in the dense vector of a {@link Point}; `#indices` holds these places. */
  readonly places = new FeaturePlaces();
  #norms = new Float64Array(64);
  /** Number of rows. */
  count = 0;
  /** Exclusive upper bound of the features. */
  #dimension = 0;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.#offsets = kernels.uint32(65);
    this.#indices = kernels.uint32(0);
    this.#values = kernels.float64(0);
    const [offsets, indices, values, self] = [this.#offsets, this.#indices, this.#values, this];
    this.#batch = {
      kind: 'sparse',
      get rows() {
        return self.count;
      },
      get dimension() {
        return self.places.length;
      },
      get offsets() {
        return offsets.array;
      },
      get indices() {
        return indices.array;
      },
      get values() {
        return values.array;
      },
      // The kernels for products do not read labels.
      get labels() {
        return values.array;
      },
      importance: null,
    };
  }

  /** Loads rows that {@link data} returned into an empty object. */
  load({ dimension, offsets, indices, values }: SupportData): void {
    const count = offsets.length - 1;
    this.#reserve(count, values.length);
    this.#offsets.array.set(offsets);
    const named = this.#indices.array;
    for (let k = 0; k < indices.length; k++) named[k] = this.places.take(indices[k]!);
    this.#values.array.set(values);
    this.count = count;
    this.#dimension = dimension;
    this.#kernels.squaredNormsInto(this.#batch, this.#norms);
    for (let row = 0; row < count; row++) {
      const [from, to] = [offsets[row]!, offsets[row + 1]!];
      this.#know(hashOf(indices.subarray(from, to), values.slice(from, to), to - from), row);
    }
  }

  /** ‖x‖² of each row. */
  get squaredNorms(): Float64Array {
    return this.#norms;
  }

  /** Returns the number of the row equal to `point`; adds the row if it is new. */
  add(point: Point): number {
    const { count, indices, values } = point;
    const hash = hashOf(indices, values, count);
    const known = this.#known.get(hash)?.find((row) => this.#equals(row, point));
    if (known !== undefined) return known;
    const row = this.count;
    const from = this.#offsets.array[row]!;
    this.#reserve(row + 1, from + count);
    const named = this.#indices.array;
    for (let k = 0; k < count; k++) {
      named[from + k] = this.places.take(indices[k]!);
      this.#dimension = Math.max(this.#dimension, indices[k]! + 1);
    }
    this.#values.array.set(values.subarray(0, count), from);
    this.#offsets.array[row + 1] = from + count;
    this.#norms[row] = point.squaredNorm();
    this.#know(hash, row);
    this.count++;
    return row;
  }

  /** Removes a row; the numbers of later rows decrease by one. */
  remove(row: number): void {
    const offsets = this.#offsets.array;
    const [from, to, end] = [offsets[row]!, offsets[row + 1]!, offsets[this.count]!];
    this.#indices.array.copyWithin(from, to, end);
    this.#values.array.copyWithin(from, to, end);
    for (let i = row; i < this.count; i++) offsets[i] = offsets[i + 1]! - (to - from);
    this.#norms.copyWithin(row, row + 1, this.count);
    this.count--;
    for (const [hash, rows] of this.#known) {
      const kept = rows.filter((other) => other !== row).map((other) => (other > row ? other - 1 : other));
      if (kept.length === 0) this.#known.delete(hash);
      else this.#known.set(hash, kept);
    }
  }

  /** Computes out[j] = xⱼ·x for every row, where x is `point`. */
  productsInto(point: Point, out: Float64Array): void {
    if (this.count === 0) return;
    point.write();
    this.#kernels.scoreInto(this.#batch, point.vector, 0, 0, out);
  }

  /** Returns a copy of the rows. */
  data(): SupportData {
    const stored = this.#offsets.array[this.count]!;
    return {
      dimension: this.#dimension,
      offsets: this.#offsets.array.slice(0, this.count + 1),
      indices: this.#indices.array.slice(0, stored).map((place) => this.places.featureAt(place)),
      values: this.#values.array.slice(0, stored),
    };
  }

  free(): void {
    this.#offsets.free();
    this.#indices.free();
    this.#values.free();
  }

  #know(hash: number, row: number): void {
    const alike = this.#known.get(hash);
    if (alike === undefined) this.#known.set(hash, [row]);
    else alike.push(row);
  }

  #equals(row: number, { count, indices, values }: Point): boolean {
    const [from, to] = [this.#offsets.array[row]!, this.#offsets.array[row + 1]!];
    if (to - from !== count) return false;
    const [ownIndices, ownValues] = [this.#indices.array, this.#values.array];
    for (let k = 0; k < count; k++)
      if (ownIndices[from + k] !== this.places.placeOf(indices[k]!) || ownValues[from + k] !== values[k]) return false;
    return true;
  }

  /** Makes room for `rows` rows and `stored` values. Doubles the capacity, so that growth takes linear time in all. */
  #reserve(rows: number, stored: number): void {
    if (rows >= this.#offsets.length) {
      this.#offsets.resize(2 * rows + 1);
      const norms = new Float64Array(2 * rows + 1);
      norms.set(this.#norms);
      this.#norms = norms;
    }
    if (stored <= this.#values.length) return;
    const length = Math.max(stored, this.#values.length + (this.#values.length >> 1), 1024);
    this.#indices.resize(length);
    this.#values.resize(length);
  }
}

/** Returns a 32-bit FNV-1a hash of a row's features and values, mixed word by word. */
function hashOf(indices: Uint32Array, values: Float64Array, count: number): number {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * count);
  let hash = 0x811c9dc5;
  for (let k = 0; k < count; k++) {
    hash = Math.imul(hash ^ indices[k]!, 0x01000193);
    hash = Math.imul(hash ^ words[2 * k]!, 0x01000193);
    hash = Math.imul(hash ^ words[2 * k + 1]!, 0x01000193);
    // Values with few digits differ only in their highest bits, which products never carry down.
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
