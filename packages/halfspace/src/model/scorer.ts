import { checkScored, type StoredBatch } from '../batch.ts';
import { HalfspaceError, type Place } from '../errors.ts';
import { classOf, type Kernels } from '../kernels/kernels.ts';
import { DualScorer } from './dual/scorer.ts';
import { ModelScorer } from './linear/scorer.ts';
import { functionsOf, isDual, type Model, type ScoringFunction } from './model.ts';
import { TreeScorer } from './tree/scorer.ts';

/** Scores batches of encoded examples. */
export interface Scorer {
  /** Scores for an example: one where two classes are told apart by its sign, else one for each class. */
  readonly outputs: number;
  /** Writes the scores of every example, `outputs` of them one after the other, into `out` (length ≥ rows · outputs). */
  scoreInto(batch: StoredBatch, out: Float64Array): void;
  free(): void;
}

/**
 * Refuses scores beyond the range of doubles, which only rows of very large numbers have: no class could be told by them.
 *
 * @param place of the batch: `row` is how many rows came before.
 * @throws HalfspaceError `number-invalid` with the row.
 */
export function checkScores(
  scores: Float64Array,
  rows: number,
  outputs: number,
  { source, row }: { readonly source: string; readonly row: number },
): void {
  for (let k = 0; k < rows * outputs; k++)
    if (!Number.isFinite(scores[k]))
      throw beyondDoubles(scores[k]!, { source, row: row + Math.floor(k / outputs) + 1 });
}

/** The error for a row of finite numbers whose score is none. */
export function beyondDoubles(score: number, where: Place = {}): HalfspaceError {
  return new HalfspaceError(
    'number-invalid',
    `expected numbers whose score is within the range of doubles; got a score of ${score}`,
    where,
  );
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
