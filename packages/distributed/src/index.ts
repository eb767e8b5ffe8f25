/**
 * Trains models in shards by iterative parameter mixing. A worker takes the rows of one shard as an Arrow stream and
 * gives its result; a mixer makes the next state of all results. An engine, such as Spark, only carries bytes.
 *
 * @see McDonald, Hall & Mann (2010), Distributed training strategies for the structured perceptron.
 * @module
 */
export {
  decodeMixState,
  type Job,
  type MixState,
  mix,
  mixPart,
  modelOf,
  parseJob,
  type ResultFile,
  type Task,
} from 'halfspace/shards';
export { answer, progressOf } from './answer.ts';
export { work } from './arrow-shard.ts';
export { predict } from './predict.ts';
