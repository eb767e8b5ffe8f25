/**
 * For the other packages of this repository: how tables are read, the kinds of columns, and their encoding as features.
 * @module
 */

export { wordReader } from '../features/cell-forms.ts';
export { compareClasses, findClass, similarNote, typeOfClasses } from '../features/class-names.ts';
export { WordMeanings } from '../features/column-features.ts';
export { dateFormats } from '../features/date/format-names.ts';
export { dimensionOf } from '../features/dimension.ts';
export { type EncodedRow, encodeRow, TableEncoder } from '../features/encode-table.ts';
export type { FeatureEncoding, HashedEncoding, IndexedEncoding, NamedEncoding } from '../features/encoding.ts';
export { checkColumnNames, parseFeatureOptions } from '../features/feature-options.ts';
export { addParts, type FitPart, partsOf } from '../features/fit-parts.ts';
export { type FitColumn, TableFitter } from '../features/fit-table.ts';
export { featureNamer, featureNames } from '../features/names.ts';
export { nearestName } from '../features/nearest.ts';
export { parseEncoding } from '../features/parse-encoding.ts';
export { parseLabel } from '../features/parse-table-encoding.ts';
export { setText } from '../features/set/list.ts';
export {
  cellText,
  expectedCell,
  keepsWords,
  keptWord,
  measuredMissing,
  missingWords,
  missingWordsIn,
  refusedCell,
  refusedNumber,
  unlessMissing,
  valueCell,
  valueText,
  wordCell,
} from '../features/table-cell.ts';
export type { ColumnCells, WordCells } from '../features/table-chunk.ts';
export {
  type CategoryColumn,
  type ColumnKind,
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
} from '../features/table-encoding.ts';
export { chooseClasses, classNames, labelNumber, notClass, unknownClass } from '../features/table-label.ts';
export { BagEvidence, needsTable } from '../table/bag-evidence.ts';
export { type BagPiece, openBags } from '../table/bag-source.ts';
export type { CarriedRows, Carry } from '../table/carried.ts';
export { areFinite, csvCell, sliceCells } from '../table/cells.ts';
export { ColumnWatch, type SeenColumn } from '../table/column-watch.ts';
export { chooseColumns, labelByName, saidMissing } from '../table/columns.ts';
export { delimiters, type GivenDialect, givenDialect, isTitle, mostTitles } from '../table/dialect.ts';
export { type RowStore, readTables, type StoredRows } from '../table/fit.ts';
export { headText, mostHeadBytes, readHead, type TableHead } from '../table/head.ts';
export { type Header, uniqueNames } from '../table/header.ts';
export { LabelClasses, tableHoldout } from '../table/held-out-rows.ts';
export { type InspectedColumn, inspected, writtenAs } from '../table/inspected.ts';
export { finiteColumns, jsonBags } from '../table/json/bags.ts';
export { isTooDeep, type JsonCell, parsed, withoutNaN } from '../table/json/object.ts';
export { type JsonLayout, jsonRows, knownColumns } from '../table/json/rows.ts';
export { jsonLayout, knownTable, layoutOf, openJsonTable } from '../table/json/table.ts';
export { chooseKind, type ReadAs, tallyWords } from '../table/kinds.ts';
export { type FoundLayout, findLayout, type LayoutOptions } from '../table/layout.ts';
export { leakNotes } from '../table/leaks.ts';
export { columnFlag, listed, listedLeftOut } from '../table/listed.ts';
export { type KnownNames, knownNames, type OpenTablesOptions, openTables } from '../table/open.ts';
export { type CellFault, type Identity, missingLabel, type RowSink } from '../table/reading.ts';
export { RecordParser } from '../table/record-parser.ts';
export type { Row, RowPieces, RowTable } from '../table/row-scan.ts';
export { findShape } from '../table/shapes/find.ts';
export { dialectOf as dialectOfShape, reshaped, type Shape } from '../table/shapes/shape.ts';
export { TableSource } from '../table/source.ts';
export type { DelimitedOptions } from '../table/source-options.ts';
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
} from '../table/table.ts';
export { malformed, textRows } from '../table/text-rows.ts';
export { openTextTable, skippedNotes, type TextTable, type TextTableOptions, textTable } from '../table/text-table.ts';
export { characterEncoding, transcoded } from '../table/transcode.ts';
export { unchanged } from '../table/unchanged.ts';
export { WordCounts, WordList } from '../table/words.ts';
