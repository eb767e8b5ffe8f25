/**
 * Parts of the library for the other packages of this repository, not for users: they may change in any version. Here
 * are sources of rows, training and online learning. The others are in `internal/checks`, `internal/models` and
 * `internal/tables`.
 * @module
 */

export { storedValues } from './batch.ts';
export { arraySource, bytesSource, streamSource } from './data/in-memory.ts';
export { blobContent } from './data/input/pieces.ts';
export { LabelTypes, labelValue } from './data/label.ts';
export { openSource } from './data/open-source.ts';
export type { ByteSource } from './data/source.ts';
export { HoldoutSplit, RowSelection, type Split } from './data/split.ts';
export { type RejectedLine, TextSource } from './data/text.ts';
export { libsvmFormat, type TextFormat, type VwOptions, vwFormat } from './data/text-format.ts';
export { wrappedSource } from './data/wrapped-source.ts';
export { quote, quoteNames } from './errors.ts';
export { type CalibrationKind, calibrationKinds } from './evaluate/calibration-kinds.ts';
export { BatchView, forEachNonzero } from './kernels/batch-view.ts';
export { exponential } from './kernels/exponential.ts';
export { classOf } from './kernels/kernels.ts';
export * as scalars from './kernels/layout.ts';
export { loadKernels } from './kernels/load-late.ts';
export type { PlainRow } from './kernels/plain-row.ts';
export { penalised } from './kernels/steps.ts';
export { bareCopy, type LearnedRow, lastLearned, probabilitiesOf, sizeOf } from './online/classifier.ts';
export type { JoinedCell } from './online/column.ts';
export type { DriftDetector } from './online/drift/detector.ts';
export { createDetector, restoreDetector } from './online/drift/detectors.ts';
export { onlineRule, onlineRules } from './online/options.ts';
export type { OnlineSize } from './online/size.ts';
export { Random } from './random.ts';
export { decodeValue, encodeValue, type Plain } from './rules/learner-file.ts';
export { checkDoubles } from './rules/learner-state.ts';
export { followTheLeader } from './rules/registry.ts';
export { fitsOption, type OptionSpec, type OptionSpecs, type OptionValue, rangeOf } from './rules/rule-options.ts';
export { compareRulesWith } from './select/compare-rules.ts';
export { trainWith } from './select/train.ts';
export { weightIntervalsWith } from './select/weight-intervals.ts';
export { stoppingCounts, stoppingSplit } from './train/stopping-rows.ts';
export { trainOnce } from './train/train-once.ts';
