/**
 * Trains models in shards by iterative parameter mixing. A worker takes the rows of one shard as an Arrow stream and
 * gives its result; a mixer makes the next state of all results. An engine, such as Spark, only carries bytes.
 *
 * @see McDonald, Hall & Mann (2010), Distributed training strategies for the structured perceptron.
 * @module
 */
import { answer, progressOf } from './answer.ts';
import { type Job, parseJob } from './job.ts';
import { modelOf } from './model.ts';
import { predict } from './predict.ts';
import type { ResultFile } from './results.ts';
import { decodeMixState, type MixState, type Task } from './state.ts';
import { mix, mixPart, work } from './steps.ts';

export {
  answer,
  decodeMixState,
  type Job,
  type MixState,
  mix,
  mixPart,
  modelOf,
  parseJob,
  predict,
  progressOf,
  type ResultFile,
  type Task,
  work,
};
