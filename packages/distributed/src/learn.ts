import { decodeTrainState, encodeTrainState } from 'halfspace';
import { type Plain, trainOnce } from 'halfspace/internal';
import type { Job } from './job.ts';
import { Mixture } from './mixture.ts';
import type { Shard } from './shard.ts';
import type { MixState } from './state.ts';

/** The result of one round of a shard, or of several shards. */
export interface Learned {
  readonly rows: number;
  readonly nonzeros: number;
  readonly updates: number;
  /** Rows that were predicted wrongly before they were learned; null if the rule does not know it. */
  readonly mistakes: number | null;
  /** The state of the run of the only shard with rows, as text; else null. */
  readonly train: string | null;
  /** The sums over several shards with rows, see {@link Mixture}; else null. */
  readonly sums: Plain;
}

/** Goes on from the mixed weights over the rows of a shard, in their order. */
export async function learnShard({ train, label }: MixState, shard: Shard): Promise<Learned> {
  const { features, classes } = train;
  let rows = 0;
  async function* counted() {
    for await (const batch of shard.examples(features, label)) {
      rows += batch.rows;
      yield batch;
    }
  }
  const batches = counted();
  const first = await batches.next();
  if (first.done === true) return { rows: 0, nonzeros: 0, updates: 0, mistakes: 0, train: null, sums: null };
  const source = {
    name: shard.name,
    classes,
    encoding: () => features,
    async *batches() {
      yield first.value;
      yield* batches;
    },
  };
  const { report, state } = await trainOnce(source, { from: train, passes: 1, order: 'cyclic', keepState: true });
  const { updates, nonzeros, progressive } = report;
  const mistakes = progressive?.errors ?? null;
  return { rows, nonzeros, updates, mistakes, train: encodeTrainState(state!), sums: null };
}

/** Adds up the rounds of some shards. */
export function addRounds(job: Job, { train }: MixState, results: readonly Learned[]): Learned {
  const learned = results.filter((each) => each.train !== null || each.sums !== null);
  const total = (of: (each: Learned) => number) => learned.reduce((sum, each) => sum + of(each), 0);
  const counts = {
    rows: total(({ rows }) => rows),
    nonzeros: total(({ nonzeros }) => nonzeros),
    updates: total(({ updates }) => updates),
    mistakes: learned.some(({ mistakes }) => mistakes === null) ? null : total(({ mistakes }) => mistakes!),
  };
  // Of one shard the state is kept as it is.
  if (learned.length < 2) return { ...counts, train: learned[0]?.train ?? null, sums: learned[0]?.sums ?? null };
  const mixture = new Mixture(train.learner);
  for (const { train: text, sums, updates } of learned)
    if (text === null) mixture.addEncoded(sums);
    else mixture.add(decodeTrainState(text).learner, job.mixing === 'updates' ? updates : 1);
  return { ...counts, train: null, sums: mixture.encode() };
}

/** Makes the next state of the rounds of all shards. */
export function mixRounds(job: Job, before: MixState, results: readonly Learned[]): MixState {
  const { updates, nonzeros, mistakes, train, sums } = addRounds(job, before, results);
  const rounds = before.rounds + 1;
  const ended = updates === 0 ? 'clean' : rounds >= job.passes ? 'passes' : null;
  return {
    ...before,
    ...{ next: ended === null ? 'learn' : 'evaluate', rounds, ended, updates: [...before.updates, updates] },
    nonzeros,
    progressive: before.rounds > 0 ? before.progressive : mistakes,
    train: {
      ...before.train,
      passes: before.train.passes + 1,
      learner: train === null ? (mixed(before, sums) as never) : decodeTrainState(train).learner,
    },
  };
}

function mixed({ train }: MixState, sums: Plain): object {
  const mixture = new Mixture(train.learner);
  mixture.addEncoded(sums);
  return mixture.mixed();
}
