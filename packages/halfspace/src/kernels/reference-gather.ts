import type { StoredBatch } from '../batch.ts';
import { decodeInto } from './decimal-places.ts';
import type { RowSources } from './kernels.ts';

/** `RowSources` of the kernels in plain TypeScript. */
export class BatchList implements RowSources {
  readonly batches: readonly StoredBatch[];

  constructor(batches: readonly StoredBatch[]) {
    this.batches = batches;
  }

  free(): void {}
}

/** `Kernels.countPicked` in plain TypeScript. */
export function countPickedReference({ batches }: BatchList, picks: Uint32Array, count: number): number {
  let stored = 0;
  for (let k = 0; k < 2 * count; k += 2) stored += rowIn(batches[picks[k]!]!, picks[k + 1]!).size;
  return stored;
}

/** `Kernels.copyPicked` in plain TypeScript. */
export function copyPickedReference(
  { batches }: BatchList,
  picks: Uint32Array,
  count: number,
  target: StoredBatch,
): void {
  const { values, labels, importance } = target;
  let at = 0;
  for (let k = 0; k < count; k++) {
    const source = batches[picks[2 * k]!]!;
    const i = picks[2 * k + 1]!;
    const { from, size } = rowIn(source, i);
    labels[k] = source.labels[i]!;
    if (importance !== null) importance[k] = source.importance?.[i] ?? 1;
    if (source.kind === 'compact' && target.kind === 'sparse')
      decodeInto(source.values, from, size, source.places, target.values, at);
    else values.set(source.values.subarray(from, from + size), at);
    if (source.kind !== 'dense' && target.kind !== 'dense') {
      target.offsets[k] = at;
      target.indices.set(source.indices.subarray(from, from + size), at);
    }
    at += size;
  }
  if (target.kind !== 'dense') target.offsets[count] = at;
}

/** Returns the place of row i's values. */
function rowIn(batch: StoredBatch, i: number): { from: number; size: number } {
  if (batch.kind === 'dense') return { from: i * batch.dimension, size: batch.dimension };
  return { from: batch.offsets[i]!, size: batch.offsets[i + 1]! - batch.offsets[i]! };
}
