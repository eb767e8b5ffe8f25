import type { Calibration } from '../model/calibration.ts';
import { fitIsotonic } from './isotonic.ts';
import type { OutOfFold, ScoredExamples } from './out-of-fold.ts';
import { fitPlatt } from './platt.ts';
import { type ProbabilityJudgement, ProbabilityTally } from './probabilities.ts';

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
 * What probabilities by such a calibration are worth on examples that neither the model nor the calibration has seen: the scores of each
 * fold become probabilities by calibrations fitted on those of all other folds.
 */
export function judgeCalibration(kind: CalibrationKind, scored: OutOfFold): ProbabilityJudgement | null {
  const sums = { examples: 0, brierScore: 0, logLoss: 0 };
  const folds = scored.folds.at(-1)! + 1;
  for (let fold = 0; fold < folds; fold++) {
    const tally = new ProbabilityTally(
      fitCalibrations(
        kind,
        pick(scored, (each) => each !== fold),
      ),
    );
    const own = pick(scored, (each) => each === fold);
    tally.add(own.scores, own.labels);
    const { judgement } = tally;
    if (judgement === null) return null;
    sums.examples += judgement.examples;
    sums.brierScore += judgement.brierScore * judgement.examples;
    sums.logLoss += judgement.logLoss * judgement.examples;
  }
  const { examples, brierScore, logLoss } = sums;
  return { examples, brierScore: brierScore / examples, logLoss: logLoss / examples };
}

/** The examples of some folds. */
function pick({ outputs, scores, labels, folds }: OutOfFold, takes: (fold: number) => boolean): ScoredExamples {
  return {
    outputs,
    scores: scores.filter((_, at) => takes(folds[Math.floor(at / outputs)]!)),
    labels: labels.filter((_, i) => takes(folds[i]!)),
  };
}
