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

/** A calibration of cross-validated scores, and the probabilities of the examples by calibrations of other folds. */
export interface FittedCalibration {
  /** The calibration of the model, as one entry. */
  readonly calibration: readonly [Calibration];
  /** Row by row, one for each class. */
  readonly probabilities: Float64Array;
}

/**
 * Fits a calibration to cross-validated scores. The example of a class that has no other is left out: the run that
 * scored it had never seen its class, as the model has.
 *
 * @throws HalfspaceError as {@link fitCalibrations}.
 */
export function fitOutOfFold(kind: CalibrationKind, scored: FoldScores): FittedCalibration {
  return {
    calibration: fitCalibrations(kind, pick(scored, -1)),
    probabilities: crossFittedProbabilities(kind, scored),
  };
}

/**
 * Returns probabilities of examples that neither the model nor the calibration has learned from: each fold is
 * calibrated by a fit on all other folds, without classes of a single example. Row by row, as by
 * `classProbabilitiesOf`.
 *
 * @throws HalfspaceError as {@link fitCalibrations}; of two classes each must have two examples in different folds.
 */
export function crossFittedProbabilities(kind: CalibrationKind, scored: FoldScores): Float64Array {
  const { outputs, scores, labels } = scored;
  const classes = Math.max(2, outputs);
  const probabilities = new Float64Array(labels.length * classes);
  const folds = scored.folds.at(-1)! + 1;
  for (let fold = 0; fold < folds; fold++) {
    const first = scored.folds.indexOf(fold);
    if (first === -1) continue;
    const own = scores.subarray(first * outputs, (scored.folds.lastIndexOf(fold) + 1) * outputs);
    const calibration = fitCalibrations(kind, pick(scored, fold));
    probabilities.set(classProbabilitiesOf(calibration, { outputs, scores: own }), first * classes);
  }
  return probabilities;
}

/** Returns the examples of all folds but one, without those that are the only one of their class. */
function pick({ outputs, scores, labels, folds }: FoldScores, fold: number): ScoredExamples {
  const takes = (i: number) => folds[i] !== fold && labels.indexOf(labels[i]!) !== labels.lastIndexOf(labels[i]!);
  const taken = labels.map((_, i) => (takes(i) ? 1 : 0));
  return {
    outputs,
    scores: scores.filter((_, at) => taken[Math.floor(at / outputs)] === 1),
    labels: labels.filter((_, i) => taken[i] === 1),
  };
}
