/**
 * Trains models in shards by iterative parameter mixing. A worker takes the rows of one shard as an Arrow stream and
 * gives its result; a mixer makes the next state of all results. An engine, such as Spark, only carries bytes.
 *
 * @see McDonald, Hall & Mann (2010), Distributed training strategies for the structured perceptron.
 * @module
 */
import { type Evaluated, evaluateShard, mixEvaluations } from './evaluate.ts';
import { type Fitted, fitShard, mixFits } from './fit.ts';
import { type Job, parseJob } from './job.ts';
import { type Learned, learnShard, mixRounds } from './learn.ts';
import { modelOf } from './model.ts';
import { predict } from './predict.ts';
import { decodeResults, encodeResult } from './results.ts';
import { Shard } from './shard.ts';
import { decodeMixState, encodeMixState, type MixState, type Task } from './state.ts';

export { decodeMixState, type Job, type MixState, modelOf, parseJob, predict, type Task };

/**
 * Does the next step of a training on the rows of one shard.
 *
 * @param state null before the first step.
 * @param shard its number, from 0.
 * @param input an Arrow IPC stream with the columns of the job. The order of rows counts; sizes of batches do not.
 * @returns the result as an Arrow IPC stream, for {@link mix}.
 * @throws HalfspaceError with the shard and the id of the row.
 */
export async function work(
  job: Job,
  state: MixState | null,
  shard: number,
  input: AsyncIterable<Uint8Array>,
): Promise<Uint8Array> {
  const rows = new Shard(job, shard, input);
  if (state === null) return encodeResult(shard, await fitShard(job, rows));
  return encodeResult(shard, state.next === 'learn' ? await learnShard(state, rows) : await evaluateShard(state, rows));
}

/**
 * Makes the next state of a training from the results of all shards.
 *
 * @param state the one that the workers had; null before the first step.
 * @param results Arrow IPC streams of {@link work}; their order does not matter.
 * @returns the text of the next state.
 */
export async function mix(
  job: Job,
  state: MixState | null,
  results: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<string> {
  const of = <T>() => decodeResults<T>(results, job.shards);
  if (state === null) return encodeMixState(await mixFits(job, of<Fitted>()));
  if (state.next === 'learn') return encodeMixState(mixRounds(job, state, of<Learned>()));
  return encodeMixState(await mixEvaluations(state, of<Evaluated>()));
}
