import type { StoredBatch } from '../batch.ts';
import { valueReader } from '../kernels/decimal-places.ts';
import type { LinearParameters } from '../rules/learner.ts';

/** w = y·x, b = y·c of a batch's first example: where the start `example` begins. */
export function firstExample(batch: StoredBatch, biasConstant: number): LinearParameters {
  const y = batch.labels[0]!;
  const weights = new Float64Array(batch.dimension);
  if (batch.kind === 'dense') for (let j = 0; j < batch.dimension; j++) weights[j] = y * batch.values[j]!;
  else {
    const value = valueReader(batch);
    for (let k = batch.offsets[0]!; k < batch.offsets[1]!; k++) weights[batch.indices[k]!]! += y * value(k);
  }
  return { weights, bias: y * biasConstant };
}
