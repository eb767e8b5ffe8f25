import { HalfspaceError } from '../errors.ts';
import { mixScores, type Scored, scoreShard } from './calibrate.ts';
import { type Evaluated, evaluateShard, mixEvaluations } from './evaluate.ts';
import { type Fitted, fitShard, mixFits } from './fit.ts';
import type { Job } from './job.ts';
import { addRounds, type Learned, learnShard, mixRounds } from './learn.ts';
import { decodeResults, encodeResults, type ResultFile, stepAt } from './results.ts';
import { Shard } from './shard.ts';
import type { ShardBatch } from './shard-batch.ts';
import { encodeMixState, type MixState } from './state.ts';

/**
 * Does the next step of a training on the rows of one shard.
 *
 * @param state null before the first step.
 * @param shard its number, from 0.
 * @param read reads the rows; its parameter names them in errors.
 * @returns the result as the bytes of a file, for {@link mix}.
 * @throws HalfspaceError with the shard and the id of the row.
 */
export async function workOn(
  job: Job,
  state: MixState | null,
  shard: number,
  read: (source: string) => AsyncIterable<ShardBatch>,
): Promise<Uint8Array> {
  const step = stepAt(job, state);
  if (!(shard >= 0 && shard < job.shards))
    throw new HalfspaceError('option-invalid', `expected a shard from 0 to ${job.shards - 1}; got ${shard}`);
  const rows = new Shard(job, shard, read);
  return written(async () => encodeResults(step, { shards: [shard], found: [await found(job, state, rows)] }));
}

/** Does a step. Strings cannot hold very many weights. @throws HalfspaceError `memory-exhausted`. */
async function written<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RangeError) && (error as { code?: unknown }).code !== 'ERR_STRING_TOO_LONG') throw error;
    throw new HalfspaceError(
      'memory-exhausted',
      'expected weights whose text has less than 512 MiB; got more: hash the features to fewer, or leave some out',
    );
  }
}

function found(job: Job, state: MixState | null, rows: Shard): Promise<object> {
  if (state === null) return fitShard(job, rows);
  if (state.next === 'calibrate') return scoreShard(state, rows);
  return state.next === 'learn' ? learnShard(state, rows) : evaluateShard(state, rows);
}

/**
 * Makes the next state of a training from the results of all shards.
 *
 * @param state the one that the workers had; null before the first step.
 * @param results of {@link workOn} or {@link mixPart}; their order does not matter.
 * @returns the text of the next state.
 */
export async function mix(job: Job, state: MixState | null, results: readonly ResultFile[]): Promise<string> {
  const step = stepAt(job, state);
  const of = <T>() => decodeResults<T>(results, step, job.shards, true).found;
  return written(async () => {
    if (state === null) return encodeMixState(await mixFits(job, of<Fitted>()));
    if (state.next === 'learn') return encodeMixState(await mixRounds(job, state, of<Learned>()));
    if (state.next === 'calibrate') return encodeMixState(mixScores(job.calibrate!, state, of<Scored>()));
    const judged = await mixEvaluations(state, of<Evaluated>());
    return encodeMixState(
      judged.next === null && job.calibrate !== undefined ? { ...judged, next: 'calibrate' } : judged,
    );
  });
}

/**
 * Adds up the results of some shards, so that others have less to add. In rounds of learning the sums are about as
 * large as a few results; in other steps the results stay apart. {@link mix} gives the same bits for any tree of parts.
 *
 * @param results of {@link workOn} or {@link mixPart}; their order does not matter.
 * @returns the bytes of a file for {@link mix} or {@link mixPart}.
 */
export async function mixPart(job: Job, state: MixState | null, results: readonly ResultFile[]): Promise<Uint8Array> {
  const step = stepAt(job, state);
  const { shards, found } = decodeResults<object>(results, step, job.shards, false);
  return written(async () =>
    encodeResults(step, {
      shards,
      found: state?.next === 'learn' ? [addRounds(job, state, found as Learned[])] : found,
    }),
  );
}
