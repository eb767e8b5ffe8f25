import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { scorerOf } from './function-scorer.ts';
import { ScoreTally } from './metrics.ts';
import type { ScoringFunction } from './model.ts';
import type { Scorer } from './scorer.ts';

/** Called with each judged batch and its scores. Both are valid until it returns. */
export type OnBatch = (batch: StoredBatch, scores: Float64Array) => void;

/**
 * Evaluates functions on stored examples: one function with labels −1 and +1, where `tie` is the class of score 0; or
 * one function per class with labels that are class positions.
 */
export function judgeStore(
  store: Pick<ExampleStore, 'batches'>,
  kernels: Kernels,
  functions: readonly ScoringFunction[],
  tie: number,
  onBatch?: OnBatch,
): ScoreTally {
  const scorer = scorerOf(kernels, functions);
  try {
    return judgeBatches(store.batches(), scorer, tie, { onBatch });
  } finally {
    scorer.free();
  }
}

/**
 * Evaluates a scorer on batches; the caller frees it. @param classes number of classes. Default: that of the scorer.
 */
export function judgeBatches(
  batches: Iterable<StoredBatch>,
  scorer: Pick<Scorer, 'outputs' | 'scoreInto'>,
  tie: number,
  { classes, onBatch }: { readonly classes?: number | undefined; readonly onBatch?: OnBatch | undefined } = {},
): ScoreTally {
  const { outputs } = scorer;
  const tally = new ScoreTally(outputs, tie, classes);
  let scores = new Float64Array(0);
  for (const batch of batches) {
    const length = batch.rows * outputs;
    if (scores.length < length) scores = new Float64Array(length);
    scorer.scoreInto(batch, scores);
    tally.add(batch, scores);
    onBatch?.(batch, scores.subarray(0, length));
  }
  return tally;
}
