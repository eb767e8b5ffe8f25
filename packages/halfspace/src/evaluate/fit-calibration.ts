import type { Calibration } from '../model/calibration.ts';
import { fitIsotonic } from './isotonic.ts';
import type { OutOfFold, ScoredExamples } from './out-of-fold.ts';
import { fitPlatt } from './platt.ts';
import { classProbabilitiesOf } from './probabilities.ts';

export type CalibrationKind = Calibration['kind'];

export const calibrationKinds: readonly CalibrationKind[] = ['platt', 'isotonic'];

/**
 * One calibration for each score: of two classes that of the positive one; of several each class against all others (Zadrozny & Elkan,
 * "Transforming classifier scores into accurate multiclass probability estimates", 2002).
 *
 * @param scored examples that the model has not learned from, of every class.
 * @throws HalfspaceError as {@link fitPlatt} and {@link fitIsotonic}.
 */
export function fitCalibrations(kind: CalibrationKind, { outputs, scores, labels }: ScoredExamples): Calibration[] {
  const fit = kind === 'platt' ? fitPlatt : fitIsotonic;
  if (outputs === 1) return [fit(scores, labels)];
  return Array.from({ length: outputs }, (_, k) =>
    fit(
      labels.map((_, i) => scores[i * outputs + k]!),
      labels.map((label) => (label === k ? 1 : -1)),
    ),
  );
}

/**
 * The probabilities of examples that neither the model nor the calibration has seen: the scores of each fold become probabilities by
 * calibrations fitted on those of all other folds. Row by row, as `classProbabilitiesOf` has them.
 *
 * @throws HalfspaceError as {@link fitCalibrations}, of which every fold's others must have examples of every class.
 */
export function crossFittedProbabilities(kind: CalibrationKind, scored: OutOfFold): Float64Array {
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

/** The examples of some folds. */
function pick({ outputs, scores, labels, folds }: OutOfFold, takes: (fold: number) => boolean): ScoredExamples {
  return {
    outputs,
    scores: scores.filter((_, at) => takes(folds[Math.floor(at / outputs)]!)),
    labels: labels.filter((_, i) => takes(folds[i]!)),
  };
}
