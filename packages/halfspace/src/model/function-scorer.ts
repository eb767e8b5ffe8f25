import { checkScored, type StoredBatch } from '../batch.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { DualScorer } from './dual/scorer.ts';
import { ModelScorer } from './linear/scorer.ts';
import { isDual, type ScoringFunction } from './model.ts';
import type { Scorer } from './scorer.ts';

/** Creates a scorer in kernel memory from one function, or from one function per class. */
export function scorerOf(kernels: Kernels, functions: readonly ScoringFunction[]): Scorer {
  return new SideBySide(
    functions.map((each) => (isDual(each) ? new DualScorer(kernels, each) : new ModelScorer(kernels, each))),
  );
}

/** Combines scorers of one output each into one scorer. */
class SideBySide implements Scorer {
  readonly outputs: number;
  readonly #scorers: readonly (ModelScorer | DualScorer)[];
  #column = new Float64Array(0);

  constructor(scorers: readonly (ModelScorer | DualScorer)[]) {
    this.#scorers = scorers;
    this.outputs = scorers.length;
  }

  scoreInto(batch: StoredBatch, out: Float64Array): void {
    const { outputs } = this;
    checkScored(batch, out, outputs);
    if (outputs === 1) {
      this.#scorers[0]!.scoreInto(batch, out);
      return;
    }
    const { rows } = batch;
    if (this.#column.length < rows) this.#column = new Float64Array(rows);
    const column = this.#column;
    this.#scorers.forEach((scorer, k) => {
      scorer.scoreInto(batch, column);
      for (let i = 0, at = k; i < rows; i++, at += outputs) out[at] = column[i]!;
    });
  }

  free(): void {
    for (const scorer of this.#scorers) scorer.free();
  }
}
