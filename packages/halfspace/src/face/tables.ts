/**
 * Tables in parts. For readers of further formats, the contract: columns with names, and scans that give their cells in
 * chunks; `openTable` of `halfspace/node` takes what implements {@link Table}. For pages and trainers in shards:
 * reading, fitting and encoding a table in memory, and the words about its columns. May change with a minor version.
 * @module
 */

export { WordMeanings } from '../features/column-features.ts';
export { dateFormats } from '../features/date/format-names.ts';
export { parseFeatureOptions } from '../features/feature-options.ts';
export { keptWord, measuredMissing, missingWords, refusedCell, wordCell } from '../features/table-cell.ts';
export type { ColumnCells, WordCells } from '../features/table-chunk.ts';
export { chooseClasses, labelNumber } from '../features/table-label.ts';
export { csvCell } from '../table/cells.ts';
export { ColumnWatch } from '../table/column-watch.ts';
export { labelByName, saidMissing } from '../table/columns.ts';
export { givenDialect } from '../table/dialect.ts';
export { encodeColumns, fitColumns } from '../table/encode-columns.ts';
export { uniqueNames } from '../table/header.ts';
export { inspected } from '../table/inspected.ts';
export { listed, listedLeftOut } from '../table/listed.ts';
export { openTables } from '../table/open.ts';
export { type BlobTable, openBlob } from '../table/open-blob.ts';
export { previewColumns } from '../table/preview.ts';
export { readColumns } from '../table/read-columns.ts';
export { isReadable, type SourceColumn, type Table, type Wanted } from '../table/table.ts';
export { WordList } from '../table/words.ts';
