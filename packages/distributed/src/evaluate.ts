import { lead, ModelScorer } from 'halfspace/internal';
import { createKernels, type Kernels, type Learner, type LinearParameters, type StoredBatch } from 'halfspace/rules';
import { learnerOf } from './model.ts';
import type { Shard } from './shard.ts';
import type { MixState } from './state.ts';

/** The errors and margins of the mixed weights on the rows of a shard. */
export interface Evaluated {
  /** The model, and for a mean after a clean round also the model with each further settling, in their order. */
  readonly means: readonly Judged[];
  /** The smallest margin of the present weights, if the rule predicts with a mean; else, or without rows, null. */
  readonly present: number | null;
}

interface Judged {
  /** Rows that are predicted wrongly. */
  readonly errors: number;
  /** The smallest y·f(x) of the model's function f, or lead of the row's class; null without rows. */
  readonly margin: number | null;
}

/** Most doublings of the weight that a mean gives to the present weights, and how many are judged in one scan. */
const mostDoublings = 60;
const inOneScan = 8;

export async function evaluateShard(state: MixState, shard: Shard): Promise<Evaluated> {
  const kernels = await createKernels();
  const learner = learnerOf(kernels, state.train);
  const latest = (learner.presentFunctions?.() ?? null) as readonly LinearParameters[] | null;
  const means = [judgeOf(kernels, learner)];
  if (state.ended === 'clean' && latest !== null)
    for (let k = 0; k < inOneScan; k++) {
      settle(learner, state, k);
      means.push(judgeOf(kernels, learner));
    }
  const present = latest === null ? null : new Judge(kernels, latest);
  for await (const batch of shard.examples(state.train.features, state.label))
    for (const judge of [...means, present]) judge?.judge(batch);
  return { means: means.map(({ errors, margin }) => ({ errors, margin })), present: present?.margin ?? null };
}

function judgeOf(kernels: Kernels, learner: Learner): Judge {
  return new Judge(kernels, learner.functions() as readonly LinearParameters[]);
}

/** Gives a mean more of the present weights: once more than `more` times after the state. */
function settle(learner: Learner, { rows, settled }: MixState, more: number): void {
  learner.survive!(rows * 2 ** (settled + more));
}

/** Counts the errors of functions, and keeps their smallest margin. */
class Judge {
  errors = 0;
  margin: number | null = null;
  readonly #scorers: readonly ModelScorer[];
  #scores: readonly Float64Array[];

  constructor(kernels: Kernels, functions: readonly LinearParameters[]) {
    this.#scorers = functions.map((each) => new ModelScorer(kernels, { ...each, biasConstant: 1, divisor: 1 }));
    this.#scores = functions.map(() => new Float64Array(0));
  }

  judge(batch: StoredBatch): void {
    const { rows, labels } = batch;
    if (this.#scores[0]!.length < rows) this.#scores = this.#scores.map(() => new Float64Array(rows));
    this.#scorers.forEach((scorer, k) => {
      scorer.scoreInto(batch, this.#scores[k]!);
    });
    const row = new Float64Array(this.#scores.length);
    for (let i = 0; i < rows; i++) {
      const label = labels[i]!;
      this.#scores.forEach((scores, k) => {
        row[k] = scores[i]!;
      });
      const margin = row.length === 1 ? label * row[0]! : lead(row, 0, row.length, label);
      // A score of 0 is for the negative class; of equal scores, the first class wins.
      const right = margin > 0 || (margin === 0 && (row.length === 1 ? label < 0 : row.indexOf(row[label]!) === label));
      if (!right) this.errors++;
      if (this.margin === null || margin < this.margin) this.margin = margin;
    }
  }
}

/**
 * Adds up the judgements of all shards. After a round without updates, the mean of the weights gets more of the present
 * ones until it separates the rows too, as in a run on one machine.
 */
export async function mixEvaluations(before: MixState, results: readonly Evaluated[]): Promise<MixState> {
  const least = (margins: readonly (number | null)[]) => Math.min(...margins.filter((each) => each !== null));
  const judged = results[0]!.means.map((_, k) => ({
    errors: results.reduce((sum, { means }) => sum + means[k]!.errors, 0),
    margin: least(results.map(({ means }) => means[k]!.margin)),
  }));
  const presents = results.map(({ present }) => present);
  const separates = presents.some((each) => each !== null) && least(presents) > 0;
  if (before.ended !== 'clean' || !separates) return { ...before, next: null, errors: judged[0]!.errors };
  const first = judged.findIndex(({ margin }) => margin > 0);
  const steps = Math.min(first < 0 ? judged.length - 1 : first, mostDoublings - before.settled);
  const learner = learnerOf(await createKernels(), before.train);
  for (let k = 0; k < steps; k++) settle(learner, before, k);
  const settled = before.settled + steps;
  const train = steps === 0 ? before.train : { ...before.train, learner: learner.state() };
  const done = first >= 0 || settled === mostDoublings;
  return { ...before, settled, train, ...(done ? { next: null, errors: judged[steps]!.errors } : {}) };
}
