export { cutShort, type Decompress, damaged } from './archive.ts';
export { FileState } from './file-state.ts';
export { type OpenOptions, openBytes } from './files.ts';
export { type ParseAheadOptions, parseAhead } from './parallel/parse-ahead.ts';
export { ParserPool } from './parallel/parser-pool.ts';
export { reasonOf } from './reason.ts';
export { temporarySpill } from './spill.ts';
export { openWhole, type WholeFile, writeWhole } from './write.ts';
