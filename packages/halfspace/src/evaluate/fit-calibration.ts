import type { Calibration } from '../model/calibration.ts';
import { classProbabilitiesOf } from '../model/probabilities.ts';
import type { ScoredExamples } from '../model/scored-rows.ts';
import type { CalibrationKind } from './calibration-kinds.ts';
import { fitIsotonic } from './isotonic.ts';
import { fitLeads } from './leads.ts';
import type { FoldScores } from './out-of-fold.ts';
import { fitPlatt } from './platt.ts';
import { fitSoftmax } from './softmax.ts';

/**
 * Fits a model's calibration: for two classes one of their score; for several classes one of all scores together, by
 * which the class with the highest score stays the most probable one.
 *
 * @param scored examples that the model has not learned from, of every class.
 * @returns one calibration.
 * @throws HalfspaceError as {@link fitPlatt}, {@link fitIsotonic}, {@link fitSoftmax} and {@link fitLeads}.
 */
export function fitCalibrations(kind: CalibrationKind, scored: ScoredExamples): [Calibration] {
  const { outputs, scores, labels } = scored;
  if (outputs > 1) return [kind === 'platt' ? fitSoftmax(scored) : fitLeads(scored)];
  return [kind === 'platt' ? fitPlatt(scores, labels) : fitIsotonic(scores, labels)];
}

/**
 * Returns probabilities of examples that neither the model nor the calibration has learned from: each fold is
 * calibrated by a fit on all other folds. Row by row, as by `classProbabilitiesOf`.
 *
 * @throws HalfspaceError as {@link fitCalibrations}; the other folds of each fold must have examples of every class.
 */
export function crossFittedProbabilities(kind: CalibrationKind, scored: FoldScores): Float64Array {
  const { outputs, labels } = scored;
  const classes = Math.max(2, outputs);
  const probabilities = new Float64Array(labels.length * classes);
  const folds = scored.folds.at(-1)! + 1;
  let row = 0;
  for (let fold = 0; fold < folds; fold++) {
    const calibration = fitCalibrations(
      kind,
      pick(scored, (each) => each !== fold),
    );
    const own = pick(scored, (each) => each === fold);
    probabilities.set(classProbabilitiesOf(calibration, own), row * classes);
    row += own.labels.length;
  }
  return probabilities;
}

/** Returns the examples of some folds. */
function pick({ outputs, scores, labels, folds }: FoldScores, takes: (fold: number) => boolean): ScoredExamples {
  return {
    outputs,
    scores: scores.filter((_, at) => takes(folds[Math.floor(at / outputs)]!)),
    labels: labels.filter((_, i) => takes(folds[i]!)),
  };
}
