import type { StoredBatch } from '../../batch.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { DualExpansion } from './expansion.ts';
import { type Aggregate, aggregates, type DualFunction } from './function.ts';

/** A dual function in kernel memory, ready to score batches of encoded examples. */
export class DualScorer {
  readonly #expansion: DualExpansion;
  readonly #aggregate: Aggregate;

  constructor(kernels: Kernels, dual: DualFunction) {
    this.#expansion = new DualExpansion(kernels, dual);
    this.#expansion.load(dual);
    this.#aggregate = dual.aggregate;
  }

  /**
   * Writes the score of every example into `out` (length ≥ rows); above 0 is the positive class, below 0 the negative
   * one. For `voted` the score is the share of the votes, in [−1, 1].
   */
  scoreInto(batch: StoredBatch, out: Float64Array): void {
    for (let i = 0; i < batch.rows; i++) {
      this.#expansion.place(batch, i);
      out[i] = this.#expansion.score(this.#aggregate);
    }
  }

  /** Writes the scores of every aggregate. This costs little more than one: the kernel values take most of the time. */
  allInto(batch: StoredBatch, out: Readonly<Record<Aggregate, Float64Array>>): void {
    for (let i = 0; i < batch.rows; i++) {
      this.#expansion.place(batch, i);
      for (const aggregate of aggregates) out[aggregate][i] = this.#expansion.score(aggregate);
    }
  }

  free(): void {
    this.#expansion.free();
  }
}

/**
 * Returns the lead of the predicted class in a vote as a share of all votes, in [0, 1]. A threshold on it makes a
 * classifier abstain. With three or more classes, each class has votes for and against it; the lead is then half the
 * difference of the two highest shares.
 *
 * @param scores of `voted` dual functions.
 * @param at position of the example's first score.
 * @param outputs number of scores of an example.
 */
export function voteShare(scores: Float64Array, at = 0, outputs = 1): number {
  if (outputs === 1) return Math.abs(scores[at]!);
  let [first, second] = [-Infinity, -Infinity];
  for (let k = at; k < at + outputs; k++) {
    const score = scores[k]!;
    if (score > first) [first, second] = [score, first];
    else if (score > second) second = score;
  }
  return Math.abs(first - second) / 2;
}
