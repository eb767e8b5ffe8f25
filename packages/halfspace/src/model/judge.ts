import type { StoredBatch } from '../batch.ts';
import { KnownLabels } from '../data/labels.ts';
import type { ExampleSource } from '../data/source.ts';
import type { ExampleStore } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { createKernels } from '../kernels/load.ts';
import { type Judgement, ScoreTally } from './metrics.ts';
import type { LinearFunction, Model } from './model.ts';
import { ModelScorer } from './score.ts';

/**
 * Stored examples, labels −1 and +1, against a linear function's classes; `tie` is the class of score 0.
 *
 * @param look called with every batch: what else is to be known of the examples costs no reading of its own then.
 */
export function judgeStore(
  store: ExampleStore,
  kernels: Kernels,
  linear: LinearFunction,
  tie: number,
  look?: (batch: StoredBatch) => void,
): ScoreTally {
  const scorer = new ModelScorer(kernels, linear);
  const tally = new ScoreTally(tie);
  let scores = new Float64Array(0);
  for (let c = 0; c < store.chunks; c++) {
    const batch = store.load(c);
    if (scores.length < batch.rows) scores = new Float64Array(batch.rows);
    scorer.scoreInto(batch, scores);
    tally.add(batch, scores);
    look?.(batch);
  }
  scorer.free();
  return tally;
}

/** Options of {@link evaluate}. */
export interface EvaluateOptions {
  /**
   * Given the scores and the labels, −1 or +1, of every batch, in order; they may be read until it returns. What it throws ends the
   * judging.
   */
  readonly onScores?: ((scores: Float64Array, labels: Float64Array) => void) | undefined;
}

/**
 * A model's classes against the labels of a source that was opened for this model. Memory does not grow with the source.
 *
 * @throws HalfspaceError `source-empty`, `label-missing`, `label-classes` for a label that is neither class, and whatever the source
 *   throws.
 */
export async function evaluate(
  source: ExampleSource,
  model: Model,
  kernels = createKernels(),
  options: EvaluateOptions = {},
): Promise<Judgement> {
  const scorer = new ModelScorer(kernels, model);
  const tally = new ScoreTally(model.tie);
  const known = source.classes === null ? new KnownLabels(source.name, model.classes) : null;
  let scores = new Float64Array(0);
  let row = 0;
  try {
    for await (const batch of source.batches()) {
      if (scores.length < batch.rows) scores = new Float64Array(batch.rows);
      scorer.scoreInto(batch, scores);
      const labels = batch.labels.subarray(0, batch.rows);
      const missing = labels.findIndex(Number.isNaN);
      if (missing !== -1)
        throw new HalfspaceError('label-missing', 'expected a label; got none', {
          source: source.name,
          row: row + missing + 1,
        });
      known?.map(labels, row);
      tally.add(batch, scores);
      options.onScores?.(scores.subarray(0, batch.rows), labels);
      row += batch.rows;
    }
  } finally {
    scorer.free();
  }
  if (row === 0) throw new HalfspaceError('source-empty', 'expected examples; got none', { source: source.name });
  return tally.judgement;
}
