import type { CalibrationKind } from '../evaluate/calibration-kinds.ts';
import { judgeProbabilities, type ProbabilityJudgement } from '../model/probabilities.ts';
import type { ScoredExamples } from '../model/scored-rows.ts';
import type { StudyResult } from './study.ts';
import { probabilitiesOf, type UnseenScores } from './training-scores.ts';

/**
 * A calibration and the quality of its probabilities. If `accuracy` of `outOfFold` is below `scoreAccuracy`, the
 * calibration does not fit the scores.
 */
export interface CalibrationReport {
  readonly kind: CalibrationKind;
  /** k of the cross-validation that gave the scores. */
  readonly folds: number;
  /** On the scores of each fold, by calibrations fitted on the other folds. */
  readonly outOfFold: ProbabilityJudgement;
  /** True if, out of fold, the most probable class is right less often than the class predicted by score: a warning. */
  readonly isLessRight: boolean;
  /** On held-out examples; null without them, or if some score is not a number. */
  readonly holdout: ProbabilityJudgement | null;
  /** On the examples of the option `validation`; null without them, or if some score is not a number. */
  readonly validation: ProbabilityJudgement | null;
}

/** Evaluates the fitted calibration of a study; returns null if it has none. */
export function calibrationReport(
  kind: CalibrationKind | null,
  { fitted, scored, folds }: StudyResult,
  { held, validated }: UnseenScores,
): CalibrationReport | null {
  if (kind === null || fitted === null) return null;
  const judged = (some: ScoredExamples | null) => {
    const probabilities = some === null ? null : probabilitiesOf(fitted.calibration, some);
    return probabilities === null ? null : judgeProbabilities(probabilities, some!);
  };
  const outOfFold = judgeProbabilities(fitted.probabilities, scored!)!;
  return {
    kind,
    folds,
    outOfFold,
    isLessRight: outOfFold.accuracy < outOfFold.scoreAccuracy,
    holdout: judged(held),
    validation: judged(validated),
  };
}
