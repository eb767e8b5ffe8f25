import type { Data, RecordBatch, Vector } from 'apache-arrow';
import { type Job, type MixState, type ShardBatch, type ShardColumn, workOn } from 'halfspace/shards';
import { batchesOfStream } from './arrow-batches.ts';
import { isText, numbersOf, textsOf, typeOfColumn } from './arrow-columns.ts';
import { vectorsOf } from './arrow-vectors.ts';

/**
 * Does the next step of a training on the rows of one shard.
 *
 * @param state null before the first step.
 * @param shard its number, from 0.
 * @param input an Arrow IPC stream with the columns of the job. The order of rows counts; sizes of batches do not.
 * @returns the result as the bytes of a file, for {@link mix}.
 * @throws HalfspaceError with the shard and the id of the row.
 */
export async function work(
  job: Job,
  state: MixState | null,
  shard: number,
  input: AsyncIterable<Uint8Array>,
): Promise<Uint8Array> {
  return workOn(
    job,
    state,
    shard,
    asShard((source) => batchesOfStream(source, input)),
  );
}

/** Returns a reader of rows for the functions of `halfspace/shards`. */
export function asShard(
  read: (source: string) => AsyncIterable<RecordBatch>,
): (source: string) => AsyncGenerator<ShardBatch> {
  return async function* (source) {
    for await (const batch of read(source)) yield shardBatch(batch);
  };
}

function shardBatch(batch: RecordBatch): ShardBatch {
  return {
    rows: batch.numRows,
    names: batch.schema.fields.map(({ name }) => name),
    column(name) {
      const vector = batch.getChild(name);
      return vector === null ? null : shardColumn(vector, name);
    },
    slice: (from, to) => shardBatch(batch.slice(from, to)),
  };
}

function shardColumn(vector: Vector, name: string): ShardColumn {
  const [data, ...more] = vector.data as readonly Data[];
  const values = more.length === 0 && data?.nullCount === 0 ? data.values : null;
  return {
    isText: isText(vector),
    type: typeOfColumn(vector),
    doubles: values instanceof Float64Array ? values.subarray(0, vector.length) : null,
    numbers: (kind) => numbersOf(vector, name, kind),
    texts: () => textsOf(vector, name),
    vectors: (size) => vectorsOf(vector, name, size),
    get: (i) => vector.get(i),
  };
}
