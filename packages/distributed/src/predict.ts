import { Field, Float64, List, RecordBatchStreamWriter, Table, Utf8, vectorFromArray } from 'apache-arrow';
import type { Model } from 'halfspace';
import { classProbabilities } from 'halfspace/metrics';
import { checkScores, classPosition, createScorer, tieOf } from 'halfspace/models';
import { createKernels } from 'halfspace/rules';
import { batchesOfStream } from './arrow-batches.ts';
import type { Job } from './job.ts';
import { Shard } from './shard.ts';

/**
 * Predicts rows of an Arrow IPC stream. For each batch with rows it yields a whole Arrow IPC stream, one behind the
 * other, with the columns `class` (text) and `scores` (a list: of one number for two classes, else one of each class);
 * of a calibrated model also `probabilities` (a list: one of each class).
 *
 * @throws HalfspaceError with the id of the row.
 */
export async function* predict(job: Job, model: Model, input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const shard = new Shard(job, null, (source) => batchesOfStream(source, input));
  const scorer = createScorer(await createKernels(), model);
  const { outputs } = scorer;
  const tie = tieOf(model);
  const lists = new List(new Field('item', new Float64(), false));
  for await (const [record, batch] of shard.unlabelled(model.features)) {
    const { rows } = batch;
    const scores = new Float64Array(rows * outputs);
    scorer.scoreInto(batch, scores);
    shard.placed(record, () => checkScores(scores, rows, outputs, { source: shard.name, row: 0 }));
    const { calibration } = model;
    const at = Array.from({ length: rows }, (_, i) => i * outputs);
    const writer = new RecordBatchStreamWriter();
    writer.write(
      new Table({
        class: vectorFromArray(
          at.map((first) => model.classes[classPosition(scores, first, outputs, tie)]!) as never,
          new Utf8(),
        ),
        scores: vectorFromArray(at.map((first) => Array.from(scores.subarray(first, first + outputs))) as never, lists),
        ...(calibration === null
          ? {}
          : {
              probabilities: vectorFromArray(
                at.map((first) => classProbabilities(calibration, scores, first, outputs)) as never,
                lists,
              ),
            }),
      }),
    );
    writer.finish();
    yield writer.toUint8Array(true);
  }
}
