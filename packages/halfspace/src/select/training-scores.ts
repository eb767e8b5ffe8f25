import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Calibration } from '../model/calibration.ts';
import { scorerOf } from '../model/function-scorer.ts';
import { judgeBatches } from '../model/judge-batches.ts';
import { loadScorer } from '../model/load-scorer.ts';
import { functionsOf, type Model } from '../model/model.ts';
import { classProbabilitiesOf } from '../model/probabilities.ts';
import type { ScoredExamples } from '../model/scored-rows.ts';
import { ScoredRows } from '../model/scored-rows.ts';
import type { Scorer } from '../model/scorer.ts';
import type { StudyResult } from './study.ts';

/** Scores of examples, for rankings and curves over thresholds. */
export interface TrainingScores extends ScoredExamples {
  /**
   * Source of the examples, the first available of: `holdout`; `validation`; `out-of-fold`, training examples scored by
   * runs that did not learn from them; `train`, training examples scored by the model, which are too optimistic.
   */
  readonly of: 'holdout' | 'validation' | 'out-of-fold' | 'train';
  /**
   * Probabilities of all classes, row by row, the negative class first; for `out-of-fold` by calibrations fitted on the
   * other folds. Null without a calibration, or if some score is not a number.
   */
  readonly probabilities: Float64Array | null;
}

/** Scores by the model of examples that it has not learned from. Null: there are none, or too many to keep. */
export interface UnseenScores {
  readonly held: ScoredExamples | null;
  readonly validated: ScoredExamples | null;
}

/** Returns the probabilities of scores; null without a calibration, or if some score is not a number. */
export function probabilitiesOf(
  calibration: readonly [Calibration] | null,
  scored: ScoredExamples,
): Float64Array | null {
  return calibration === null || scored.scores.some(Number.isNaN) ? null : classProbabilitiesOf(calibration, scored);
}

/** Chooses the scores to show. @param trained returns those of the training examples, the last resort. */
export async function scoresToShow(
  { calibration }: Model,
  { fitted, scored }: StudyResult,
  { held, validated }: UnseenScores,
  trained: () => Promise<ScoredExamples | null>,
): Promise<TrainingScores | null> {
  const show = (of: TrainingScores['of'], { outputs, scores, labels }: ScoredExamples): TrainingScores => {
    const probabilities =
      of === 'out-of-fold'
        ? (fitted?.probabilities ?? null)
        : probabilitiesOf(calibration, { outputs, scores, labels });
    return { of, outputs, scores, labels, probabilities };
  };
  if (held !== null) return show('holdout', held);
  if (validated !== null) return show('validation', validated);
  if (scored !== null) return show('out-of-fold', scored);
  const own = await trained();
  return own === null ? null : show('train', own);
}

/** Creates a scorer for the training store, whose values are divided already. */
export async function storeScorer(kernels: Kernels, model: Model): Promise<Scorer> {
  if (model.kind === 'tree') return loadScorer(kernels, model);
  return scorerOf(
    kernels,
    functionsOf(model).map((each) => ({ ...each, divisor: 1 })),
  );
}

/** Returns the scores of a store; null if it is empty or too large. Frees `scorer`. */
export function scoresOf(store: ExampleStore, scorer: Scorer): ScoredExamples | null {
  const { outputs } = scorer;
  const kept = new ScoredRows(outputs);
  try {
    if (store.rows === 0 || store.rows * outputs > ScoredRows.most) return null;
    const onBatch = ({ labels, rows }: StoredBatch, scores: Float64Array) => kept.add(scores, labels.subarray(0, rows));
    judgeBatches(store.batches(), scorer, -1, { onBatch });
  } finally {
    scorer.free();
  }
  return { outputs, scores: kept.scores, labels: kept.labels };
}
