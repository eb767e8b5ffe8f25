export { clearAtExit, onPending } from './cleanup.ts';
export { type OpenOptions, openBytes } from './files.ts';
export { descriptorOf, finalPlace } from './final-place.ts';
export { type ParseAheadOptions, parseAhead } from './parallel/parse-ahead.ts';
export { ParserPool } from './parallel/parser-pool.ts';
export { reasonOf } from './reason.ts';
export { temporarySpill } from './spill.ts';
export { type TemporaryFolder, temporaryCopy, temporaryFolder } from './temporary.ts';
export { openWhole, type WholeFile, writeWhole } from './write.ts';
