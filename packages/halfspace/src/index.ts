export { type ArraysOptions, arrays } from './data/arrays.ts';
export type { TextInput } from './data/input/input.ts';
export type { Label } from './data/label.ts';
export type { DenseArray, NestedRows, SparseTriples } from './data/matrix.ts';
export type { ExampleSource, HeldOutRows, OpenSourceOptions, Source } from './data/source.ts';
export {
  type LibsvmOptions,
  libsvm,
  type RejectedText,
  type VwSourceOptions,
  vw,
} from './data/text-sources.ts';
export { type ErrorCode, errorCodes, HalfspaceError, type Place } from './errors.ts';
export type { CalibrationKind } from './evaluate/calibration-kinds.ts';
export type { ErrorCosts, MetricName } from './evaluate/metric.ts';
export type { Threshold } from './evaluate/threshold.ts';
export type { FeatureEncoding } from './features/encoding.ts';
export type { ColumnOptions, FeatureOptions } from './features/feature-options.ts';
export type { RecordRow } from './features/record.ts';
export type { ColumnKind, TableColumn, TableEncoding } from './features/table-encoding.ts';
export type { UnknownValues } from './features/unknown.ts';
export type { TrainingRecord } from './model/common.ts';
export { decodeModel } from './model/decode.ts';
export type { DualModel } from './model/dual/model.ts';
export { encodeModel } from './model/encode.ts';
export type { Evaluation, LabelledEvaluation } from './model/evaluation.ts';
export type { Explanation, RowExplanationOptions } from './model/explain-row.ts';
export type { ScoreTerm, ScoreTerms } from './model/explainer.ts';
export type { FileContents } from './model/file-contents.ts';
export { type EvaluateOptions, evaluate } from './model/judge.ts';
export type { LinearFunction, LinearModel } from './model/linear/model.ts';
export type { ClassMetrics, Confusion, Judgement, Score } from './model/metrics.ts';
export type { Model } from './model/model.ts';
export type { MulticlassModel } from './model/multiclass/model.ts';
export { Predictor } from './model/predictor.ts';
export type { RawRow } from './model/raw-features.ts';
export type { TreeModel } from './model/tree/model.ts';
export type { LearnedAnswer, LearnedRows, OnlineAnswer, OnlineMember } from './online/answers.ts';
export type { OnlineCalibrationOptions } from './online/calibration/online-calibration.ts';
export { OnlineClassifier } from './online/classifier.ts';
export type { DriftOption } from './online/drift/detectors.ts';
export type { LearnOptions } from './online/given.ts';
export type { DriftEvent, OnlineOptions, OnlineRuleName } from './online/options.ts';
export type { PrequentialResult, PrequentialSummary } from './online/prequential-metrics.ts';
export type { LossName } from './rules/objective.ts';
export type { RuleName, RuleOptions } from './rules/registry.ts';
export type { Rule, RuleToTry, RuleWithOptions } from './rules/rule-with-options.ts';
export type { CalibrationReport } from './select/calibration-report.ts';
export {
  type Compared,
  type CompareOptions,
  type Comparison,
  compareRules,
} from './select/compare-rules.ts';
export type { CrossValidation } from './select/cross-validation.ts';
export type { Setting } from './select/listed.ts';
export type { RuleSearch, TriedRule } from './select/search.ts';
export type { TrainingCurves } from './select/several-runs.ts';
export { train } from './select/train.ts';
export type { OneOrMore, TrainOptions, TrainProgress } from './select/train-options.ts';
export type { Trained, TrainedReport } from './select/trained.ts';
export type { TrainingScores } from './select/training-scores.ts';
export { type WeightIntervals, type WeightIntervalsOptions, weightIntervals } from './select/weight-intervals.ts';
export type { FunctionIntervals, WeightInterval } from './select/weights-of-runs.ts';
export { type CsvOptions, type CsvRow, csv } from './table/csv.ts';
export { type NdjsonOptions, ndjson } from './table/ndjson.ts';
export type { Row } from './table/object-table.ts';
export { type BagsOptions, bags, type FieldOf, type RowFeatures, type RowsOptions, rows } from './table/rows.ts';
export type { DelimitedOptions, LabelOf, TableSourceOptions } from './table/source-options.ts';
export type { ContradictionTest } from './train/contradiction.ts';
export type { RunProgress, TrainStep } from './train/options.ts';
export type { ClassWeights } from './train/plan.ts';
export type { Order, PerceptronVariant, PresetName } from './train/presets.ts';
export type {
  ClassBracket,
  Geometry,
  MarginReport,
  StopReason,
  TrainingReport,
  TrainingResult,
} from './train/report.ts';
export type { TrainState } from './train/train-state.ts';
export { decodeTrainState, encodeTrainState } from './train/train-state-file.ts';
