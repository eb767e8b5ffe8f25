import { Field, Float64, List, RecordBatchStreamWriter, Table, Utf8, vectorFromArray } from 'apache-arrow';
import type { Model } from 'halfspace';
import { type Job, predictRows } from 'halfspace/shards';
import { batchesOfStream } from './arrow-batches.ts';
import { asShard } from './arrow-shard.ts';

/**
 * Predicts rows of an Arrow IPC stream. For each batch with rows it yields a whole Arrow IPC stream, one behind the
 * other, with the columns `class` (text) and `scores` (a list: of one number for two classes, else one of each class);
 * of a calibrated model also `probabilities` (a list: one of each class).
 *
 * @throws HalfspaceError with the id of the row.
 */
export async function* predict(job: Job, model: Model, input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const lists = new List(new Field('item', new Float64(), false));
  const read = asShard((source) => batchesOfStream(source, input));
  for await (const { classes, scores, probabilities } of predictRows(job, model, read)) {
    const writer = new RecordBatchStreamWriter();
    writer.write(
      new Table({
        class: vectorFromArray(classes as never, new Utf8()),
        scores: vectorFromArray(scores as never, lists),
        ...(probabilities === null ? {} : { probabilities: vectorFromArray(probabilities as never, lists) }),
      }),
    );
    writer.finish();
    yield writer.toUint8Array(true);
  }
}
