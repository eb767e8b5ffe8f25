import type { CompactBatch, StoredBatch } from '../batch.ts';

/**
 * Returns a batch with other labels or importance, where given. The getters read `batch` at each access, because kernel
 * memory, where its arrays may lie, can grow meanwhile.
 */
export function relabelled(
  batch: StoredBatch,
  labels: Float64Array | undefined,
  importance?: Float64Array | null | undefined,
): StoredBatch {
  return {
    kind: batch.kind,
    rows: batch.rows,
    dimension: batch.dimension,
    get labels() {
      return labels ?? batch.labels;
    },
    get importance() {
      return importance === undefined ? batch.importance : importance;
    },
    get values() {
      return batch.values;
    },
    get offsets() {
      return (batch as CompactBatch).offsets;
    },
    get indices() {
      return (batch as CompactBatch).indices;
    },
    get places() {
      return (batch as CompactBatch).places;
    },
  } as StoredBatch;
}
