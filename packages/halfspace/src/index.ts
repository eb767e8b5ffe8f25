export {
  type Batch,
  type CompactBatch,
  type DenseBatch,
  denseBatch,
  type SparseBatch,
  type SparseRow,
  type StoredBatch,
  sparseBatch,
} from './batch.ts';
export { arraySource, bytesSource, streamSource } from './data/in-memory.ts';
export type { ByteSource, ExampleSource, PlainFile } from './data/source.ts';
export { HoldoutSplit } from './data/split.ts';
export type { Spill, StoreOptions } from './data/store.ts';
export { type RejectedLine, type TextAhead, TextSource, type TextSourceOptions } from './data/text.ts';
export { libsvmFormat, type TextFormat, type VwOptions, vwFormat } from './data/text-format.ts';
export type { ParserRecipe, TextParser } from './data/text-parser.ts';
export { type ErrorCode, errorCodes, formatPlace, HalfspaceError, type Place, quote } from './errors.ts';
export { type AbstentionCurve, abstentionCurve } from './evaluate/abstention.ts';
export {
  correctedResampledTTest,
  type DifferenceTest,
  type McNemarOptions,
  type McNemarTest,
  mcNemarTest,
} from './evaluate/compare.ts';
export {
  averagePrecision,
  type PrecisionRecallCurve,
  precisionRecallCurve,
  type RocCurve,
  rocArea,
  rocCurve,
  thinCurve,
} from './evaluate/curves.ts';
export { type CalibrationKind, crossFittedProbabilities, fitCalibrations } from './evaluate/fit-calibration.ts';
export { type RepeatedFoldsOptions, repeatedStratifiedFolds, stratifiedFolds } from './evaluate/folds.ts';
export { fitIsotonic } from './evaluate/isotonic.ts';
export { fitLeads, leadsOf } from './evaluate/leads.ts';
export { brierScore, logLoss, zeroOneLoss } from './evaluate/losses.ts';
export type { OutOfFold, ScoredExamples } from './evaluate/out-of-fold.ts';
export { fitPlatt } from './evaluate/platt.ts';
export {
  CalibrationTally,
  classProbabilitiesOf,
  judgeProbabilities,
  type ProbabilityJudgement,
} from './evaluate/probabilities.ts';
export { type Ranking, rankScores } from './evaluate/ranking.ts';
export { type Reliability, type ReliabilityOptions, reliabilityCurve } from './evaluate/reliability.ts';
export type { LearningCurve, RunPoint, Spread, ValidationCurve } from './evaluate/run-curves.ts';
export { ScoredRows } from './evaluate/scored-rows.ts';
export { fitSoftmax } from './evaluate/softmax.ts';
export { type EncodedRow, encodeRow, TableEncoder } from './features/encode-table.ts';
export type { FeatureEncoding, HashedEncoding, IndexedEncoding, NamedEncoding } from './features/encoding.ts';
export {
  type ColumnOptions,
  type FeatureOptions,
  parseFeatureOptions,
} from './features/feature-options.ts';
export { featureNamer, featureNames } from './features/names.ts';
export type {
  ColumnKind,
  LeftOutColumn,
  TableColumn,
  TableCross,
  TableEncoding,
  TableFormat,
  TableLabel,
  TextColumn,
} from './features/table-encoding.ts';
export type { Block } from './kernels/block.ts';
export type { Kernels } from './kernels/kernels.ts';
export { classOf } from './kernels/kernels.ts';
export { createKernels } from './kernels/load.ts';
export { explainScore, type RowContribution, type ScoreExplanation } from './ledger/explain-score.ts';
export {
  type ExplainOptions,
  explainWeight,
  type WeightExplanation,
  type WeightUpdate,
} from './ledger/explain-weight.ts';
export type { MadeUpdate } from './ledger/follow.ts';
export { type Forgettable, type ForgottenResult, forget, forgettable } from './ledger/forget.ts';
export { type Ledger, type LedgerUpdate, stepsOfRow, updateAt } from './ledger/ledger.ts';
export { checkLedger, type ReadLedgerOptions, readLedger } from './ledger/reader.ts';
export { type ReplayOptions, type RunAgainOptions, replay } from './ledger/replay.ts';
export type { Updates } from './ledger/updates.ts';
export { type LedgerTarget, LedgerWriter } from './ledger/writer.ts';
export {
  activationGain,
  type Deviations,
  freundSchapireBound,
  leadTime,
  mohriRostamizadehBound,
  novikoffBound,
  unitBallBound,
} from './margin/bounds.ts';
export type { MarginBracket } from './margin/bracket.ts';
export type { HullPoint, MaximumMargin, MaximumMarginOptions } from './margin/maximum-margin.ts';
export {
  deviationsOf,
  functionalMarginsInto,
  type Hyperplane,
  signedDistancesInto,
} from './margin/signed-distances.ts';
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
} from './model/calibration.ts';
export { classProbabilities, isJoint, mostProbable } from './model/class-probabilities.ts';
export type { TrainingRecord } from './model/common.ts';
export { decodeModel } from './model/decode.ts';
export { type Aggregate, type CountedRow, type DualFunction, mostMistaken } from './model/dual/function.ts';
export type { KernelFunction } from './model/dual/kernel-function.ts';
export type { DualModel } from './model/dual/model.ts';
export { DualScorer, voteShare } from './model/dual/scorer.ts';
export type { SupportData } from './model/dual/support-rows.ts';
export { encodeModel } from './model/encode.ts';
export { type EvaluateOptions, evaluate } from './model/judge.ts';
export { createScorer } from './model/kinds.ts';
export { lead } from './model/lead.ts';
export type { LinearFunction, LinearModel } from './model/linear/model.ts';
export { ModelScorer } from './model/linear/scorer.ts';
export { eachWeight, type SparseWeights, weightCount, weightReader } from './model/linear/sparse-weights.ts';
export { type ClassMetrics, type Confusion, type Judgement, perClass, type Score } from './model/metrics.ts';
export { functionsOf, isDual, type Model, type ScoringFunction, tieOf } from './model/model.ts';
export type { MulticlassModel, Strategy } from './model/multiclass/model.ts';
export { Predictor, type ProbableClass } from './model/predictor.ts';
export type { RawRow } from './model/raw-features.ts';
export { checkScores, classPosition, type Scorer } from './model/scorer.ts';
export {
  type ChoosePruningOptions,
  choosePruning,
  type JudgedPruning,
} from './model/tree/choose-pruning.ts';
export { classify, leavesInto, type TreeAnswer } from './model/tree/classify.ts';
export type { CategoryTreeColumn, NumericTreeColumn, TreeColumn, TreeTable, TreeValues } from './model/tree/columns.ts';
export {
  type CategorySplit,
  type DecisionTree,
  type MissingSplit,
  majority,
  type NumberSplit,
  type TreeNode,
  type TreeSplit,
  treeSize,
} from './model/tree/decision-tree.ts';
export { type TreeSvgOptions, treeSvg } from './model/tree/draw-svg.ts';
export { type DrawTreeOptions, drawTree } from './model/tree/draw-text.ts';
export { EncodedColumns } from './model/tree/encoded-columns.ts';
export { growTree } from './model/tree/grow.ts';
export type { TreeModel } from './model/tree/model.ts';
export type { TreeCriterion, TreeOptions, TreeSettings } from './model/tree/options.ts';
export { parseDecisionTree } from './model/tree/parse.ts';
export { type PruningStep, pruned, pruningSequence } from './model/tree/prune.ts';
export { Random } from './random.ts';
export { Arow, type ArowOptions } from './rules/arow.ts';
export { AveragedPerceptron } from './rules/averaged-perceptron.ts';
export type { DualLearner, DualState } from './rules/dual-learner.ts';
export { type KernelOptions, KernelPerceptron, type KernelState } from './rules/kernel-perceptron.ts';
export type {
  LearnedFunction,
  Learner,
  LearnerLimits,
  LearnerProgress,
  LearnerState,
  LinearLearner,
  LinearParameters,
} from './rules/learner.ts';
export { decodeLearner, encodeLearner } from './rules/learner-file.ts';
export { MarginPerceptron, type MarginPerceptronOptions } from './rules/margin-perceptron.ts';
export type { MistakeDrivenOptions, UpdateWhen } from './rules/mistake-driven.ts';
export { MulticlassPerceptron, type MulticlassPerceptronOptions } from './rules/multiclass-perceptron.ts';
export { type LossName, lossOf, type ObjectiveOptions, objective } from './rules/objective.ts';
export { OneVersusRest } from './rules/one-versus-rest.ts';
export {
  PassiveAggressive,
  type PassiveAggressiveOptions,
  type PassiveAggressiveVariant,
} from './rules/passive-aggressive.ts';
export { Perceptron } from './rules/perceptron.ts';
export { PocketPerceptron, type PocketPerceptronOptions } from './rules/pocket-perceptron.ts';
export {
  type AnyRuleOptions,
  type CompleteOptions,
  completeRuleOptions,
  createLearner,
  createMulticlassLearner,
  hasPasses,
  type LearnerOptions,
  type RuleName,
  type RuleOptions,
  rules,
} from './rules/registry.ts';
export type { RuleDefinition } from './rules/rule-definition.ts';
export { fitsOption, type OptionSpec, type OptionSpecs, type OptionValue, rangeOf } from './rules/rule-options.ts';
export { Sgd, type SgdOptions } from './rules/sgd.ts';
export { VotedPerceptron, type VotedPerceptronState } from './rules/voted-perceptron.ts';
export type { Tried } from './select/choose.ts';
export { type Compared, type CompareOptions, type Comparison, compareRules } from './select/compare-rules.ts';
export { learningCurve, type RunCurveOptions, validationCurve } from './select/curves.ts';
export { type GridEntry, grid } from './select/grid.ts';
export {
  type ChosenTrainingResult,
  type ChosenTrainOptions,
  type RuleSearch,
  trainChosen,
} from './select/train-chosen.ts';
export {
  type CalibrationReport,
  type StudiedScores,
  type StudiedTrainingResult,
  type StudiedTrainOptions,
  type TrainingStudy,
  trainStudied,
} from './select/train-studied.ts';
export { type CsvOptions, type CsvSource, csvSource, type TextInput } from './table/csv.ts';
export { type Row, type RowsOptions, rowsSource } from './table/rows.ts';
export { type FindMarginOptions, findMaximumMargin } from './train/find-margin.ts';
export type { LedgerClosing, LedgerOpening, LedgerSink } from './train/ledger-sink.ts';
export type { TrainOptions, TrainProgress, TrainStep } from './train/options.ts';
export type { ClassWeights } from './train/plan.ts';
export { defaultVariant, type Order, type PerceptronVariant, type PresetName, presets } from './train/presets.ts';
export type { Geometry, MarginReport, StopReason, TrainingReport, TrainingResult } from './train/report.ts';
export { train } from './train/train.ts';
