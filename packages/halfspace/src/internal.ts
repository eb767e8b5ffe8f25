/**
 * Parts of the library for the other packages of this workspace. They may change in any version.
 * @module
 */
export { WordMeanings } from './features/column-features.ts';
export { dimensionOf } from './features/dimension.ts';
export { checkColumnNames } from './features/feature-options.ts';
export { TableFitter } from './features/fit-table.ts';
export { parseEncoding } from './features/parse-encoding.ts';
export {
  booleanCell,
  cellText,
  dateCell,
  expectedCell,
  missingWords,
  numberCell,
  refusedNumber,
  refusedWord,
  wordCell,
} from './features/table-cell.ts';
export type { ColumnCells, WordCells } from './features/table-chunk.ts';
export type { MeasuredKind } from './features/table-encoding.ts';
export { chooseClasses, classNames, labelNumber, matchClass, notClass, unknownClass } from './features/table-label.ts';
export { readAs } from './json.ts';
export { forEachNonzero } from './kernels/batch-view.ts';
export { type BytePieces, byteText, readableUtf8, utf8 } from './table/byte-text.ts';
export { areFinite, csvCell, sliceCells } from './table/cells.ts';
export {
  type Candidate,
  type ChosenColumns,
  chooseColumns,
  labelByName,
  listed,
  listedLeftOut,
} from './table/columns.ts';
export { blobPieces } from './table/csv.ts';
export { delimiterOf, delimiters, guessDialect, splitRecords } from './table/dialect.ts';
export { type RowStore, readTables, type StoredRows } from './table/fit.ts';
export { headText, mostHeadBytes, readHead, type TableHead } from './table/head.ts';
export { findHeader, uniqueNames } from './table/header.ts';
export { type ColumnTally, chooseKind, emptyTally, tallyWords } from './table/kinds.ts';
export {
  absentNote,
  type KnownNames,
  knownNames,
  type OpenTablesOptions,
  openTables,
  unknownColumns,
} from './table/open.ts';
export type { CellFault, RowSink } from './table/reading.ts';
export { type Dialect, RecordParser } from './table/record-parser.ts';
export { type Row, type RowPieces, scanRows } from './table/row-scan.ts';
export { TableSource } from './table/source.ts';
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
export { malformed, textRows, wideColumns } from './table/text-rows.ts';
export { openTextTable, type TextTable, textTable } from './table/text-table.ts';
export { WordCounts, WordList } from './table/words.ts';
