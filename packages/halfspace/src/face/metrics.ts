/**
 * Measures of models: curves, losses, tests of differences, folds, calibration of scores, learning curves.
 * @module
 */
export { type AbstentionCurve, abstentionCurve } from '../evaluate/abstention.ts';
export {
  correctedResampledTTest,
  type DifferenceTest,
  type McNemarOptions,
  type McNemarTest,
  mcNemarTest,
} from '../evaluate/compare.ts';
export {
  type PrecisionRecallCurve,
  precisionRecallCurve,
  type RocCurve,
  rocCurve,
  thinCurve,
} from '../evaluate/curves.ts';
export { crossFittedProbabilities, fitCalibrations } from '../evaluate/fit-calibration.ts';
export { type RepeatedFoldsOptions, repeatedStratifiedFolds, stratifiedFolds } from '../evaluate/folds.ts';
export { fitIsotonic } from '../evaluate/isotonic.ts';
export { fitLeads, leadsOf } from '../evaluate/leads.ts';
export { brierScore, logLoss, zeroOneLoss } from '../evaluate/losses.ts';
export { type ErrorCosts, isLoss, type Metric, type MetricName, metricNames, metricOf } from '../evaluate/metric.ts';
export { metricValue } from '../evaluate/metric-value.ts';
export { fitPlatt } from '../evaluate/platt.ts';
export { type Reliability, type ReliabilityOptions, reliabilityCurve } from '../evaluate/reliability.ts';
export type { LearningCurve, RunPoint, Spread, ValidationCurve } from '../evaluate/run-curves.ts';
export { fitSoftmax } from '../evaluate/softmax.ts';
export {
  type Calibration,
  type ClippedPlattCalibration,
  type EvenScore,
  evenScore,
  type IsotonicCalibration,
  type JointCalibration,
  type LeadCalibration,
  type PlattCalibration,
  probabilityOf,
  type ScoreCalibration,
  type SoftmaxCalibration,
} from '../model/calibration.ts';
export { classProbabilities, isJoint, mostProbable } from '../model/class-probabilities.ts';
export { voteShare } from '../model/dual/scorer.ts';
export { baselineAccuracy, mostFrequentClass, perClass } from '../model/metrics.ts';
export {
  CalibrationTally,
  classProbabilitiesOf,
  judgeProbabilities,
  type ProbabilityJudgement,
} from '../model/probabilities.ts';
export { averagePrecision, type Ranking, rankScores, rocArea } from '../model/ranking.ts';
export { learningCurve, type RunCurveOptions, validationCurve } from '../select/curves.ts';
export { type GridEntry, grid } from '../select/grid.ts';
