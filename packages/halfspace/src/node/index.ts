/**
 * Files and pipes under Node: reading and writing them whole or not at all, and reading tables from them. For programs
 * such as the command and the service; names may change with a minor version.
 * @module
 */

export { BagEvidence, needsTable } from '../table/bag-evidence.ts';
export type { TableSource } from '../table/source.ts';
export { characterEncoding } from '../table/transcode.ts';
export { onPending } from './cleanup.ts';
export { FileState } from './file-state.ts';
export { type OpenOptions, openBytes } from './files.ts';
export { descriptorOf, finalPlace } from './final-place.ts';
export { holdFile } from './hold.ts';
export { removeLeftovers } from './maker.ts';
export { openLines } from './open-lines.ts';
export { ParserPool } from './parallel/parser-pool.ts';
export { readWhole, readWholeText, type WholeKind, wholeKinds, wholeText } from './read-whole.ts';
export { reasonOf } from './reason.ts';
export { temporarySpill } from './spill.ts';
export { writeCsv } from './tables/as-csv.ts';
export { checkTableHead, guessFormat } from './tables/guess-format.ts';
export { type BagChoice, openTable, type TableOptions } from './tables/open.ts';
export { openRecords, type RecordTable, type TextColumns } from './tables/records.ts';
export { openTableFile, piecesOf, type TableFile, textOfFile } from './tables/table-file.ts';
export { type TemporaryFolder, temporaryCopy, temporaryFolder } from './temporary.ts';
export { openWhole, type WholeFile, writeWhole } from './write.ts';
