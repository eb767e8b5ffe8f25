import { decodeTrainState, encodeTrainState } from 'halfspace';
import { trainOnce } from 'halfspace/internal';
import type { Job } from './job.ts';
import { mixStates } from './mean.ts';
import type { Shard } from './shard.ts';
import type { MixState } from './state.ts';

/** The result of one round of a shard. */
export interface Learned {
  readonly rows: number;
  readonly nonzeros: number;
  readonly updates: number;
  /** Rows that were predicted wrongly before they were learned; null if the rule does not know it. */
  readonly mistakes: number | null;
  /** The state of the run, as text; null for a shard without rows. */
  readonly train: string | null;
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
  if (first.done === true) return { rows: 0, nonzeros: 0, updates: 0, mistakes: 0, train: null };
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
  return { rows, nonzeros, updates, mistakes: progressive?.errors ?? null, train: encodeTrainState(state!) };
}

/** Mixes the rounds of all shards, in their order. */
export function mixRounds(job: Job, before: MixState, results: readonly Learned[]): MixState {
  const learned = results.filter(({ train }) => train !== null);
  const updates = learned.reduce((sum, each) => sum + each.updates, 0);
  const rounds = before.rounds + 1;
  const ended = updates === 0 ? 'clean' : rounds >= job.passes ? 'passes' : null;
  const states = learned.map(({ train }) => decodeTrainState(train!));
  const counts = learned.map((each) => (job.mixing === 'updates' && updates > 0 ? each.updates : 1));
  return {
    ...before,
    ...{ next: ended === null ? 'learn' : 'evaluate', rounds, ended, updates: [...before.updates, updates] },
    nonzeros: learned.reduce((sum, each) => sum + each.nonzeros, 0),
    progressive: before.rounds > 0 ? before.progressive : mistakesOf(learned),
    train: mixStates(before.train, states, counts),
  };
}

function mistakesOf(learned: readonly Learned[]): number | null {
  return learned.reduce<number | null>(
    (sum, { mistakes }) => (sum === null || mistakes === null ? null : sum + mistakes),
    0,
  );
}
