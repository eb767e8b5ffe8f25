/**
 * Training in shards, without a reader of rows: the steps of `halfspace-distributed`, which reads Apache Arrow. For
 * packages that read the rows of another engine; may change with a minor version.
 * @module
 */

export { type Job, parseJob, parseRequest } from '../shards/job.ts';
export { modelOf } from '../shards/model.ts';
export { predictRows } from '../shards/predict.ts';
export type { ResultFile } from '../shards/results.ts';
export type { ShardBatch, ShardColumn, SparseRows } from '../shards/shard-batch.ts';
export { decodeMixState, type MixState, type Task } from '../shards/state.ts';
export { mix, mixPart, workOn } from '../shards/steps.ts';
