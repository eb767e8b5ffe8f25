/**
 * Parts of the library for the other packages of this repository, not for users: they may change in any version.
 * @module
 */

export { storedValues } from './batch.ts';
export { arraySource, bytesSource, streamSource } from './data/in-memory.ts';
export { blobContent, blobPieces, sourcePieces } from './data/input/pieces.ts';
export { LabelTypes, labelValue } from './data/label.ts';
export { openSource } from './data/open-source.ts';
export type { ByteSource } from './data/source.ts';
export { HoldoutSplit, RowSelection, type Split } from './data/split.ts';
export { type RejectedLine, TextSource } from './data/text.ts';
export { libsvmFormat, type TextFormat, type VwOptions, vwFormat } from './data/text-format.ts';
export { wrappedSource } from './data/wrapped-source.ts';
export { isZip } from './data/zip.ts';
export { quote, quoteNames } from './errors.ts';
export { type CalibrationKind, calibrationKinds } from './evaluate/calibration-kinds.ts';
export { wordReader } from './features/cell-forms.ts';
export { compareClasses, findClass, similarNote, typeOfClasses } from './features/class-names.ts';
export { WordMeanings } from './features/column-features.ts';
export { dateFormats } from './features/date/format-names.ts';
export { dimensionOf } from './features/dimension.ts';
export { type EncodedRow, encodeRow, TableEncoder } from './features/encode-table.ts';
export type { FeatureEncoding, HashedEncoding, IndexedEncoding, NamedEncoding } from './features/encoding.ts';
export { checkColumnNames, parseFeatureOptions } from './features/feature-options.ts';
export { addParts, type FitPart, partsOf } from './features/fit-parts.ts';
export { type FitColumn, TableFitter } from './features/fit-table.ts';
export { featureNamer, featureNames } from './features/names.ts';
export { nearestName } from './features/nearest.ts';
export { parseEncoding } from './features/parse-encoding.ts';
export { parseLabel } from './features/parse-table-encoding.ts';
export { setText } from './features/set/list.ts';
export {
  cellText,
  expectedCell,
  keepsWords,
  keptWord,
  measuredMissing,
  missingWords,
  missingWordsIn,
  numberCell,
  refusedCell,
  refusedNumber,
  refusedWord,
  unlessMissing,
  valueCell,
  valueText,
  wordCell,
} from './features/table-cell.ts';
export type { ColumnCells, WordCells } from './features/table-chunk.ts';
export {
  type CategoryColumn,
  type CellForm,
  cellForm,
  columnWidth,
  type LeftOutColumn,
  type MeasuredColumn,
  type MeasuredKind,
  type NumberColumn,
  numberLevels,
  type TableColumn,
  type TableEncoding,
  type TableFormat,
  type TableLabel,
  type TextColumn,
} from './features/table-encoding.ts';
export { chooseClasses, classNames, labelNumber, notClass, unknownClass } from './features/table-label.ts';
export {
  type Check,
  check,
  checkDistinct,
  finite,
  flag,
  isObject,
  list,
  listOf,
  maybe,
  members,
  nullable,
  number,
  oneOf,
  only,
  readAs,
  shape,
  text,
  texts,
  whole,
  within,
} from './json.ts';
export { BatchView, forEachNonzero } from './kernels/batch-view.ts';
export { exponential } from './kernels/exponential.ts';
export { classOf } from './kernels/kernels.ts';
export * as scalars from './kernels/layout.ts';
export { loadKernels } from './kernels/load-late.ts';
export type { PlainRow } from './kernels/plain-row.ts';
export { penalised } from './kernels/steps.ts';
export { decodeCalibration } from './model/decode-calibration.ts';
export { digestOf } from './model/digest.ts';
export { type DualFunction, mostMistaken } from './model/dual/function.ts';
export { DualScorer, voteShare } from './model/dual/scorer.ts';
export { RowExplainer } from './model/explain-row.ts';
export { featureReaders } from './model/feature-readers.ts';
export { openFile } from './model/file-contents.ts';
export { evaluateWith } from './model/judge.ts';
export { createScorer } from './model/kinds.ts';
export { lead } from './model/lead.ts';
export type { LinearFunction } from './model/linear/model.ts';
export { ModelScorer } from './model/linear/scorer.ts';
export { weightCount, weightReader } from './model/linear/sparse-weights.ts';
export { type NamedWeight, nonzero, strongest } from './model/linear/strongest.ts';
export { qualityOf } from './model/metrics.ts';
export { functionsOf, isDual, tieOf } from './model/model.ts';
export { FeatureList, rawFeatures } from './model/raw-features.ts';
export { type ScoredExamples, ScoredRows } from './model/scored-rows.ts';
export { checkScores, classPosition, labelPosition } from './model/scorer.ts';
export { sha256 } from './model/sha256.ts';
export { bareCopy, type LearnedRow, lastLearned, sizeOf } from './online/classifier.ts';
export type { JoinedCell } from './online/column.ts';
export type { DriftDetector } from './online/drift/detector.ts';
export { createDetector, restoreDetector } from './online/drift/detectors.ts';
export { onlineRules } from './online/options.ts';
export type { OnlineSize } from './online/size.ts';
export { Random } from './random.ts';
export { decodeValue, encodeValue, type Plain } from './rules/learner-file.ts';
export { checkDoubles } from './rules/learner-state.ts';
export { fitsOption, type OptionSpec, type OptionSpecs, type OptionValue, rangeOf } from './rules/rule-options.ts';
export { compareRulesWith } from './select/compare-rules.ts';
export { trainWith } from './select/train.ts';
export { weightIntervalsWith } from './select/weight-intervals.ts';
export { BagEvidence, needsTable } from './table/bag-evidence.ts';
export { type BagPiece, openBags } from './table/bag-source.ts';
export type { BytePieces } from './table/byte-text.ts';
export type { CarriedRows, Carry } from './table/carried.ts';
export { areFinite, csvCell, sliceCells } from './table/cells.ts';
export { ColumnWatch, type SeenColumn } from './table/column-watch.ts';
export { chooseColumns, labelByName } from './table/columns.ts';
export { commonLength, delimiterOf, delimiters, type GivenDialect, isTitle, mostTitles } from './table/dialect.ts';
export { type RowStore, readTables, type StoredRows } from './table/fit.ts';
export { headText, mostHeadBytes, readHead, type TableHead } from './table/head.ts';
export { type Header, uniqueNames } from './table/header.ts';
export { LabelClasses, tableHoldout } from './table/held-out-rows.ts';
export { finiteColumns, jsonBags } from './table/json/bags.ts';
export { isTooDeep, type JsonCell, nested, parsed, withoutNaN } from './table/json/object.ts';
export { type JsonLayout, jsonRows, knownColumns } from './table/json/rows.ts';
export { jsonLayout, knownTable, layoutOf, openJsonTable } from './table/json/table.ts';
export { chooseKind, type ReadAs, tallyWords } from './table/kinds.ts';
export { type FoundLayout, findLayout, type LayoutOptions } from './table/layout.ts';
export { leakNotes } from './table/leaks.ts';
export { columnFlag, listed, listedLeftOut } from './table/listed.ts';
export { type KnownNames, knownNames, type OpenTablesOptions, openTables } from './table/open.ts';
export { type CellFault, type Identity, missingLabel, type RowSink } from './table/reading.ts';
export { type Dialect, RecordParser } from './table/record-parser.ts';
export type { Row, RowPieces, RowTable } from './table/row-scan.ts';
export { findShape } from './table/shapes/find.ts';
export { dialectOf as dialectOfShape, reshaped, type Shape } from './table/shapes/shape.ts';
export { TableSource } from './table/source.ts';
export { type DelimitedOptions, givenDialect } from './table/source-options.ts';
export {
  isReadable,
  type RejectedRow,
  type Scan,
  type ScannedChunk,
  type ScanOptions,
  type SourceColumn,
  type SourceType,
  type Table,
  type Wanted,
} from './table/table.ts';
export { malformed, mayEnd, type TextLayout, textRows, wideColumns } from './table/text-rows.ts';
export { openTextTable, skippedNotes, type TextTable, type TextTableOptions, textTable } from './table/text-table.ts';
export { characterEncoding, transcoded } from './table/transcode.ts';
export { unchanged } from './table/unchanged.ts';
export { WordCounts, WordList } from './table/words.ts';
export { stoppingCounts, stoppingSplit } from './train/stopping-rows.ts';
export { trainOnce } from './train/train-once.ts';
