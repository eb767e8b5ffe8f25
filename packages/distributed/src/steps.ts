import { batchesOfStream } from './arrow-batches.ts';
import { type Evaluated, evaluateShard, mixEvaluations } from './evaluate.ts';
import { type Fitted, fitShard, mixFits } from './fit.ts';
import type { Job } from './job.ts';
import { type Learned, learnShard, mixRounds } from './learn.ts';
import { decodeResults, encodeResult } from './results.ts';
import { Shard } from './shard.ts';
import { encodeMixState, type MixState } from './state.ts';

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
  const rows = new Shard(job, shard, (source) => batchesOfStream(source, input));
  return encodeResult(shard, await stepOf(job, state, rows));
}

/** Does the next step on rows that are read already into batches. Returns what {@link mix} adds up. */
export function stepOf(job: Job, state: MixState | null, rows: Shard): Promise<object> {
  if (state === null) return fitShard(job, rows);
  return state.next === 'learn' ? learnShard(state, rows) : evaluateShard(state, rows);
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
