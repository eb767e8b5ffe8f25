import { createKernels, type DenseBatch } from 'halfspace/rules';
import type { Examples } from '../../engine/examples.ts';
import type { Recording } from '../../engine/recording.ts';
import { classOf } from '../../engine/recording.ts';
import { scorerAt } from '../../engine/scorer.ts';
import { cacheOf } from '../cache.ts';

const cached = cacheOf<Recording, number | null>(64);

/** Counts the drawn examples on their wrong side at a step of a run; null: there is no model yet. */
export const wrongAt = (recording: Recording, examples: Examples, step: number): number | null =>
  cached(recording, () => countWrong(recording, examples, step), String(step));

function countWrong(recording: Recording, examples: Examples, step: number): number | null {
  const scorer = scorerAt(recording, step, createKernels());
  if (scorer === null) return null;
  const { shown, vectors, dimension, labels } = examples;
  const truth = Float64Array.from(shown, (row) => labels[row]!);
  const batch: DenseBatch = {
    kind: 'dense',
    rows: shown.length,
    dimension,
    values: vectors,
    labels: truth,
    importance: null,
  };
  const scores = new Float64Array(shown.length);
  try {
    scorer.scoreInto(batch, scores);
  } finally {
    scorer.free();
  }
  return scores.reduce((wrong, score, k) => wrong + (classOf(score, recording.tie) === truth[k] ? 0 : 1), 0);
}
