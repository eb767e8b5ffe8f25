/**
 * For the other packages of this repository: how tables are read, the kinds of columns, and their encoding as features.
 * @module
 */

export { wordReader } from '../features/cell-forms.ts';
export { compareClasses, findClass, similarNote, typeOfClasses } from '../features/class-names.ts';
export { WordMeanings } from '../features/column-features.ts';
export { dateFormats } from '../features/date/format-names.ts';
export { dimensionOf } from '../features/dimension.ts';
export { TableEncoder } from '../features/encode-table.ts';
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
  missingWords,
  missingWordsIn,
  refusedCell,
  refusedNumber,
  unlessMissing,
  valueCell,
  valueText,
} from '../features/table-cell.ts';
export type { ColumnCells, WordCells } from '../features/table-chunk.ts';
export {
  type CategoryColumn,
  cellForm,
  columnWidth,
  type LeftOutColumn,
  type MeasuredColumn,
  type MeasuredKind,
  type NumberColumn,
  numberLevels,
  type TableColumn,
  type TableEncoding,
  type TableLabel,
  type TextColumn,
} from '../features/table-encoding.ts';
export { chooseClasses, classNames, labelNumber, notClass, unknownClass } from '../features/table-label.ts';
export type { CarriedRows, Carry } from '../table/carried.ts';
export { csvCell, sliceCells } from '../table/cells.ts';
export { ColumnWatch, type SeenColumn } from '../table/column-watch.ts';
export { chooseColumns, labelByName, saidMissing } from '../table/columns.ts';
export { type GivenDialect, givenDialect } from '../table/dialect.ts';
export { readTables } from '../table/fit.ts';
export { readHead } from '../table/head.ts';
export { LabelClasses, tableHoldout } from '../table/held-out-rows.ts';
export { type InspectedColumn, inspected, writtenAs } from '../table/inspected.ts';
export { isTooDeep } from '../table/json/object.ts';
export { openJsonTable } from '../table/json/table.ts';
export { chooseKind, type ReadAs, tallyWords } from '../table/kinds.ts';
export { leakNotes } from '../table/leaks.ts';
export { listed, listedLeftOut } from '../table/listed.ts';
export { type OpenTablesOptions, openTables } from '../table/open.ts';
export { type CellFault, type Identity, missingLabel, type RowSink } from '../table/reading.ts';
export type { RowTable } from '../table/row-scan.ts';
export type { DelimitedOptions } from '../table/source-options.ts';
export type { ScannedChunk, SourceColumn } from '../table/table.ts';
export { openTextTable, type TextTable } from '../table/text-table.ts';
export { characterEncoding, transcoded } from '../table/transcode.ts';
export { WordCounts, WordList } from '../table/words.ts';
