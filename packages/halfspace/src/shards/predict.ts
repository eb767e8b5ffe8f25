import { createKernels } from '../kernels/load.ts';
import { classProbabilities } from '../model/class-probabilities.ts';
import { createScorer } from '../model/kinds.ts';
import { type Model, tieOf } from '../model/model.ts';
import { checkScores, classPosition } from '../model/scorer.ts';
import type { Job } from './job.ts';
import { Shard } from './shard.ts';
import type { ShardBatch } from './shard-batch.ts';

/** Predictions of some rows, each a list with a member for each row. */
interface ShardPredictions {
  readonly classes: readonly string[];
  /** One score for two classes, else one of each class. */
  readonly scores: readonly (readonly number[])[];
  /** One probability of each class; null without a calibration. */
  readonly probabilities: readonly (readonly number[])[] | null;
}

/**
 * Yields the predictions of each batch with rows.
 *
 * @param read reads the rows; its parameter names them in errors.
 * @throws HalfspaceError with the id of the row.
 */
export async function* predictRows(
  job: Job,
  model: Model,
  read: (source: string) => AsyncIterable<ShardBatch>,
): AsyncGenerator<ShardPredictions> {
  const shard = new Shard(job, null, read);
  const scorer = createScorer(await createKernels(), model);
  const { outputs } = scorer;
  const { calibration, classes, features } = model;
  const tie = tieOf(model);
  for await (const [record, batch] of shard.unlabelled(features)) {
    const { rows } = batch;
    const scores = new Float64Array(rows * outputs);
    scorer.scoreInto(batch, scores);
    shard.placed(record, () => checkScores(scores, rows, outputs, { source: shard.name, row: 0 }));
    const at = Array.from({ length: rows }, (_, i) => i * outputs);
    yield {
      classes: at.map((first) => classes[classPosition(scores, first, outputs, tie)]!),
      scores: at.map((first) => Array.from(scores.subarray(first, first + outputs))),
      probabilities:
        calibration === null ? null : at.map((first) => classProbabilities(calibration, scores, first, outputs)),
    };
  }
}
