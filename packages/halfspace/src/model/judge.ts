import type { StoredBatch } from '../batch.ts';
import { ImportantRows } from '../data/important-rows.ts';
import { KnownLabels } from '../data/labels.ts';
import type { ExampleSource } from '../data/source.ts';
import type { ExampleStore } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { createKernels } from '../kernels/load.ts';
import { scorerOf } from './function-scorer.ts';
import { createScorer } from './kinds.ts';
import { type Judgement, ScoreTally } from './metrics.ts';
import { type Model, type ScoringFunction, tieOf } from './model.ts';
import { checkScores, type Scorer } from './scorer.ts';

/** Called with every judged batch and its scores, which may be read until it returns. */
export type Look = (batch: StoredBatch, scores: Float64Array) => void;

/**
 * Judges stored examples by functions: one function and labels −1 and +1, with `tie` the class of score 0; or one for each class, and labels
 * their positions.
 */
export function judgeStore(
  store: ExampleStore,
  kernels: Kernels,
  functions: readonly ScoringFunction[],
  tie: number,
  look?: Look,
): ScoreTally {
  const scorer = scorerOf(kernels, functions);
  try {
    return judgeBatches(store.batches(), scorer, tie, { look });
  } finally {
    scorer.free();
  }
}

/** Judges batches by a scorer, which stays the caller's. @param classes how many there are. Default: the number of classes that the scorer has. */
export function judgeBatches(
  batches: Iterable<StoredBatch>,
  scorer: Pick<Scorer, 'outputs' | 'scoreInto'>,
  tie: number,
  { classes, look }: { readonly classes?: number | undefined; readonly look?: Look | undefined } = {},
): ScoreTally {
  const { outputs } = scorer;
  const tally = new ScoreTally(outputs, tie, classes);
  let scores = new Float64Array(0);
  for (const batch of batches) {
    const length = batch.rows * outputs;
    if (scores.length < length) scores = new Float64Array(length);
    scorer.scoreInto(batch, scores);
    tally.add(batch, scores);
    look?.(batch, scores.subarray(0, length));
  }
  return tally;
}

/** Options of {@link evaluate}. */
export interface EvaluateOptions {
  /**
   * Given the scores and the labels of every batch, in order; they may be read until it returns. Labels are −1 or +1 and there is one
   * score a row; or labels are positions of classes, and there is a score for each class, row by row. An error that it throws ends the evaluation.
   */
  readonly onScores?: ((scores: Float64Array, labels: Float64Array) => void) | undefined;
}

/**
 * Compares a model's classes with the labels of a source that was opened for this model. Rows of importance 0 are left out, the others count once
 * each. Memory does not grow with the source.
 *
 * @throws HalfspaceError `source-empty`, `label-missing`, `label-classes` for a label that is no class and for a source of more or fewer
 *   classes, `number-invalid` for rows whose score is no finite double, and whatever the source throws.
 */
export async function evaluate(
  source: ExampleSource,
  model: Model,
  kernels = createKernels(),
  options: EvaluateOptions = {},
): Promise<Judgement> {
  const scorer = createScorer(kernels, model);
  const { outputs } = scorer;
  const tally = new ScoreTally(outputs, tieOf(model));
  if (source.classes !== null && source.classes.length !== model.classes.length)
    throw new HalfspaceError(
      'label-classes',
      `expected examples of the model's ${model.classes.length} classes; got a source of ${source.classes.length}`,
      { source: source.name },
    );
  const known = source.classes === null ? new KnownLabels(source.name, model.classes, outputs > 1) : null;
  const important = new ImportantRows();
  let scores = new Float64Array(0);
  let row = 0;
  try {
    for await (const given of source.batches()) {
      const batch = important.of(given);
      const rowOf = (i: number) => important.numberOf(row + i) + 1;
      if (scores.length < batch.rows * outputs) scores = new Float64Array(batch.rows * outputs);
      scorer.scoreInto(batch, scores);
      checkScores(scores, batch.rows, outputs, { source: source.name, row });
      const labels = batch.labels.subarray(0, batch.rows);
      const missing = labels.findIndex(Number.isNaN);
      if (missing !== -1)
        throw new HalfspaceError('label-missing', 'expected a label; got none', {
          source: source.name,
          row: rowOf(missing),
        });
      known?.map(labels, rowOf);
      tally.add(batch, scores);
      options.onScores?.(scores.subarray(0, batch.rows * outputs), labels);
      row += batch.rows;
    }
  } finally {
    scorer.free();
  }
  if (row === 0)
    throw new HalfspaceError(
      'source-empty',
      important.leftOut.length === 0
        ? 'expected examples; got none'
        : 'expected examples of importance above 0; got none',
      { source: source.name },
    );
  return tally.judgement;
}
