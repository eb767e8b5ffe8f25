import type { Batch, SparseBatch, StoredBatch } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import { valueReader } from '../kernels/decimal-places.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { LinearFunction } from './model.ts';

/** A linear function in kernel memory, ready to score batches of encoded examples. */
export class ModelScorer {
  readonly #function: LinearFunction;
  readonly #kernels: Kernels;
  readonly #weights: Block<Float64Array>;
  #scaled = new Float64Array(0);

  constructor(kernels: Kernels, linear: LinearFunction) {
    this.#function = linear;
    this.#kernels = kernels;
    this.#weights = kernels.float64(linear.weights.length, false);
    this.#weights.array.set(linear.weights);
  }

  /** Writes the score of every example into `out` (length ≥ rows). Features beyond the weights count 0. */
  scoreInto(batch: StoredBatch, out: Float64Array): void {
    const { bias, biasConstant } = this.#function;
    if (batch.dimension > this.#weights.length) this.#weights.resize(batch.dimension);
    this.#kernels.scoreInto(this.#divided(batch), this.#weights, bias, biasConstant, out);
  }

  free(): void {
    this.#weights.free();
  }

  /** The batch with every x divided as it was when the weights were learned. */
  #divided(batch: StoredBatch): StoredBatch {
    const { divisor } = this.#function;
    if (divisor === 1) return batch;
    const stored = batch.kind === 'dense' ? batch.rows * batch.dimension : batch.offsets[batch.rows]!;
    const { rows, dimension } = batch;
    if (this.#scaled.length < stored) this.#scaled = new Float64Array(stored);
    const value = valueReader(batch);
    for (let k = 0; k < stored; k++) this.#scaled[k] = value(k) / divisor;
    const wide = batch.kind === 'compact' ? Uint32Array.from(batch.indices) : null;
    // The other arrays are looked up when they are needed: kernel memory, where they may lie, can grow before.
    return {
      kind: batch.kind === 'dense' ? 'dense' : 'sparse',
      rows,
      dimension,
      values: this.#scaled,
      get offsets() {
        return (batch as SparseBatch).offsets;
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
}
