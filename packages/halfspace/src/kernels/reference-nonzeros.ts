import type { StoredBatch } from '../batch.ts';
import { valueReader } from './decimal-places.ts';

/** A row of any layout as a list: its values other than 0, and their features, one after the other. */
export interface Nonzeros {
  readonly features: number[];
  readonly values: number[];
}

/** Row i of a batch as a list; zeros that are written out are left out. */
export function listNonzeros(batch: StoredBatch, i: number): Nonzeros {
  const features: number[] = [];
  const values: number[] = [];
  const read = valueReader(batch);
  const isDense = batch.kind === 'dense';
  const [from, to] = isDense
    ? [i * batch.dimension, (i + 1) * batch.dimension]
    : [batch.offsets[i]!, batch.offsets[i + 1]!];
  for (let k = from; k < to; k++) {
    const x = read(k);
    if (x === 0) continue;
    values.push(x);
    features.push(isDense ? k - from : batch.indices[k]!);
  }
  return { features, values };
}
