/**
 * The contract of a table, for readers of further formats: columns with names, and scans that give their cells in
 * chunks. `openTable` of `halfspace/node` takes what implements {@link Table}. May change with a minor version.
 * @module
 */

export { WordMeanings } from '../features/column-features.ts';
export { keptWord, measuredMissing, missingWords, wordCell } from '../features/table-cell.ts';
export type { ColumnCells, WordCells } from '../features/table-chunk.ts';
export { uniqueNames } from '../table/header.ts';
export { isReadable, type SourceColumn, type Table, type Wanted } from '../table/table.ts';
export { WordList } from '../table/words.ts';
