import type { StoredBatch } from '../batch.ts';
import { classOf, type Kernels } from '../kernels/kernels.ts';
import { DualScorer } from './dual-score.ts';
import { functionsOf, isDual, type Model, type ScoringFunction } from './model.ts';
import { ModelScorer } from './score.ts';
import { TreeScorer } from './tree-scorer.ts';

/** Scores batches of encoded examples. */
export interface Scorer {
  /** Scores for an example: one where two classes are told apart by its sign, else one for each class. */
  readonly outputs: number;
  /** Writes the scores of every example, `outputs` of them one after the other, into `out` (length ≥ rows · outputs). */
  scoreInto(batch: StoredBatch, out: Float64Array): void;
  free(): void;
}

/** A model's functions in kernel memory. */
export function createScorer(kernels: Kernels, model: Model): Scorer {
  return model.kind === 'tree' ? new TreeScorer(model) : scorerOf(kernels, functionsOf(model));
}

/** Functions in kernel memory: one, or one for each class. */
export function scorerOf(kernels: Kernels, functions: readonly ScoringFunction[]): Scorer {
  return new SideBySide(
    functions.map((each) => (isDual(each) ? new DualScorer(kernels, each) : new ModelScorer(kernels, each))),
  );
}

/** Scorers of one output each, side by side. */
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

/**
 * The position among a model's classes that an example's scores speak for: of one score its side, with `tie` at 0; of several the highest,
 * the first of equals.
 *
 * @param at position of the example's first score.
 */
export function classPosition(scores: Float64Array, at: number, outputs: number, tie: number): number {
  if (outputs === 1) return classOf(scores[at]!, tie) > 0 ? 1 : 0;
  let best = 0;
  for (let k = 1; k < outputs; k++) if (scores[at + k]! > scores[at + best]!) best = k;
  return best;
}

/** The position among a model's classes that a label names: −1 and +1 where there is one score, else the position itself. */
export function labelPosition(label: number, outputs: number): number {
  return outputs === 1 ? (label > 0 ? 1 : 0) : label;
}
