import type { StoredBatch } from '../batch.ts';
import { forEachNonzero } from '../kernels/batch-view.ts';
import type { LinearParameters } from '../rules/learner.ts';

/** Returns w = y·x and b = y·c for the first example of a batch, for the start `example`. */
export function firstExample(batch: StoredBatch, biasConstant: number): LinearParameters {
  const y = batch.labels[0]!;
  const weights = new Float64Array(batch.dimension);
  forEachNonzero(batch, 0, (j, x) => {
    weights[j]! += y * x;
  });
  return { weights, bias: y * biasConstant };
}
