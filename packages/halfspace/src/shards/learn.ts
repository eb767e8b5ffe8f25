import { storedValues } from '../batch.ts';
import { createKernels } from '../kernels/load.ts';
import type { LinearParameters } from '../rules/learner.ts';
import type { encodeValue } from '../rules/learner-file.ts';
import { trainOnce } from '../train/train-once.ts';
import type { TrainState } from '../train/train-state.ts';
import { decodeTrainState, encodeTrainState } from '../train/train-state-file.ts';
import type { Job } from './job.ts';
import { Judge, Tally } from './judge.ts';
import { Mixture } from './mixture.ts';
import { functionsOf, learnerOf } from './model.ts';
import type { Shard } from './shard.ts';
import type { BestRound, MixState, NextState } from './state.ts';

type Plain = ReturnType<typeof encodeValue>;

/** The result of one round of a shard, or of several shards. */
export interface Learned {
  readonly rows: number;
  readonly nonzeros: number;
  readonly updates: number;
  /** Rows that were predicted wrongly before they were learned; null if the rule does not know it. */
  readonly mistakes: number | null;
  /** Errors of the weights that the round began with, on the rows held out for early stopping. */
  readonly stopping: number;
  /** The state of the run of the only shard with rows, as text; else null. */
  readonly train: string | null;
  /** The sums over several shards with rows, see {@link Mixture}; else null. */
  readonly sums: Plain;
}

type Functions = readonly LinearParameters[];

/** Goes on from the mixed weights over the rows of a shard, in their order. */
export async function learnShard(state: MixState, shard: Shard): Promise<Learned> {
  const { train } = state;
  const { features, classes } = train;
  const judge = await judgeOf(state);
  const tally = new Tally();
  let rows = 0;
  let heldBack = 0;
  async function* counted() {
    for await (const { learned, stopping } of shard.examples(state)) {
      if (stopping !== null) {
        judge?.judge(stopping, tally);
        heldBack += storedValues(stopping);
      }
      if (learned === null) continue;
      rows += learned.rows;
      yield learned;
    }
  }
  const batches = counted();
  const first = await batches.next();
  const nothing = { rows: 0, nonzeros: 0, updates: 0, mistakes: 0, stopping: 0, train: null, sums: null };
  if (first.done === true) return nothing;
  const source = {
    name: shard.name,
    classes,
    labelType: train.labelType,
    encoding: () => features,
    async *batches() {
      yield first.value;
      yield* batches;
    },
  };
  const { report, state: end } = await trainOnce(source, { from: train, passes: 1, order: 'cyclic', keepState: true });
  const { updates, progressive } = report;
  const counts = { rows, nonzeros: report.nonzeros + heldBack, updates, mistakes: progressive?.errors ?? null };
  return { ...counts, stopping: tally.errors, train: encodeTrainState(end!), sums: null };
}

/** Returns a judge of the weights that a round begins with, if they are evaluated for early stopping. */
async function judgeOf({ stopping, rounds, train }: MixState): Promise<Judge | null> {
  if (stopping === 0 || rounds === 0) return null;
  const kernels = await createKernels();
  return new Judge(kernels, functionsOf(learnerOf(kernels, train)));
}

/** Adds up the rounds of some shards. */
export function addRounds(job: Job, { train }: MixState, results: readonly Learned[]): Learned {
  const learned = results.filter((each) => each.train !== null || each.sums !== null);
  const total = (of: (each: Learned) => number) => learned.reduce((sum, each) => sum + of(each), 0);
  const counts = {
    rows: total(({ rows }) => rows),
    nonzeros: total(({ nonzeros }) => nonzeros),
    updates: total(({ updates }) => updates),
    stopping: total(({ stopping }) => stopping),
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
export async function mixRounds(job: Job, before: MixState, results: readonly Learned[]): Promise<NextState> {
  const { updates, nonzeros, mistakes, stopping, train, sums } = addRounds(job, before, results);
  const best = before.stopping > 0 && before.rounds > 0 ? await bestOf(before, stopping) : null;
  // The round that judged the last weights was one too many, and is left out.
  if (best !== null && before.rounds - best.round >= job.patience!)
    return { ...before, best, next: 'evaluate', ended: 'patience' };
  const rounds = before.rounds + 1;
  const learner = train === null ? (mixed(before, sums) as never) : decodeTrainState(train).learner;
  const next = { ...before.train, passes: before.train.passes + 1, learner };
  const { passes, tolerance } = job;
  const isStill = tolerance !== undefined && (await distance(before.train, next)) <= tolerance;
  const ended = updates === 0 ? 'clean' : rounds >= passes ? 'passes' : isStill ? 'tolerance' : null;
  return {
    ...before,
    ...{ next: ended === null ? 'learn' : 'evaluate', rounds, ended, updates: [...before.updates, updates] },
    ...{ nonzeros, best },
    progressive: before.rounds > 0 ? before.progressive : mistakes,
    train: next,
  };
}

/** Returns the distance of the weights of two models, all functions and biases as one vector of length 1. */
async function distance(before: TrainState, after: TrainState): Promise<number> {
  const kernels = await createKernels();
  const [from, to] = [before, after].map((state) => functionsOf(learnerOf(kernels, state))) as [Functions, Functions];
  let [product, fromSquares, toSquares] = [0, 0, 0];
  to.forEach(({ weights, bias }, k) => {
    const { weights: old, bias: oldBias } = from[k]!;
    const add = (a: number, b: number) => {
      product += a * b;
      fromSquares += a * a;
      toSquares += b * b;
    };
    for (let j = 0; j < weights.length; j++) add(old[j] ?? 0, weights[j]!);
    add(oldBias, bias);
  });
  // Without weights there is no direction.
  if (fromSquares === 0 || toSquares === 0) return Number.POSITIVE_INFINITY;
  return Math.sqrt(Math.max(0, 2 - (2 * product) / Math.sqrt(fromSquares * toSquares)));
}

/** Returns the best round so far. Of rounds with equal errors the first is the best. @param errors of the last one. */
async function bestOf({ best, rounds, train }: MixState, errors: number): Promise<BestRound> {
  if (best !== null && best.errors <= errors) return best;
  return { round: rounds, errors, functions: functionsOf(learnerOf(await createKernels(), train)) };
}

function mixed({ train }: MixState, sums: Plain): object {
  const mixture = new Mixture(train.learner);
  mixture.addEncoded(sums);
  return mixture.mixed();
}
