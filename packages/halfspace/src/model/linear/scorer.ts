import { type StoredBatch, storedValues } from '../../batch.ts';
import { BatchView } from '../../kernels/batch-view.ts';
import type { Block } from '../../kernels/block.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { LinearFunction } from './model.ts';
import type { SparseWeights } from './sparse-weights.ts';

/** A linear function in kernel memory, ready to score batches of encoded examples. */
export class ModelScorer {
  readonly #function: LinearFunction;
  readonly #kernels: Kernels;
  readonly #weights: Block<Float64Array>;
  /** For sparse weights: the position in `#weights` of each feature with a weight. Position 0 serves all others. */
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

  /** Returns the batch with every x divided as in training, and with features renumbered to positions in `#weights`. */
  #encoded(batch: StoredBatch): StoredBatch {
    const { divisor } = this.#function;
    const places = this.#places;
    if (divisor === 1 && places === null) return batch;
    const { rows } = batch;
    const stored = storedValues(batch);
    if (this.#scaled.length < stored) {
      this.#scaled = new Float64Array(stored);
      this.#moved = new Uint32Array(stored);
    }
    const [values, indices, offsets] = [this.#scaled, this.#moved, new Uint32Array(rows + 1)];
    const row = new BatchView(batch);
    let at = 0;
    for (let i = 0; i < rows; i++) {
      row.open(i);
      for (let k = 0; k < row.count; k++, at++) {
        values[at] = row.value(k) / divisor;
        indices[at] = places === null ? row.feature(k) : (places.get(row.feature(k)) ?? 0);
      }
      offsets[i + 1] = at;
    }
    const dimension = places === null ? batch.dimension : places.size + 1;
    return {
      kind: 'sparse',
      rows,
      dimension,
      offsets,
      indices,
      values,
      labels: new Float64Array(rows),
      importance: null,
    };
  }
}

function placesOf({ positions }: SparseWeights): Map<number, number> {
  const places = new Map<number, number>();
  positions.forEach((position, k) => {
    places.set(position, k + 1);
  });
  return places;
}
