import type { StoredBatch } from '../batch.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { lead } from '../model/lead.ts';
import { ModelScorer } from '../model/linear/scorer.ts';
import type { LinearParameters } from '../rules/learner.ts';

/** Errors and margins of some rows. */
export class Tally {
  /** Number of rows that are predicted wrongly. */
  errors = 0;
  /** The smallest y·f(x) of the function f, or lead of the row's class; null without rows. */
  margin: number | null = null;
}

/** Scores rows by the functions of a model. */
export class Judge {
  readonly #scorers: readonly ModelScorer[];
  #scores: readonly Float64Array[];

  constructor(kernels: Kernels, functions: readonly LinearParameters[]) {
    this.#scorers = functions.map((each) => new ModelScorer(kernels, { ...each, biasConstant: 1, divisor: 1 }));
    this.#scores = functions.map(() => new Float64Array(0));
  }

  /** Returns the scores of a batch by each function, in arrays that may be longer; valid until the next call. */
  scores(batch: StoredBatch): readonly Float64Array[] {
    const { rows } = batch;
    if (this.#scores[0]!.length < rows) this.#scores = this.#scores.map(() => new Float64Array(rows));
    this.#scorers.forEach((scorer, k) => {
      scorer.scoreInto(batch, this.#scores[k]!);
    });
    return this.#scores;
  }

  /** Adds the rows of a batch to a tally. */
  judge(batch: StoredBatch, tally: Tally): void {
    const { rows, labels } = batch;
    const all = this.scores(batch);
    const row = new Float64Array(all.length);
    for (let i = 0; i < rows; i++) {
      const label = labels[i]!;
      all.forEach((scores, k) => {
        row[k] = scores[i]!;
      });
      const margin = row.length === 1 ? label * row[0]! : lead(row, 0, row.length, label);
      // A score of 0 is for the negative class; of equal scores, the first class wins.
      const right = margin > 0 || (margin === 0 && (row.length === 1 ? label < 0 : row.indexOf(row[label]!) === label));
      if (!right) tally.errors++;
      if (tally.margin === null || margin < tally.margin) tally.margin = margin;
    }
  }
}
