import type { Batch, SparseBatch, StoredBatch } from '../../batch.ts';
import type { Block } from '../../kernels/block.ts';
import { valueReader } from '../../kernels/decimal-places.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { LinearFunction } from './model.ts';
import type { SparseWeights } from './sparse-weights.ts';

/** A linear function in kernel memory, ready to score batches of encoded examples. */
export class ModelScorer {
  readonly #function: LinearFunction;
  readonly #kernels: Kernels;
  readonly #weights: Block<Float64Array>;
  /** Where weights are kept sparse: what position each feature's has in `#weights`; 0 is that of all features without a weight. */
  readonly #places: ReadonlyMap<number, number> | null;
  #scaled = new Float64Array(0);
  #moved = new Uint32Array(0);

  constructor(kernels: Kernels, linear: LinearFunction) {
    this.#function = linear;
    this.#kernels = kernels;
    const { sparse } = linear;
    this.#places = sparse === undefined ? null : placesOf(sparse);
    const length = sparse === undefined ? linear.weights.length : sparse.positions.length + 1;
    this.#weights = kernels.float64(length, sparse !== undefined);
    if (sparse === undefined) this.#weights.array.set(linear.weights);
    else this.#weights.array.set(sparse.values, 1);
  }

  /** Writes the score of every example into `out` (length ≥ rows). Features beyond the weights count 0. */
  scoreInto(batch: StoredBatch, out: Float64Array): void {
    const { bias, biasConstant } = this.#function;
    const scored = this.#encoded(batch);
    if (scored.dimension > this.#weights.length) this.#weights.resize(scored.dimension);
    this.#kernels.scoreInto(scored, this.#weights, bias, biasConstant, out);
  }

  free(): void {
    this.#weights.free();
  }

  /** The batch with every x divided as it was when the weights were learned, and every feature where its weight is. */
  #encoded(batch: StoredBatch): StoredBatch {
    const { divisor } = this.#function;
    const places = this.#places;
    if (divisor === 1 && places === null) return batch;
    const stored = batch.kind === 'dense' ? batch.rows * batch.dimension : batch.offsets[batch.rows]!;
    const { rows } = batch;
    if (this.#scaled.length < stored) this.#scaled = new Float64Array(stored);
    const value = valueReader(batch);
    for (let k = 0; k < stored; k++) this.#scaled[k] = value(k) / divisor;
    const moved = places === null ? null : this.#move(batch, places, stored);
    const wide = moved ?? (batch.kind === 'compact' ? Uint32Array.from(batch.indices) : null);
    const evenly = batch.kind === 'dense' && moved !== null ? evenOffsets(rows, batch.dimension) : null;
    // The other arrays are looked up when they are needed: kernel memory, where they may lie, can grow before.
    return {
      kind: batch.kind === 'dense' && moved === null ? 'dense' : 'sparse',
      rows,
      dimension: places === null ? batch.dimension : places.size + 1,
      values: this.#scaled,
      get offsets() {
        return evenly ?? (batch as SparseBatch).offsets;
      },
      get indices() {
        return wide ?? (batch as SparseBatch).indices;
      },
      get labels() {
        return batch.labels;
      },
      get importance() {
        return batch.importance;
      },
    } as Batch;
  }

  /** Where the weight of each stored value is. */
  #move(batch: StoredBatch, places: ReadonlyMap<number, number>, stored: number): Uint32Array {
    if (this.#moved.length < stored) this.#moved = new Uint32Array(stored);
    const moved = this.#moved;
    if (batch.kind === 'dense') for (let k = 0; k < stored; k++) moved[k] = places.get(k % batch.dimension) ?? 0;
    else {
      const { indices } = batch;
      for (let k = 0; k < stored; k++) moved[k] = places.get(indices[k]!) ?? 0;
    }
    return moved;
  }
}

function placesOf({ positions }: SparseWeights): Map<number, number> {
  const places = new Map<number, number>();
  positions.forEach((position, k) => {
    places.set(position, k + 1);
  });
  return places;
}

function evenOffsets(rows: number, dimension: number): Uint32Array {
  return Uint32Array.from({ length: rows + 1 }, (_, i) => i * dimension);
}
