import { lead, ModelScorer } from 'halfspace/internal';
import { createKernels, type Kernels, type LinearParameters, type StoredBatch } from 'halfspace/rules';
import { learnerOf } from './model.ts';
import type { Shard } from './shard.ts';
import type { MixState } from './state.ts';

/** The errors and margins of the mixed weights on the rows of a shard. */
export interface Evaluated {
  /** Rows that are predicted wrongly. */
  readonly errors: number;
  /** The smallest y·f(x) of the model's function f, or lead of the row's class; null without rows. */
  readonly margin: number | null;
  /** The same of the present weights, for rules that predict with a mean; null for others. */
  readonly present: number | null;
}

export async function evaluateShard(state: MixState, shard: Shard): Promise<Evaluated> {
  const kernels = await createKernels();
  const learner = learnerOf(kernels, state.train);
  const mean = new Judge(kernels, learner.functions() as readonly LinearParameters[]);
  const latest = (learner.presentFunctions?.() ?? null) as readonly LinearParameters[] | null;
  const present = latest === null ? null : new Judge(kernels, latest);
  for await (const batch of shard.examples(state.train.features, state.label)) {
    mean.judge(batch);
    present?.judge(batch);
  }
  return { errors: mean.errors, margin: mean.margin, present: present?.margin ?? null };
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

/** Most doublings of the weight that a mean gives to the present weights. */
const mostDoublings = 60;

/**
 * Adds up the judgements of all shards. After a round without updates, the mean of the weights gets more of the present
 * ones until it separates the rows too, as in a run on one machine.
 */
export async function mixEvaluations(before: MixState, results: readonly Evaluated[]): Promise<MixState> {
  const least = (margins: readonly (number | null)[]) => Math.min(...margins.filter((each) => each !== null));
  const errors = results.reduce((sum, each) => sum + each.errors, 0);
  const margin = least(results.map((each) => each.margin));
  const has = results.some(({ present }) => present !== null);
  const separates = has && least(results.map(({ present }) => present)) > 0;
  if (before.ended === 'clean' && separates && !(margin > 0) && before.settled < mostDoublings) {
    const learner = learnerOf(await createKernels(), before.train);
    learner.survive!(before.rows * 2 ** before.settled);
    return { ...before, settled: before.settled + 1, train: { ...before.train, learner: learner.state() } };
  }
  return { ...before, next: null, errors };
}
