import type { CompactBatch, StoredBatch } from '../batch.ts';

/** Returns a batch with other labels or importance, where given. */
export function relabelled(
  batch: StoredBatch,
  labels: Float64Array | undefined,
  importance?: Float64Array | null | undefined,
): StoredBatch {
  return new Relabelled(batch, labels, importance) as unknown as StoredBatch;
}

/** Reads its batch at each access, because kernel memory, where its arrays may lie, can grow meanwhile. */
class Relabelled {
  readonly kind: StoredBatch['kind'];
  readonly rows: number;
  readonly dimension: number;
  readonly #batch: StoredBatch;
  readonly #labels: Float64Array | undefined;
  readonly #importance: Float64Array | null | undefined;

  constructor(batch: StoredBatch, labels: Float64Array | undefined, importance: Float64Array | null | undefined) {
    this.kind = batch.kind;
    this.rows = batch.rows;
    this.dimension = batch.dimension;
    this.#batch = batch;
    this.#labels = labels;
    this.#importance = importance;
  }

  get labels() {
    return this.#labels ?? this.#batch.labels;
  }

  get importance() {
    return this.#importance === undefined ? this.#batch.importance : this.#importance;
  }

  get values() {
    return this.#batch.values;
  }

  get offsets() {
    return (this.#batch as CompactBatch).offsets;
  }

  get indices() {
    return (this.#batch as CompactBatch).indices;
  }

  get places() {
    return (this.#batch as CompactBatch).places;
  }
}
