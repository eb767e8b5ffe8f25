import type { StoredBatch } from '../batch.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { createKernels } from '../kernels/load.ts';
import type { Learner, LinearParameters } from '../rules/learner.ts';
import { Judge, Tally } from './judge.ts';
import { functionsOf, learnerOf } from './model.ts';
import type { Shard } from './shard.ts';
import { type MixState, mostDoublings, type NextState } from './state.ts';

/** The errors and margins of models on the rows of a shard. */
export interface Evaluated {
  /**
   * The models to choose from: the last round, unless early stopping knows that it is worse; of a mean after a clean
   * round also each further settling, in their order; then the best round before, with early stopping.
   */
  readonly candidates: readonly Judged[];
  /** The smallest margin of the present weights, if the mean of a rule is settled; else, or without rows, null. */
  readonly present: number | null;
}

interface Judged {
  /** Errors on all rows but those held out for evaluation. */
  readonly errors: number;
  /** The smallest margin of the rows that are learned; null without rows. */
  readonly margin: number | null;
  /** Errors on the rows held out for early stopping. */
  readonly stopping: number;
  /** Errors on the rows held out for evaluation. */
  readonly heldOut: number;
}

/** Number of doublings that are judged in one scan. */
const inOneScan = 8;

export async function evaluateShard(state: MixState, shard: Shard): Promise<Evaluated> {
  const kernels = await createKernels();
  const learner = learnerOf(kernels, state.train);
  const { ended, best } = state;
  const candidates = ended === 'patience' ? [] : [new Candidate(kernels, functionsOf(learner))];
  const latest = canSettle(state)
    ? ((learner.presentFunctions?.() ?? null) as readonly LinearParameters[] | null)
    : null;
  for (let k = 0; latest !== null && k < inOneScan; k++) {
    settle(learner, state, k);
    candidates.push(new Candidate(kernels, functionsOf(learner)));
  }
  if (best !== null) candidates.push(new Candidate(kernels, best.functions));
  const present = latest === null ? null : new Candidate(kernels, latest);
  for await (const { learned, stopping, heldOut } of shard.examples(state))
    for (const candidate of [...candidates, present]) candidate?.judge(learned, stopping, heldOut);
  return { candidates: candidates.map(({ judged }) => judged), present: present?.judged.margin ?? null };
}

/** Tests if the mean may get more of the present weights, as after a clean pass of one machine. */
function canSettle({ ended }: MixState): boolean {
  return ended === 'clean';
}

/** Gives a mean more of the present weights: once more than `more` times after the state. */
function settle(learner: Learner, { rows, stopping, settled }: MixState, more: number): void {
  learner.survive!((rows - stopping) * 2 ** (settled + more));
}

/** A model and its errors so far. */
class Candidate {
  readonly #judge: Judge;
  readonly #training = new Tally();
  readonly #stopping = new Tally();
  readonly #heldOut = new Tally();

  constructor(kernels: Kernels, functions: readonly LinearParameters[]) {
    this.#judge = new Judge(kernels, functions);
  }

  judge(learned: StoredBatch | null, stopping: StoredBatch | null, heldOut: StoredBatch | null): void {
    if (learned !== null) this.#judge.judge(learned, this.#training);
    if (stopping !== null) this.#judge.judge(stopping, this.#stopping);
    if (heldOut !== null) this.#judge.judge(heldOut, this.#heldOut);
  }

  get judged(): Judged {
    const [training, stopping] = [this.#training, this.#stopping];
    return {
      errors: training.errors + stopping.errors,
      margin: training.margin,
      stopping: stopping.errors,
      heldOut: this.#heldOut.errors,
    };
  }
}

/** Returns the smallest of some margins; null without any. */
function least(margins: readonly (number | null)[]): number | null {
  const known = margins.filter((each) => each !== null);
  return known.length === 0 ? null : known.reduce((a, b) => Math.min(a, b));
}

/**
 * Adds up the judgements of all shards, and chooses the model. After a round without updates, the mean of the weights
 * gets more of the present ones until it separates the learned rows too, as in a run on one machine. With early
 * stopping the model is that of the round with the fewest errors.
 */
export async function mixEvaluations(before: MixState, results: readonly Evaluated[]): Promise<NextState> {
  const judged = results[0]!.candidates.map((_, k) => {
    const all = results.map(({ candidates }) => candidates[k]!);
    const total = (of: (each: Judged) => number) => all.reduce((sum, each) => sum + of(each), 0);
    return {
      errors: total(({ errors }) => errors),
      margin: least(all.map(({ margin }) => margin)),
      stopping: total(({ stopping }) => stopping),
      heldOut: total(({ heldOut }) => heldOut),
    };
  });
  const kernels = await createKernels();
  const learner = learnerOf(kernels, before.train);
  const best = before.best === null ? null : judged.pop()!;
  const separates = (least(results.map(({ present }) => present)) ?? 0) > 0;
  if (!canSettle(before) || !separates) return chosen(before, learner, judged[0] ?? null, best);
  const first = judged.findIndex(({ margin }) => margin! > 0);
  const steps = Math.min(first < 0 ? judged.length - 1 : first, mostDoublings - before.settled);
  for (let k = 0; k < steps; k++) settle(learner, before, k);
  const settled = before.settled + steps;
  const train = steps === 0 ? before.train : { ...before.train, learner: learner.state() };
  const isDone = first >= 0 || settled === mostDoublings;
  const after = { ...before, settled, train };
  return isDone ? chosen(after, learner, judged[steps]!, best) : after;
}

/**
 * Chooses between the last round and the best one before it. Of rounds with equal errors the first is the best, but a
 * clean one wins.
 *
 * @param last null if it is known to be worse.
 */
function chosen(before: MixState, learner: Learner, last: Judged | null, best: Judged | null): NextState {
  const { ended, stopping, rounds } = before;
  const isLast = last !== null && (best === null || last.stopping < best.stopping + Number(ended === 'clean'));
  const { errors, heldOut } = isLast ? last : best!;
  const found = { next: null, errors, heldOutErrors: heldOut };
  if (!isLast || stopping === 0) return { ...before, ...found };
  return { ...before, ...found, best: { round: rounds, errors: last.stopping, functions: functionsOf(learner) } };
}
